/* Shared by the core, the instruction sets and the boards. */
#ifndef MOTEBENCH_CORTEXM_INTERNAL_H
#define MOTEBENCH_CORTEXM_INTERNAL_H

#include "bytes.h"
#include "core.h"

/* --- faults ----------------------------------------------------------------------------------- */

/* Notes a fault. Gives false, for callers to pass on. */
static inline bool cm_fault(cm_core *core, cm_stop kind, uint32_t address, const char *words)
{
    core->stop = kind;
    core->fault_address = address;
    core->fault = words;
    return false;
}

/* --- addresses -------------------------------------------------------------------------------- */

static inline bool cm_in_flash(const cm_core *core, uint32_t address)
{
    return address - core->flash_base < core->flash_size;
}

static inline bool cm_in_ram(const cm_core *core, uint32_t address)
{
    return address - core->ram_base < core->ram_size;
}

/* Is this a word that stands for one bit (ARM DDI 0403, section B3.1: 0x22000000 of RAM, 0x42000000
 * of peripherals)? Then the address of the word with that bit. */
static inline bool cm_is_bit(const cm_core *core, uint32_t address, uint32_t *word)
{
    *word = (address & 0xf0000000) | (address >> 5 & 0xffffc);
    return core->bit_band && (address >> 25 == 0x11 || address >> 25 == 0x21);
}

static inline unsigned cm_bit_number(uint32_t address)
{
    return address >> 2 & 31;
}

/* Can a branch at `pc` go to `target` without leaving its memory? */
static inline bool cm_in_same_memory(const cm_core *core, uint32_t pc, uint32_t target)
{
    const bool flash = cm_in_flash(core, target);
    return (flash || cm_in_ram(core, target)) && flash == cm_in_flash(core, pc);
}

/* The instruction at this offset of RAM was decoded. */
static inline void cm_ram_decoded(cm_core *core, uint32_t offset)
{
    core->code_pages[offset >> CM_PAGE_SHIFT] = 1;
    core->code_pages[(offset + 2) % core->ram_size >> CM_PAGE_SHIFT] = 1;
}

/* --- memory.c --------------------------------------------------------------------------------- */

/*
 * Any load or store, of 1, 2 or 4 bytes, whose data phase can begin in the cycle after
 * core->cycles. Wait states are added to core->cycles, if the instruction set has some for loads.
 * False: a fault.
 */
bool cm_load(cm_core *core, uint32_t address, unsigned size, uint32_t *value);
bool cm_store(cm_core *core, uint32_t address, unsigned size, uint32_t value);

/* The registers of a list, from `address` up, a cycle each. */
bool cm_load_list(cm_core *core, uint32_t address, uint32_t list);
bool cm_store_list(cm_core *core, uint32_t address, uint32_t list);

/* The stack pointer is lower than ever. False: a fault, for it is below static data. */
bool cm_stack_low(cm_core *core, uint32_t sp);

/* --- exceptions.c ----------------------------------------------------------------------------- */

enum { CM_SLEEPONEXIT = 2 }; /* of SCR */
/* words more in a frame with floating point: S0 to S15, FPSCR, and one that aligns */
enum { CM_FLOATS = 18 };
/* no exception pends; the priority of thread mode */
enum { CM_NONE = 256, CM_THREAD = 256 };

/* The exception that should be entered now, or CM_NONE. */
unsigned cm_exception_due(const cm_core *core);
bool cm_exception_enter(cm_core *core, unsigned number);
/* Saves the registers of the floating-point unit in the frame that was left for them. */
bool cm_save_floats(cm_core *core);
/* A branch to the magic value that stands for a return. */
bool cm_exception_return(cm_core *core, uint32_t value);
/* The priority at which the core runs: lower is more urgent; CM_THREAD if nothing is active. */
int cm_priority(const cm_core *core);
/* Special registers of MRS and MSR. */
bool cm_mrs(cm_core *core, unsigned which, uint32_t *value);
/* `fields`, of the flags: 2 for N, Z, C, V and Q, 1 for GE. */
bool cm_msr(cm_core *core, unsigned which, uint32_t value, unsigned fields);
bool cm_svc(cm_core *core);

/* --- system.c: the private peripheral bus ----------------------------------------------------- */

bool cm_system_read(cm_core *core, uint32_t address, unsigned size, uint32_t *value);
bool cm_system_write(cm_core *core, uint32_t address, unsigned size, uint32_t value);
/* Brings SysTick up to date; gives the cycle of its next interrupt or UINT64_MAX. */
uint64_t cm_systick_event(cm_core *core);

#endif
