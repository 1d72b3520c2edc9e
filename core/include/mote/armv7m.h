/*
 * What the files in assembly for ARMv7-M share (after #include "mote/assembly.h"): they follow the procedure call
 * standard of the architecture (AAPCS), and run on a Cortex-M3, which has neither DSP nor floating-point instructions.
 * For the assembler only.
 */
#ifndef MOTE_ARMV7M_H
#define MOTE_ARMV7M_H

    .syntax unified
    .thumb

/* Begins a global function; in a section of its own, so that the linker can leave it out. */
.macro function name
    .section .text.\name, "ax", %progbits
    .balign 8
    entry \name
.endm

.macro entry name
    .global \name
    .type \name, %function
    .thumb_func
\name:
.endm

/* Keeps what the caller wants back: 36 bytes. */
.macro save_registers
    push {r4-r11, lr}
.endm

.macro return
    pop {r4-r11, pc}
.endm

#endif
