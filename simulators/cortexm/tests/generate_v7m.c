/*
 * Random instructions of ARMv7-M. An encoding is written as in ARM DDI 0403 chapter A7: digits are
 * fixed; n, d, m, a, t, u, l and h are registers, none of them SP or PC and no two of them the same
 * (the same letter again is the same register); i is any bit.
 */
#include <string.h>

#include "generate.h"

enum { BASE = RAM_AT + 0x800 };

static const char *const common[] = {
    /* shifted registers */
    "11101010000innnn0iiiddddiiiimmmm",
    "11101010001innnn0iiiddddiiiimmmm",
    "11101010010innnn0iiiddddiiiimmmm",
    "11101010011innnn0iiiddddiiiimmmm",
    "11101010100innnn0iiiddddiiiimmmm",
    "11101011000innnn0iiiddddiiiimmmm",
    "11101011010innnn0iiiddddiiiimmmm",
    "11101011011innnn0iiiddddiiiimmmm",
    "11101011101innnn0iiiddddiiiimmmm",
    "11101011110innnn0iiiddddiiiimmmm",
    "11101010010i11110iiiddddiiiimmmm",
    "11101010011i11110iiiddddiiiimmmm",
    "111010100001nnnn0iii1111iiiimmmm",
    "111010101001nnnn0iii1111iiiimmmm",
    "111010110001nnnn0iii1111iiiimmmm",
    "111010111011nnnn0iii1111iiiimmmm",
    /* constants */
    "11110i00000innnn0iiiddddiiiiiiii",
    "11110i00001innnn0iiiddddiiiiiiii",
    "11110i00010innnn0iiiddddiiiiiiii",
    "11110i00011innnn0iiiddddiiiiiiii",
    "11110i00100innnn0iiiddddiiiiiiii",
    "11110i01000innnn0iiiddddiiiiiiii",
    "11110i01010innnn0iiiddddiiiiiiii",
    "11110i01011innnn0iiiddddiiiiiiii",
    "11110i01101innnn0iiiddddiiiiiiii",
    "11110i01110innnn0iiiddddiiiiiiii",
    "11110i00010i11110iiiddddiiiiiiii",
    "11110i00011i11110iiiddddiiiiiiii",
    "11110i000001nnnn0iii1111iiiiiiii",
    "11110i001001nnnn0iii1111iiiiiiii",
    "11110i010001nnnn0iii1111iiiiiiii",
    "11110i011011nnnn0iii1111iiiiiiii",
    "11110i100000nnnn0iiiddddiiiiiiii",
    "11110i101010nnnn0iiiddddiiiiiiii",
    "11110i100100iiii0iiiddddiiiiiiii",
    "11110i101100iiii0iiiddddiiiiiiii",
    "11110i10000011110iiiddddiiiiiiii",
    "11110i10101011110iiiddddiiiiiiii",
    /* saturation, fields of bits */
    "111100110000nnnn0iiiddddii0iiiii",
    "111100110010nnnn0001ddddii0iiiii",
    "111100111000nnnn0iiiddddii0iiiii",
    "111100111010nnnn0001ddddii0iiiii",
    "111100110100nnnn00iiddddii00iiii",
    "111100111100nnnn00iiddddii00iiii",
    "111100110110nnnn00iiddddii01iiii",
    "111100110110111100iiddddii01iiii",
    /* shifts by registers, extensions, reversals */
    "11111010000innnn1111dddd0000mmmm",
    "11111010001innnn1111dddd0000mmmm",
    "11111010010innnn1111dddd0000mmmm",
    "11111010011innnn1111dddd0000mmmm",
    "11111010000011111111dddd10iimmmm",
    "11111010000111111111dddd10iimmmm",
    "11111010010011111111dddd10iimmmm",
    "11111010010111111111dddd10iimmmm",
    "111110101001mmmm1111dddd10iimmmm",
    "111110101011mmmm1111dddd1000mmmm",
    /* products and quotients */
    "111110110000nnnnaaaadddd0000mmmm",
    "111110110000nnnn1111dddd0000mmmm",
    "111110110000nnnnaaaadddd0001mmmm",
    "111110111000nnnnllllhhhh0000mmmm",
    "111110111010nnnnllllhhhh0000mmmm",
    "111110111100nnnnllllhhhh0000mmmm",
    "111110111110nnnnllllhhhh0000mmmm",
    "111110111001nnnn1111dddd1111mmmm",
    "111110111011nnnn1111dddd1111mmmm",
    /* no operation, barriers, hints of 32 bits */
    "11110011101011111000000000000000",
    "111100111011111110001111010i1111",
};

