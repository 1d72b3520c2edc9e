/*
 * Shared macros of all files in Thumb assembly, by armv6m.h and armv7m.h. For the assembler only.
 */
#ifndef MOTE_THUMB_H
#define MOTE_THUMB_H

    .syntax unified
    .thumb

/* Begins a global function; in a section of its own, so that the linker can leave it out. */
.macro function name
    .section .text.\name, "ax", %progbits
    .balign 8
    entry \name
.endm

/* Begins a function that only the file calls. */
.macro routine name
    .section .text.mote_\name, "ax", %progbits
    .balign 8
    .type \name, %function
    .thumb_func
\name:
.endm

.macro entry name
    .global \name
    .type \name, %function
    .thumb_func
\name:
.endm

#endif
