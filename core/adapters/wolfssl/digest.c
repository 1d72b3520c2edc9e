/*
 * Hash functions.
 *
 * What is timed, DIGEST: the library's three calls for each hash: initialise the state, add the message, finish.
 */
#include "ws.h"

#include <string.h>

#define DIGEST(name, member, init, update, final)                                   \
    static int name##_begin(ws_digest_state *s)                                     \
    {                                                                               \
        return init;                                                                \
    }                                                                               \
    static int name##_add(ws_digest_state *s, const uint8_t *in, word32 len)        \
    {                                                                               \
        return update(&s->member, in, len);                                         \
    }                                                                               \
    static int name##_finish(ws_digest_state *s, uint8_t *out)                      \
    {                                                                               \
        return final;                                                               \
    }

#define SHA3(name, bits)                                                                                  \
    DIGEST(name, sha3, wc_InitSha3_##bits(&s->sha3, NULL, INVALID_DEVID), wc_Sha3_##bits##_Update,        \
           wc_Sha3_##bits##_Final(&s->sha3, out))

enum { SHAKE256_LENGTH = 64, BLAKE2B_LENGTH = 64, BLAKE2S_LENGTH = 32 };

DIGEST(md5, md5, wc_InitMd5(&s->md5), wc_Md5Update, wc_Md5Final(&s->md5, out))
DIGEST(ripemd160, ripemd, wc_InitRipeMd(&s->ripemd), wc_RipeMdUpdate, wc_RipeMdFinal(&s->ripemd, out))
DIGEST(sha1, sha1, wc_InitSha(&s->sha1), wc_ShaUpdate, wc_ShaFinal(&s->sha1, out))
DIGEST(sha224, sha256, wc_InitSha224(&s->sha256), wc_Sha224Update, wc_Sha224Final(&s->sha256, out))
DIGEST(sha256, sha256, wc_InitSha256(&s->sha256), wc_Sha256Update, wc_Sha256Final(&s->sha256, out))
DIGEST(sha384, sha512, wc_InitSha384(&s->sha512), wc_Sha384Update, wc_Sha384Final(&s->sha512, out))
DIGEST(sha512, sha512, wc_InitSha512(&s->sha512), wc_Sha512Update, wc_Sha512Final(&s->sha512, out))
DIGEST(sha512_256, sha512, wc_InitSha512_256(&s->sha512), wc_Sha512_256Update, wc_Sha512_256Final(&s->sha512, out))
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
#define ROW(label, name, len) {{&ws_digest_kind, label}, len, name##_begin, name##_add, name##_finish}

const ws_digest ws_digests[] = {
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

const size_t ws_digest_count = sizeof ws_digests / sizeof ws_digests[0];

static mb_status digest_open(mb_job *job)
{
    const ws_digest *digest = job->scheme->param;
    return job->out_cap < digest->out_len ? mb_note(MB_TOO_BIG, "output does not fit") : MB_OK;
}

/* For files; a message in memory is begun by `run`. */
static mb_status digest_start(mb_job *job)
{
    const ws_digest *digest = job->scheme->param;
    return ws_check(digest->begin(job->ctx));
}

static mb_status digest_run(mb_job *job, uint32_t n)
{
    const ws_digest *digest = job->scheme->param;
    ws_digest_state *s = job->ctx;
    const uint8_t *in = ws_bytes(job->in);
    int err = 0;
    for (uint32_t i = 0; i < n && !err; i++) {
        err = digest->begin(s);
        if (!err)
            err = digest->add(s, in, (word32)job->in_len);
        if (!err)
            err = digest->finish(s, job->out);
    }
    job->out_len = digest->out_len;
    return ws_check(err);
}

static mb_status digest_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    const ws_digest *digest = job->scheme->param;
    (void)out;
    *out_len = 0;
    return ws_check(digest->add(job->ctx, in, (word32)in_len));
}

static mb_status digest_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    const ws_digest *digest = job->scheme->param;
    *out_len = digest->out_len;
    return ws_check(digest->finish(job->ctx, out));
}

static void digest_close(mb_job *job)
{
    memset(job->ctx, 0, sizeof(ws_digest_state));
}

const mb_kind ws_digest_kind = {
    .open = digest_open,
    .start = digest_start,
    .run = digest_run,
    .update = digest_update,
    .final = digest_final,
    .close = digest_close,
};
