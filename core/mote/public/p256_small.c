/* P-256 in the least flash: core/ciphers/small_curves. A firmware has its scheme alone. */
#include "mote/small_curves.h"
#include "vendor/pick.h"

#ifdef MOTE_PICKED
#define WITH_ECDH MOTE_IS(MOTE_PICK_ecdh_p256)
#define WITH_ECDSA MOTE_IS(MOTE_PICK_ecdsa_p256_sha256)
#endif
#define OURS(name) mote_p256_small_##name
#include "own_p256.h"

#if WITH_ECDSA
/*
 * An INTEGER, as DER has it (X.690, 8.3); behind it, up to 35 bytes from `out` on are written. The
 * same steps for every number, so that cycles show nothing of keys, not even what the signature
 * itself shows.
 */
static uint8_t *put_integer(uint8_t *out, const uint8_t number[MOTE_P256_NUMBER])
{
    uint8_t padded[2 * INTEGER_MAX] = {0}, skipped = MOTE_P256_NUMBER;
    memcpy(padded + 1, number, MOTE_P256_NUMBER);
    for (uint8_t i = MOTE_P256_NUMBER; i-- > 0;) {
        const unsigned needed = padded[i] | (unsigned)padded[i + 1] >> 7;
        skipped = (uint8_t)(i + ((unsigned)(skipped - i) & (needed - 1) >> 8));
    }
    *out++ = 2;
    *out++ = (uint8_t)(INTEGER_MAX - skipped);
    /* Byte by byte: words take longer where they are not aligned. */
    volatile uint8_t *to = out;
    for (uint8_t i = 0; i < INTEGER_MAX; i++)
        to[i] = padded[skipped + i];
    return out + INTEGER_MAX - skipped;
}

/* The length of ECDSA-Sig-Value (RFC 3279, 2.2.3), for which `out` has DER_MAX bytes. */
__attribute__((noinline)) static size_t
encode(uint8_t *out, const uint8_t signature[MOTE_P256_SIGNATURE])
{
    const uint8_t *const end =
        put_integer(put_integer(out + 2, signature), signature + MOTE_P256_NUMBER);
    out[0] = 0x30;
    out[1] = (uint8_t)(end - out - 2);
    return (size_t)(end - out);
}

/* The last 32 of `len` bytes, or these behind zeros. */
static void take(uint8_t number[MOTE_P256_NUMBER], const uint8_t *end, size_t len)
{
    for (uint8_t i = MOTE_P256_NUMBER; i-- > 0;) {
        number[i] = 0;
        if (len != 0) {
            number[i] = *--end;
            len--;
        }
    }
}

static mb_status sign(mb_job *job)
{
    uint8_t digest[MOTE_P256_NUMBER], signature[MOTE_P256_SIGNATURE];
    mote_p256_small_hash(digest, job->message, job->message_len, job->message, 0);
    if (mote_p256_small_sign(signature, job->key, digest) != 0)
        return no_key();
    job->out_len = encode(job->out, signature);
    return MB_OK;
}

/* A text with two numbers at the right places is a signature if they are encoded as it again. */
static mb_status verify(mb_job *job)
{
    uint8_t digest[MOTE_P256_NUMBER], signature[MOTE_P256_SIGNATURE], again[DER_MAX];
    const uint8_t *const in = job->signature;
    const size_t len = job->signature_len;
    job->out_len = 0;
    if (len < 6 || len - 6 < in[3])
        return MB_REJECTED;
    take(signature, in + 4 + in[3], in[3]);
    take(signature + MOTE_P256_NUMBER, in + len, len - 6 - in[3]);
    if (encode(again, signature) != len || memcmp(again, in, len) != 0)
        return MB_REJECTED;
    mote_p256_small_hash(digest, job->message, job->message_len, job->message, 0);
    return mote_p256_small_verify(job->key, job->key_len, digest, signature) == 0
               ? MB_OK
               : MB_REJECTED;
}
#endif

MOTE_ADAPTER(p256_small)
#include "vendor/public_key.h"
