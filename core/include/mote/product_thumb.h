/*
 * Products and squares of 256 bits in the instructions of ARMv6-M, by Karatsuba's method on three
 * levels. For the assembler only; MULS has to take the same time for all operands.
 *
 * With a = a1 x + a0 and b = b1 x + b0, the product is
 *
 *     a1 b1 x^2 + (a1 b1 + a0 b0 - (a0 - a1) (b0 - b1)) x + a0 b0.
 *
 * The differences are made positive; a mask, all ones or 0, has the sign of their product. There is
 * no product of 64 bits: one of two words is four of 16 bits.
 */
#ifndef MOTE_PRODUCT_THUMB_H
#define MOTE_PRODUCT_THUMB_H

#include "mote/assembly.h"
#include "mote/thumb.h"

/* Beginning of a function after push {r4-r7, lr}, and its end. */
.macro keep_registers
    mov r4, r8
    mov r5, r9
    mov r6, r10
    mov r7, r11
    push {r4-r7}
.endm

.macro give_registers_back
    pop {r4-r7}
    mov r8, r4
    mov r9, r5
    mov r10, r6
    mov r11, r7
    pop {r4-r7, pc}
.endm

/*
 * low, y = x y; x, s and t are lost. 17 cycles. ARMv7-M shifts an operand, and takes 12.
 */
.macro times x, y, s, t, low
#if MOTE_ASSEMBLY_ARMV7M
    uxth \s, \x
    uxth \t, \y
    lsrs \x, \x, #16
    lsrs \y, \y, #16
    mul \low, \t, \s
    mul \s, \y, \s
    mul \t, \x, \t
    mul \y, \x, \y
    adds \low, \low, \s, lsl #16
    adc \y, \y, \s, lsr #16
    adds \low, \low, \t, lsl #16
    adc \y, \y, \t, lsr #16
#else
    uxth \s, \x
    uxth \t, \y
    lsrs \x, \x, #16
    lsrs \y, \y, #16
    mov \low, \s
    muls \low, \t, \low
    muls \s, \y, \s
    muls \t, \x, \t
    muls \y, \x, \y
    lsls \x, \s, #16
    lsrs \s, \s, #16
    adds \low, \low, \x
    adcs \y, \s
    lsls \x, \t, #16
    lsrs \t, \t, #16
    adds \low, \low, \x
    adcs \y, \t
#endif
.endm

/* low, x = x^2; s and t are lost. 10 cycles, on ARMv7-M 7. */
.macro square_word x, low, s, t
#if MOTE_ASSEMBLY_ARMV7M
    uxth \low, \x
    lsrs \x, \x, #16
    mul \s, \x, \low
    mul \low, \low, \low
    mul \x, \x, \x
    adds \low, \low, \s, lsl #17
    adc \x, \x, \s, lsr #15
#else
    uxth \low, \x
    lsrs \x, \x, #16
    mov \s, \low
    muls \s, \x, \s
    muls \low, \low, \low
    muls \x, \x, \x
    lsls \t, \s, #17
    lsrs \s, \s, #15
    adds \low, \low, \t
    adcs \x, \s
#endif
.endm

/* low = |low - other|, of one or two words; the sign to `mask`. */
.macro distance low, other, mask
    subs \low, \low, \other
    sbcs \mask, \mask
    eors \low, \mask
    subs \low, \low, \mask
.endm

.macro distance_2 low, high, other_low, other_high, mask
    subs \low, \low, \other_low
    sbcs \high, \other_high
    sbcs \mask, \mask
    eors \low, \mask
    eors \high, \mask
    subs \low, \low, \mask
    sbcs \high, \mask
.endm

/* r2, r3, r6, r7 = (r1:r0) (r7:r6); r11 and r12 are lost. 78 cycles. */
.macro product_2
    mov r2, r1
    distance r2, r0, r3
    mov r4, r6
    distance r4, r7, r5
    eors r3, r5
    mov r11, r3
    mov r12, r2
    times r0, r6, r2, r3, r5
    times r1, r7, r0, r2, r3
    adds r6, r6, r3
    movs r0, #0
    adcs r7, r0
    adds r3, r6, r5
    adcs r6, r7
    adcs r7, r0
    mov r0, r12
    mov r12, r5
    times r0, r4, r1, r2, r5
    mov r0, r11
    eors r5, r0
    eors r4, r0
    lsrs r1, r0, #1
    adcs r3, r5
    adcs r6, r4
    adcs r7, r0
    mov r2, r12
