/* Our own P-256: core/ciphers/p256. */
#include "mote/p256.h"

#include "mote/cipher.h"
#include "support/der.h"

#define OURS(name) mote_p256_##name
#include "own_p256.h"

extern const mote_implementation mote_sha_256;

/* SHA-256 of the message. */
static void digest_of(const mb_job *job, uint8_t digest[MOTE_P256_NUMBER])
{
    union {
        uint64_t aligned;
        uint8_t bytes[128];
    } state;
    const mote_hash *hash = mote_sha_256.hashes;
    while (hash->digest_len != MOTE_P256_NUMBER)
        hash++;
    hash->start(&state);
    hash->update(&state, job->message, job->message_len);
    hash->finish(&state, digest);
}

/*
 * An INTEGER, as DER has it (X.690, 8.3); behind it, up to 35 bytes from `out` on are written. The
 * same steps for every number, so that cycles show nothing of keys, not even what the signature
 * itself shows.
 */
static uint8_t *put_integer(uint8_t *out, const uint8_t number[MOTE_P256_NUMBER])
{
    uint8_t padded[2 * INTEGER_MAX] = {0}, skipped = 0, leading = 1;
    memcpy(padded + 1, number, MOTE_P256_NUMBER);
    for (uint8_t i = 0; i < MOTE_P256_NUMBER; i++) {
        const unsigned needed = padded[i] | (unsigned)padded[i + 1] >> 7;
        leading &= (uint8_t)((needed - 1) >> 8 & 1);
        skipped = (uint8_t)(skipped + leading);
    }
    *out++ = 2;
    *out++ = (uint8_t)(INTEGER_MAX - skipped);
    /* Byte by byte: words take longer where they are not aligned. */
    volatile uint8_t *to = out;
    for (uint8_t i = 0; i < INTEGER_MAX; i++)
        to[i] = padded[skipped + i];
    return out + INTEGER_MAX - skipped;
}

static mb_status sign(mb_job *job)
{
    uint8_t digest[MOTE_P256_NUMBER], signature[MOTE_P256_SIGNATURE];
    digest_of(job, digest);
    if (mote_p256_sign(signature, job->key, digest) != 0)
        return no_key();
    uint8_t *end = put_integer(job->out + 2, signature);
    end = put_integer(end, signature + MOTE_P256_NUMBER);
    job->out_len = (size_t)(end - job->out);
    job->out[0] = 0x30;
    job->out[1] = (uint8_t)(job->out_len - 2);
    return MB_OK;
}

static mb_status verify(mb_job *job)
{
    uint8_t digest[MOTE_P256_NUMBER], signature[MOTE_P256_SIGNATURE] = {0};
    mb_number numbers[2];
    job->out_len = 0;
    if (!mb_der_read(job->signature, job->signature_len, numbers, 2))
        return MB_REJECTED;
    for (uint8_t i = 0; i < 2; i++) {
        if (numbers[i].len > MOTE_P256_NUMBER)
            return MB_REJECTED;
        memcpy(signature + (i + 1) * MOTE_P256_NUMBER - numbers[i].len, numbers[i].at,
               numbers[i].len);
    }
    digest_of(job, digest);
    return mote_p256_verify(job->key, job->key_len, digest, signature) == 0 ? MB_OK : MB_REJECTED;
}

MOTE_ADAPTER(p256)
#include "vendor/public_key.h"
