/*
 * An ARMv6-M core (Cortex-M0+) with one AHB port, or an ARMv7-M core (Cortex-M3, M4), counted cycle by cycle. It knows
 * no board: memories, wait states and peripherals come from a declaration (board.h).
 *
 * Sources: ARMv6-M Architecture Reference Manual (ARM DDI 0419) for what instructions, exceptions and the system
 * control space do; Cortex-M0+ Technical Reference Manual (ARM DDI 0484) chapter 3 for cycles; docs/cortexm.md for the
 * order of transfers on the bus and for what is inferred. For ARMv7-M: v7m/ops.h.
 */
#ifndef MOTEBENCH_CORTEXM_CORE_H
#define MOTEBENCH_CORTEXM_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CM_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define CM_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* Why a core stopped. */
typedef enum cm_stop {
    CM_DEADLINE,  /* the cycles that were asked for are over */
    CM_SLEEP,     /* WFI or WFE, and nothing pends */
    CM_RESET,     /* the program asked for a system reset */
    CM_HALTED,    /* the board said so */
    CM_UNALIGNED, /* everything from here on is a fault */
    CM_UNDEFINED,
    CM_BUS,
    CM_STACK,
    CM_LOCKUP
} cm_stop;

enum {
    CM_FLASH_LINES = 8,                /* of a cache whose lines each have one place */
    CM_RECENT_LINES = 128,             /* of one with two places for each line: those that are noted in slots */
    CM7_LINES = 128,                   /* of the cache of instructions of an ARMv7-M part, at most */
    CM_SLOT_HIT = 0,                   /* of what never waits: RAM, flash without wait states; its tag is 0 */
    CM_SLOT_LINE = 1,                  /* the first line of the cache */
    CM_SLOT_WAIT = 1 + CM_RECENT_LINES, /* of what always waits */
    CM_SLOTS = 2 + CM_RECENT_LINES,
    CM_PAGE_SHIFT = 6                  /* of RAM, for knowing which bytes were decoded as code */
};

enum { CM_SP = 13, CM_LR = 14, CM_PC = 15 };
enum { CM_NMI = 2, CM_HARDFAULT = 3, CM_SVCALL = 11, CM_PENDSV = 14, CM_SYSTICK = 15, CM_IRQ0 = 16 };

/* What a core executes; further ones have all of the former. */
typedef enum cm_architecture {
    CM_ARMV6M, /* Cortex-M0 and M0+ */
    CM_ARMV7M, /* Cortex-M3 */
    CM_ARMV7EM /* Cortex-M4: with the DSP extension */
} cm_architecture;

/* One halfword of code, decoded. A transfer from flash is described by the number of its 64-bit line and its slot. */
typedef struct cm_op {
    uint8_t code;       /* index of its routine in execute.c; 0: not decoded yet */
    uint8_t a, b, slot; /* two registers or counts (b: the slot of other_line); the slot of line */
    uint32_t imm;       /* an operand, the third register, a list of registers, or an address */
    uint32_t line;      /* of the word that this instruction fetches ahead; 0 with CM_SLOT_HIT */
    uint32_t other_line; /* of the target of a branch, or of a literal */
} cm_op;

/* The same for ARMv7-M: v7m/ops.h says what the operands of each routine are. */
typedef struct cm7_op {
    uint16_t code, real;        /* index of its routine in v7m/execute.c; of the one behind a condition */
    uint8_t d, n, m, a;         /* registers, or small numbers */
    uint8_t halfwords;          /* 1 or 2 */
    uint8_t fetch;              /* how it uses the words of code, and */
    uint32_t after;             /* what it leaves to the next: v7m/pipeline.h */
    uint8_t it, condition;      /* in an IT block: its state, and the condition of this instruction */
    uint32_t imm;
} cm7_op;

/* How flash answers. Settings of the part, of its registers and of the command line end up here. */
typedef struct cm_flash_timing {
    uint16_t hit, miss;  /* wait states */
    bool cached;
    bool data_allocates; /* data reads fill lines too */
    uint8_t after_hit;   /* more wait states of a miss right behind a hit in another line */
} cm_flash_timing;

/* The same for ARMv7-M: reads of whole lines, a cache of instructions only, and one line of data that is kept. */
typedef struct cm7_flash_timing {
    uint8_t wait;       /* wait states of a line that must be read; 0: flash never waits */
    uint8_t line_shift; /* the logarithm of the bytes of a line */
    uint8_t last_place; /* of the cache: places less one; 0 without a cache, which keeps one line */
} cm7_flash_timing;

typedef struct cm_core cm_core;

/* What lies outside flash, RAM and the system control space. `size` is 1, 2 or 4 bytes; false: nothing answers there.
 * */
typedef struct cm_bus {
    bool (*read)(void *board, uint32_t address, unsigned size, uint32_t *value);
    bool (*write)(void *board, uint32_t address, unsigned size, uint32_t value);
    uint64_t (*event)(void *board, uint64_t now); /* does what is due; gives the cycle of what is next, or UINT64_MAX */
    void *board;
} cm_bus;

typedef struct cm_systick {
    uint32_t control, reload, top;
    uint64_t base; /* cycle at which the counter held `top` */
    bool wrapped;
} cm_systick;

struct cm_core {
    uint32_t r[16];      /* r[13] is the stack pointer in use; r[15] the next instruction while the core is stopped */
    uint32_t n, z, c, v; /* flags: N and V are the top bits of n and v, Z is z == 0, C is c */
    uint64_t cycles;
    uint64_t deadline;   /* execution looks up when it comes to this cycle */

