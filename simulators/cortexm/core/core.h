/*
 * State of every Cortex-M core: registers, memory, exceptions, SysTick and NVIC. What executes its
 * instructions, and how long that takes, is a table of functions that the board gives
 * (cm_instructions). It knows no board: memories and peripherals come from a declaration (board.h).
 *
 * Sources: ARMv6-M and ARMv7-M Architecture Reference Manuals (ARM DDI 0419 and 0403) for
 * exceptions and the system control space; docs/explain/cortexm.md for what is inferred.
 */
#ifndef MOTEBENCH_CORTEXM_CORE_H
#define MOTEBENCH_CORTEXM_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CM_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define CM_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* Reason why a core stopped. */
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

enum { CM_PAGE_SHIFT = 6 }; /* of RAM, for knowing which bytes were decoded as code */
enum { CM_SP = 13, CM_LR = 14, CM_PC = 15 };
enum {
    CM_NMI = 2,
    CM_HARDFAULT = 3,
    CM_SVCALL = 11,
    CM_PENDSV = 14,
    CM_SYSTICK = 15,
    CM_IRQ0 = 16
};

typedef struct cm_core cm_core;

/*
 * Bus outside flash, RAM and the system control space. `size` is 1, 2 or 4 bytes; false: nothing
 * answers there.
 */
typedef struct cm_bus {
    bool (*read)(void *board, uint32_t address, unsigned size, uint32_t *value);
    bool (*write)(void *board, uint32_t address, unsigned size, uint32_t value);
    /* does what is due; gives the cycle of what is next, or UINT64_MAX */
    uint64_t (*event)(void *board, uint64_t now);
    void *board;
} cm_bus;

/* An instruction set: what executes code, and the state that this takes, whose first member is the
 * core. */
typedef struct cm_instructions {
    /* has BASEPRI, FAULTMASK, the Q flag, system faults and a cycle counter */
    bool extended;
    /* memory for decoded code and its like; false: there is none */
    bool (*start)(cm_core *core);
    void (*end)(cm_core *core);   /* frees it, also after a start that failed */
    void (*reset)(cm_core *core); /* NULL: there is nothing to reset */
    /* from r[15] until core->deadline, or until something else than that stops it */
    cm_stop (*execute)(cm_core *core);
    /* all that was decoded; before the first instruction too */
    void (*forget)(cm_core *core);
    /* forgets the decoded code in RAM at this offset, which was written */
    void (*forget_at)(cm_core *core, uint32_t offset);
    /* Wait states of a load of data from flash that no instruction makes; NULL: they are not
     * counted. */
    unsigned (*load_wait)(cm_core *core, uint32_t address);
    /* The state of a block of conditional instructions around the next one, as the status register
     * holds it; NULL: none. */
    uint32_t (*block)(const cm_core *core);
    /* Cycles: an exception is entered, its handler is at r[15]; or is left, `floats`: with
     * registers of floating point. */
    void (*entered)(cm_core *core);
    void (*left)(cm_core *core, bool floats);
} cm_instructions;

typedef struct cm_systick {
    uint32_t control, reload, top;
    uint64_t base; /* cycle at which the counter held `top` */
    bool wrapped;
} cm_systick;

struct cm_core {
    const cm_instructions *instructions;
    /* r[13] is the stack pointer in use; r[15] the next instruction while the core is stopped */
    uint32_t r[16];
    /* flags: N and V are the top bits of n and v, Z is z == 0, C is c */
    uint32_t n, z, c, v;
    uint64_t cycles;
    uint64_t deadline; /* execution looks up when it comes to this cycle */

    uint8_t *flash, *ram;
    uint32_t flash_base, flash_size, ram_base, ram_size;
    uint8_t *code_pages; /* of RAM: holds decoded code */

    uint64_t misses; /* of the flash */

    cm_bus bus;
    bool flush; /* decoded code is to be forgotten before the next instruction */
    /* set by the board, with a kick: to stop before the next instruction */
    bool halt;

    uint32_t other_sp;                    /* the stack pointer that is not in use */
    uint32_t control, primask, exception; /* CONTROL, PRIMASK, IPSR */
    uint32_t vtor, scr, shpr[4], ipr[12];
    uint32_t interrupts;              /* how many there are: 48 at most */
    uint64_t enabled, pending, lines; /* of these; lines are levels held by peripherals */
    bool pend_nmi, pend_svc, pend_pendsv, pend_systick, event_register;
    uint64_t active; /* exceptions entered and not returned from */
    cm_systick systick;

    uint32_t cpuid;
    /* has the DSP extension; the floating-point unit; words that are bits */
    bool dsp, fpu, bit_band;
    bool armv8m;       /* a Cortex-M33 */
    bool q, exclusive; /* the Q flag; a mark of an exclusive load */
    uint32_t ge, basepri, faultmask;
    uint32_t s[32], fpscr; /* of the floating-point unit */
    /* the frame in which there is room for them, not saved yet; 0: none */
    uint32_t lazy_frame;
    uint8_t priority_mask; /* the bits of a priority that exist */
    uint32_t cpacr, demcr, dwt_control;
    uint32_t dwt_count; /* DWT_CYCCNT while it stands */
    uint64_t dwt_base;  /* the cycle at which DWT_CYCCNT was 0 */

    /* end of static data; lowest main stack pointer seen */
    uint32_t stack_limit, stack_low;
    struct cm_watch *watch; /* where secrets flow: watch.h; NULL: nobody watches */
    /* of a fault: its kind, the address it speaks of, and words about it */
    cm_stop stop;
    uint32_t fault_address;
    const char *fault;
};

/* --- life ------------------------------------------------------------------------------------- */

/* Takes stack pointer and program counter from the vector table at `vectors`. False, with a fault,
 * if they are no good. */
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

/* The program status register, put together and taken apart. */
uint32_t cm_core_apsr(const cm_core *core);
void cm_core_set_apsr(cm_core *core, uint32_t value);

#endif
