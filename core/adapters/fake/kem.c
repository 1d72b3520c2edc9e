#include "kem.h"

#include <string.h>

/* Bytes drawn without a seed: they differ each time, and that is all. */
static void draw(const mb_job *job, uint8_t drawn[FAKE_SEED])
{
    static uint8_t made;
    memset(drawn, 0, FAKE_SEED);
    drawn[0] = ++made;
    if (job->seed_len > 0)
        memcpy(drawn, job->seed, FAKE_SEED);
}

static void public_of(const uint8_t seed[FAKE_SEED], uint8_t public[FAKE_PUBLIC])
{
    for (size_t i = 0; i < FAKE_PUBLIC; i++)
        public[i] = (uint8_t)((seed[i % FAKE_SEED] ^ 0x5A) + i);
}

static void secret_of(const uint8_t drawn[FAKE_SEED], const uint8_t public[FAKE_PUBLIC],
                      uint8_t secret[FAKE_SECRET])
{
    for (size_t i = 0; i < FAKE_SECRET; i++)
        secret[i] = (uint8_t)(3 * drawn[i] + public[i] + drawn[FAKE_SEED - 1 - i]);
}

static mb_status keygen(mb_job *job)
{
    draw(job, job->out);
    public_of(job->out, job->public_out);
    memcpy(job->out + FAKE_SEED, job->public_out, FAKE_PUBLIC);
    job->out_len = FAKE_PRIVATE;
    job->public_out_len = FAKE_PUBLIC;
    return MB_OK;
}

static mb_status encapsulate(mb_job *job)
{
    uint8_t drawn[FAKE_SEED];
    if (job->key_len != FAKE_PUBLIC)
        return MB_UNSUPPORTED;
    draw(job, drawn);
    for (size_t i = 0; i < FAKE_SEED; i++) {
        job->out[i] = drawn[i] ^ job->key[i];
        job->out[FAKE_SEED + i] = (uint8_t)(drawn[i] + job->key[8 + i]);
    }
    secret_of(drawn, job->key, job->secret_out);
    job->out_len = FAKE_CIPHERTEXT;
    job->secret_out_len = FAKE_SECRET;
    return MB_OK;
}

/*
 * A ciphertext that fits no public key gives a secret of its own, as in ML-KEM: it is not rejected.
 */
static mb_status decapsulate(mb_job *job)
{
    const uint8_t *const public = job->key + FAKE_SEED;
    uint8_t drawn[FAKE_SEED], differs = 0;
    if (job->key_len != FAKE_PRIVATE || job->ciphertext_len != FAKE_CIPHERTEXT)
        return MB_UNSUPPORTED;
    for (size_t i = 0; i < FAKE_SEED; i++) {
        drawn[i] = job->ciphertext[i] ^ public[i];
        differs |= (uint8_t)(drawn[i] + public[8 + i]) ^ job->ciphertext[FAKE_SEED + i];
    }
    secret_of(drawn, public, job->out);
    if (differs != 0) {
        for (size_t i = 0; i < FAKE_SECRET; i++)
            job->out[i] = (uint8_t)(job->key[i] + 5 * job->ciphertext[i] +
                                    job->ciphertext[FAKE_CIPHERTEXT - 1 - i] + 0x33);
    }
    job->out_len = FAKE_SECRET;
    return MB_OK;
}

mb_status fake_kem(mb_job *job)
{
    if (job->seed_len > 0 && job->seed_len != FAKE_SEED)
        return MB_UNSUPPORTED;
    return job->op == MB_KEYGEN        ? keygen(job)
           : job->op == MB_ENCAPSULATE ? encapsulate(job)
                                       : decapsulate(job);
}

mb_status fake_kem_public(mb_job *job)
{
    if (job->key_len != FAKE_PRIVATE)
        return MB_ERROR;
    memcpy(job->out, job->key + FAKE_SEED, FAKE_PUBLIC);
    job->out_len = FAKE_PUBLIC;
    return MB_OK;
}
