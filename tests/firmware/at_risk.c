/*
 * An adapter with code whose time is a matter of the compiler: rounding of ML-KEM before and after
 * KyberSlash (its quotients are those of FIPS 203, section 4.2.1), masks from a secret bit, and
 * comparisons of tags. The first byte of the message says which function runs, and is public; the
 * other 32 are secret. Each function gives a sum of its results, for a known answer.
 */
#include <string.h>

#include "frame.h"

#define FAR __attribute__((noinline, noclone)) static
#ifdef __clang__
#undef FAR
#define FAR __attribute__((noinline)) static
#endif

enum { N = 256, Q = 3329, SECRET = 32, SUM = 8 };

static int16_t coefficients[N];
static uint8_t packed[N * 2];

/* Coefficients below q of secret bytes. */
FAR void spread(const uint8_t *secret)
{
    for (uint16_t i = 0; i < N; i++)
        coefficients[i] = (int16_t)(secret[i % SECRET] * 13u + i / SECRET);
}

FAR void tomsg_divides(void)
{
    for (uint8_t i = 0; i < N / 8; i++) {
        packed[i] = 0;
        for (uint8_t j = 0; j < 8; j++) {
            uint16_t t = (uint16_t)coefficients[8 * i + j];
            t = (((t << 1) + Q / 2) / Q) & 1;
            packed[i] |= (uint8_t)(t << j);
        }
    }
}

FAR void tomsg_multiplies(void)
{
    for (uint8_t i = 0; i < N / 8; i++) {
        packed[i] = 0;
        for (uint8_t j = 0; j < 8; j++) {
            uint32_t t = (uint16_t)coefficients[8 * i + j];
            t = ((t << 1) + 1665) * 80635;
            packed[i] |= (uint8_t)((t >> 28 & 1) << j);
        }
    }
}

FAR void compress4_divides(void)
{
    for (uint16_t i = 0; i < N; i++) {
        const uint16_t u = (uint16_t)coefficients[i];
        packed[i] = (((uint16_t)(u << 4) + Q / 2) / Q) & 15;
    }
}

FAR void compress4_multiplies(void)
{
    for (uint16_t i = 0; i < N; i++) {
        const uint32_t u = (uint16_t)coefficients[i];
        packed[i] = ((u << 4) + 1665) * 80635 >> 28 & 15;
    }
}

FAR void compress10_divides(void)
{
    for (uint16_t i = 0; i < N; i++) {
        const uint16_t u = (uint16_t)coefficients[i];
        const uint16_t t = ((((uint32_t)u << 10) + Q / 2) / Q) & 0x3ff;
        packed[2 * i] = (uint8_t)t;
        packed[2 * i + 1] = (uint8_t)(t >> 8);
    }
}

FAR void compress10_multiplies(void)
{
    for (uint16_t i = 0; i < N; i++) {
        uint64_t t = (uint16_t)coefficients[i];
        t = ((t << 10) + 1665) * 1290167 >> 32 & 0x3ff;
        packed[2 * i] = (uint8_t)t;
        packed[2 * i + 1] = (uint8_t)(t >> 8);
    }
}

FAR void frommsg_masks(const uint8_t *secret)
{
    for (uint8_t i = 0; i < N / 8; i++) {
        for (uint8_t j = 0; j < 8; j++) {
            const int16_t mask = (int16_t)-(int16_t)(secret[i] >> j & 1);
            coefficients[8 * i + j] = mask & ((Q + 1) / 2);
        }
    }
}

/* The same with a bit that the compiler cannot see through. */
FAR void frommsg_hides(const uint8_t *secret)
{
    for (uint8_t i = 0; i < N / 8; i++) {
        for (uint8_t j = 0; j < 8; j++) {
            uint16_t bit = secret[i] >> j & 1;
            __asm__("" : "+r"(bit));
            coefficients[8 * i + j] = (int16_t)(-bit & ((Q + 1) / 2));
        }
    }
}

FAR void selects_by_mask(const uint8_t *secret)
{
    const uint8_t mask = (uint8_t)-(secret[0] & 1);
    for (uint8_t i = 0; i < SECRET / 2; i++)
        packed[i] = (uint8_t)((secret[i] & mask) | (secret[i + SECRET / 2] & ~mask));
}

FAR void selects_by_condition(const uint8_t *secret)
{
    for (uint8_t i = 0; i < SECRET / 2; i++)
        packed[i] = secret[0] & 1 ? secret[i] : secret[i + SECRET / 2];
}