static const char *const dsp[] = {
    "111010101100nnnn0iiiddddiii0mmmm",
    "11111010000innnn1111dddd10iimmmm",
    "11111010001innnn1111dddd10iimmmm",
    "11111010010innnn1111dddd10iimmmm",
    "11111010001i11111111dddd10iimmmm",
    "111110101000nnnn1111dddd10iimmmm",
    "111110101010nnnn1111dddd1000mmmm",
    "111110110001nnnnaaaadddd00iimmmm",
    "111110110001nnnn1111dddd00iimmmm",
    "111110110010nnnnaaaadddd000immmm",
    "111110110010nnnn1111dddd000immmm",
    "111110110011nnnnaaaadddd000immmm",
    "111110110011nnnn1111dddd000immmm",
    "111110110100nnnnaaaadddd000immmm",
    "111110110100nnnn1111dddd000immmm",
    "111110110101nnnnaaaadddd000immmm",
    "111110110101nnnn1111dddd000immmm",
    "111110110110nnnnaaaadddd000immmm",
    "111110110111nnnnaaaadddd0000mmmm",
    "111110110111nnnn1111dddd0000mmmm",
    "111110111110nnnnllllhhhh0110mmmm",
    "111110111100nnnnllllhhhh10iimmmm",
    "111110111100nnnnllllhhhh110immmm",
    "111110111101nnnnllllhhhh110immmm",
    "111100110010nnnn0000dddd0000iiii",
    "111100111010nnnn0000dddd0000iiii",
    /* values of the floating-point unit */
    "111011100000iiiitttt1010i0010000",
    "111011100001iiiitttt1010i0010000",
    "1110111000i0iiiitttt101100010000",
    "1110111000i1iiiitttt101100010000",
    "111011101i11iiiiiiii10100000iiii",
    "111011101i110000iiii101001i0iiii",
};

/* Loads and stores: the base n lies in RAM. */
static const char *const transfers[] = {
    "111110001101nnnnttttiiiiiiiiiiii", "111110001100nnnnttttiiiiiiiiiiii",
    "111110001011nnnnttttiiiiiiiiiiii", "111110001010nnnnttttiiiiiiiiiiii",
    "111110001001nnnnttttiiiiiiiiiiii", "111110001000nnnnttttiiiiiiiiiiii",
    "111110011011nnnnttttiiiiiiiiiiii", "111110011001nnnnttttiiiiiiiiiiii",
    "111110000101nnnntttt1100iiiiiiii", "111110000101nnnntttt11i1iiiiiiii",
    "111110000101nnnntttt10i1iiiiiiii", "111110000100nnnntttt1100iiiiiiii",
    "111110000100nnnntttt11i1iiiiiiii", "111110000100nnnntttt10i1iiiiiiii",
    "111110000011nnnntttt11i1iiiiiiii", "111110000011nnnntttt10i1iiiiiiii",
    "111110000010nnnntttt11i1iiiiiiii", "111110000010nnnntttt10i1iiiiiiii",
    "111110000001nnnntttt11i1iiiiiiii", "111110000001nnnntttt10i1iiiiiiii",
    "111110000000nnnntttt11i1iiiiiiii", "111110000000nnnntttt10i1iiiiiiii",
    "111110010011nnnntttt11i1iiiiiiii", "111110010011nnnntttt10i1iiiiiiii",
    "111110010001nnnntttt11i1iiiiiiii", "111110010001nnnntttt10i1iiiiiiii",
    "111110000101nnnntttt1110iiiiiiii", "11101001i101nnnnttttuuuuiiiiiiii",
    "11101001i100nnnnttttuuuuiiiiiiii", "11101001i111nnnnttttuuuuiiiiiiii",
    "11101001i110nnnnttttuuuuiiiiiiii", "11101000i111nnnnttttuuuuiiiiiiii",
    "11101000i110nnnnttttuuuuiiiiiiii", "111010000101nnnntttt1111iiiiiiii",
    "111010001101nnnntttt111101001111", "111010001101nnnntttt111101011111",
};

