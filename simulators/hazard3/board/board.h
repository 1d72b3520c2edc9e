/* A board around a core: memories, registers of peripherals, and the program in an ELF file. */
#ifndef MOTEBENCH_HAZARD3_BOARD_H
#define MOTEBENCH_HAZARD3_BOARD_H

#include "../core/core.h"
#include "console.h"
#include "program.h"

typedef struct hz_board hz_board;

/* A block of registers, little-endian. Functions may be NULL: then registers are plain memory. */
typedef struct hz_block {
    uint32_t base, size; /* size: bytes */
    void (*reset)(hz_board *board, uint8_t *registers);
    /* Before a read of the word at `offset` its registers are brought up to date; after a write of
     * one. */
    void (*read)(hz_board *board, uint8_t *registers, uint32_t offset);
    void (*written)(hz_board *board, uint8_t *registers, uint32_t offset, uint32_t value);
} hz_block;

/* A declaration. The program lies in its own memory, apart from data. */
typedef struct hz_part {
    const char *name;
    bool qingke;                                       /* its core is a QingKe V2, no Hazard3 */
    uint32_t code_base, code_size, ram_base, ram_size; /* bytes */
    uint32_t code_most; /* that a board can be given; 0: no more than the part has */
    uint32_t clock_max; /* Hz */
    const hz_block *blocks;
    size_t block_count;
    /* Will an interrupt tell the program of a byte? A byte that it is given now. */
    bool (*listens)(const hz_board *board);
    void (*feed)(hz_board *board, uint8_t byte);
} hz_part;

enum { HZ_BLOCKS_MAX = 20, HZ_PATIENT_POLLS = 16 };

struct hz_board {
    hz_core core;
    const hz_part *part;
    uint8_t *registers[HZ_BLOCKS_MAX];
    uint32_t entry;
    /* of the flash, instead of those the program chooses; negative: as it chooses */
    int wait_states;
    unsigned polls; /* readings of the console's flags in a row that found nothing */
    /* the program has polled for input for so long that it waits for some */
    bool asks;
    uint8_t input[2]; /* a received byte, and whether there is one */
    void (*send)(uint8_t byte);
    int (*receive)(void); /* waits for a byte; SIM_ENDED: none will come */
};

extern const hz_part hz_rp2350, hz_ch32v003;

const hz_part *hz_part_named(const char *name);

/* `code_size`: bytes of memory for the program; 0: the part's. NULL: no memory. */
hz_board *hz_board_new(const hz_part *part, uint32_t code_size);
void hz_board_free(hz_board *board);
void hz_board_reset(hz_board *board);

/* Runs until `until` cycles, the end of the input (HZ_HALTED), or a fault. */
hz_stop hz_board_run(hz_board *board, uint64_t until);

/* Wait states that the program chooses. */
void hz_board_wait(hz_board *board, unsigned wait_states);

/* The registers of the block at this address. */
uint8_t *hz_block_at(hz_board *board, uint32_t base);

/* --- elf.c ------------------------------------------------------------------------------------ */

/* Loads the program; words about what is wrong with it, or NULL. `file` must outlive `program`. */
const char *hz_elf_load(const uint8_t *file, size_t len, hz_board *board, sim_program *program);

#endif
