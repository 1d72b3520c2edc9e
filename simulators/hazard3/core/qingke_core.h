/* A QingKe V2 in place of a Hazard3: the same state, other instructions, registers and cycles. */
#ifndef MOTEBENCH_HAZARD3_QINGKE_CORE_H
#define MOTEBENCH_HAZARD3_QINGKE_CORE_H

#include "core.h"

/* Behind hz_core_reset. */
void qk_core_reset(hz_core *core);

/* As hz_core_run. */
hz_stop qk_core_run(hz_core *core, uint64_t until);
hz_stop qk_core_run_watched(hz_core *core, uint64_t until);

/* --- for the interpreter ---------------------------------------------------------------------- */

void qk_queue_reset(hz_core *core, uint32_t pc);
void qk_decode_wide(hz_op *op, uint32_t word, unsigned halfwords);
void qk_decode_narrow(hz_op *op, uint16_t code);
bool qk_csr_read(hz_core *core, uint32_t number, uint32_t written, uint32_t *value);
bool qk_csr_write(hz_core *core, uint32_t number, uint32_t value, uint32_t written, unsigned kind);

#endif
