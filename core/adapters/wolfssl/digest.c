/*
 * Hash functions.
 *
 * Timed for DIGEST: the library's three calls for each hash: initialise the state, add the
 * message, finish.
 */
#include "wolfssl_adapter.h"

#include <string.h>

#define DIGEST(name, member, init, update, final)                                 \
    static mb_status name##_begin(mb_job *job)                                    \
    {                                                                             \
        adapter_hash *s = &((adapter_state *)job->ctx)->digest.hash;              \
        return adapter_check(init);                                               \
    }                                                                             \
    static mb_status name##_add(mb_job *job, const uint8_t *in, size_t len)       \
    {                                                                             \
        adapter_hash *s = &((adapter_state *)job->ctx)->digest.hash;              \
        return adapter_check(update(&s->member, adapter_bytes(in), (word32)len)); \
    }                                                                             \
    static mb_status name##_finish(mb_job *job, uint8_t *out)                     \
    {                                                                             \
        adapter_hash *s = &((adapter_state *)job->ctx)->digest.hash;              \
        return adapter_check(final);                                              \
    }                                                                             \
    MB_HASH_WHOLE(name##_all, name##_begin, name##_add, name##_finish)

#define SHA3(name, bits)                                                                           \
    DIGEST(name, sha3, wc_InitSha3_##bits(&s->sha3, NULL, INVALID_DEVID), wc_Sha3_##bits##_Update, \
           wc_Sha3_##bits##_Final(&s->sha3, out))

enum { SHAKE256_LENGTH = 64, BLAKE2B_LENGTH = 64, BLAKE2S_LENGTH = 32 };

DIGEST(md5, md5, wc_InitMd5(&s->md5), wc_Md5Update, wc_Md5Final(&s->md5, out))
DIGEST(ripemd160, ripemd, wc_InitRipeMd(&s->ripemd), wc_RipeMdUpdate,
       wc_RipeMdFinal(&s->ripemd, out))
DIGEST(sha1, sha1, wc_InitSha(&s->sha1), wc_ShaUpdate, wc_ShaFinal(&s->sha1, out))
DIGEST(sha224, sha256, wc_InitSha224(&s->sha256), wc_Sha224Update, wc_Sha224Final(&s->sha256, out))
DIGEST(sha256, sha256, wc_InitSha256(&s->sha256), wc_Sha256Update, wc_Sha256Final(&s->sha256, out))
DIGEST(sha384, sha512, wc_InitSha384(&s->sha512), wc_Sha384Update, wc_Sha384Final(&s->sha512, out))
DIGEST(sha512, sha512, wc_InitSha512(&s->sha512), wc_Sha512Update, wc_Sha512Final(&s->sha512, out))
DIGEST(sha512_256, sha512, wc_InitSha512_256(&s->sha512), wc_Sha512_256Update,
       wc_Sha512_256Final(&s->sha512, out))
SHA3(sha3_224, 224)
SHA3(sha3_256, 256)
SHA3(sha3_384, 384)
SHA3(sha3_512, 512)
DIGEST(shake256, sha3, wc_InitShake256(&s->sha3, NULL, INVALID_DEVID), wc_Shake256_Update,
       wc_Shake256_Final(&s->sha3, out, SHAKE256_LENGTH))
DIGEST(blake2b, blake2b, wc_InitBlake2b(&s->blake2b, BLAKE2B_LENGTH), wc_Blake2bUpdate,
       wc_Blake2bFinal(&s->blake2b, out, BLAKE2B_LENGTH))
DIGEST(blake2s, blake2s, wc_InitBlake2s(&s->blake2s, BLAKE2S_LENGTH), wc_Blake2sUpdate,
       wc_Blake2sFinal(&s->blake2s, out, BLAKE2S_LENGTH))

/* Debian's build has SHAKE256 but not SHAKE128. */
#define ROW(label, name, len)                                                 \
    {                                                                         \
        {&adapter_digest_kind, label}, len,                                   \
        {                                                                     \
            .whole = name##_all, .begin = name##_begin, .update = name##_add, \
            .finish = name##_finish                                           \
        }                                                                     \
    }

const adapter_digest adapter_digests[] = {
    ROW("md5", md5, 16),
    ROW("ripemd160", ripemd160, 20),
    ROW("sha1", sha1, 20),
    ROW("sha224", sha224, 28),
    ROW("sha256", sha256, 32),
    ROW("sha384", sha384, 48),
    ROW("sha512", sha512, 64),
    ROW("sha512-256", sha512_256, 32),
    ROW("sha3-224", sha3_224, 28),
    ROW("sha3-256", sha3_256, 32),
    ROW("sha3-384", sha3_384, 48),
    ROW("sha3-512", sha3_512, 64),
    ROW("shake256", shake256, SHAKE256_LENGTH),
    ROW("blake2b-512", blake2b, BLAKE2B_LENGTH),
    ROW("blake2s-256", blake2s, BLAKE2S_LENGTH),
};

const size_t adapter_digest_count = sizeof adapter_digests / sizeof adapter_digests[0];

static mb_status digest_open(mb_job *job)
{
    const adapter_digest *digest = job->scheme->param;
    return mb_hash_open(job, &digest->how);
}

static void digest_close(mb_job *job)
{
    memset(job->ctx, 0, sizeof(adapter_digest_state));
}

const mb_kind adapter_digest_kind = {
    .open = digest_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
    .close = digest_close,
};
