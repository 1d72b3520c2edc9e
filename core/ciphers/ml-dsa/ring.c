/*
 * ring.h in C. Shifting a negative number right fills with ones, as all compilers for our machines
 * do.
 */
#include "ring.h"

#include "mote/flash.h"

_Static_assert(-3 >> 1 == -2, "arithmetic shift");

#define Q MOTE_ML_DSA_Q
enum { N = MOTE_ML_DSA_N };

#if !MOTE_ASSEMBLY_AVR && !MOTE_ASSEMBLY_ARMV7EM
/*
 * 1753^brv(i) modulo q, brv: the 8 bits reversed; between -q/2 and q/2 (FIPS 204, section 7.5,
 * appendix B).
 */
const int32_t MOTE_FLASH mote_ml_dsa_zetas[N] = {
    1,        -3572223, 3765607,  3761513,  -3201494, -2883726, -3145678, -3201430, -601683,
    3542485,  2682288,  2129892,  3764867,  -1005239, 557458,   -1221177, -3370349, -4063053,
    2663378,  -1674615, -3524442, -434125,  676590,   -1335936, -3227876, 1714295,  2453983,
    1460718,  -642628,  -3585098, 2815639,  2283733,  3602218,  3182878,  2740543,  -3586446,
    -3110818, 2101410,  3704823,  1159875,  394148,   928749,   1095468,  -3506380, 2071829,
    -4018989, 3241972,  2156050,  3415069,  1759347,  -817536,  -3574466, 3756790,  -1935799,
    -1716988, -3950053, -2897314, 3192354,  556856,   3870317,  2917338,  1853806,  3345963,
    1858416,  3073009,  1277625,  -2635473, 3852015,  4183372,  -3222807, -3121440, -274060,
    2508980,  2028118,  1937570,  -3815725, 2811291,  -2983781, -1109516, 4158088,  1528066,
    482649,   1148858,  -2962264, -565603,  169688,   2462444,  -3334383, -4166425, -3488383,
    1987814,  -3197248, 1736313,  235407,   -3250154, 3258457,  -2579253, 1787943,  -2391089,
    -2254727, 3482206,  -4182915, -1300016, -2362063, -1317678, 2461387,  3035980,  621164,
    3901472,  -1226661, 2925816,  3374250,  1356448,  -2775755, 2683270,  -2778788, -3467665,
    2312838,  -653275,  -459163,  348812,   -327848,  1011223,  -2354215, -3818627, -1922253,
    -2236726, 1744507,  1753,     -1935420, -2659525, -1455890, 2660408,  -1780227, -59148,
    2772600,  1182243,  87208,    636927,   -3965306, -3956745, -2296397, -3284915, -3716946,
    -27812,   822541,   1009365,  -2454145, -1979497, 1596822,  -3956944, -3759465, -1685153,
    -3410568, 2678278,  -3768948, -3551006, 635956,   -250446,  -2455377, -4146264, -1772588,
    2192938,  -1727088, 2387513,  -3611750, -268456,  -3180456, 3747250,  2296099,  1239911,
    -3838479, 3195676,  2642980,  1254190,  -12417,   2998219,  141835,   -89301,   2513018,
    -1354892, 613238,   -1310261, -2218467, -458740,  -1921994, 4040196,  -3472069, 2039144,
    -1879878, -818761,  -2178965, -1623354, 2105286,  -2374402, -2033807, 586241,   -1179613,
    527981,   -2743411, -1476985, 1994046,  2491325,  -1393159, 507927,   -1187885, -724804,
    -1834526, -3033742, -338420,  2647994,  3009748,  -2612853, 4148469,  749577,   -4022750,
    3980599,  2569011,  -1615530, 1723229,  1665318,  2028038,  1163598,  -3369273, 3994671,
    -11879,   -1370517, 3020393,  3363542,  214880,   545376,   -770441,  3105558,  -1103344,
    508145,   -553718,  860144,   3430436,  140244,   -1514152, -2185084, 3123762,  2358373,
    -2193087, -3014420, -1716814, 2926054,  -392707,  -303005,  3531229,  -3974485, -3773731,
    1900052,  -781875,  1054478,  -731434,
};
#endif

