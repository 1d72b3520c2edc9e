/*
 * Drives the fuzz target without libFuzzer: random instructions and ELF files, mutated by a
 * generator that a seed repeats.
 *
 *   test-avr-fuzz [iterations] [seed]
 */
#include <string.h>

#include "machine.h"

#include "fuzz_image.h"

enum { CODE_AT = 0x200, SECTIONS_AT = 0x100, SYMBOLS_AT = 0x180, NAMES_AT = 0x1c0 };

static void put(uint8_t *at, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static uint16_t instruction(void)
{
    static const uint16_t bases[] = {
        0x0000, 0x0c00, 0x2000, 0x3000, 0x8000, 0x9000, 0x9200, 0x9400,
        0x9500, 0x9600, 0x9800, 0xb000, 0xc000, 0xd000, 0xe000, 0xf000};
    return (uint16_t)(bases[number(16)] | number(number(4) ? 0x200 : 0x1000));
}

/* A small program with a segment, three sections and two symbols. */
static size_t elf(uint8_t *file)
{
    static const uint8_t ident[7] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    static const char names[] = "\0bottom";
    const uint32_t sections[3][10] = {{0, 8, 3, 0x802800, 0, 64, 0, 0, 1, 0},
                                      {0, 2, 0, 0, SYMBOLS_AT, 32, 2, 0, 4, 16},
                                      {0, 3, 0, 0, NAMES_AT, 16, 0, 0, 1, 0}};
    memset(file, 0, CODE_AT);
    memcpy(file, ident, sizeof ident);
    put(file + 16, 2, 2);
    put(file + 18, 83, 2);
    put(file + 28, 52, 4);
    put(file + 32, SECTIONS_AT, 4);
    put(file + 42, 32, 2);
    put(file + 44, 1, 2);
    put(file + 46, 40, 2);
    put(file + 48, 3, 2);
    const uint32_t segment[8] = {1, CODE_AT, 0, 0, 512, 512, 5, 2};
    for (uint32_t i = 0; i < 8; i++)
        put(file + 52 + 4 * i, segment[i], 4);
    for (uint32_t i = 0; i < 30; i++)
        put(file + SECTIONS_AT + 4 * i, sections[i / 10][i % 10], 4);
    put(file + SYMBOLS_AT + 16, 1, 4);
    put(file + SYMBOLS_AT + 20, 0x802810, 4);
    memcpy(file + NAMES_AT, names, sizeof names);
    for (uint32_t i = 0; i < 512; i += 2)
        put(file + CODE_AT + i, instruction(), 2);
    return CODE_AT + 512;
}

/* Instructions that are mostly defined, and pointers that mostly point somewhere. */
static size_t instructions(uint8_t *bytes)
{
    static const uint16_t places[] = {
        0x0300, 0x2900, 0x3fff, 0x0060, 0x4000, 0x0860, 0x0a00, 0x0a80, 0x0080, 0x00c0, 0xffff, 0};
    for (uint32_t i = 0; i < 32; i += 2)
        put(bytes + i, number(3) ? places[number(12)] : number(0x10000), 2);
    const uint32_t count = 8 + number(200);
    for (uint32_t i = 0; i < count; i++)
        put(bytes + 32 + 2 * i, instruction(), 2);
    return 32 + 2 * (size_t)count;
}

static size_t input(uint8_t *bytes)
{
    const bool file = number(3) == 0;
    bytes[0] = (uint8_t)(number(8) | (file ? 8 : 0) | (number(8) == 0 ? 16 : 0));
    return file ? elf(bytes + 1) : instructions(bytes + 1);
}

int main(int argc, char **argv)
{
    return fuzz(argc, argv, 2000, input);
}
