/* The DSP extension: ARM DDI 0403, the instruction's section of chapter A7. */
#include "ops.h"

/* A sum that does not fit goes to the nearest end; `core->q` tells. */
static uint32_t saturated(cm_core *core, int64_t value, unsigned bits)
{
    const int64_t high = (1ll << (bits - 1)) - 1, low = -high - 1;
    core->q |= value > high || value < low;
    return (uint32_t)(value > high ? high : value < low ? low : value);
}

static uint32_t saturated_unsigned(cm_core *core, int64_t value, unsigned bits)
{
    const int64_t high = (1ll << bits) - 1;
    core->q |= value > high || value < 0;
    return (uint32_t)(value > high ? high : value < 0 ? 0 : value);
}

static int32_t clamp(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

static int32_t half(uint32_t word, bool top, bool is_signed)
{
    const uint32_t value = top ? word >> 16 : word & 0xffff;
    return is_signed ? (int32_t)(int16_t)(uint16_t)value : (int32_t)value;
}

/* One lane of a parallel sum: what goes into the result; `carry`: what goes into the GE flags. */
static uint32_t lane(unsigned kind, int32_t sum, unsigned width, bool subtracts, bool *carry)
{
    const int32_t half_range = 1 << (width - 1);
    const uint32_t mask = (1u << width) - 1;
    *carry = kind == 0 ? sum >= 0 : subtracts ? sum >= 0 : sum >= 1 << width;
    switch (kind) {
    case 1:
        sum = clamp(sum, -half_range, half_range - 1);
        break; /* Q */
    case 4:
        sum = clamp(sum, 0, (1 << width) - 1);
        break; /* UQ */
    case 2:
    case 5:
        sum >>= 1;
        break; /* SH, UH */
    default:
        break;
    }
    return (uint32_t)sum & mask;
}

static uint32_t parallel(cm_core *core, unsigned kind, unsigned which, uint32_t n, uint32_t m)
{
    const bool is_signed = kind < 3, bytes = which >= 4, crossed = which == 1 || which == 2;
    const unsigned width = bytes ? 8 : 16, count = 32 / width;
    uint32_t result = 0, ge = 0;
    for (unsigned i = 0; i < count; i++) {
        const unsigned other = crossed ? 1 - i : i;
        int32_t x, y;
        if (bytes) {
            x = is_signed ? (int32_t)(int8_t)(uint8_t)(n >> 8 * i) : (int32_t)(n >> 8 * i & 0xff);
            y = is_signed ? (int32_t)(int8_t)(uint8_t)(m >> 8 * i) : (int32_t)(m >> 8 * i & 0xff);
        } else {
            x = half(n, i != 0, is_signed);
            y = half(m, other != 0, is_signed);
        }
        /* ADD16, ASX (the sum above), SAX (the difference above), SUB16, ADD8, SUB8 */
        const bool subtracts =
            which == 3 || which == 5 || (which == 1 && i == 0) || (which == 2 && i == 1);
        bool carry;
        result |= lane(kind, subtracts ? x - y : x + y, width, subtracts, &carry) << width * i;
        ge |= (carry ? (bytes ? 1u : 3u) : 0u) << (bytes ? i : 2 * i);
    }
    if (kind == 0 || kind == 3)
        core->ge = ge;
    return result;
}

static uint32_t rotated(uint32_t value, unsigned by)
{
    return by == 0 ? value : value >> by | value << (32 - by);
}

static uint32_t extended(unsigned operation, uint32_t n, uint32_t m, unsigned rotation)
{
    const uint32_t x = rotated(m, rotation);
    switch (operation) {
    case CM7_DSP_SXTAH:
        return n + (uint32_t)half(x, false, true);
    case CM7_DSP_UXTAH:
        return n + (x & 0xffff);
    case CM7_DSP_SXTAB:
        return n + (uint32_t)(int32_t)(int8_t)(uint8_t)x;
    case CM7_DSP_UXTAB:
        return n + (x & 0xff);
    case CM7_DSP_SXTAB16:
    case CM7_DSP_SXTB16: {
        const uint32_t low = n + (uint32_t)(int32_t)(int8_t)(uint8_t)x;
        const uint32_t high = (n >> 16) + (uint32_t)(int32_t)(int8_t)(uint8_t)(x >> 16);
        return (low & 0xffff) | high << 16;
    }
    default:
        return ((n + (x & 0xff)) & 0xffff) | ((n >> 16) + (x >> 16 & 0xff)) << 16;
    }
}

/* to, by, right: what saturation() of decode_wide.c packed. */
static uint32_t saturation(cm_core *core, unsigned operation, uint32_t n, unsigned shift)
{
    const unsigned to = shift & 0xff, by = shift >> 8 & 0xff;
    const bool right = (shift >> 16 & 1) != 0;
    if (operation == CM7_DSP_SSAT16 || operation == CM7_DSP_USAT16) {
        const bool keeps = operation == CM7_DSP_SSAT16;
        const int32_t low = half(n, false, true), high = half(n, true, true);
        const uint32_t a = keeps ? saturated(core, low, to) : saturated_unsigned(core, low, to);
        const uint32_t b = keeps ? saturated(core, high, to) : saturated_unsigned(core, high, to);
        return (a & 0xffff) | b << 16;
    }
    const uint32_t shifted =
        right ? (uint32_t)((int64_t)(int32_t)n >> (by == 0 ? 32 : by)) : n << by;
    return operation == CM7_DSP_SSAT ? saturated(core, (int32_t)shifted, to)
                                     : saturated_unsigned(core, (int32_t)shifted, to);
}

static uint32_t accumulate(cm_core *core, int64_t product, uint32_t add)
{
    const int64_t sum = product + (int32_t)add;
    core->q |= sum != (int32_t)(uint32_t)(uint64_t)sum;
    return (uint32_t)(uint64_t)sum;
}

static uint32_t product(cm_core *core, unsigned operation, uint32_t n, uint32_t m, uint32_t add)
{
    if (operation < CM7_DSP_SMLAW) {
        const unsigned which = operation - CM7_DSP_SMLAXY;
        return accumulate(
            core, (int64_t)half(n, (which & 2) != 0, true) * half(m, (which & 1) != 0, true), add);
    }
    if (operation < CM7_DSP_SMLAD) {
        const int64_t wide = (int64_t)(int32_t)n * half(m, operation != CM7_DSP_SMLAW, true);
        return accumulate(core, wide >> 16, add);
    }
    if (operation < CM7_DSP_SMMLA) {
        const bool minus = operation >= CM7_DSP_SMLSD,
                   crossed = ((operation - CM7_DSP_SMLAD) & 1) != 0;
        const int64_t low = (int64_t)half(n, false, true) * half(m, crossed, true);
        const int64_t high = (int64_t)half(n, true, true) * half(m, !crossed, true);
        return accumulate(core, minus ? low - high : low + high, add);
    }
    const bool minus = operation >= CM7_DSP_SMMLS, rounded = ((operation - CM7_DSP_SMMLA) & 1) != 0;
    const uint64_t wide = (uint64_t)((int64_t)(int32_t)n * (int32_t)m), above = (uint64_t)add << 32;
    return (uint32_t)(((minus ? above - wide : above + wide) + (rounded ? 0x80000000u : 0u)) >> 32);
}

uint32_t cm7_dsp(cm_core *core, unsigned operation, uint32_t n, uint32_t m, uint32_t add,
                 unsigned shift)
{
    if (operation < CM7_DSP_SEL)
        return parallel(core, operation / 6, operation % 6, n, m);
    switch (operation) {
    case CM7_DSP_SEL: {
        uint32_t mask = 0;
        for (unsigned i = 0; i < 4; i++)
            mask |= (core->ge >> i & 1) != 0 ? 0xffu << 8 * i : 0u;
        return (n & mask) | (m & ~mask);
    }
    case CM7_DSP_QADD:
        return saturated(core, (int64_t)(int32_t)m + (int32_t)n, 32);
    case CM7_DSP_QSUB:
        return saturated(core, (int64_t)(int32_t)m - (int32_t)n, 32);
    case CM7_DSP_QDADD:
    case CM7_DSP_QDSUB: {
        const int64_t twice = (int32_t)saturated(core, 2 * (int64_t)(int32_t)n, 32);
        return saturated(core, operation == CM7_DSP_QDADD ? (int32_t)m + twice : (int32_t)m - twice,
                         32);
    }
    case CM7_DSP_USAD8: {
        for (unsigned i = 0; i < 4; i++) {
            const int32_t x = (int32_t)(n >> 8 * i & 0xff), y = (int32_t)(m >> 8 * i & 0xff);
            add += (uint32_t)(x > y ? x - y : y - x);
        }
        return add;
    }
    case CM7_DSP_SSAT:
    case CM7_DSP_USAT:
    case CM7_DSP_SSAT16:
    case CM7_DSP_USAT16:
        return saturation(core, operation, n, shift);
    default:
        return operation < CM7_DSP_USAD8 ? extended(operation, n, m, shift)
                                         : product(core, operation, n, m, add);
    }
}

uint64_t cm7_dsp_long(unsigned operation, uint32_t n, uint32_t m, uint64_t add)
{
    if (operation < CM7_LONG_SMLALD)
        return add + (uint64_t)((int64_t)half(n, (operation & 2) != 0, true) *
                                half(m, (operation & 1) != 0, true));
    const bool minus = operation >= CM7_LONG_SMLSLD, crossed = (operation & 1) != 0;
    const int64_t low = (int64_t)half(n, false, true) * half(m, crossed, true);
    const int64_t high = (int64_t)half(n, true, true) * half(m, !crossed, true);
    return add + (uint64_t)(minus ? low - high : low + high);
}
