/* The shadow of an ARMv6-M core: where secrets flow. */
#ifndef MOTEBENCH_CORTEXM_V6M_WATCH_H
#define MOTEBENCH_CORTEXM_V6M_WATCH_H

#include "../core/routines.h"
#include "ops.h"

/* Before the instruction `op` at `pc` is executed; registers and flags are in the core. */
void cm6_watch(cm6_core *v6m, const cm6_op *op, uint32_t pc);

/* As cm6_execute, watched. */
cm_stop cm6_execute_watched(cm_core *core);

#endif