#if !MOTE_ASSEMBLY && !MOTE_ASSEMBLY_ARMV7M
/* A factor with its multiples. */
typedef struct factor { int32_t w, w8, w16; } factor;

/* x for |x| < 2^30, between -2^22 - 2^20 and 2^22 + 2^20. */
static inline int32_t centred(int32_t x)
{
    return x - ((x + (INT32_C(1) << 22)) >> 23) * Q;
}

static inline factor factor_of(int32_t w)
{
    factor f = {.w = w};
    f.w8 = centred(w * 256);
    f.w16 = centred(f.w8 * 256);
    return f;
}

static inline int32_t low_digit(int32_t x)
{
    return (int8_t)(uint8_t)x;
}

static inline int32_t times(int32_t x, const factor *f)
{
    const int32_t x0 = low_digit(x);
    const int32_t rest = (x - x0) >> 8;
    const int32_t x1 = low_digit(rest);
    const int32_t x2 = (rest - x1) >> 8;
    return mote_ml_dsa_reduced(x0 * f->w + x1 * f->w8 + x2 * f->w16);
}

void mote_ml_dsa_ntt(int32_t a[N])
{
    const int32_t MOTE_FLASH *zeta = mote_ml_dsa_zetas;
    for (uint16_t len = N / 2; len > 0; len /= 2) {
        for (uint16_t start = 0; start < N; start = (uint16_t)(start + 2 * len)) {
            const factor f = factor_of(*++zeta);
            int32_t *low = a + start, *high = low + len;
            for (uint16_t j = 0; j < len; j++, low++, high++) {
                const int32_t t = times(mote_ml_dsa_reduced(*high), &f);
                *high = *low - t;
                *low += t;
            }
        }
    }
}

/* Sums double from layer to layer: they are reduced once, in the middle. */
void mote_ml_dsa_ntt_inverse(int32_t a[N])
{
    const int32_t MOTE_FLASH *zeta = mote_ml_dsa_zetas + N;
    for (uint16_t len = 1; len < N; len = (uint16_t)(2 * len)) {
        for (uint16_t start = 0; start < N; start = (uint16_t)(start + 2 * len)) {
            const factor f = factor_of(-*--zeta);
            int32_t *low = a + start, *high = low + len;
            for (uint16_t j = 0; j < len; j++, low++, high++) {
                const int32_t sum = *low + *high;
                *high = times(mote_ml_dsa_reduced(*low - *high), &f);
                *low = len == 8 ? mote_ml_dsa_reduced(sum) : sum;
            }
        }
    }
    const factor f = factor_of(-32736); /* 1/256 */
    for (uint16_t i = 0; i < N; i++)
        a[i] = times(mote_ml_dsa_reduced(a[i]), &f);
}

uint16_t mote_ml_dsa_accumulate(int32_t *sum, const int32_t *y,
                                const uint8_t in[MOTE_ML_DSA_SAMPLED], uint16_t from)
{
    for (const uint8_t *end = in + MOTE_ML_DSA_SAMPLED; in != end && from < N; in += 3) {
        const int32_t x = (int32_t)(in[0] | (uint32_t)in[1] << 8 | (uint32_t)(in[2] & 0x7f) << 16);
        if (x >= Q)
            continue;
        const factor f = factor_of(centred(y[from]));
        sum[from] += times(x, &f);
        from++;
    }
    return from;
}

#endif

#if !MOTE_ASSEMBLY_ARMV6M && !MOTE_ASSEMBLY_ARMV7M
void mote_ml_dsa_add(int32_t *to, const int32_t *from, uint16_t n)
{
    do
        *to++ += *from++;
    while (--n > 0);
}

void mote_ml_dsa_subtract(int32_t *to, const int32_t *from, uint16_t n)
{
    do
        *to++ -= *from++;
    while (--n > 0);
}
#endif
