/*
 * Shared macros of the files in assembly for RISC-V of 32 bits (after #include "mote/assembly.h"):
 * they follow its calling convention (ILP32), and use Zba, Zbb and Zbkb. Words in memory are
 * aligned, as a Hazard3 wants them; those of messages and keys may not be. For the assembler only.
 */
#ifndef MOTE_RISCV32_H
#define MOTE_RISCV32_H

/* Begins a global function; in a section of its own, so that the linker can leave it out. */
.macro function name
    .section .text.\name, "ax", @progbits
    .balign 8
    .global \name
    .type \name, @function
\name:
.endm

/* Begins a function that only the file calls. */
.macro routine name
    .section .text.mote_\name, "ax", @progbits
    .balign 8
    .type \name, @function
\name:
.endm

#define SAVED 52 /* bytes */

/* Saves ra and s0 to s11, above `more` bytes: 52 + more is a multiple of 16. */
.macro save_registers more
    addi sp, sp, -(SAVED + \more)
    sw ra, \more(sp)
    sw s0, \more + 4(sp)
    sw s1, \more + 8(sp)
    sw s2, \more + 12(sp)
    sw s3, \more + 16(sp)
    sw s4, \more + 20(sp)
    sw s5, \more + 24(sp)
    sw s6, \more + 28(sp)
    sw s7, \more + 32(sp)
    sw s8, \more + 36(sp)
    sw s9, \more + 40(sp)
    sw s10, \more + 44(sp)
    sw s11, \more + 48(sp)
.endm

.macro return more
    lw ra, \more(sp)
    lw s0, \more + 4(sp)
    lw s1, \more + 8(sp)
    lw s2, \more + 12(sp)
    lw s3, \more + 16(sp)
    lw s4, \more + 20(sp)
    lw s5, \more + 24(sp)
    lw s6, \more + 28(sp)
    lw s7, \more + 32(sp)
    lw s8, \more + 36(sp)
    lw s9, \more + 40(sp)
    lw s10, \more + 44(sp)
    lw s11, \more + 48(sp)
    addi sp, sp, SAVED + \more
    ret
.endm

/* The word of the four bytes at \at(\base); \base is not \to. */
.macro load_bytes to, base, at, spare, other
    lbu \to, \at(\base)
    lbu \spare, \at + 1(\base)
    lbu \other, \at + 2(\base)
    packh \to, \to, \spare
    lbu \spare, \at + 3(\base)
    packh \other, \other, \spare
    pack \to, \to, \other
.endm

/* The word is lost. */
.macro store_bytes word, base, at
    sb \word, \at(\base)
    srli \word, \word, 8
    sb \word, \at + 1(\base)
    srli \word, \word, 8
    sb \word, \at + 2(\base)
    srli \word, \word, 8
    sb \word, \at + 3(\base)
.endm

/* Two words at \base; a branch on its alignment. */
.macro load_two w0, w1, base, spare, other
    andi \spare, \base, 3
    bnez \spare, 71f
    lw \w0, 0(\base)
    lw \w1, 4(\base)
    j 72f
71: load_bytes \w0, \base, 0, \spare, \other
    load_bytes \w1, \base, 4, \spare, \other
72:
.endm

.macro load_four w0, w1, w2, w3, base, spare, other
    andi \spare, \base, 3
    bnez \spare, 71f
    lw \w0, 0(\base)
    lw \w1, 4(\base)
    lw \w2, 8(\base)
    lw \w3, 12(\base)
    j 72f
71: load_bytes \w0, \base, 0, \spare, \other
    load_bytes \w1, \base, 4, \spare, \other
    load_bytes \w2, \base, 8, \spare, \other
    load_bytes \w3, \base, 12, \spare, \other
72:
.endm

/* The words are lost. */
.macro store_two w0, w1, base, spare
    andi \spare, \base, 3
    bnez \spare, 71f
    sw \w0, 0(\base)
    sw \w1, 4(\base)
    j 72f
71: store_bytes \w0, \base, 0
    store_bytes \w1, \base, 4
72:
.endm

.macro store_four w0, w1, w2, w3, base, spare
    andi \spare, \base, 3
    bnez \spare, 71f
    sw \w0, 0(\base)
    sw \w1, 4(\base)
    sw \w2, 8(\base)
    sw \w3, 12(\base)
    j 72f
71: store_bytes \w0, \base, 0
    store_bytes \w1, \base, 4
    store_bytes \w2, \base, 8
    store_bytes \w3, \base, 12
72:
.endm

#endif
