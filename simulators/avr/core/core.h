/*
 * An AVR core: 32 registers, flash of 16-bit words that are decoded once, and a data space of 64
 * KiB.
 *
 * Families differ in what instructions take and in where registers lie: AVRe+ (ATmega328P, and with
 * a program counter of 22 bits ATmega2560) and AVRxt (ATmega4809, tinyAVR 0, 1 and 2). Cycles are
 * those of the AVR Instruction Set Manual, DS40002198.
 */
#ifndef MOTEBENCH_SIM_AVR_CORE_H
#define MOTEBENCH_SIM_AVR_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum av_family { AV_E, AV_E22, AV_XT } av_family;

/*
 * Reason why the core stopped. AV_NONE: it did not. AV_HALTED: it waits for input, which has
 * ended.
 */
typedef enum av_stop {
    AV_NONE,
    AV_DEADLINE,
    AV_PAUSED, /* at `pause`; it can go on */
    AV_HALTED,
    AV_ASLEEP, /* asleep with interrupts off */
    AV_UNDEFINED,
    AV_BUS,
    AV_STACK,
    AV_JOB, /* asleep without an answer, after the stack came into the job */
} av_stop;

enum {
    AV_DATA = 65536,
    AV_R = 32,
    AV_SPL = 0x3d,
    AV_SPH = 0x3e,
    AV_SREG = 0x3f,
    AV_RAMPZ = 0x3b,
    AV_EIND = 0x3c
};
enum { AV_C = 1, AV_Z = 2, AV_N = 4, AV_V = 8, AV_S = 16, AV_H = 32, AV_T = 64, AV_I = 128 };
#define AV_NEVER UINT64_MAX

/* A decoded instruction: its routine, operands, words of the instruction behind it (for skips),
 * address or target. */
typedef struct av_op {
    uint8_t code, d, r, skip;
    uint32_t k;
} av_op;

typedef struct av_core av_core;

/* Surroundings of the core. Addresses are those of the data space. */
typedef struct av_bus {
    uint8_t (*read)(void *board, uint16_t address);
    void (*write)(void *board, uint16_t address, uint8_t value);
    /* Brings peripherals to `now`; sets core->pending; gives the cycle of the next event. */
    uint64_t (*advance)(void *board, uint64_t now);
    /* The vector of the pending interrupt that comes first; it is about to be entered. */
    unsigned (*accept)(void *board);
    /* Waits until an interrupt is pending; moves core->cycles on. */
    av_stop (*sleep)(void *board);
    /* True if the instruction SLEEP sleeps. */
    bool (*sleeps)(void *board);
    void *board;
} av_bus;

struct av_core {
    av_family family;
    /* a power of two is not needed: what is not there cannot be executed */
    uint32_t flash_words;
    uint8_t *flash;
    av_op *ops;
    uint16_t ram_base, ram_size; /* RAM in the data space */
    /* address of the flash in the data space; AV_DATA: none */
    uint32_t map_base;
    av_bus bus;

    uint8_t data[AV_DATA]; /* RAM, registers of peripherals; of AVRe+ also r0 to r31 */
    uint8_t own[AV_R];     /* r0 to r31 of AVRxt, which are in no data space */
    uint8_t *r;
    uint16_t sp;
    uint8_t sreg;
    uint32_t pc; /* in words */
    uint64_t cycles;

    bool pending;  /* an enabled interrupt is raised */
    bool in_level; /* AVRxt: in an interrupt, whose end is RETI and not SREG */
    uint64_t settle, blocked, until, deadline, pause;
    uint16_t low, floor; /* the deepest stack pointer of a job; the end of static data */
    uint16_t deepest;    /* of the jobs before */
    av_stop stop;
    uint16_t fault;         /* address of a bus fault */
    struct av_watch *watch; /* where secrets flow: watch.h; NULL: nobody watches */
};

/* Sets up what depends on the family, and decodes the flash. `words`: how many of its words the
 * program has. */
void av_core_init(av_core *core, uint32_t words);

/* Runs until something stops it, at latest at that cycle. */
av_stop av_core_run(av_core *core, uint64_t until);

/* The same for one instruction, and an interrupt that is entered behind it: AV_PAUSED, or what
 * stopped it. */
av_stop av_core_step(av_core *core, uint64_t until);

/* A job is over: what follows has a stack of its own. */
void av_core_new_job(av_core *core);

/* Bytes of the deepest stack that there was. */
unsigned av_core_stack(const av_core *core);

/* A load and a store of the data space outside RAM. Bus faults set `stop`. */
uint8_t av_load(av_core *core, uint16_t address);
void av_store(av_core *core, uint16_t address, uint8_t value);

#endif
