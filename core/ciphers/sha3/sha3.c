/*
 * SHA-3 and SHAKE.
 *
 * FIPS 202; SHAKE128 gives 256 bits here and SHAKE256 512 bits. The permutation is in keccak.c.
 * Time and memory addresses do not depend on the message.
 */
#include "mote/sha3.h"

#include "keccak.h"
#include "mote/cipher.h"

void mote_sha3_absorb(mote_sha3 *s, const uint8_t *in, size_t len)
{
    while (len > 0) {
        const uint8_t left = (uint8_t)(s->rate - s->at), some = (uint8_t)(len < left ? len : left);
        mote_keccak_add(s->a, s->at, in, some);
        s->at = (uint8_t)(s->at + some);
        in += some;
        len -= some;
        if (s->at == s->rate) {
            mote_keccak_permute(s->a);
            s->at = 0;
        }
    }
}

/* A block is permuted when its first byte is asked for. */
void mote_sha3_end(mote_sha3 *s, uint8_t suffix)
{
    static const uint8_t end = 0x80;
    mote_keccak_add(s->a, s->at, &suffix, 1);
    mote_keccak_add(s->a, (uint8_t)(s->rate - 1), &end, 1);
    s->at = s->rate;
}

void mote_sha3_squeeze(mote_sha3 *s, uint8_t *out, size_t len)
{
    while (len > 0) {
        uint8_t left, some;
        if (s->at == s->rate) {
            mote_keccak_permute(s->a);
            s->at = 0;
        }
        left = (uint8_t)(s->rate - s->at);
        some = (uint8_t)(len < left ? len : left);
        mote_keccak_get(s->a, s->at, out, some);
        s->at = (uint8_t)(s->at + some);
        out += some;
        len -= some;
    }
}

void mote_sha3_start(mote_sha3 *s, uint8_t rate)
{
    mote_keccak_clear(s->a);
    s->rate = rate;
    s->at = 0;
}

static void update(void *state, const uint8_t *in, size_t len)
{
    mote_sha3_absorb(state, in, len);
}

#define FUNCTIONS(name, rate, digest_len, suffix)           \
    static void start_##name(void *state)                   \
    {                                                       \
        mote_sha3_start(state, rate);                       \
    }                                                       \
    static void finish_##name(void *state, uint8_t *digest) \
    {                                                       \
        mote_sha3_end(state, suffix);                       \
        mote_sha3_squeeze(state, digest, digest_len);       \
    }

FUNCTIONS(224, 144, 28, MOTE_SHA3_SUFFIX)
FUNCTIONS(256, 136, 32, MOTE_SHA3_SUFFIX)
FUNCTIONS(384, 104, 48, MOTE_SHA3_SUFFIX)
FUNCTIONS(512, 72, 64, MOTE_SHA3_SUFFIX)
FUNCTIONS(shake128, 168, 32, MOTE_SHAKE_SUFFIX)
FUNCTIONS(shake256, 136, 64, MOTE_SHAKE_SUFFIX)

#define HASH(label, symbol, bytes, block) \
    {.name = (label),                     \
     .digest_len = (bytes),               \
     .block_len = (block),                \
     .state_len = sizeof(mote_sha3),      \
     .start = start_##symbol,             \
     .update = update,                    \
     .finish = finish_##symbol}

static const mote_hash hashes[] = {
    HASH("sha3-224", 224, 28, 144),    HASH("sha3-256", 256, 32, 136),
    HASH("sha3-384", 384, 48, 104),    HASH("sha3-512", 512, 64, 72),
    HASH("shake128", shake128, 32, 0), HASH("shake256", shake256, 64, 0),
};

MOTE_IMPLEMENTATION(sha_3) = {.name = "sha-3", MOTE_HASHES(hashes), .constant_time = 1};
