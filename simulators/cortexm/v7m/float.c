/* Numbers are unpacked to integers, so nothing depends on the floating-point unit of the machine
 * that simulates. */
#include "float.h"

enum { INVALID = 1, BY_ZERO = 2, OVERFLOWS = 4, UNDERFLOWS = 8, INEXACT = 16, DENORMAL = 128 };
enum { NEAREST, UP, DOWN, TOWARDS_ZERO };

#define DEFAULT_NAN 0x7fc00000u
#define QUIET 0x00400000u
#define SIGN 0x80000000u
#define INFINITE 0x7f800000u

typedef enum kind { ZERO, FINITE, INFINITY_, QUIET_NAN, SIGNALLING_NAN } kind;

/* mantissa * 2^(exponent - TOP); the highest bit of the mantissa of a finite number is TOP, and its
 * lowest one says as well whether anything is below it. */
typedef struct number {
    kind kind;
    bool negative;
    int exponent;
    uint64_t mantissa;
} number;

enum { TOP = 62 };

static unsigned mode_of(uint32_t fpscr)
{
    return fpscr >> 22 & 3;
}

static bool flushes(uint32_t fpscr)
{
    return (fpscr >> 24 & 1) != 0;
}

static bool default_nan(uint32_t fpscr)
{
    return (fpscr >> 25 & 1) != 0;
}

static bool alternative_half(uint32_t fpscr)
{
    return (fpscr >> 26 & 1) != 0;
}

static number normal(bool negative, int exponent, uint64_t mantissa)
{
    if (mantissa == 0)
        return (number){.kind = ZERO, .negative = negative};
    const int up = __builtin_clzll(mantissa) - (63 - TOP);
    if (up < 0)
        return (number){FINITE, negative, exponent - up, mantissa >> 1 | (mantissa & 1)};
    return (number){FINITE, negative, exponent - up, mantissa << up};
}

static number unpack(uint32_t value, uint32_t *fpscr)
{
    const bool negative = value >> 31 != 0;
    const int exponent = (int)(value >> 23 & 0xff);
    const uint32_t fraction = value & 0x7fffff;
    if (exponent == 0xff) {
        const kind kind = fraction == 0          ? INFINITY_
                          : (value & QUIET) != 0 ? QUIET_NAN
                                                 : SIGNALLING_NAN;
        return (number){.kind = kind, .negative = negative};
    }
    if (exponent != 0)
        return normal(negative, exponent - 127 + (TOP - 23), fraction | 0x800000);
    if (fraction != 0 && flushes(*fpscr)) {
        *fpscr |= DENORMAL;
        return (number){.kind = ZERO, .negative = negative};
    }
    return normal(negative, -126 + (TOP - 23), fraction);
}

static uint64_t shifted_right(uint64_t mantissa, int by)
{
    if (by <= 0)
        return mantissa;
    if (by > 63)
        return mantissa != 0;
    return mantissa >> by | ((mantissa & ((1ull << by) - 1)) != 0);
}

/* `value` without its lowest `drop` bits, rounded. `exact` tells whether these were 0. */
static uint64_t rounded(uint64_t value, unsigned drop, bool negative, unsigned mode, bool *exact)
{
    const uint64_t rest = value & ((1ull << drop) - 1), half = 1ull << (drop - 1);
    uint64_t kept = value >> drop;
    *exact = rest == 0;
    if (mode == NEAREST ? rest > half || (rest == half && (kept & 1) != 0)
                        : rest != 0 && ((mode == UP && !negative) || (mode == DOWN && negative)))
        kept++;
    return kept;
}

/* A format with `bits` of fraction and `width` bits of exponent. */
typedef struct format { unsigned bits, width; } format;

static const format single = {23, 8}, half_format = {10, 5};