static const char *const floats[] = {
    "11101101ii01nnnniiii1010iiiiiiii", "11101101ii00nnnniiii1010iiiiiiii",
    "11101101i001nnnn0iii1011iiiiiiii", "11101101i000nnnn0iii1011iiiiiiii",
    "1110110010i1nnnn0iii101000000ii1", "1110110010i0nnnn0iii101000000ii1",
    "111011010011nnnn0iii101000000ii1", "111011010010nnnn0iii101000000ii1",
};

/* Registers of the letters; -1: not chosen yet. */
typedef struct letters { int of[26]; } letters;

static int chosen(program *p, letters *known, char letter)
{
    int *found = &known->of[letter - 'a'];
    while (*found < 0) {
        *found = (int)pick(p, 14);
        if (*found == 13)
            *found = 14;
        for (int i = 0; i < 26; i++) {
            if (i != letter - 'a' && known->of[i] == *found)
                *found = -1;
        }
    }
    return *found;
}

static void encode(program *p, const char *encoding, letters *known)
{
    uint32_t word = 0;
    unsigned seen[26] = {0};
    for (const char *at = encoding; *at != '\0'; at++) {
        uint32_t bit = *at == '1';
        if (*at == 'i')
            bit = pick(p, 2);
        else if (*at >= 'a')
            bit = (uint32_t)chosen(p, known, *at) >> (3 - seen[*at - 'a']++ % 4) & 1;
        word = word << 1 | bit;
    }
    emit(p, word >> 16);
    emit(p, word & 0xffff);
}

static void instruction(program *p, const char *encoding)
{
    letters known;
    memset(&known, 0xff, sizeof known);
    encode(p, encoding, &known);
}

#define ONE_OF(p, list) (list)[pick((p), sizeof(list) / sizeof(list)[0])]

/* A low register that is the base: an address in RAM, that of a word. */
static void based(program *p, const char *encoding)
{
    letters known;
    memset(&known, 0xff, sizeof known);
    known.of['n' - 'a'] = (int)pick(p, 8);
    constant(p, (uint32_t)known.of['n' - 'a'], BASE + 4 * pick(p, 64));
    encode(p, encoding, &known);
}

static void transfer(program *p)
{
    based(p, ONE_OF(p, transfers));
}

void any_transfer(program *p)
{
    instruction(p, ONE_OF(p, transfers));
}

/* With an index in a register. */
static void indexed(program *p)
{
    static const char *const encodings[] = {
        "111110000101nnnntttt000000iimmmm", "111110000100nnnntttt000000iimmmm",
        "111110000011nnnntttt000000iimmmm", "111110000010nnnntttt000000iimmmm",
        "111110000001nnnntttt000000iimmmm", "111110000000nnnntttt000000iimmmm",
        "111110010011nnnntttt000000iimmmm", "111110010001nnnntttt000000iimmmm",
    };
    letters known;
    memset(&known, 0xff, sizeof known);
    known.of['n' - 'a'] = (int)pick(p, 8);
    known.of['m' - 'a'] = (known.of['n' - 'a'] + 1 + (int)pick(p, 7)) % 8;
    constant(p, (uint32_t)known.of['n' - 'a'], BASE + pick(p, 256));
    constant(p, (uint32_t)known.of['m' - 'a'], pick(p, 64));
    encode(p, ONE_OF(p, encodings), &known);
}

static void list(program *p)
{
    const uint32_t n = pick(p, 8), writes = pick(p, 2), below = pick(p, 2), loads = pick(p, 2);
    uint32_t registers = pick(p, 0x2000) | 1u << 14;
    if (writes != 0 || loads == 0)
        registers &= ~(1u << n);
    if ((registers & 0x1fff) == 0)
        registers |= 1u << (n + 1);
    constant(p, n, BASE + 4 * pick(p, 64));
    emit(p, 0xe800 | (below != 0 ? 0x100u : 0x80u) | writes << 5 | loads << 4 | n);
    emit(p, registers);
}

/* An exclusive load and store: the second succeeds. */
static void exclusive(program *p)
{
    letters known;
    memset(&known, 0xff, sizeof known);
    const uint32_t n = pick(p, 8), imm = pick(p, 64);
    known.of['n' - 'a'] = (int)n;
    constant(p, n, BASE);
    encode(p, "111010000101nnnntttt111100000000", &known);
    p->image[p->at - 2] = (uint8_t)imm;
    encode(p, "111010000100nnnnttttdddd00000000", &known);
    p->image[p->at - 2] = (uint8_t)imm;
}

