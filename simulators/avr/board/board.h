/*
 * A board: a core with its memories, peripherals and the serial line. A part is a declaration
 * (parts.c); a peripheral is a model with the addresses and vectors that the part gives it.
 */
#ifndef MOTEBENCH_SIM_AVR_BOARD_H
#define MOTEBENCH_SIM_AVR_BOARD_H

#include "../core/core.h"
#include "console.h"
#include "program.h"

enum { AV_VECTORS = 64, AV_UNITS = 16, AV_IO = 0x3000 };

/* The world: what the serial line sends and receives. receive(milliseconds): a byte, SIM_NOTHING or
 * SIM_ENDED; -1 waits. */
typedef struct av_console {
    void (*send)(uint8_t byte);
    int (*receive)(int milliseconds);
} av_console;

typedef struct av_board av_board;
typedef struct av_unit av_unit;

/* Functions of a kind of peripheral. Any function may be NULL. */
typedef struct av_model {
    size_t state; /* bytes */
    void (*reset)(av_unit *unit);
    uint8_t (*read)(av_unit *unit, uint16_t address);
    void (*write)(av_unit *unit, uint16_t address, uint8_t value);
    /* Brings the unit to `now`, raises its interrupts, gives the cycle at which it has to be called
     * again. */
    uint64_t (*event)(av_unit *unit, uint64_t now);
    void (*accepted)(av_unit *unit, unsigned vector);
} av_model;

/* One of a part. Addresses: of the data space; `flags` and `mask`: of two registers that lie apart,
 * or 0. */
typedef struct av_peripheral {
    const av_model *model;
    uint16_t base, size, flags, mask;
    uint8_t vectors[4];
    uint8_t bits; /* of a timer */
} av_peripheral;

typedef struct av_part {
    const char *name;
    av_family family;
    uint32_t flash_bytes;
    uint16_t io_end; /* first address behind the registers */
    uint16_t ram_base, ram_bytes;
    uint32_t map_base; /* of the flash in the data space; AV_DATA: nowhere */
    uint32_t clock_max;
    uint16_t sleep_register; /* bit 0: SLEEP sleeps */
    const av_peripheral *peripherals;
    size_t count;
} av_part;

struct av_unit {
    const av_peripheral *is;
    av_board *board;
    void *state;
};

struct av_board {
    av_core core;
    const av_part *part;
    av_unit units[AV_UNITS];
    uint8_t unit_of[AV_IO]; /* 1 + the unit at an address */
    uint8_t owner[AV_VECTORS];
    uint64_t raised; /* interrupts, a bit for each vector */
    uint64_t next, look;
    bool changed;       /* a register was written: events have to be looked for anew */
    bool asleep, ended; /* the core sleeps; the input has ended */
    /* lost: bytes of the job that the stack had, before the program began anew */
    unsigned held, held_end, lost;
    bool spoke; /* something was sent since the last byte came */
    av_console console;
};

/* A board without a program; NULL: no memory. flash_bytes: 0, or more flash than the part has. */
av_board *av_board_new(const av_part *part, uint32_t flash_bytes);
void av_board_free(av_board *board);

/* The part of that name, or NULL. */
const av_part *av_part_named(const char *name);

/* Sets or clears an interrupt of a unit. Vector 0: none. */
void av_raise(av_unit *unit, unsigned vector, bool raised);

/* The first unit of a kind, or NULL. */
av_unit *av_unit_of(av_board *board, const av_model *model);

/* Bytes by which the stack has come into what the probe holds for a job, 0: it has not. */
unsigned av_board_missing(const av_board *board);

/* Loads a program: NULL, or the fault of it. Sets core->floor and board->held. */
const char *av_elf_load(const uint8_t *file, size_t len, av_board *board);

/* The functions of a program, by bytes of flash; those in assembly by their labels. NULL, or what
 * is wrong; then nothing is to be freed. */
const char *av_elf_functions(const uint8_t *file, size_t len, sim_program *functions);

extern const av_model av_timer_model, av_prescaler_model, av_usart_model; /* AVRe+ */
extern const av_model av_tca_model, av_tcb_model, av_usart_xt_model;      /* AVRxt */

#endif