static uint32_t pack(number x, format f, unsigned mode, uint32_t *fpscr)
{
    const int bias = (1 << (f.width - 1)) - 1;
    const uint32_t sign = (uint32_t)x.negative << (f.bits + f.width), all = (1u << f.width) - 1;
    if (x.kind == ZERO)
        return sign;
    if (x.kind == INFINITY_)
        return sign | all << f.bits;
    if (f.bits == 23 && x.exponent < 1 - bias && flushes(*fpscr)) {
        *fpscr |= UNDERFLOWS;
        return sign;
    }
    int exponent = x.exponent + bias;
    bool tiny = false, exact;
    if (exponent < 1) {
        x.mantissa = shifted_right(x.mantissa, 1 - exponent);
        exponent = 1;
        tiny = true;
    }
    const uint64_t kept = rounded(x.mantissa, TOP - f.bits, x.negative, mode, &exact);
    if (tiny && !exact)
        *fpscr |= UNDERFLOWS;
    /* The hidden bit of the mantissa counts as one in the exponent, and so does what rounding
     * carries. */
    const uint32_t result = ((uint32_t)(exponent - 1) << f.bits) + (uint32_t)kept;
    const bool alternative = f.bits == 10 && alternative_half(*fpscr);
    if (alternative && result >> f.bits > all) {
        *fpscr |= INVALID;
        return sign | 0x7fff;
    }
    if (!alternative && result >> f.bits >= all) {
        *fpscr |= OVERFLOWS | INEXACT;
        const bool to_infinity =
            mode == NEAREST || (mode == UP && !x.negative) || (mode == DOWN && x.negative);
        return sign | (to_infinity ? all << f.bits : (all << f.bits) - 1);
    }
    if (!exact)
        *fpscr |= INEXACT;
    return sign | result;
}

static uint32_t to_single(number x, uint32_t *fpscr)
{
    return pack(x, single, mode_of(*fpscr), fpscr);
}

static uint32_t invalid(uint32_t *fpscr)
{
    *fpscr |= INVALID;
    return DEFAULT_NAN;
}

/* The first of `count` operands that signals, otherwise the first that is not a number; false: all
 * are numbers. */
static bool nan_among(const uint32_t *values, const number *numbers, unsigned count,
                      uint32_t *fpscr, uint32_t *result)
{
    for (int wanted = SIGNALLING_NAN; wanted >= QUIET_NAN; wanted--) {
        for (unsigned i = 0; i < count; i++) {
            if ((int)numbers[i].kind != wanted)
                continue;
            if (wanted == SIGNALLING_NAN)
                *fpscr |= INVALID;
            *result = default_nan(*fpscr) ? DEFAULT_NAN : values[i] | QUIET;
            return true;
        }
    }
    return false;
}

/* Of numbers that are not infinite. A sum of nothing is -0 only when it rounds down, or all its
 * parts are -0. */
static number sum(number x, number y, unsigned mode)
{
    if (x.kind == ZERO && y.kind == ZERO)
        return (number){.kind = ZERO,
                        .negative = x.negative == y.negative ? x.negative : mode == DOWN};
    if (x.kind == ZERO)
        return y;
    if (y.kind == ZERO)
        return x;
    if (x.exponent < y.exponent) {
        const number other = x;
        x = y;
        y = other;
    }
    y.mantissa = shifted_right(y.mantissa, x.exponent - y.exponent);
    if (x.negative == y.negative)
        return normal(x.negative, x.exponent, x.mantissa + y.mantissa);
    if (x.mantissa == y.mantissa)
        return (number){.kind = ZERO, .negative = mode == DOWN};
    if (x.mantissa > y.mantissa)
        return normal(x.negative, x.exponent, x.mantissa - y.mantissa);
    return normal(y.negative, x.exponent, y.mantissa - x.mantissa);
}

static uint32_t infinity(bool negative)
{
    return INFINITE | (negative ? SIGN : 0);
}

/* n + m, or n - m. */
static uint32_t add(uint32_t n, uint32_t m, bool subtracts, uint32_t *fpscr)
{
    const uint32_t values[] = {n, m};
    number x[] = {unpack(n, fpscr), unpack(m, fpscr)};
    uint32_t result;
    if (nan_among(values, x, 2, fpscr, &result))
        return result;
    x[1].negative ^= subtracts;
    if (x[0].kind == INFINITY_ && x[1].kind == INFINITY_ && x[0].negative != x[1].negative)
        return invalid(fpscr);
    if (x[0].kind == INFINITY_ || x[1].kind == INFINITY_)
        return infinity(x[x[0].kind != INFINITY_].negative);
    return to_single(sum(x[0], x[1], mode_of(*fpscr)), fpscr);
}

