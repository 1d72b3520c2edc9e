/*
 * GHASH on ARMv6-M. No tables; no branch and no address depends on a secret.
 *
 * The product of two blocks as polynomials is made of 27 products of 16 bits (Karatsuba's way, three times). In a factor of 16
 * bits every third bit is taken at a time. So a sum of an integer product is at most 6, fits its three bits and does not carry
 * into the next, and its lowest bit is the one of the polynomial. The result of 31 bits fits a word: nothing has to be reversed.
 *
 * A multiplication of two words takes one cycle here; a Cortex-M0+ with a multiplier of 32 cycles would take 7,500 more a block.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M
#include "mote/armv6m.h"

/* Every third bit of a word. */
#define MASK0 r8
#define MASK1 r9
#define MASK2 r10
#define SUM r11
#define PAIR r12 /* where the factors at hand are */
#define LOW lr

/* On the stack: nine pairs of factors, each replaced by its product, lower word first; then these. */
#define PAIRS 72
#define HIGH 72
#define HASH 76
#define FRAME 80

/* r3 = the product of the 16 bits in r5 by those in r2. */
.macro multiply16
    mov r0, MASK0
    ands r0, r2
    mov r1, MASK1
    ands r1, r2
    mov r6, MASK2
    ands r2, r6
    mov r3, MASK0
    ands r3, r5
    mov r4, MASK1
    ands r4, r5
    ands r5, r6
    mov r6, r3
    muls r6, r0
    mov r7, r4
    muls r7, r2
    eors r6, r7
    mov r7, r5
    muls r7, r1
    eors r6, r7
    mov r7, MASK0
    ands r6, r7
    mov SUM, r6
    mov r6, r3
    muls r6, r1
    mov r7, r4
    muls r7, r0
    eors r6, r7
    mov r7, r5
    muls r7, r2
    eors r6, r7
    mov r7, MASK1
    ands r6, r7
    add SUM, r6
    muls r3, r2
    muls r4, r1
    muls r5, r0
    eors r3, r4
    eors r3, r5
    mov r7, MASK2
    ands r3, r7
    add r3, SUM
.endm

/* Words and their sums: one side of the nine pairs. The block at \from is an integer with its highest word first. */
.macro factors from, side
    ldm \from!, {r4, r5, r6, r7}
    str r7, [sp, #0 + \side]
    str r6, [sp, #8 + \side]
    mov r2, r7
    eors r2, r6
    str r2, [sp, #16 + \side]
    str r5, [sp, #24 + \side]
    str r4, [sp, #32 + \side]
    mov r2, r5
    eors r2, r4
    str r2, [sp, #40 + \side]
    eors r7, r5
    str r7, [sp, #48 + \side]
    eors r6, r4
    str r6, [sp, #56 + \side]
    eors r7, r6
    str r7, [sp, #64 + \side]
.endm

/* The product of two numbers of two words, from the next three products: r0, r4, r5 and r3, lowest word first. */
.macro join
    ldm r7!, {r0, r1, r2, r3, r4, r5}
    eors r1, r2
    eors r4, r1
    eors r4, r0
    eors r5, r1
    eors r5, r3
.endm

.macro add_high to, high
    mov r1, \high
    eors \to, r1
.endm

/* r5 = the word in \high and what the word \low, with \next above it, adds times 1 + x + x^2 + x^7. */
.macro fold high, low, next
    mov r5, \high
    eors r5, \low
    .irp by, 1, 2, 7
    lsrs r3, \low, #\by
    eors r5, r3
    .ifnb \next
    lsls r3, \next, #32 - \by
    eors r5, r3
    .endif
    .endr
.endm

/* void mote_ghash_multiply(uint32_t y[4], const uint32_t h[4]) */
    function mote_ghash_multiply
    save_registers
    sub sp, #FRAME
    str r0, [sp, #HASH]
    factors r0, 0
    factors r1, 4
    ldr r0, =0x49249249
    mov MASK0, r0
    lsls r1, r0, #1
    mov MASK1, r1
    lsrs r0, r0, #1
    mov MASK2, r0
    mov r7, sp

    .balign 8
1:  mov PAIR, r7
    ldrh r5, [r7]
    ldrh r2, [r7, #4]
    multiply16
    mov LOW, r3
    mov r7, PAIR
    ldrh r5, [r7, #2]
    ldrh r2, [r7, #6]
    multiply16
    str r3, [sp, #HIGH]
    mov r7, PAIR
    ldr r5, [r7]
    lsrs r6, r5, #16
    eors r5, r6
    uxth r5, r5
    ldr r2, [r7, #4]
    lsrs r6, r2, #16
    eors r2, r6
    uxth r2, r2
    multiply16
    mov r0, LOW
    ldr r1, [sp, #HIGH]
    eors r3, r0
    eors r3, r1
    lsls r4, r3, #16
    eors r0, r4
    lsrs r3, r3, #16
    eors r1, r3
    mov r7, PAIR
    stm r7!, {r0, r1}
    mov r0, sp
    adds r0, #PAIRS
    cmp r7, r0
    beq 2f
    b 1b

    /* Eight words of r8, r9 (the lowest), r0, r4, r5, r3, r6, r7. */
2:  mov r7, sp
    join
    mov r8, r0
    mov r9, r4
    mov r10, r5
    mov r11, r3
    join
    str r5, [sp]
    str r3, [sp, #4]
    add_high r0, r10
    add_high r4, r11
    mov r1, r8
    eors r1, r0
    mov r10, r1
    mov r1, r9
    eors r1, r4
    mov r11, r1
    eors r0, r5
    mov r12, r0
    eors r4, r3
    mov lr, r4
    join
    add_high r0, r10
    add_high r4, r11
    add_high r5, r12
    add_high r3, lr
    mov r1, r8
    mov r2, r9
    ldr r6, [sp]
    ldr r7, [sp, #4]

    /* The coefficient of x^0 is the top bit of a block, so the product is one bit too far down. */
    adds r1, r1
    adcs r2, r2
    adcs r0, r0
    adcs r4, r4
    adcs r5, r5
    adcs r3, r3
    adcs r6, r6
    adcs r7, r7
    mov r8, r5
    mov r9, r3
    mov r10, r6
    mov r11, r7

    /* x^128 = x^7 + x^2 + x + 1, where times x is one bit down. What would leave the lower half comes in again on top. */
    .irp by, 31, 30, 25
    lsls r3, r1, #\by
    eors r4, r3
    .endr
    ldr r7, [sp, #HASH]
    fold r8, r1, r2
    str r5, [r7, #12]
    fold r9, r2, r0
    str r5, [r7, #8]
    fold r10, r0, r4
    str r5, [r7, #4]
    fold r11, r4
    str r5, [r7]
    add sp, #FRAME
    return
    .pool

#endif
