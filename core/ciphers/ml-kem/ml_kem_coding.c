/* The coding of ML-KEM in C: see ml_kem_coding.h. */
#include "ml_kem_coding.h"

#include <stddef.h>

#include "mote/assembly.h"
#include "mote/bytes.h"

#if !MOTE_ASSEMBLY_ARMV7EM
enum { Q = MOTE_ML_KEM_Q, N = MOTE_ML_KEM_N };

const uint8_t *mote_ml_kem_sample(int16_t **to, const int16_t *enough, const uint8_t *in,
                                  const uint8_t *end)
{
    int16_t *next = *to;
    while (next < enough && in < end) {
        const uint16_t low = (uint16_t)(in[0] | (in[1] & 15u) << 8);
        const uint16_t high = (uint16_t)(in[1] >> 4 | (uint16_t)in[2] << 4);
        *next = (int16_t)low;
        next += low < Q;
        *next = (int16_t)high;
        next += high < Q;
        in += 3;
    }
    *to = next;
    return next < enough ? NULL : in;
}

const uint8_t *mote_ml_kem_decode(int16_t few[MOTE_ML_KEM_FEW], const uint8_t *in)
{
    for (uint8_t i = 0; i < MOTE_ML_KEM_FEW; i = (uint8_t)(i + 2), in += 3) {
        few[i] = (int16_t)(in[0] | (in[1] & 15u) << 8);
        few[i + 1] = (int16_t)(in[1] >> 4 | (uint16_t)in[2] << 4);
    }
    return in;
}

/* Adds four coefficients, each of 2 eta bits of `d` and 2^eta too large. */
static inline __attribute__((always_inline)) void
add_four(int16_t *p, uint32_t d, unsigned eta, int16_t factor)
{
    for (uint8_t i = 0; i < 4; i++, d >>= 2 * eta) {
        const int16_t noise = (int16_t)((int16_t)(d & ((1u << 2 * eta) - 1)) - (1 << eta));
        p[i] = (int16_t)(p[i] + noise * factor);
    }
}

/* Sums of eta bits, the second of each two subtracted from the first. */
static uint32_t differences(uint32_t d, uint8_t eta)
{
    if (eta == 2) {
        d = (d & 0x5555) + (d >> 1 & 0x5555);
        return (d & 0x3333) + 0x4444 - (d >> 2 & 0x3333);
    }
    d = (d & 0x249249) + (d >> 1 & 0x249249) + (d >> 2 & 0x249249);
    return (d & 0x1c71c7) + 0x208208 - (d >> 3 & 0x1c71c7);
}

void mote_ml_kem_add_noise(int16_t *p, const uint8_t *bits, uint8_t len, uint8_t eta,
                           int16_t factor)
{
    for (const uint8_t *end = bits + len; bits < end; bits += eta, p += 4) {
        if (eta == 2)
            add_four(p, differences(mote_load16le(bits), 2), 2, factor);
        else
            add_four(p, differences(mote_load16le(bits) | (uint32_t)bits[2] << 16, 3), 3, factor);
    }
}

uint8_t mote_ml_kem_put(uint8_t *out, const uint8_t *compare, const int16_t *p, uint8_t d)
{
    uint32_t bits = 0;
    uint8_t have = 0, differs = 0;
    for (const int16_t *end = p + N; p < end; p++) {
        bits |= (uint32_t)mote_ml_kem_compress(*p, d) << have;
        for (have = (uint8_t)(have + d); have >= 8; have = (uint8_t)(have - 8), bits >>= 8) {
            if (out != NULL)
                *out++ = (uint8_t)bits;
            else
                differs |= (uint8_t)(*compare++ ^ (uint8_t)bits);
        }
    }
    return differs;
}

void mote_ml_kem_get(int16_t *p, const uint8_t *in, uint8_t d)
{
    const uint16_t mask = (uint16_t)((1u << d) - 1);
    uint32_t bits = 0;
    uint8_t have = 0;
    for (const int16_t *end = p + N; p < end; p++) {
        for (; have < d; have = (uint8_t)(have + 8))
            bits |= (uint32_t)*in++ << have;
        /* NOLINTNEXTLINE(clang-analyzer-core.BitwiseShift): d is not 0 */
        *p = (int16_t)(((bits & mask) * Q + (1u << (d - 1))) >> d);
        bits >>= d;
        have = (uint8_t)(have - d);
    }
}
#endif
