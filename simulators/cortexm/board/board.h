/*
 * A board around a core: a declaration of memories, wait states and peripherals, and the state of
 * one such board. It knows no chip: a part is a declaration over models of its own (see
 * samd21/part.c), listed in parts.c.
 */
#ifndef MOTEBENCH_CORTEXM_BOARD_H
#define MOTEBENCH_CORTEXM_BOARD_H

#include "../v6m/v6m.h"
#include "../v7m/v7m.h"
#include "../v8m/v8m.h"
#include "console.h"
#include "program.h"

#define CM_COUNT(list) (sizeof(list) / sizeof(list)[0])

enum { CM_UNITS_MAX = 40, CM_REGISTERS = 0x700, CM_NO_IRQ = 64 };

typedef struct cm_board cm_board;
typedef struct cm_unit cm_unit;

/*
 * Functions of a kind of peripheral. Any function may be NULL: then registers are plain memory,
 * and nothing happens.
 */
typedef struct cm_model {
    size_t state; /* bytes that a unit keeps beside its registers */
    void (*reset)(cm_unit *unit);
    /* Before a read, the registers are brought up to date; after a write, `offset` and `size` say
     * what was written. */
    void (*read)(cm_unit *unit, uint32_t offset);
    void (*written)(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value);
    /* does what is due; the next cycle at which something is */
    uint64_t (*event)(cm_unit *unit, uint64_t now);
    /* Of what can be a console: will an interrupt tell the program of a byte? A byte that the
     * program can have now, waiting for it as cm_console's receive; false: it is not ready for one,
     * or nothing came. */
    bool (*listens)(const cm_unit *unit);
    bool (*feed)(cm_unit *unit, int milliseconds);
} cm_model;

extern const cm_model cm_plain; /* registers that keep what is written */

/* Instruction set of a core; later ones include the earlier ones. */
typedef enum cm_architecture {
    CM_ARMV6M,  /* Cortex-M0+ */
    CM_ARMV7M,  /* Cortex-M3 */
    CM_ARMV7EM, /* Cortex-M4: with the DSP extension */
    CM_ARMV8M   /* Cortex-M33, with that extension */
} cm_architecture;

/* One peripheral of a part. */
typedef struct cm_peripheral {
    const char *name;
    uint32_t base, size; /* size: bytes that are registers, CM_REGISTERS at most */
    const cm_model *model;
    unsigned irq; /* its interrupt, or CM_NO_IRQ */
} cm_peripheral;

/* A declaration. Sizes in bytes; sizes of memories are multiples of 1 KB. */
typedef struct cm_part {
    const char *name;
    uint32_t flash_base, flash_size, ram_base, ram_size;
    cm_architecture architecture;
    bool fpu;
    bool bit_band; /* ARMv7-M: bits of RAM and peripherals have words of their own */
    /* bytes at the end of RAM that can be far, as far as they lie behind static data; 0: none */
    uint32_t far_ram;
    uint32_t large_ram; /* bytes of RAM that it can have instead; 0: no other */
    bool ram_is_far;    /* with ARMv7-M: all of it always is, with a pause behind each transfer */
    uint8_t interrupts; /* 32 if 0 */
    uint8_t priority_bits; /* 2 if 0 */
    uint32_t clock_max;    /* Hz */
    /* rows that read as erased flash: calibration, serial number */
    uint32_t constants_base, constants_size;
    bool flash_waits; /* its flash can need wait states at all */
    /* with ARMv7-M: the logarithm of the bytes that flash reads at once; lines cached */
    uint8_t line_shift, cache_lines;
    /* with ARMv7-M: an accelerator before the flash; its reads are those of line_shift */
    bool accelerated;
    cm7_ahead ahead;                        /* its rule of reading ahead */
    cm7_cache_shape code_cache, data_cache; /* of the accelerator; 0 lines: none */
    bool data_allocates;                    /* data reads fill the flash cache */
    /* of two lines each; 0: eight lines with one place each */
    uint16_t cache_sets;
    /* more wait states of a miss right behind a hit in another line */
    uint8_t after_hit;
    uint8_t multiplier; /* cycles of MULS: 1 or 32 */
    const cm_peripheral *peripherals;
    size_t peripheral_count;
    /* the peripheral that is connected to the outside; its model has listens and feed */
    const char *console;
    /* resets the core as a boot ROM leaves it; NULL: the vectors are the program's own */
    bool (*boot)(cm_board *board);
} cm_part;

/* The outside of the console. */
typedef struct cm_console {
    void (*send)(uint8_t byte);
    /* Waits for a byte; at most `milliseconds`, for ever if negative. 0 to 255; SIM_NOTHING, or
     * SIM_ENDED for good. */
    int (*receive)(int milliseconds);
} cm_console;
enum { CM_PATIENCE_MS = 20 };

struct cm_unit {
    const cm_peripheral *is;
    cm_board *board;
    uint8_t registers[CM_REGISTERS];
    /* state of its model beside the registers, zeroed at first; NULL if there is none */
    void *state;
};

struct cm_board {
    union { /* the core, and as the instruction set of the part has it */
        cm_core core;
        cm6_core v6m;
        cm7_core v7m;
    };
    const cm_part *part;
    cm_console console;
    cm_unit units[CM_UNITS_MAX];
    cm_unit *console_unit;
    cm_unit *timed[CM_UNITS_MAX]; /* those at which something can happen by itself */
    size_t timed_count;
    uint32_t vectors;
    int wait_states; /* instead of those the program chooses; negative: as it chooses */
    bool no_cache;
    uint32_t no_unit; /* an address where nothing was, for the message */
};

/* The declaration of this name, or NULL: parts.c. */
const cm_part *cm_part_named(const char *name);

/* Watches a board that is off (../core/watch.h). False: no memory. `program` must live as long. */
bool cm_board_watch(cm_board *board, const sim_program *program);

/* A board that is off: memory erased. NULL: no memory. Free with cm_board_free. */
cm_board *cm_board_new(const cm_part *part);
void cm_board_free(cm_board *board);

/* Switches on: vectors, flash timing and the console must be set before. False: a fault, in
 * board->core. */
bool cm_board_reset(cm_board *board);

/* Runs until `until` cycles, the end of the input (CM_HALTED), or a fault; follows resets. */
cm_stop cm_board_run(cm_board *board, uint64_t until);

/* Wait states and cache of the flash as the program sets them, unless the board overrides. */
void cm_board_flash(cm_board *board, unsigned wait_states, unsigned miss_penalty, bool cached);
/* The same of a part with accelerator, whose caches keep what they have. `ahead`: it reads ahead of
 * the code. */
void cm_board_accelerate(cm_board *board, unsigned wait_states, bool code, bool data, bool ahead);

/* Registers of a unit, little-endian. */
uint32_t cm_register(const cm_unit *unit, uint32_t offset, unsigned size);
void cm_set_register(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value);

/* A byte from the outside as cm_console's receive, for a unit that has room for one: SIM_NOTHING if
 * it is not the console. At the end of the input the core halts. */
int cm_console_byte(cm_unit *unit, int milliseconds);

/*
 * Longest wait of a program that polls for input: for ever (-1) unless something else will
 * happen.
 */
int cm_patience(cm_board *board);

/* Tells the interrupt controller whether any of the unit's flags that ask for an interrupt is
 * set. */
void cm_interrupt(cm_unit *unit, uint8_t raised);

#endif
