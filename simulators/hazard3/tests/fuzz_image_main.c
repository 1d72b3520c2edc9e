/*
 * Drives the fuzz target without libFuzzer: random instructions and ELF files, mutated by a
 * generator that a seed repeats.
 *
 *   test-hazard3-fuzz [iterations] [seed]
 */
#include <string.h>

#include "bytes.h"
#include "generate.h"

#include "fuzz_image.h"

enum {
    REGISTERS = 124,
    CODE_AT = 0x200,
    SECTIONS_AT = 0x100,
    SYMBOLS_AT = 0x180,
    NAMES_AT = 0x1c0
};
#define PROGRAM 0x20000000u

/* Instructions that are mostly defined: those of random programs, with some bits turned. */
static void instructions(uint8_t *bytes, size_t len)
{
    static uint8_t image[IMAGE_LENGTH];
    uint32_t at = 0x100;
    while (at < 0x100 + len)
        at = generate_step(image, at, &state);
    memcpy(bytes, image + 0x100, len);
    for (uint32_t times = number(40); times > 0; times--)
        bytes[number((uint32_t)len)] ^= (uint8_t)(1u << number(8));
}

/* A small program with a segment, three sections and two symbols. */
static size_t elf(uint8_t *file)
{
    static const uint8_t ident[7] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    static const char names[] = "\0mb_mark_begin\0mb_mark_secret";
    const uint32_t sections[3][10] = {{0, 8, 3, 0x20040000, 0, 64, 0, 0, 1, 0},
                                      {0, 2, 0, 0, SYMBOLS_AT, 48, 2, 0, 4, 16},
                                      {0, 3, 0, 0, NAMES_AT, 32, 0, 0, 1, 0}};
    const uint32_t segment[8] = {1, CODE_AT, PROGRAM, PROGRAM, 512, 512, 5, 2};
    memset(file, 0, CODE_AT);
    memcpy(file, ident, sizeof ident);
    sim_put(file + 16, 2, 2);
    sim_put(file + 18, 2, 243);
    sim_put(file + 24, 4, PROGRAM);
    sim_put(file + 28, 4, 52);
    sim_put(file + 32, 4, SECTIONS_AT);
    sim_put(file + 42, 2, 32);
    sim_put(file + 44, 2, 1);
    sim_put(file + 46, 2, 40);
    sim_put(file + 48, 2, 3);
    for (uint32_t i = 0; i < 8; i++)
        sim_put(file + 52 + 4 * i, 4, segment[i]);
    for (uint32_t i = 0; i < 30; i++)
        sim_put(file + SECTIONS_AT + 4 * i, 4, sections[i / 10][i % 10]);
    for (uint32_t i = 0; i < 2; i++) {
        sim_put(file + SYMBOLS_AT + 16 + 16 * i, 4, i == 0 ? 1 : 15);
        sim_put(file + SYMBOLS_AT + 20 + 16 * i, 4, PROGRAM + 16 * i);
        file[SYMBOLS_AT + 28 + 16 * i] = 2; /* a function */
        file[SYMBOLS_AT + 30 + 16 * i] = 1;
    }
    memcpy(file + NAMES_AT, names, sizeof names);
    instructions(file + CODE_AT, 512);
    return CODE_AT + 512;
}

/* Pointers that mostly point somewhere, and instructions. */
static size_t program(uint8_t *bytes)
{
    static const uint32_t places[] = {
        0x20000000, 0x20000080, 0x20040000, 0x20040104, 0x2007fffc, 0x20080000,
        0x40070000, 0xd0000000, 0x2003fffe, 0xffffffff, 0,          0x40};
    for (uint32_t i = 0; i < REGISTERS; i += 4)
        sim_put(bytes + i, 4,
                number(3) != 0 ? places[number(12)] : number(0x10000) << 16 | number(0x10000));
    const uint32_t len = 4 * (8 + number(200));
    instructions(bytes + REGISTERS, len);
    return REGISTERS + (size_t)len;
}

static size_t input(uint8_t *bytes)
{
    const bool file = number(3) == 0;
    bytes[0] = (uint8_t)((file ? 8 : 0) | (number(2) == 0 ? 16 : 0));
    return file ? elf(bytes + 1) : program(bytes + 1);
}

int main(int argc, char **argv)
{
    return fuzz(argc, argv, 2000, input);
}
