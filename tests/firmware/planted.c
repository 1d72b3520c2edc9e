/*
 * An adapter with leaks that were put there, for following secrets: it works out nothing. The first
 * byte of the message says which function runs, and is public; the others are secret.
 */
#include <string.h>

#include <valgrind/memcheck.h>

#include "frame.h"

#define FAR __attribute__((noinline, noclone)) static

static const uint8_t TABLE[256] = {1, 2, 3, 4, 5, 6, 7, 8};
static volatile uint8_t result;
static uint8_t first[8], second[8];

/* Masks and sums: nothing for time. */
FAR void clean(const uint8_t *secret)
{
    const uint8_t mask = (uint8_t)(0u - (secret[0] & 1u));
    result = (uint8_t)((secret[1] & mask) | (secret[2] & ~mask)) + secret[3];
}

FAR void branches(const uint8_t *secret)
{
    if (secret[0] & 4)
        result = 1;
}

FAR void copies(const uint8_t *secret)
{
    memcpy(first, secret, 8);
    for (uint8_t i = 0; i < 8; i++)
        second[i] = (uint8_t)(first[i] + 1u);
}

FAR void looks_up(const uint8_t *secret)
{
    copies(secret);
    result = TABLE[second[3]];
}

/* The order of two numbers, without a branch; the branch is on what is made of it. */
FAR uint32_t order(uint32_t a, uint32_t b)
{
    return (uint32_t)(((uint64_t)a - b) >> 63);
}

FAR void compares(const uint8_t *secret)
{
    uint32_t a, b;
    memcpy(&a, secret, 4);
    memcpy(&b, secret + 4, 4);
    const uint32_t less = order(a, b);
    if (less)
        result = 2;
}

FAR uint8_t descends(uint8_t depth, uint8_t value)
{
    volatile uint8_t kept = value;
    if (depth == 0)
        return kept;
    return (uint8_t)(descends((uint8_t)(depth - 1), (uint8_t)(value + 1u)) + kept);
}

FAR void through_stack(const uint8_t *secret)
{
    if (descends(5, secret[2]) & 0x10)
        result = 3;
}

FAR void stops_early(const uint8_t *secret)
{
    static const uint8_t expected[7] = {1, 2, 3, 4, 5, 6, 7};
    for (uint8_t i = 0; i < 7; i++) {
        if (secret[i] != expected[i])
            return;
    }
    result = 4;
}

/* Division: by the compiler's library where the core has none. */
FAR void divides(const uint8_t *secret)
{
    volatile uint32_t divisor = 3329;
    uint32_t value;
    memcpy(&value, secret, 4);
    result = (uint8_t)(value / divisor);
}

FAR void divides_signed(const uint8_t *secret)
{
    volatile int32_t divisor = 3329;
    int32_t value;
    memcpy(&value, secret, 4);
    result = (uint8_t)(value / divisor);
}

/* The same with a divisor that the compiler knows: a product where the core has one of 64 bits. */
FAR void divides_by_constant(const uint8_t *secret)
{
    uint32_t value;
    memcpy(&value, secret, 4);
    result = (uint8_t)(value / 3329);
}

FAR void multiplies(const uint8_t *secret)
{
    uint32_t a, b;
    memcpy(&a, secret, 4);
    memcpy(&b, secret + 4, 4);
    result = (uint8_t)((uint64_t)a * b >> 32);
}

FAR void declassifies(const uint8_t *secret)
{
    uint8_t public = secret[0] & 4;
    (void)VALGRIND_MAKE_MEM_DEFINED(&public, 1);
    if (public)
        result = 5;
}

/* A secret of the code's own, which no input holds. */
FAR void draws(const uint8_t *secret)
{
    uint8_t own[2] = {3, 4};
    (void)secret;
    (void)VALGRIND_MAKE_MEM_UNDEFINED(own, sizeof own);
    if (own[1] & 1)
        result = 6;
}

FAR void jumps(const uint8_t *secret)
{
    static void (*const targets[2])(const uint8_t *) = {clean, copies};
    volatile size_t number = secret[0] & 1u;
    targets[number](secret);
}

/* A tag, by the C library. */
FAR void compares_tag(const uint8_t *secret)
{
    result = memcmp(secret, TABLE, 8) == 0;
}

/* Floating point: by the compiler's library where the core has none. */
FAR void adds_floats(const uint8_t *secret)
{
    volatile float sum = 1.5F;
    sum += (float)secret[0];
    result = (uint8_t)sum;
}

static void (*const PLANTED[])(const uint8_t *) = {
    clean,         branches, looks_up, compares,     through_stack, stops_early,         divides,
    declassifies,  draws,    jumps,    compares_tag, adds_floats,   divides_by_constant, multiplies,
    divides_signed};

static const mb_scheme SCHEMES[] = {
    {.name = "planted", .operations = MB_CAN(MB_DIGEST), .tag_min = 1, .tag_max = 1, .block = 1}};

static mb_status run(mb_job *job, uint32_t n)
{
    if (job->in_len != 9 || job->in[0] >= sizeof PLANTED / sizeof PLANTED[0])
        return MB_REJECTED;
    for (; n > 0; n--)
        PLANTED[job->in[0]](job->in + 1);
    job->out[0] = 0;
    job->out_len = 1;
    return MB_OK;
}

FRAME("planted", SCHEMES, .ctx_size = 16);
