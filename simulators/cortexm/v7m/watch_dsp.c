/*
 * Rules of the DSP extension for secrets. Sums of lanes go by their carries; what saturates, and
 * the top of signed products, is secret as a whole if an operand is.
 */
#include "watch_dsp.h"

#include "../core/watch.h"

static uint32_t any(bool secret)
{
    return secret ? SH_ALL : 0;
}

static sh_word half(sh_word x, bool top)
{
    const unsigned by = top ? 16 : 0;
    return (sh_word){(uint32_t)(int32_t)(int16_t)(uint16_t)(x.value >> by),
                     (uint32_t)(int32_t)(int16_t)(uint16_t)(x.secret >> by)};
}

/* --- lanes ------------------------------------------------------------------------------------ */

enum { S, Q, SH, U, UQ, UH };

/* A lane of a parallel sum; `ge`: is its GE flag a secret? */
static uint32_t lane(unsigned kind, unsigned width, sh_word x, sh_word y, bool subtracts, bool *ge)
{
    const uint32_t mask = (1u << width) - 1;
    if (subtracts)
        y.value = ~y.value & mask;
    const sh_sum sum = sh_add_in(width, x, y, sh_plain(subtracts));
    /* the sign of a sum that cannot overflow is that of N and V together */
    const uint32_t sign = (kind < U ? sum.n | sum.v : sum.c) != 0;
    *ge = sign != 0;
    if (kind == Q || kind == UQ)
        return (x.secret | y.secret) != 0 ? mask : 0;
    return kind == SH || kind == UH ? sum.secret >> 1 | sign << (width - 1) : sum.secret;
}

static uint32_t parallel(unsigned kind, unsigned which, sh_word n, sh_word m, cm7_dsp_flags *flags)
{
    const bool bytes = which >= 4, crossed = which == 1 || which == 2;
    const unsigned width = bytes ? 8 : 16;
    const uint32_t mask = (1u << width) - 1;
    uint32_t result = 0;
    flags->sets_ge = kind == S || kind == U;
    for (unsigned i = 0; i < 32 / width; i++) {
        const unsigned at = width * i, other = width * (crossed ? 1 - i : i);
        const bool subtracts =
            which == 3 || which == 5 || (which == 1 && i == 0) || (which == 2 && i == 1);
        bool ge;
        result |= lane(kind, width, (sh_word){n.value >> at & mask, n.secret >> at & mask},
                       (sh_word){m.value >> other & mask, m.secret >> other & mask}, subtracts, &ge)
                  << at;
        if (ge)
            flags->ge |= (uint8_t)(bytes ? 1u << i : 3u << 2 * i);
    }
    return result;
}

static uint32_t selected(sh_word n, sh_word m, sh_word ge)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t mask = 0xffu << 8 * i;
        if ((ge.secret >> i & 1) != 0)
            result |= (n.secret | m.secret | (n.value ^ m.value)) & mask;
        else
            result |= ((ge.value >> i & 1) != 0 ? n.secret : m.secret) & mask;
    }
    return result;
}

/* Of halfwords: n plus bytes of m, extended. */
static uint32_t extended_halves(sh_word n, sh_word m, bool is_signed)
{
    uint32_t result = 0;
    for (unsigned by = 0; by < 32; by += 16) {
        const unsigned how = is_signed ? 1 : 3;
        const sh_word x = {cm_extended(how, m.value >> by) & 0xffff,
                           cm_extended(how, m.secret >> by) & 0xffff};
        const sh_word to = {n.value >> by & 0xffff, n.secret >> by & 0xffff};
        result |= sh_add_in(16, to, x, sh_plain(0)).secret << by;
    }
    return result;
}

static uint32_t extended(unsigned operation, sh_word n, sh_word m, unsigned rotation)
{
    const sh_word x = sh_rotated(m, rotation);
    switch (operation) {
    case CM7_DSP_SXTAB16:
    case CM7_DSP_SXTB16:
        return extended_halves(n, x, true);
    case CM7_DSP_UXTAB16:
    case CM7_DSP_UXTB16:
        return extended_halves(n, x, false);
    default: {
        const bool byte = operation == CM7_DSP_SXTAB || operation == CM7_DSP_UXTAB;
        const bool zeros = operation == CM7_DSP_UXTAH || operation == CM7_DSP_UXTAB;
        const unsigned how = (zeros ? 2U : 0U) + (byte ? 1U : 0U);
        const sh_word to = {cm_extended(how, x.value), cm_extended(how, x.secret)};
        return sh_add(n, to, sh_plain(0)).secret;
    }
    }
}

/* --- products --------------------------------------------------------------------------------- */

