/*
 * SHA-256 and SHA-224, for little flash and RAM.
 *
 * FIPS 180-4. One round, the words of which move; the message schedule is kept to its last sixteen
 * words. Time and memory addresses do not depend on the message.
 */
#include <string.h>

#include "mote/bytes.h"
#include "mote/cipher.h"
#include "sha256_state.h"

static void compress(void *chain, const uint8_t *block)
{
    uint32_t *h = chain, v[8], w[16];
    uint8_t i;
    memcpy(v, h, sizeof v);
    for (i = 0; i < 16; i++)
        w[i] = mote_load32be(block + 4 * i);
    for (i = 0; i < 64; i++) {
        uint32_t *now = &w[i & 15], t = v[4];
        t = v[7] + BIG1(t) + (v[6] ^ (t & (v[5] ^ v[6]))) + mote_sha256_k[i] + *now;
        const uint32_t a = v[0], w1 = w[(i + 1) & 15], w14 = w[(i + 14) & 15];
        *now += w[(i + 9) & 15] + SMALL0(w1) + SMALL1(w14); /* for the round 16 later */
        const uint32_t majority = (a & v[1]) | (v[2] & (a | v[1]));
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += t;
        v[0] = t + BIG0(a) + majority;
    }
    for (i = 0; i < 8; i++)
        h[i] += v[i];
    mote_wipe(v, sizeof v);
    mote_wipe(w, sizeof w);
}

#define SHA256_COMPRESS compress
#include "sha256_hashes.h"

MOTE_IMPLEMENTATION(sha_256_small) = {
    .name = "sha-256-small", MOTE_HASHES(hashes), .constant_time = 1};