.endm

/* r2, r3, r6, r7 = (r7:r6)^2. 44 cycles. */
.macro square_2
    mov r4, r6
    distance r4, r7, r5
    square_word r6, r2, r0, r1
    square_word r7, r3, r0, r1
    square_word r4, r5, r0, r1
    adds r6, r6, r3
    movs r0, #0
    adcs r7, r0
    adds r3, r6, r2
    adcs r6, r7
    adcs r7, r0
    subs r3, r3, r5
    sbcs r6, r4
    sbcs r7, r0
.endm

/*
 * The lower product is at r10, the upper one in r2, r3, r6, r7: words 2 to 7 of their sum, with
 * their middle, to r0 to r3, r6, r7; r4 = 0.
 */
.macro add_middle
    mov r0, r10
    ldm r0, {r0, r1, r4, r5}
    adds r2, r2, r4
    adcs r3, r5
    movs r4, #0
    adcs r6, r4
    adcs r7, r4
    adds r0, r0, r2
    adcs r1, r3
    adcs r2, r6
    adcs r3, r7
    adcs r6, r4
    adcs r7, r4
.endm

.macro store_upper
    mov r5, r10
    adds r5, r5, #8
    stm r5!, {r0-r3, r6, r7}
    bx lr
.endm

.macro load_lower
    mov r4, r8
    ldm r4!, {r0, r1}
    mov r5, r9
    ldm r5!, {r6, r7}
.endm

