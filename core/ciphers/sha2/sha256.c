/*
 * SHA-256 and SHA-224, for speed.
 *
 * FIPS 180-4. The message schedule is computed before the rounds; eight rounds are written out, so
 * that no word moves. Time and memory addresses do not depend on the message.
 */
#include <string.h>

#include "mote/assembly.h"
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "sha256_state.h"

#if !MOTE_ASSEMBLY && !MOTE_ASSEMBLY_ARMV7M
#define ROUND(a, b, c, d, e, f, g, h, i)                  \
    do {                                                  \
        h += BIG1(e) + (g ^ (e & (f ^ g))) + k[i] + w[i]; \
        d += h;                                           \
        h += BIG0(a) + ((a & b) | (c & (a | b)));         \
    } while (0)

void mote_sha256_compress(void *chain, const uint8_t *block)
{
    uint32_t *v = chain, schedule[64], *w = schedule;
    const uint32_t MOTE_FLASH *k = mote_sha256_k;
    uint32_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
    uint8_t i;
    for (i = 0; i < 16; i++)
        w[i] = mote_load32be(block + 4 * i);
    for (i = 0; i < 48; i++, w++) {
        const uint32_t w1 = w[1], w14 = w[14];
        w[16] = w[0] + w[9] + SMALL0(w1) + SMALL1(w14);
    }
    w = schedule;
    for (i = 0; i < 8; i++, w += 8, k += 8) {
        ROUND(a, b, c, d, e, f, g, h, 0);
        ROUND(h, a, b, c, d, e, f, g, 1);
        ROUND(g, h, a, b, c, d, e, f, 2);
        ROUND(f, g, h, a, b, c, d, e, 3);
        ROUND(e, f, g, h, a, b, c, d, 4);
        ROUND(d, e, f, g, h, a, b, c, 5);
        ROUND(c, d, e, f, g, h, a, b, 6);
        ROUND(b, c, d, e, f, g, h, a, 7);
    }
    v[0] += a;
    v[1] += b;
    v[2] += c;
    v[3] += d;
    v[4] += e;
    v[5] += f;
    v[6] += g;
    v[7] += h;
    mote_wipe(schedule, sizeof schedule);
}
#endif

#define SHA256_COMPRESS mote_sha256_compress
#include "sha256_hashes.h"

MOTE_IMPLEMENTATION(sha_256) = {.name = "sha-256", MOTE_HASHES(hashes), .constant_time = 1};
