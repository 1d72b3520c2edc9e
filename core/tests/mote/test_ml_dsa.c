/*
 * ML-DSA: what known answers do not reach. Extreme factors against products of 64 bits, all high
 * bits against a division, random and changed signatures in buffers of their exact length. Under
 * sanitizers overflows and reads beyond an end show.
 */
#include <stdlib.h>

#include "../../ciphers/ml-dsa/ml_dsa.c"
#include "check.h"

static uint64_t seed = 1;

static uint32_t drawn(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 32);
}

static int32_t modulo(int64_t x)
{
    return (int32_t)((x % Q + Q) % Q);
}

/* Algorithm 36. */
static uint8_t decomposed(int32_t x, int32_t width, bool hint)
{
    const int32_t levels = (Q - 1) / width;
    int32_t low = x % width, high;
    low -= low > width / 2 ? width : 0;
    high = (x - low) / width;
    if (x - low == Q - 1) {
        high = 0;
        low--;
    }
    return (uint8_t)(!hint ? high : low > 0 ? (high + 1) % levels : (high + levels - 1) % levels);
}

static void high_bits_are_those_of_the_standard(void)
{
    uint32_t wrong = 0;
    for (int32_t x = 0; x < Q; x++) {
        for (uint8_t hint = 0; hint < 2; hint++) {
            wrong += high_bits(x, 44, hint) != decomposed(x, (Q - 1) / 44, hint);
            wrong += high_bits(x, 16, hint) != decomposed(x, (Q - 1) / 16, hint);
        }
    }
    CHECK(wrong == 0);
}

/* One coefficient at a time, with y as large as mote_ml_dsa_ntt may leave it. */
static void products_are_right(void)
{
    static const int32_t most = INT32_C(5) << 25;
    for (int i = 0; i < 200000; i++) {
        uint8_t in[MOTE_ML_DSA_SAMPLED];
        int32_t sum[N] = {0}, y[N] = {0};
        const int32_t x = i % 3 == 0 ? Q - 1 - i % 5 : (int32_t)(drawn() % Q);
        y[0] = i % 7 == 0   ? most
               : i % 7 == 1 ? -most
                            : (int32_t)(drawn() % (uint32_t)most) - most / 2;
        memset(in, 0xff, sizeof in); /* none of these is below q */
        in[0] = (uint8_t)x;
        in[1] = (uint8_t)(x >> 8);
        in[2] = (uint8_t)(x >> 16 | (i % 2) << 7);
        if (mote_ml_dsa_accumulate(sum, y, in, 0) != 1 ||
            modulo(sum[0]) != modulo((int64_t)x * y[0])) {
            CHECK(!"a product is wrong");
            return;
        }
    }
    CHECK(true);
}

/* Largest coefficients, all ways of signs: the inverse gives back what was transformed. */
static void transforms_take_extremes(void)
{
    for (uint16_t turn = 0; turn < 64; turn++) {
        int32_t a[N], b[N];
        bool same = true;
        for (uint16_t i = 0; i < N; i++)
            b[i] = a[i] = turn < 4 ? (i >> turn & 1 ? INT32_C(1) << 19 : -(INT32_C(1) << 19))
                                   : (int32_t)(drawn() & 0xfffff) - (INT32_C(1) << 19);
        mote_ml_dsa_ntt(a);
        mote_ml_dsa_ntt_inverse(a);
        for (uint16_t i = 0; i < N; i++)
            same &= modulo(a[i]) == modulo(b[i]) && a[i] >= -(INT32_C(1) << 21) &&
                    a[i] < INT32_C(5) << 21;
        CHECK(same);
        for (uint16_t i = 0; i < N; i++)
            a[i] = drawn() & 1 || turn == 0 ? INT32_C(9) << 23 : -(INT32_C(9) << 23);
        mote_ml_dsa_ntt_inverse(a);
    }
}

/* A hint that is valid: z decides whether all rows are made. */
static void random_signatures_are_rejected(const mote_ml_dsa *set)
{
    uint8_t *key = malloc(set->key_len), *signature = malloc(set->signature_len),
            text[9] = "motebench";
    const mote_ml_dsa_message message = {
        .message = text, .message_len = sizeof text, .context = NULL};
    unsigned accepted = 0;
    for (int turn = 0; turn < 60 && key != NULL && signature != NULL; turn++) {
        uint8_t *const hint = signature + set->signature_len - set->omega - set->k;
        for (uint16_t i = 0; i < set->key_len; i++)
            key[i] = turn == 0 ? 0xff : (uint8_t)drawn();
        for (uint16_t i = 0; i < set->signature_len; i++)
            signature[i] = (uint8_t)drawn();
        if (turn % 3 != 0) { /* z is 0, then the hints: none, or as many as there may be */
            memset(signature + set->challenge_len, 0,
                   (size_t)(set->signature_len - set->challenge_len));
            for (uint16_t i = 0; i < set->l * N; i++) {
                const uint32_t bit = (uint32_t)i * set->z_bits + set->z_bits - 1u;
                signature[set->challenge_len + bit / 8] |= (uint8_t)(1u << bit % 8);
            }
            for (uint8_t i = 0; turn % 3 == 2 && i < set->omega; i++)
                hint[i] = (uint8_t)(256 - set->omega + i);
            for (uint8_t i = 0; turn % 3 == 2 && i < set->k; i++)
                hint[set->omega + i] = set->omega;
        }
        accepted += mote_ml_dsa_verify(set, key, &message, signature) == 0;
    }
    CHECK(key != NULL && signature != NULL && accepted == 0);
    free(key);
    free(signature);
}

/* Changes of a hint that is valid: 3 positions in the first row, 2 in the last. */
static void hints_are_checked(const mote_ml_dsa *set)
{
    uint8_t hint[80 + 8], *const ends = hint + set->omega;
    const uint8_t last = (uint8_t)(set->k - 1);
#define FRESH()                                              \
    do {                                                     \
        memset(hint, 0, sizeof hint);                        \
        memcpy(hint, (const uint8_t[]){0, 7, 255, 0, 1}, 5); \
        memset(ends, 3, last);                               \
        ends[last] = 5;                                      \
    } while (0)
    FRESH();
    CHECK(hint_is_valid(set, hint));
    hint[1] = 0; /* twice the same */
    CHECK(!hint_is_valid(set, hint));
    FRESH();
    hint[4] = 0; /* the same in the last row */
    CHECK(!hint_is_valid(set, hint));
    FRESH();
    hint[2] = 6; /* they fall */
    CHECK(!hint_is_valid(set, hint));
    FRESH();
    hint[5] = 1; /* behind the last one */
    CHECK(!hint_is_valid(set, hint));
    FRESH();
    hint[set->omega - 1] = 255;
    CHECK(!hint_is_valid(set, hint));
    FRESH();
    ends[1] = 2; /* counts fall */
    CHECK(!hint_is_valid(set, hint));
    FRESH();
    ends[last] = (uint8_t)(set->omega + 1);
    CHECK(!hint_is_valid(set, hint));
    FRESH();
    ends[0] = 255;
    CHECK(!hint_is_valid(set, hint));
}

int main(void)
{
    static const mote_ml_dsa *const sets[] = {&mote_ml_dsa_44, &mote_ml_dsa_65, &mote_ml_dsa_87};
    check_begin();
    high_bits_are_those_of_the_standard();
    products_are_right();
    transforms_take_extremes();
    for (uint8_t i = 0; i < 3; i++) {
        hints_are_checked(sets[i]);
        random_signatures_are_rejected(sets[i]);
    }
    return check_end();
}