/* Exact. */
static number product(number x, number y)
{
    const bool negative = x.negative != y.negative;
    if (x.kind == ZERO || y.kind == ZERO)
        return (number){.kind = ZERO, .negative = negative};
    const uint64_t low = (x.mantissa >> (TOP - 23)) * (y.mantissa >> (TOP - 23));
    return normal(negative, x.exponent + y.exponent + (TOP - 46), low);
}

static bool nothing_times_infinity(const number *x, const number *y)
{
    return (x->kind == ZERO && y->kind == INFINITY_) || (x->kind == INFINITY_ && y->kind == ZERO);
}

static uint32_t multiply(uint32_t n, uint32_t m, uint32_t *fpscr)
{
    const uint32_t values[] = {n, m};
    const number x[] = {unpack(n, fpscr), unpack(m, fpscr)};
    uint32_t result;
    if (nan_among(values, x, 2, fpscr, &result))
        return result;
    if (nothing_times_infinity(&x[0], &x[1]))
        return invalid(fpscr);
    if (x[0].kind == INFINITY_ || x[1].kind == INFINITY_)
        return infinity(x[0].negative != x[1].negative);
    return to_single(product(x[0], x[1]), fpscr);
}

static uint32_t divide(uint32_t n, uint32_t m, uint32_t *fpscr)
{
    const uint32_t values[] = {n, m};
    const number x = unpack(n, fpscr), y = unpack(m, fpscr), both[] = {x, y};
    const bool negative = x.negative != y.negative;
    uint32_t result;
    if (nan_among(values, both, 2, fpscr, &result))
        return result;
    if (x.kind == y.kind && x.kind != FINITE)
        return invalid(fpscr); /* 0 / 0, infinity / infinity */
    if (x.kind == INFINITY_ || y.kind == ZERO) {
        if (x.kind != INFINITY_)
            *fpscr |= BY_ZERO;
        return infinity(negative);
    }
    if (x.kind == ZERO || y.kind == INFINITY_)
        return negative ? SIGN : 0;
    const uint64_t over = x.mantissa, under = y.mantissa >> (TOP - 23);
    return to_single(
        normal(negative, x.exponent - y.exponent + 23, over / under | (over % under != 0)), fpscr);
}

static uint32_t multiply_add(uint32_t a, uint32_t n, uint32_t m, uint32_t *fpscr)
{
    const uint32_t values[] = {a, n, m};
    const number x[] = {unpack(a, fpscr), unpack(n, fpscr), unpack(m, fpscr)};
    const bool negative = x[1].negative != x[2].negative;
    uint32_t result;
    const bool nan = nan_among(values, x, 3, fpscr, &result);
    if (nothing_times_infinity(&x[1], &x[2]) && (!nan || x[0].kind == QUIET_NAN))
        return invalid(fpscr);
    if (nan)
        return result;
    const bool infinite = x[1].kind == INFINITY_ || x[2].kind == INFINITY_;
    if (infinite && x[0].kind == INFINITY_ && x[0].negative != negative)
        return invalid(fpscr);
    if (infinite || x[0].kind == INFINITY_)
        return infinity(infinite ? negative : x[0].negative);
    return to_single(sum(x[0], product(x[1], x[2]), mode_of(*fpscr)), fpscr);
}

static uint32_t square_root(uint32_t m, uint32_t *fpscr)
{
    const number x = unpack(m, fpscr);
    uint32_t result;
    if (nan_among(&m, &x, 1, fpscr, &result))
        return result;
    if (x.kind == ZERO)
        return x.negative ? SIGN : 0;
    if (x.negative)
        return invalid(fpscr);
    if (x.kind == INFINITY_)
        return INFINITE;
    /* The exponent becomes even; the root of a number of 62 or 63 bits has 31 or 32 bits, of which
     * 24 are wanted. */
    const bool odd = (x.exponent & 1) != 0;
    const uint64_t of = odd ? x.mantissa << 1 : x.mantissa;
    uint64_t root = 0;
    for (uint64_t bit = 1ull << 31; bit != 0; bit >>= 1) {
        if ((root | bit) * (root | bit) <= of)
            root |= bit;
    }
    const uint64_t with_rest = root << 1 | (root * root != of);
    return to_single(normal(false, (x.exponent - (odd ? 1 : 0)) / 2 + (TOP - 32), with_rest),
                     fpscr);
}