/* A swap of field elements by a bit of the scalar. */
FAR void swaps_by_mask(const uint8_t *secret)
{
    uint32_t a[4], b[4];
    memcpy(a, secret, sizeof a);
    memcpy(b, secret + sizeof a, sizeof b);
    const uint32_t mask = 0u - (uint32_t)(secret[31] >> 7);
    for (uint8_t i = 0; i < 4; i++) {
        const uint32_t t = mask & (a[i] ^ b[i]);
        a[i] ^= t;
        b[i] ^= t;
    }
    memcpy(packed, a, sizeof a);
    memcpy(packed + sizeof a, b, sizeof b);
}

/* Words below another, as carries are found in C. */
FAR void carries(const uint8_t *secret)
{
    uint32_t words[8], carry = 0;
    memcpy(words, secret, sizeof words);
    for (uint8_t i = 0; i < 4; i++) {
        const uint32_t sum = words[i] + words[i + 4];
        const uint32_t full = sum + carry;
        carry = (uint32_t)(sum < words[i]) | (uint32_t)(full < sum);
        memcpy(packed + 4 * i, &full, 4);
    }
    packed[16] = (uint8_t)carry;
}

/* Limbs of 26 bits, as Poly1305 multiplies them: 64 bits wide. */
FAR void multiplies_wide(const uint8_t *secret)
{
    uint32_t words[8];
    memcpy(words, secret, sizeof words);
    uint64_t sum = 0;
    for (uint8_t i = 0; i < 4; i++)
        sum += (uint64_t)(words[i] & 0x3ffffff) * (words[i + 4] & 0x3ffffff);
    memcpy(packed, &sum, 8);
}

FAR void compares_by_memcmp(const uint8_t *secret)
{
    packed[0] = memcmp(secret, secret + 16, 16) == 0;
}

FAR void compares_until_other(const uint8_t *secret)
{
    packed[0] = 0;
    for (uint8_t i = 0; i < 16; i++) {
        if (secret[i] != secret[i + 16])
            return;
    }
    packed[0] = 1;
}

FAR void compares_all(const uint8_t *secret)
{
    uint8_t differs = 0;
    for (uint8_t i = 0; i < 16; i++)
        differs |= secret[i] ^ secret[i + 16];
    packed[0] = (uint8_t)(((uint16_t)differs - 1u) >> 8 & 1);
}

static void rounds(void (*round)(void), const uint8_t *secret)
{
    spread(secret);
    round();
}

static void run_one(uint8_t number, const uint8_t *secret)
{
    static void (*const ROUND[])(void) = {
        tomsg_divides,        tomsg_multiplies,   compress4_divides,
        compress4_multiplies, compress10_divides, compress10_multiplies};
    static void (*const OTHER[])(const uint8_t *) = {
        frommsg_masks, frommsg_hides,   selects_by_mask,    selects_by_condition, swaps_by_mask,
        carries,       multiplies_wide, compares_by_memcmp, compares_until_other, compares_all};
    const uint8_t count = sizeof ROUND / sizeof ROUND[0];
    memset(packed, 0, sizeof packed);
    memset(coefficients, 0, sizeof coefficients);
    if (number < count)
        rounds(ROUND[number], secret);
    else
        OTHER[number - count](secret);
}

static const mb_scheme SCHEMES[] = {
    {.name = "at-risk",
     .operations = MB_CAN(MB_DIGEST),
     .tag_min = SUM,
     .tag_max = SUM,
     .block = 1}};

/* Bytes of both results, each in one place of the sum. */
static void sum_up(uint8_t *sum, uint8_t of_coefficients)
{
    memset(sum, 0, SUM);
    for (uint16_t i = 0; i < sizeof packed; i++)
        sum[i % SUM] = (uint8_t)(sum[i % SUM] + packed[i]);
    for (uint16_t i = 0; of_coefficients && i < N; i++)
        sum[i % SUM] = (uint8_t)(sum[i % SUM] + (uint8_t)(coefficients[i] >> (i % 2 ? 8 : 0)));
}

static mb_status run(mb_job *job, uint32_t n)
{
    if (job->in_len != 1 + SECRET || job->in[0] > 15)
        return MB_REJECTED;
    for (; n > 0; n--)
        run_one(job->in[0], job->in + 1);
    sum_up(job->out, job->in[0] == 6 || job->in[0] == 7);
    job->out_len = SUM;
    return MB_OK;
}

FRAME("at-risk", SCHEMES, .ctx_size = 16);
