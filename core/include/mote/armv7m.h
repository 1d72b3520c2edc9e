/*
 * Shared macros of the files in assembly for ARMv7-M (after #include "mote/assembly.h"): they
 * follow the procedure call standard of the architecture (AAPCS), and run on a Cortex-M3, which has
 * neither DSP nor floating-point instructions. For the assembler only.
 */
#ifndef MOTE_ARMV7M_H
#define MOTE_ARMV7M_H

#include "mote/thumb.h"

/* Saves the caller's registers: 36 bytes. */
.macro save_registers
    push {r4-r11, lr}
.endm

.macro return
    pop {r4-r11, pc}
.endm

#endif