static void compare(uint32_t n, uint32_t m, bool quiet_too, uint32_t *fpscr)
{
    const number x = unpack(n, fpscr), y = unpack(m, fpscr);
    uint32_t flags;
    if (x.kind >= QUIET_NAN || y.kind >= QUIET_NAN) {
        if (quiet_too || x.kind == SIGNALLING_NAN || y.kind == SIGNALLING_NAN)
            *fpscr |= INVALID;
        flags = 3;
    } else {
        /* With the sign taken off, the bits of numbers are in the order of the numbers. */
        const int64_t left = x.kind == ZERO ? 0 : n & ~SIGN, right = y.kind == ZERO ? 0 : m & ~SIGN;
        const int64_t difference = (x.negative ? -left : left) - (y.negative ? -right : right);
        flags = difference == 0 ? 6 : difference < 0 ? 8 : 2;
    }
    *fpscr = (*fpscr & 0x0fffffff) | flags << 28;
}

static uint32_t to_half(uint32_t m, uint32_t *fpscr)
{
    const number x = unpack(m, fpscr);
    const uint32_t sign = x.negative ? 0x8000 : 0;
    if (x.kind >= QUIET_NAN) {
        if (x.kind == SIGNALLING_NAN || alternative_half(*fpscr))
            *fpscr |= INVALID;
        return alternative_half(*fpscr) ? sign
               : default_nan(*fpscr)    ? 0x7e00
                                        : sign | 0x7e00 | (m >> 13 & 0x1ff);
    }
    if (x.kind == INFINITY_ && alternative_half(*fpscr)) {
        *fpscr |= INVALID;
        return sign | 0x7fff;
    }
    return pack(x, half_format, mode_of(*fpscr), fpscr);
}

static uint32_t from_half(uint32_t half, uint32_t *fpscr)
{
    const bool negative = (half & 0x8000) != 0;
    const int exponent = (int)(half >> 10 & 0x1f);
    const uint32_t fraction = half & 0x3ff, sign = negative ? SIGN : 0;
    if (exponent == 0x1f && !alternative_half(*fpscr)) {
        if (fraction == 0)
            return infinity(negative);
        if ((fraction & 0x200) == 0)
            *fpscr |= INVALID;
        return default_nan(*fpscr) ? DEFAULT_NAN : sign | INFINITE | QUIET | fraction << 13;
    }
    const number x = exponent != 0 ? normal(negative, exponent - 15 + (TOP - 10), fraction | 0x400)
                                   : normal(negative, -14 + (TOP - 10), fraction);
    return to_single(x, fpscr);
}

static uint32_t from_integer(uint32_t value, unsigned operation, uint32_t *fpscr)
{
    if ((operation & CM7_FLOAT_SHORT) != 0)
        value = (operation & CM7_FLOAT_SIGNED) != 0 ? (uint32_t)(int32_t)(int16_t)(uint16_t)value
                                                    : value & 0xffff;
    const bool negative = (operation & CM7_FLOAT_SIGNED) != 0 && value >> 31 != 0;
    const number x =
        normal(negative, TOP - (int)(operation >> CM7_FLOAT_POINT), negative ? 0u - value : value);
    /* 0 has no sign there. */
    return value == 0
               ? 0
               : pack(x, single,
                      (operation & CM7_FLOAT_FIXED_MODE) != 0 ? NEAREST : mode_of(*fpscr), fpscr);
}