    uint8_t *flash, *ram;
    uint32_t flash_base, flash_size, ram_base, ram_size;
    cm_op *flash_ops, *ram_ops; /* one per halfword, and one more: code that runs off the end */
    cm7_op *flash_ops7, *ram_ops7; /* the same for ARMv7-M; a core has one kind */
    uint8_t *code_pages;        /* of RAM: holds decoded code */

    uint32_t tags[CM_SLOTS]; /* the line in each place of the cache */
    /* Of a cache with two places for each line: the lines of each set, the one that was used last first; `set_count` of
       them. A line that is in tags too is the first of its set, so that using it changes nothing. NULL: one place. */
    uint32_t (*sets)[2];
    uint32_t set_count;
    cm_flash_timing timing;
    cm7_flash_timing timing7;
    struct cm7_accelerator *accelerator; /* before the flash of an ARMv7-M part: v7m/accelerator.h; NULL: none */
    uint64_t hit_end, miss_end; /* when the last data hit, and the last fetch that missed, left the bus */
    bool data_missed;           /* the last load came from flash, and missed */
    uint64_t misses;

    cm_bus bus;
    uint8_t multiplier; /* cycles of MULS: 1 or 32 */
    bool flush;         /* decoded code is to be forgotten before the next instruction */
    bool halt;          /* set by the board, with a kick: to stop before the next instruction */

    uint32_t other_sp;  /* the stack pointer that is not in use */
    uint32_t control, primask, exception; /* CONTROL, PRIMASK, IPSR */
    uint32_t vtor, scr, shpr[4], ipr[12];
    uint32_t interrupts;               /* how many there are: 32, with ARMv7-M 48 at most */
    uint64_t enabled, pending, lines;  /* of these; lines are levels held by peripherals */
    bool pend_nmi, pend_svc, pend_pendsv, pend_systick, event_register;
    uint64_t active;    /* exceptions entered and not returned from */
    cm_systick systick;

    cm_architecture architecture;
    bool dsp, fpu, bit_band;      /* has the DSP extension; the floating-point unit; words that are bits */
    bool q, exclusive;            /* ARMv7-M: the Q flag; a mark of LDREX */
    uint32_t ge, basepri, faultmask;
    uint32_t s[32], fpscr;        /* of the floating-point unit */
    uint8_t float_result;         /* the register that its last arithmetic wrote */
    uint64_t float_at;            /* when that is there, for the instruction right behind it */
    uint64_t float_until;         /* until when a division occupies the unit */
    uint32_t lazy_frame;          /* the frame in which there is room for them, not saved yet; 0: none */
    uint32_t next;                /* the address for which the following holds: see v7m/pipeline.h */
    uint64_t began, words[3];     /* when the instruction before was executed; when the next words can be decoded */
    uint32_t late;                /* cm7_op.after of the instruction before */
    uint32_t line_tags[CM7_LINES]; /* of the cache of instructions: the line in each place */
    uint32_t data_line;           /* the line of flash from which data were read last */
    uint32_t *fill, evicted;      /* the place of the last line that was fetched ahead, and what was there */
    uint64_t fill_until;          /* when its first word can be decoded; 0: none */
    uint32_t ram_near;            /* bytes of RAM before far RAM (docs/cortexm.md), from the first one on; all, if there is none */
    uint64_t far_next;            /* the cycle behind the last transfer with far RAM */
    uint8_t priority_mask;        /* the bits of a priority that exist */
    uint32_t cpacr, demcr, dwt_control;
    uint32_t dwt_count;           /* DWT_CYCCNT while it stands */
    uint64_t dwt_base;            /* the cycle at which DWT_CYCCNT was 0 */

    uint32_t stack_limit, stack_low; /* end of static data; lowest main stack pointer seen */
    cm_stop stop;                    /* of a fault: its kind, the address it speaks of, and words about it */
    uint32_t fault_address;
    const char *fault;
};

/* --- life --------------------------------------------------------------------------------------------------------- */

/* Takes stack pointer and program counter from the vector table at `vectors`. False, with a fault, if they are no good.
 * */
bool cm_core_reset(cm_core *core, uint32_t vectors);

/* Runs until the cycle counter reaches `until`, or something else stops it. */
cm_stop cm_core_run(cm_core *core, uint64_t until);

/* A level that a peripheral holds, or no longer holds, at an interrupt input. */
void cm_core_line(cm_core *core, unsigned irq, bool high);

/* Could WFI end now? */
bool cm_core_wakes(const cm_core *core);

/* The next cycle at which something happens by itself; UINT64_MAX if nothing will. */
uint64_t cm_core_next_event(cm_core *core);

/* Makes execution look up before the next instruction. */
static inline void cm_core_kick(cm_core *core)
{
    core->deadline = 0;
}

/* New wait states or cache settings: what was decoded and cached is forgotten. */
void cm_core_flash_timing(cm_core *core, cm_flash_timing timing);
/* The same for ARMv7-M, but decoded code stays: `line_shift` must always be the same. */
void cm7_core_flash_timing(cm_core *core, cm7_flash_timing timing);

/* Nothing is in the cache of the flash any more. */
void cm_core_empty_cache(cm_core *core);

/* The program status register, put together and taken apart. */
uint32_t cm_core_apsr(const cm_core *core);
void cm_core_set_apsr(cm_core *core, uint32_t value);

#endif
