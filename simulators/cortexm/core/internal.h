/* What the parts of the core share. */
#ifndef MOTEBENCH_CORTEXM_INTERNAL_H
#define MOTEBENCH_CORTEXM_INTERNAL_H

#include "core.h"

/* Routines of execute.c. X(name) */
#define CM_OPS(X)                                                                                                      \
    X(DECODE) X(RUNAWAY) X(UNDEFINED)                                                                                  \
    X(LSLS_I) X(LSRS_I) X(LSRS_32) X(ASRS_I) X(ASRS_32) X(MOVS) X(ADDS) X(SUBS) X(ADDS_I) X(SUBS_I) X(MOVS_I)          \
    X(CMP_I) X(ANDS) X(EORS) X(LSLS) X(LSRS) X(ASRS) X(ADCS) X(SBCS) X(RORS) X(TST) X(RSBS) X(CMP) X(CMN) X(ORRS)      \
    X(MULS) X(BICS) X(MVNS) X(ADD) X(ADD_SP) X(ADD_I) X(MOV) X(MOV_SP) X(MOV_I) X(SP_I) X(MOV_PC) X(ADD_PC) X(BX)      \
    X(BLX) X(LDR_LITERAL) X(LDR) X(LDRH) X(LDRB) X(LDRSH) X(LDRSB) X(STR) X(STRH) X(STRB) X(LDR_I) X(LDRH_I)           \
    X(LDRB_I) X(STR_I) X(STRH_I) X(STRB_I) X(SXTH) X(SXTB) X(UXTH) X(UXTB) X(REV) X(REV16) X(REVSH) X(PUSH) X(POP)     \
    X(POP_PC) X(STM) X(LDM) X(CPS) X(BKPT) X(NOP) X(SEV) X(WFE) X(WFI) X(SVC) X(BEQ) X(BNE) X(BCS) X(BCC) X(BMI)       \
    X(BPL) X(BVS) X(BVC) X(BHI) X(BLS) X(BGE) X(BLT) X(BGT) X(BLE) X(B) X(B_SELF) X(BL) X(MSR) X(MRS) X(BARRIER)

enum {
#define CM_CODE(name) CM_OP_##name,
    CM_OPS(CM_CODE)
#undef CM_CODE
};

#define CM_NO_LINE 0xffffffffu /* in tags and sets: nothing */

/* --- memory, byte by byte so that the order of the host's bytes does not matter; compilers make one access of it -- */

static inline uint32_t cm_get16(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static inline uint32_t cm_get32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void cm_put16(uint8_t *p, uint32_t value)
{
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
}

static inline void cm_put32(uint8_t *p, uint32_t value)
{
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
    p[2] = (uint8_t)(value >> 16);
    p[3] = (uint8_t)(value >> 24);
}

/* --- faults ------------------------------------------------------------------------------------------------------- */

/* Notes a fault. Gives false, for callers to pass on. */
static inline bool cm_fault(cm_core *core, cm_stop kind, uint32_t address, const char *words)
{
    core->stop = kind;
    core->fault_address = address;
    core->fault = words;
    return false;
}

/* --- decode.c ----------------------------------------------------------------------------------------------------- */

/* Decodes the instruction at `pc`, which lies in flash or RAM, into its place `op`. */
void cm_decode(cm_core *core, cm_op *op, uint32_t pc);

/* The slot and line of a transfer from `address`. */
uint8_t cm_slot(const cm_core *core, uint32_t address, uint32_t *line);

/* --- memory.c ----------------------------------------------------------------------------------------------------- */

/*
 * Any load or store, of 1, 2 or 4 bytes, whose data phase can begin in the cycle after core->cycles. Wait states are
 * added to core->cycles. `behind_hit`: the data phase right before was a hit in another
 * line than the one before. False: a fault.
 */
bool cm_load(cm_core *core, uint32_t address, unsigned size, bool behind_hit, uint32_t *value);
bool cm_store(cm_core *core, uint32_t address, unsigned size, uint32_t value);

/* The registers of a list, from `address` up, a cycle each; the second word of a line of flash comes with the first. */
bool cm_load_list(cm_core *core, uint32_t address, uint32_t list, bool behind_hit);
bool cm_store_list(cm_core *core, uint32_t address, uint32_t list);

/* Wait states of a read of flash; brings its line in. */
unsigned cm_flash_wait(cm_core *core, uint32_t address, bool behind_hit, bool data);

/* Further wait states of what `op`, a load that is over, fetches ahead: right behind a data read that missed and
   filled no line. */
unsigned cm_behind_data(const cm_core *core, const cm_op *op);

/*
 * Wait states of the first fetches at the target of a branch: its word, and the next if it is the upper halfword.
 * `before`: an address in the word that was fetched last. `start`: the cycle at which the target would begin without
 * them.
 */
unsigned cm_target_wait(cm_core *core, uint32_t target, uint32_t before, bool behind_hit, uint64_t start);

/* RAM at this offset was written: forgets what was decoded there. */
void cm_ram_changed(cm_core *core, uint32_t offset);

/* The stack pointer is lower than ever. False: a fault, for it is below static data. */
bool cm_stack_low(cm_core *core, uint32_t sp);

/* --- execute.c ---------------------------------------------------------------------------------------------------- */

/* Runs from r[15] until core->deadline, or until something else than that stops it. */
cm_stop cm_execute(cm_core *core);

/* --- exceptions.c ------------------------------------------------------------------------------------------------- */

enum { CM_SLEEPONEXIT = 2 }; /* of SCR */
enum { CM_NONE = 256, CM_THREAD = 256 }; /* no exception pends; the priority of thread mode */

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

/* --- system.c: the private peripheral bus ------------------------------------------------------------------------- */

bool cm_system_read(cm_core *core, uint32_t address, unsigned size, uint32_t *value);
bool cm_system_write(cm_core *core, uint32_t address, unsigned size, uint32_t value);
/* Brings SysTick up to date; gives the cycle of its next interrupt or UINT64_MAX. */
uint64_t cm_systick_event(cm_core *core);

#endif