static uint32_t to_integer(uint32_t m, unsigned operation, uint32_t *fpscr)
{
    const number x = unpack(m, fpscr);
    const bool is_signed = (operation & CM7_FLOAT_SIGNED) != 0;
    const unsigned width = (operation & CM7_FLOAT_SHORT) != 0 ? 16 : 32;
    const unsigned mode = (operation & CM7_FLOAT_FIXED_MODE) != 0 ? TOWARDS_ZERO : mode_of(*fpscr);
    if (x.kind >= QUIET_NAN) {
        *fpscr |= INVALID;
        return 0;
    }
    const int64_t highest = is_signed ? (1ll << (width - 1)) - 1 : (1ll << width) - 1;
    const int64_t lowest = is_signed ? -highest - 1 : 0;
    const int exponent = x.exponent + (int)(operation >> CM7_FLOAT_POINT);
    int64_t value = 0;
    bool exact = true;
    if (x.kind == INFINITY_ || (x.kind == FINITE && exponent > 33)) {
        value = 2 * highest + 2; /* beyond either end */
    } else if (x.kind == FINITE) {
        /* Aligned so that 28 bits stand behind the point. */
        value = (int64_t)rounded(
            shifted_right(x.mantissa, TOP - 28 - exponent), 28, x.negative, mode, &exact);
    }
    value = x.negative ? -value : value;
    if (x.kind == INFINITY_ || value > highest || value < lowest) {
        *fpscr |= INVALID;
        value = x.negative ? lowest : highest;
    } else if (!exact) {
        *fpscr |= INEXACT;
    }
    return is_signed ? (uint32_t)value : (uint32_t)value & (uint32_t)highest;
}

uint32_t cm7_float(unsigned operation, uint32_t d, uint32_t n, uint32_t m, uint32_t *fpscr)
{
    switch (operation & 0xff) {
    case CM7_FLOAT_ADD:
        return add(n, m, false, fpscr);
    case CM7_FLOAT_SUB:
        return add(n, m, true, fpscr);
    case CM7_FLOAT_MUL:
        return multiply(n, m, fpscr);
    case CM7_FLOAT_NMUL:
        return multiply(n, m, fpscr) ^ SIGN;
    case CM7_FLOAT_DIV:
        return divide(n, m, fpscr);
    case CM7_FLOAT_MLA:
        return add(d, multiply(n, m, fpscr), false, fpscr);
    case CM7_FLOAT_MLS:
        return add(d, multiply(n, m, fpscr) ^ SIGN, false, fpscr);
    case CM7_FLOAT_NMLA:
        return add(d ^ SIGN, multiply(n, m, fpscr) ^ SIGN, false, fpscr);
    case CM7_FLOAT_NMLS:
        return add(d ^ SIGN, multiply(n, m, fpscr), false, fpscr);
    case CM7_FLOAT_FMA:
        return multiply_add(d, n, m, fpscr);
    case CM7_FLOAT_FMS:
        return multiply_add(d, n ^ SIGN, m, fpscr);
    case CM7_FLOAT_FNMA:
        return multiply_add(d ^ SIGN, n ^ SIGN, m, fpscr);
    case CM7_FLOAT_FNMS:
        return multiply_add(d ^ SIGN, n, m, fpscr);
    case CM7_FLOAT_ABS:
        return m & ~SIGN;
    case CM7_FLOAT_NEG:
        return m ^ SIGN;
    case CM7_FLOAT_SQRT:
        return square_root(m, fpscr);
    case CM7_FLOAT_CMP:
        compare(d, m, false, fpscr);
        return d;
    case CM7_FLOAT_CMPE:
        compare(d, m, true, fpscr);
        return d;
    case CM7_FLOAT_CMP_ZERO:
        compare(d, 0, false, fpscr);
        return d;
    case CM7_FLOAT_CMPE_ZERO:
        compare(d, 0, true, fpscr);
        return d;
    case CM7_FLOAT_TO_HALF:
        return (d & 0xffff0000) | to_half(m, fpscr);
    case CM7_FLOAT_TO_TOP_HALF:
        return (d & 0xffff) | to_half(m, fpscr) << 16;
    case CM7_FLOAT_FROM_HALF:
        return from_half(m & 0xffff, fpscr);
    case CM7_FLOAT_FROM_TOP_HALF:
        return from_half(m >> 16, fpscr);
    case CM7_FLOAT_FROM_INTEGER:
        return from_integer(m, operation, fpscr);
    default:
        return to_integer(m, operation, fpscr);
    }
}
