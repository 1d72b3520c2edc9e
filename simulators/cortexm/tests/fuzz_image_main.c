/*
 * Drives the fuzz target without libFuzzer: random and well-formed instructions, and ELF files,
 * mutated by a generator that a seed repeats.
 *
 *   test-cortexm-fuzz [iterations] [seed]
 */
#include <string.h>

#include "../core/internal.h"
#include "generate.h"

#include "fuzz_image.h"

enum { CODE_AT = 0x200, NAMES_AT = 0x180, SYMBOLS_AT = 0x1a0, SECTIONS_AT = 0x100 };

static void word(uint8_t *file, uint32_t at, uint32_t value)
{
    sim_put32(file + at, value);
}

/* A small program with a segment, three sections and two symbols. */
static size_t elf(uint8_t *file)
{
    static const uint8_t ident[16] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    static const char names[] = "\0run\0__bss_end__";
    memset(file, 0, CODE_AT);
    memcpy(file, ident, sizeof ident);
    word(file, 16, 40u << 16 | 2);
    word(file, 20, 1);
    word(file, 28, 52);
    word(file, 32, SECTIONS_AT);
    word(file, 40, 32u << 16 | 52);
    word(file, 44, 40u << 16 | 1);
    word(file, 48, 3);
    const uint32_t segment[8] = {1, CODE_AT, 0x2000, 0x2000, 512, 512, 5, 4};
    const uint32_t sections[3][10] = {{0, 1, 2, 0x2000, CODE_AT, 512, 0, 0, 4, 0},
                                      {0, 2, 0, 0, SYMBOLS_AT, 32, 2, 0, 4, 16},
                                      {0, 3, 0, 0, NAMES_AT, 16, 0, 0, 1, 0}};
    const uint32_t symbols[2][4] = {{1, 0x2041, 64, 0x12}, {5, 0x20000100, 0, 0x10}};
    for (uint32_t i = 0; i < 8; i++)
        word(file, 52 + 4 * i, segment[i]);
    for (uint32_t i = 0; i < 30; i++)
        word(file, SECTIONS_AT + 4 * i, sections[i / 10][i % 10]);
    for (uint32_t i = 0; i < 8; i++)
        word(file, SYMBOLS_AT + 4 * i, symbols[i / 4][i % 4]);
    memcpy(file + NAMES_AT, names, sizeof names);
    word(file, CODE_AT, 0x20004000);
    word(file, CODE_AT + 4, 0x2041);
    for (uint32_t i = 8; i < 512; i += 2)
        sim_put16(file + CODE_AT + i, number(0x10000));
    return CODE_AT + 512;
}

/* Instructions that are mostly defined, and registers that mostly point somewhere. */
static size_t instructions(uint8_t *bytes)
{
    static const uint32_t places[] = {
        0x20001000, 0x20007ff0, 0x20000000, 0xe000e010, 0xe000ed04, 0xe000e100, 0x42001c00,
        0x42002c00, 0x41004000, 0x3fff0,    0x100,      0xfffffff9, 0x20001001};
    for (uint32_t i = 0; i < 16; i++)
        word(bytes, 4 * i,
             number(3) != 0 ? places[number(sizeof places / sizeof places[0])]
                            : number(0x10000) << 4);
    const uint32_t count = 8 + number(200);
    for (uint32_t i = 0; i < count; i++) {
        static const uint16_t bases[] = {
            0x0000, 0x2000, 0x4000, 0x4400, 0x5000, 0x6000, 0x8000, 0x9000, 0xa000,
            0xb000, 0xc000, 0xd000, 0xe000, 0xf000, 0xb500, 0xbc00, 0xbf00, 0x4700};
        const uint32_t base = bases[number(sizeof bases / sizeof bases[0])];
        sim_put16(bytes + 64 + 2 * i, base | number(number(4) != 0 ? 0x100 : 0x1000));
    }
    return 64 + 2 * count;
}

static size_t input(uint8_t *bytes)
{
    const bool file = number(2) == 0;
    bytes[0] = (uint8_t)(number(8) | (file ? 8 : 0) | (number(8) == 0 ? 16 : 0) | number(4) << 5);
    return file ? elf(bytes + 1) : instructions(bytes + 1);
}

int main(int argc, char **argv)
{
    return fuzz(argc, argv, 6000, input);
}
