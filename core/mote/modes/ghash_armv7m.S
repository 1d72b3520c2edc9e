/*
 * GHASH on ARMv7E-M (Cortex-M4). No tables; no branch and no address depends on a secret. A product takes one cycle,
 * whatever is multiplied. That is not so on a Cortex-M3, which has the code for ARMv6-M.
 *
 * The product of two blocks as polynomials is made of nine products of 32 bits (Karatsuba's way, twice). Of each factor every
 * fourth bit is taken at a time: a0 has bits 0, 4, 8 and so on. In the integer product of ai and bj a sum is at most 8,
 * so it fits its four bits and its lowest bit is the one of the polynomial. Two products may be added, and not only
 * XORed, where i + j is 4 more in one of them: its highest sum is one place up, and none of the both is over 15.
 */
#include "ghash.h"

#if MOTE_ASSEMBLY_ARMV7M && !MOTE_GHASH_WORDS
#include "ghash_thumb.inc"
#endif

#if MOTE_GHASH_WORDS
#include "mote/armv7m.h"

#define A0 r0
#define A1 r1
#define A2 r2
#define A3 r3
#define B0 r4
#define B1 r5
#define B2 r6
#define B3 r7

/* On the stack: nine pairs of factors, each replaced by its product, lower word first; then these. */
#define PAIRS 72
#define PAIR 72
#define HASH 76
#define FRAME 80

/* Words and their sums: one side of the nine pairs. The block is an integer with its highest word first. */
.macro factors w3, w2, w1, w0, side
    str.w \w0, [sp, #0 + \side]
    str.w \w1, [sp, #8 + \side]
    str.w \w2, [sp, #24 + \side]
    str.w \w3, [sp, #32 + \side]
    eor.w r2, \w0, \w1
    eor.w r3, \w2, \w3
    eor.w \w0, \w0, \w2
    eor.w \w1, \w1, \w3
    str.w r2, [sp, #16 + \side]
    str.w r3, [sp, #40 + \side]
    str.w \w0, [sp, #48 + \side]
    str.w \w1, [sp, #56 + \side]
    eor.w \w0, \w0, \w1
    str.w \w0, [sp, #64 + \side]
.endm

.macro split a0, a1, a2, a3
    and \a0, \a3, #0x11111111
    and \a1, \a3, #0x22222222
    and \a2, \a3, #0x44444444
    and \a3, \a3, #0x88888888
.endm

.macro add_product a, b
    umull r10, r11, \a, \b
    eor.w r8, r8, r10
    eor.w r9, r9, r11
.endm

/* The product of numbers of two words, in w0 to w3, from three: of lower words, of higher, and of sums. */
.macro join w0, w1, w2, w3, low, high
    eor.w \w1, \w1, \w2
    eor.w \w2, \w1, \w3
    eor.w \w1, \w1, \w0
    eor.w \w2, \w2, \high
    eor.w \w1, \w1, \low
.endm

/* Adds to the word what the word \low, with \next above it, adds times 1 + x + x^2 + x^7. */
.macro fold word, low, next
    eor.w \word, \word, \low
    .irp by, 1, 2, 7
    eor.w \word, \word, \low, lsr #\by
    .ifnb \next
    eor.w \word, \word, \next, lsl #32 - \by
    .endif
    .endr
.endm

/* void mote_ghash_multiply(uint32_t y[4], const uint32_t h[4]) */
    function mote_ghash_multiply
    save_registers
    sub sp, #FRAME
    str.w r0, [sp, #HASH]
    ldm.w r0, {r4-r7}
    ldm.w r1, {r8-r11}
    factors r4, r5, r6, r7, 0
    factors r8, r9, r10, r11, 4
    mov.w lr, sp

    .balign 8
1:  ldr.w A3, [lr]
    ldr.w B3, [lr, #4]
    str.w lr, [sp, #PAIR]
    split A0, A1, A2, A3
    split B0, B1, B2, B3
    umull r8, r9, A0, B0
    umlal r8, r9, A1, B3
    add_product A2, B2
    add_product A3, B1
    and r12, r8, #0x11111111
    and lr, r9, #0x11111111
    umull r8, r9, A0, B1
    umlal r8, r9, A2, B3
    umull r10, r11, A1, B0
    umlal r10, r11, A3, B2
    eor.w r8, r8, r10
    eor.w r9, r9, r11
    and r8, r8, #0x22222222
    and r9, r9, #0x22222222
    orr.w r12, r12, r8
    orr.w lr, lr, r9
    umull r8, r9, A0, B2
    umlal r8, r9, A3, B3
    add_product A1, B1
    add_product A2, B0
    and r8, r8, #0x44444444
    and r9, r9, #0x44444444
    orr.w r12, r12, r8
    orr.w lr, lr, r9
    umull r8, r9, A0, B3
    add_product A1, B2
    add_product A2, B1
    add_product A3, B0
    and r8, r8, #0x88888888
    and r9, r9, #0x88888888
    orr.w r8, r12, r8
    orr.w r9, lr, r9
    ldr.w lr, [sp, #PAIR]
    add.w r0, sp, #PAIRS
    str.w r8, [lr]
    str.w r9, [lr, #4]
    add.w lr, lr, #8
    cmp.w lr, r0
    bne.w 1b

    /* Eight words, r1 (the lowest) to r8. */
    mov.w r0, sp
    ldm.w r0!, {r1-r6}
    join r1, r2, r3, r4, r5, r6
    ldm.w r0!, {r5-r10}
    join r5, r6, r7, r8, r9, r10
    ldm.w r0, {r0, r9-r12, lr}
    join r0, r9, r10, r11, r12, lr
    eor.w r3, r3, r5
    eor.w r5, r3, r7
    eor.w r3, r3, r1
    eor.w r5, r5, r10
    eor.w r3, r3, r0
    eor.w r4, r4, r6
    eor.w r6, r4, r8
    eor.w r4, r4, r2
    eor.w r6, r6, r11
    eor.w r4, r4, r9

    /* The coefficient of x^0 is the top bit of a block, so the product is one bit too far down. */
    adds.w r1, r1, r1
    .irp word, r2, r3, r4, r5, r6, r7, r8
    adcs.w \word, \word, \word
    .endr

    /* x^128 = x^7 + x^2 + x + 1, where times x is one bit down. What would leave the lower half comes in again on top. */
    .irp by, 31, 30, 25
    eor.w r4, r4, r1, lsl #\by
    .endr
    fold r5, r1, r2
    fold r6, r2, r3
    fold r7, r3, r4
    fold r8, r4
    ldr.w r0, [sp, #HASH]
    str.w r8, [r0]
    str.w r7, [r0, #4]
    str.w r6, [r0, #8]
    str.w r5, [r0, #12]
    add sp, #FRAME
    return
    .size mote_ghash_multiply, . - mote_ghash_multiply

#endif
