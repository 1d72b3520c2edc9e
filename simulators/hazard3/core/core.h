/*
 * Hazard3, a RISC-V core of 32 bits (RV32IMAC, Zba, Zbb, Zbs, Zbkb, Zcb, Zcmp, Zicsr, Zifencei), as
 * the RP2350 has it, counted cycle by cycle with memory that never waits. It knows no board.
 *
 * Sources: Hazard3's documentation ("Instruction cycle counts", "CSRs") and its hardware
 * description (Wren6991/Hazard3, commit 8272910) for cycles and the order of fetches; RISC-V
 * Instruction Set Manual, volumes I and II, and the specifications of bit manipulation 1.0.0 and
 * code size reduction 1.0.0 for what instructions do.
 */
#ifndef MOTEBENCH_HAZARD3_CORE_H
#define MOTEBENCH_HAZARD3_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reason why a core stopped. */
typedef enum hz_stop {
    HZ_DEADLINE,  /* the cycles that were asked for are over */
    HZ_SLEEP,     /* WFI, and no interrupt pends */
    HZ_HALTED,    /* the board said so */
    HZ_UNALIGNED, /* everything from here on is a fault */
    HZ_UNDEFINED,
    HZ_BUS,
    HZ_STACK,
    HZ_LOCKUP
} hz_stop;

enum { HZ_RA = 1, HZ_SP = 2, HZ_A0 = 10, HZ_IRQS = 64 };

/* One instruction, decoded. */
typedef struct hz_op {
    uint8_t code;         /* of decode.h; 0: not decoded yet */
    uint8_t rd, rs1, rs2; /* 0 where it has none, as the core's hazard logic sees it */
    uint8_t halfwords;
    int32_t imm;
} hz_op;

/* Two halfwords that were fetched: which of them count, and which belong to a branch that is
 * predicted as taken. */
typedef struct hz_fetched { uint8_t valid, predicted; } hz_fetched;

/* The part of the core that fetches: hazard3_frontend.v. */
typedef struct hz_frontend {
    uint32_t next; /* the word that is asked for next */
    bool pending;  /* one is on its way */
    hz_fetched arriving, queue[2];
    uint8_t queued, level;   /* words in the queue; halfwords ready for the decoder */
    uint8_t predicted;       /* of these, the lowest first */
    uint8_t next_valid;      /* halfwords of the next word that count */
    bool overhangs;          /* the word before held the first half of the predicted branch */
    bool known, source_wide; /* a branch is predicted; it has 32 bits */
    uint32_t source, target; /* its address, and where it leads */
} hz_frontend;

/* The same of a QingKe V2 (qingke.h), in halfwords: those that wait, and those on their way. */
typedef struct hz_queue {
    uint8_t level, arriving;
    uint8_t left;        /* cycles until they come; 0: none was asked for */
    bool half, in_flash; /* the next word counts from its upper half; where it lies */
} hz_queue;

/* Bus outside the memories. `size` is 1, 2 or 4 bytes; false: nothing answers there. */
typedef struct hz_bus {
    bool (*read)(void *board, uint32_t address, unsigned size, uint32_t *value);
    bool (*write)(void *board, uint32_t address, unsigned size, uint32_t value);
    void *board;
} hz_bus;

typedef struct hz_core {
    uint32_t x[32], pc;
    uint64_t cycles, deadline, retired;
    hz_frontend fetch;
    hz_queue queue;
    bool qingke;         /* it is a QingKe V2 */
    uint8_t flash_waits; /* of a QingKe V2's part: states that a word takes beside its cycle */
    /* the register whose value comes from memory in the cycle after its instruction; 0: none */
    uint8_t loaded;
    bool exclusive_before; /* the instruction before was LR or SC */
    bool reserved;

    uint8_t *code, *ram;
    uint32_t code_base, code_size, ram_base, ram_size;
    /* one per halfword, and one more: code that runs off the end */
    hz_op *code_ops, *ram_ops;
    bool flush; /* decoded code is to be forgotten */
    hz_bus bus;

    uint32_t mstatus, mie, mip, mtvec, mscratch, mepc, mcause, mtval, mcountinhibit, mcounteren;
    /* start values of mcycle and minstret; with inhibition, their present values */
    uint64_t cycle_base, retired_base;
    uint64_t irq_enabled, irq_lines, irq_forced;
    bool halt;

    uint32_t stack_limit, stack_low;
    hz_stop stop;
    uint32_t fault_address;
    const char *fault;
    struct hz_watch *watch; /* NULL: nobody follows secrets */
} hz_core;

/* Memory for decoded instructions; false: none. */
bool hz_core_init(hz_core *core);
void hz_core_free(hz_core *core);

/* The state after reset, with the first instruction at `pc`. */
void hz_core_reset(hz_core *core, uint32_t pc);

/* Runs until core->cycles has come to `until`, or something else stops it. */
hz_stop hz_core_run(hz_core *core, uint64_t until);

/* An interrupt line of a peripheral. */
void hz_core_interrupt(hz_core *core, unsigned irq, bool level);

/* Tells whether an interrupt that is enabled pends: what WFI waits for. */
bool hz_core_wakes(const hz_core *core);

/* --- csr.c ------------------------------------------------------------------------------------ */

bool hz_csr_read(hz_core *core, uint32_t number, uint32_t written, uint32_t *value);
bool hz_csr_write(hz_core *core, uint32_t number, uint32_t value, uint32_t written, unsigned kind);

#endif
