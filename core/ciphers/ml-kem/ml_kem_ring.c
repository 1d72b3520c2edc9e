/*
 * The ring of ML-KEM in C: FIPS 203, section 4.3, with Montgomery's reduction.
 */
#include "ml_kem_ring.h"

#include "ml_kem_roots.h"
#include "mote/assembly.h"
#include "mote/flash.h"

#if !MOTE_ASSEMBLY && !MOTE_ASSEMBLY_ARMV7EM
enum { Q = MOTE_ML_KEM_Q, N = MOTE_ML_KEM_N };

/* 17^BitRev7(i) R modulo q (appendix A). */
static const int16_t MOTE_FLASH zetas[128] = {
    -1044, -758,  -359,  -1517, 1493,
    1422,  287,   202,   -171,  622,
    1577,  182,   962,   -1202, -1474,
    1468,  573,   -1325, 264,   383,
    -829,  1458,  -1602, -130,  -681,
    1017,  732,   608,   -1542, 411,
    -205,  -1571, 1223,  652,   -552,
    1015,  -1293, 1491,  -282,  -1544,
    516,   -8,    -320,  -666,  -1618,
    -1162, 126,   1469,  -853,  -90,
    -271,  830,   107,   -1421, -247,
    -951,  -398,  961,   -1508, -725,
    448,   -1065, 677,   -1275, MOTE_ML_KEM_ROOTS,
};

static int16_t product(int16_t a, int16_t b)
{
    return mote_ml_kem_reduce((int32_t)a * b);
}

void mote_ml_kem_ntt(int16_t p[N])
{
    uint8_t i = 1;
    for (uint16_t len = N / 2; len >= 2; len >>= 1) {
        for (uint16_t start = 0; start < N; start = (uint16_t)(start + 2 * len)) {
            const int16_t zeta = zetas[i++];
            for (uint16_t j = start; j < start + len; j++) {
                const int16_t t = product(zeta, p[j + len]);
                p[j + len] = (int16_t)(p[j] - t);
                p[j] = (int16_t)(p[j] + t);
            }
        }
    }
}

/* Sums double from layer to layer; they are reduced in two of them. */
void mote_ml_kem_inverse(int16_t p[N])
{
    enum { LAST = 1441 }; /* R^2 / 128 */
    uint8_t i = 127;
    for (uint16_t len = 2; len < N; len = (uint16_t)(len << 1)) {
        for (uint16_t start = 0; start < N; start = (uint16_t)(start + 2 * len)) {
            const int16_t zeta = zetas[i--];
            for (uint16_t j = start; j < start + len; j++) {
                const int32_t sum = (int32_t)p[j] + p[j + len];
                const int32_t difference = (int32_t)p[j + len] - p[j];
                p[j] =
                    len == 2 || len == 32 ? mote_ml_kem_reduce(sum * MOTE_ML_KEM_R) : (int16_t)sum;
                p[j + len] = mote_ml_kem_reduce(difference * zeta);
            }
        }
    }
    for (uint16_t j = 0; j < N; j++)
        p[j] = product(p[j], LAST);
}

void mote_ml_kem_multiply_add(int16_t *sum, const int16_t *b, const int16_t a[MOTE_ML_KEM_FEW],
                              uint16_t at)
{
    const int16_t MOTE_FLASH *zeta = zetas + 64 + at / 4;
    sum += at;
    b += at;
    for (uint8_t i = 0; i < MOTE_ML_KEM_FEW; i = (uint8_t)(i + 2)) {
        const int16_t root = i & 2 ? (int16_t)-*zeta++ : *zeta;
        const int16_t high = product(a[i + 1], b[i + 1]);
        sum[i] =
            (int16_t)(sum[i] + mote_ml_kem_reduce((int32_t)a[i] * b[i] + (int32_t)high * root));
        sum[i + 1] =
            (int16_t)(sum[i + 1] +
                      mote_ml_kem_reduce((int32_t)a[i] * b[i + 1] + (int32_t)a[i + 1] * b[i]));
    }
}
#endif