.macro load_upper
    mov r4, r8
    ldr r0, [r4, #8]
    ldr r1, [r4, #12]
    mov r5, r9
    ldr r6, [r5, #8]
    ldr r7, [r5, #12]
.endm

/* Routines that only the file calls; r8, r9 and r10 stay, all other registers are lost. */
.macro product_routines
/* Eight words at r10 = four at r8 by four at r9. */
    routine product_4
    mov r6, r8
    ldm r6!, {r0-r3}
    distance_2 r0, r1, r2, r3, r4
    mov r5, r9
    ldm r5!, {r2, r3, r6, r7}
    subs r6, r6, r2
    sbcs r7, r3
    sbcs r2, r2
    eors r6, r2
    eors r7, r2
    subs r6, r6, r2
    sbcs r7, r2
    eors r4, r2
    push {r4}
    product_2
    push {r2, r3, r6, r7}
    load_lower
    product_2
    mov r0, r10
    stm r0!, {r2, r3, r6, r7}
    load_upper
    product_2
    add_middle
    ldr r4, [sp, #16]
    lsrs r5, r4, #1
    ldr r5, [sp]
    eors r5, r4
    adcs r0, r5
    ldr r5, [sp, #4]
    eors r5, r4
    adcs r1, r5
    ldr r5, [sp, #8]
    eors r5, r4
    adcs r2, r5
    ldr r5, [sp, #12]
    eors r5, r4
    adcs r3, r5
    adcs r6, r4
    adcs r7, r4
    add sp, #20
    store_upper

/* Eight words at r10 = the square of four at r8. */
    routine square_4
    mov r4, r8
    ldm r4!, {r2, r3, r6, r7}
    distance_2 r6, r7, r2, r3, r4
    square_2
    push {r2, r3, r6, r7}
    mov r4, r8
    ldm r4!, {r6, r7}
    square_2
    mov r0, r10
    stm r0!, {r2, r3, r6, r7}
    mov r4, r8
    ldr r6, [r4, #8]
    ldr r7, [r4, #12]
    square_2
    add_middle
    pop {r4, r5}
    subs r0, r0, r4
    sbcs r1, r5
    pop {r4, r5}
    sbcs r2, r4
    sbcs r3, r5
    movs r4, #0
    sbcs r6, r4
    sbcs r7, r4
    store_upper
.endm

/* The frame: the product of the distances, the lower and the upper one, the distances, the sign. */
#define MIDDLE 0
#define LOWER 32
#define UPPER 64
#define DISTANCE 96
#define MASK 128
#define PRODUCT_FRAME 132
/* Offsets above the frame: push {r0-r2, lr}. */
#define RESULT (PRODUCT_FRAME)
#define FACTOR (PRODUCT_FRAME + 4)
#define OTHER (PRODUCT_FRAME + 8)

/* The distance of both halves of the number at \from to [sp, #\at], its sign to r3. */
.macro distance_4 from, at
    ldm \from!, {r4-r7}
    ldm \from!, {r0, r3}
    subs r4, r4, r0
    sbcs r5, r3
    ldm \from!, {r0, r3}
    sbcs r6, r0
    sbcs r7, r3
    sbcs r3, r3
    eors r4, r3
    eors r5, r3
    eors r6, r3
    eors r7, r3
    subs r4, r4, r3
    sbcs r5, r3
    sbcs r6, r3
    sbcs r7, r3
    add r0, sp, #\at
    stm r0!, {r4-r7}
.endm

/* The three products of the halves of r1 and r2 to a new frame. */
.macro multiply_halves
    push {r0-r2, lr}
    sub sp, #PRODUCT_FRAME
    distance_4 r1, DISTANCE
    mov r12, r3
    distance_4 r2, (DISTANCE + 16)
    mov r0, r12
    eors r3, r0
    mvns r3, r3
    str r3, [sp, #MASK]
    add r0, sp, #DISTANCE
    mov r8, r0
    adds r0, #16
    mov r9, r0
    mov r10, sp
    bl product_4
    ldr r0, [sp, #FACTOR]
    mov r8, r0
    ldr r0, [sp, #OTHER]
    mov r9, r0
    movs r0, #32
    add r10, r0
    bl product_4
    movs r0, #16
    add r8, r0
    add r9, r0
    add r10, r0
    add r10, r0
    bl product_4
.endm

.macro square_halves
    push {r0-r2, lr}
    sub sp, #PRODUCT_FRAME
    distance_4 r1, DISTANCE
    subs r0, #16
    mov r8, r0
    mov r10, sp
    bl square_4
    ldr r0, [sp, #FACTOR]
    mov r8, r0
    movs r0, #32
    add r10, r0
    bl square_4
    movs r0, #16
    add r8, r0
    add r10, r0
    add r10, r0
    bl square_4
.endm

/*
 * The words of a product that are above the middle's first: words 4 to 7 to LOWER + 16, words 8 to
 * 11 to r4 to r7. What is carried from the former to the latter is in lr, not yet added, and what
 * the latter carry in r0, which may be -1.
 */
.macro join_halves squares
    add r7, sp, #LOWER + 16
    ldm r7!, {r0-r3}
    ldm r7, {r4-r7}
    adds r0, r0, r4
    adcs r1, r5
    adcs r2, r6
    adcs r3, r7
    movs r4, #0
    adcs r4, r4
    mov r12, r4
    mov r8, r0
    mov r9, r1
    mov r10, r2
    mov r11, r3
    add r7, sp, #LOWER
    ldm r7, {r4-r7}
    adds r4, r4, r0
    adcs r5, r1
    adcs r6, r2
    adcs r7, r3
    mov r0, r12
    movs r1, #0
    adcs r0, r1
    mov r3, sp
    .if \squares
    ldm r3!, {r1, r2}
    subs r4, r4, r1
    sbcs r5, r2
    ldm r3!, {r1, r2}
    sbcs r6, r1
    sbcs r7, r2
    .else
    ldr r1, [sp, #MASK]
    lsrs r2, r1, #1
    join_words adcs
    .endif
    movs r2, #0
    adcs r0, r2
    mov lr, r0
    add r2, sp, #LOWER + 16
    stm r2!, {r4-r7}
    adds r2, #16 /* UPPER + 16 */
    ldm r2!, {r4-r7}
    mov r0, r8
    adds r4, r4, r0
    mov r0, r9
    adcs r5, r0
    mov r0, r10
    adcs r6, r0
    mov r0, r11
    adcs r7, r0
    mov r0, r12
    movs r2, #0
    adcs r0, r2
    .if \squares
    ldm r3!, {r1, r2}
    sbcs r4, r1 /* one less, which is one of what the former words carry */
    sbcs r5, r2
    ldm r3!, {r1, r2}
    sbcs r6, r1
    sbcs r7, r2
    sbcs r2, r2
    adds r0, r0, r2
    .else
    join_words adds
    adcs r0, r1
    .endif
.endm

/* r4 to r7 and four words at r3, with the mask r1. */
.macro join_words first
    ldm r3!, {r2}
    eors r2, r1
    \first r4, r2
    ldm r3!, {r2}
    eors r2, r1
    adcs r5, r2
    ldm r3!, {r2}
    eors r2, r1
    adcs r6, r2
    ldm r3!, {r2}
    eors r2, r1
    adcs r7, r2
.endm

#endif