/* Instructions that an IT block may hold: no comparisons with 16 bits inside change that. */
static void plain(program *p)
{
    if (pick(p, 2) == 0)
        instruction(p, common[pick(p, sizeof common / sizeof common[0] - 2)]);
    else
        data_processing(p);
}

static void it_block(program *p)
{
    const uint32_t mask = 1 + pick(p, 15), condition = pick(p, 14);
    emit(p, 0xbf00 | condition << 4 | mask);
    for (int count = 4 - __builtin_ctz(mask); count > 0; count--)
        plain(p);
}

static void leap(program *p)
{
    const uint32_t over = 1 + pick(p, 3);
    switch (pick(p, 4)) {
    case 0:
        emit(p, 0xb100 | pick(p, 2) << 11 | (over - 1) << 3 | pick(p, 8)); /* CBZ, CBNZ */
        break;
    case 1:
        emit(p, 0xf000 | pick(p, 14) << 6);
        emit(p, 0x8000 | over);
        break;
    case 2:
        emit(p, 0xf000);
        emit(p, 0xb800 | over);
        break;
    default: { /* TBB, TBH: a table of four halfwords */
        const uint32_t reg = pick(p, 8), wide = pick(p, 2);
        constant(p, reg, pick(p, 4));
        emit(p, 0xe8df);
        emit(p, 0xf000 | wide << 4 | reg);
        for (uint32_t i = 0; i < 4; i++)
            emit(p, wide != 0 ? 4 + pick(p, over + 1) : (4 + pick(p, over + 1)) * 0x101);
        break;
    }
    }
    for (uint32_t i = 0; i < over; i++)
        data_processing(p);
}

static void parallel(program *p)
{
    static const char *const sums[] = {"001", "010", "110", "101", "000", "100"};
    static const char *const kinds[] = {"000", "001", "010", "100", "101", "110"};
    char encoding[] = "111110101xxxnnnn1111dddd0xxxmmmm";
    memcpy(encoding + 9, ONE_OF(p, sums), 3);
    memcpy(encoding + 25, ONE_OF(p, kinds), 3);
    instruction(p, encoding);
}

/* Bits of RAM, each a word. */
static void bit(program *p)
{
    const uint32_t n = pick(p, 8), t = (n + 1 + pick(p, 7)) % 8;
    static const uint16_t stores[] = {0x6000, 0x7000, 0x8000}, loads[] = {0x6800, 0x7800, 0x8800};
    constant(p, n, 0x22000000 + 32 * (BASE - RAM_AT) + 4 * pick(p, 0x800));
    emit(p, (pick(p, 2) != 0 ? ONE_OF(p, loads) : ONE_OF(p, stores)) | n << 3 | t);
}

void of_armv7m(program *p)
{
    switch (pick(p, 13)) {
    case 0:
        transfer(p);
        break;
    case 1:
        indexed(p);
        break;
    case 2:
        list(p);
        break;
    case 3:
        exclusive(p);
        break;
    case 4:
        it_block(p);
        break;
    case 5:
        leap(p);
        break;
    case 6:
        bit(p);
        break;
    default:
        instruction(p, ONE_OF(p, common));
        break;
    }
}

void of_armv7em(program *p)
{
    switch (pick(p, 7)) {
    case 0:
        parallel(p);
        break;
    case 1:
        instruction(p, ONE_OF(p, dsp));
        break;
    case 2:
        based(p, ONE_OF(p, floats));
        break;
    case 3:
        of_float(p);
        break;
    default:
        of_armv7m(p);
        break;
    }
}

/* An operation of the DSP extension: not of the coprocessor. */
static void without_float(program *p)
{
    const char *encoding;
    do
        encoding = ONE_OF(p, dsp);
    while (strncmp(encoding, "111011", 6) == 0);
    instruction(p, encoding);
}

void of_armv8m(program *p)
{
    switch (pick(p, 5)) {
    case 0:
        parallel(p);
        break;
    case 1:
        without_float(p);
        break;
    default:
        of_armv7m(p);
        break;
    }
}
