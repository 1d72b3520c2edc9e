/*
 * Shared macros of the files in assembly for ARMv6-M (after #include "mote/assembly.h"), which runs
 * on ARMv7-M, too: they follow the procedure call standard of the architecture (AAPCS). For the
 * assembler only.
 */
#ifndef MOTE_ARMV6M_H
#define MOTE_ARMV6M_H

#include "mote/thumb.h"

#if MOTE_ASSEMBLY_ARMV6M
    .cpu cortex-m0
#endif

/* Saves the caller's registers: 36 bytes. */
.macro save_registers
    push {r4-r7, lr}
    mov r4, r8
    mov r5, r9
    mov r6, r10
    mov r7, r11
    push {r4-r7}
.endm

.macro return
    pop {r4-r7}
    mov r8, r4
    mov r9, r5
    mov r10, r6
    mov r11, r7
    pop {r4-r7, pc}
.endm

/* A little-endian word of any alignment. */
.macro load_bytes to, spare, base, at
    ldrb \to, [\base, #\at]
    .irp byte, 1, 2, 3
    ldrb \spare, [\base, #\at + \byte]
    lsls \spare, #8 * \byte
    orrs \to, \spare
    .endr
.endm

/* The same to memory; the word is lost. */
.macro store_bytes from, base, at
    strb \from, [\base, #\at]
    .irp byte, 1, 2, 3
    lsrs \from, #8
    strb \from, [\base, #\at + \byte]
    .endr
.endm

#endif
