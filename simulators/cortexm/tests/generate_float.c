/* Arithmetic of the floating-point unit: modes, numbers, one instruction, and what it gives. ARM
 * DDI 0403 chapter A6. */
#include "generate.h"

#define ONE_OF(p, list) (list)[pick((p), sizeof(list) / sizeof(list)[0])]

/* Numbers at whose neighbours something changes: 0, the smallest, 1, integers, those of half
 * precision, infinity, and what is none. */
static uint32_t number(program *p)
{
    static const uint32_t near[] = {0,          0x00800000, 0x3f800000, 0x3f000000, 0x7f7fffff,
                                    0x7fc00000, 0x7f900000, 0x4b000000, 0x4f000000, 0x47000000,
                                    0x33000000, 0x38800000, 0x477fe000, 0x1f800000, 0x20000000};
    const uint32_t sign = pick(p, 2) << 31;
    switch (pick(p, 5)) {
    case 0:
        return sign | (ONE_OF(p, near) + pick(p, 5) - 2);
    case 1:
        return sign | (120 + pick(p, 16)) << 23 | pick(p, 1u << 23);
    case 2:
        return sign | (100 + pick(p, 64)) << 23 | pick(p, 16) << 19;
    case 3:
        return sign | pick(p, 1u << 24);
    default:
        return value(p);
    }
}

static void emit_pair(program *p, uint32_t word)
{
    emit(p, word >> 16);
    emit(p, word & 0xffff);
}

void of_float(program *p)
{
    static const uint32_t three[] = {
        0xee000a00, 0xee000a40, 0xee100a00, 0xee100a40, 0xee200a00, 0xee200a40, 0xee300a00,
        0xee300a40, 0xee800a00, 0xee900a00, 0xee900a40, 0xeea00a00, 0xeea00a40};
    static const uint32_t two[] = {0xeeb00ac0, 0xeeb10a40, 0xeeb10ac0, 0xeeb20a40, 0xeeb20ac0,
                                   0xeeb30a40, 0xeeb30ac0, 0xeeb40a40, 0xeeb40ac0, 0xeeb80a40,
                                   0xeeb80ac0, 0xeebc0a40, 0xeebc0ac0, 0xeebd0a40, 0xeebd0ac0};
    uint32_t registers[3];
    constant(p, 0, pick(p, 3) == 0 ? 0 : pick(p, 32) << 22);
    emit_pair(p, 0xeee10a10); /* VMSR */
    for (unsigned i = 0; i < 3; i++) {
        registers[i] = pick(p, 32);
        constant(p, 0, number(p));
        /* VMOV from r0 */
        emit_pair(p, 0xee000a10 | (registers[i] >> 1) << 16 | (registers[i] & 1) << 7);
    }
    const uint32_t d = registers[0], n = registers[1], m = registers[2];
    const uint32_t in_d = (d & 1) << 22 | (d >> 1) << 12, in_m = (m & 1) << 5 | m >> 1;
    switch (pick(p, 6)) {
    case 0: { /* fixed-point numbers */
        const uint32_t words = pick(p, 2), rest = pick(p, words != 0 ? 32 : 17);
        emit_pair(p, 0xeeba0a40 | in_d | pick(p, 2) << 18 | pick(p, 2) << 16 | words << 7 |
                         rest >> 1 | (rest & 1) << 5);
        break;
    }
    /* VCMP, VCMPE with 0 */
    case 1:
        emit_pair(p, 0xeeb50a40 | in_d | pick(p, 2) << 7);
        break;
    case 2:
    case 3:
        emit_pair(p, ONE_OF(p, two) | in_d | in_m);
        break;
    default:
        emit_pair(p, ONE_OF(p, three) | in_d | (n & 1) << 7 | (n >> 1) << 16 | in_m);
        break;
    }
    emit_pair(p, 0xee100a10 | (d >> 1) << 16 | (d & 1) << 7); /* VMOV r0 */
    emit_pair(p, 0xeef10a10 | (1 + pick(p, 7)) << 12);        /* VMRS */
}