static sh_word product(sh_word a, sh_word b)
{
    return (sh_word){a.value * b.value, (uint32_t)sh_signed_product(a, b)};
}

/* The low words of two products of halfwords, and their sum or difference. */
static sh_word two_products(sh_word n, sh_word m, bool crossed, bool minus)
{
    const sh_word low = product(half(n, false), half(m, crossed)),
                  high = product(half(n, true), half(m, !crossed));
    if (minus)
        return (sh_word){low.value - high.value, sh_subtract(low, high, sh_plain(1)).secret};
    return (sh_word){low.value + high.value, sh_add(low, high, sh_plain(0)).secret};
}

static uint32_t accumulated(unsigned operation, sh_word n, sh_word m, sh_word add,
                            cm7_dsp_flags *flags)
{
    sh_word x;
    if (operation >= CM7_DSP_SMMLA) /* the top of a product */
        return any((n.secret | m.secret | add.secret) != 0);
    if (operation < CM7_DSP_SMLAW) {
        const unsigned which = operation - CM7_DSP_SMLAXY;
        x = product(half(n, (which & 2) != 0), half(m, (which & 1) != 0));
    } else if (operation < CM7_DSP_SMLAD) {
        const sh_word by = half(m, operation != CM7_DSP_SMLAW);
        const int64_t wide = (int64_t)(int32_t)n.value * (int32_t)by.value;
        x = (sh_word){(uint32_t)(wide >> 16), (uint32_t)(sh_signed_product(n, by) >> 16)};
    } else {
        x = two_products(n, m, ((operation - CM7_DSP_SMLAD) & 1) != 0, operation >= CM7_DSP_SMLSD);
    }
    flags->q = (n.secret | m.secret | add.secret) != 0;
    return sh_add(x, add, sh_plain(0)).secret;
}

static uint32_t differences(sh_word n, sh_word m, sh_word add)
{
    sh_word sum = {0, (n.secret | m.secret) != 0 ? 0x3ffu : 0}; /* 4 * 255 at most */
    for (unsigned i = 0; i < 32; i += 8) {
        const uint32_t x = n.value >> i & 0xff, y = m.value >> i & 0xff;
        sum.value += x > y ? x - y : y - x;
    }
    return sh_add(sum, add, sh_plain(0)).secret;
}

uint32_t cm7_dsp_secret(unsigned operation, sh_word n, sh_word m, sh_word add, unsigned shift,
                        sh_word ge, cm7_dsp_flags *flags)
{
    *flags = (cm7_dsp_flags){.q = false};
    if (operation < CM7_DSP_SEL)
        return parallel(operation / 6, operation % 6, n, m, flags);
    if (operation == CM7_DSP_SEL)
        return selected(n, m, ge);
    if (operation >= CM7_DSP_SXTAH && operation < CM7_DSP_USAD8)
        return extended(operation, n, m, shift);
    if (operation == CM7_DSP_USAD8)
        return differences(n, m, add);
    if (operation >= CM7_DSP_SMLAXY && operation < CM7_DSP_SSAT)
        return accumulated(operation, n, m, add, flags);
    /* what saturates; one operand if it is SSAT and its like */
    flags->q = (n.secret | (operation < CM7_DSP_SSAT ? m.secret : 0)) != 0;
    return any(flags->q);
}

uint64_t cm7_dsp_long_secret(unsigned operation, sh_word n, sh_word m, sh_pair add)
{
    if ((n.secret | m.secret) == 0 && add.secret == 0)
        return 0;
    if (operation < CM7_LONG_SMLALD) {
        const sh_word a = half(n, (operation & 2) != 0), b = half(m, (operation & 1) != 0);
        const int64_t value = (int64_t)(int32_t)a.value * (int32_t)b.value;
        return sh_add_pairs((sh_pair){(uint64_t)value, sh_signed_product(a, b)}, add).secret;
    }
    const bool minus = operation >= CM7_LONG_SMLSLD, crossed = (operation & 1) != 0;
    const sh_word a = half(n, false), b = half(m, crossed), c = half(n, true),
                  d = half(m, !crossed);
    const int64_t low = (int64_t)(int32_t)a.value * (int32_t)b.value,
                  high = (int64_t)(int32_t)c.value * (int32_t)d.value;
    const sh_pair first = {(uint64_t)low, sh_signed_product(a, b)};
    /* the secret bits of a difference: those from the lowest on, as of the negated number */
    const sh_pair second = {(uint64_t)(minus ? -high : high), sh_signed_product(c, d)};
    return sh_add_pairs(sh_add_pairs(first, second), add).secret;
}
