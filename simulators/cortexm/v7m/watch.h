/* The shadow of an ARMv7-M core: where secrets flow. */
#ifndef MOTEBENCH_CORTEXM_V7M_WATCH_H
#define MOTEBENCH_CORTEXM_V7M_WATCH_H

#include "../core/routines.h"
#include "ops.h"

/* Before the instruction `op` at `pc` is executed; registers and flags are in the core. */
void cm7_watch(cm7_core *v7m, const cm7_op *op, uint32_t pc);

/* As cm7_execute, watched. */
cm_stop cm7_execute_watched(cm_core *core);

#endif
