/*
 * The field of field.h on ARMv6-M: additions, products and squares. No branch and no address depends on a number. Products are
 * for a multiplier of one cycle; one of 32 cycles takes the same time for all numbers, too.
 *
 * There is no product of 64 bits: a product of two words is four of 16 bits. Columns of a product are made from the lowest on;
 * the sum is three words of which the lowest is whole at the end of a column. A Cortex-M3 has this code too, because UMULL
 * takes longer there for some operands.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M || (MOTE_ASSEMBLY_ARMV7M && !MOTE_ASSEMBLY_ARMV7EM)
#include "mote/thumb.h"

/* r3:r4 = r2 times r3; r0 and r1 are lost. */
.macro times
    uxth r0, r2
    uxth r1, r3
    lsrs r2, r2, #16
    lsrs r3, r3, #16
    mov r4, r0
    muls r4, r1, r4
    muls r0, r3, r0
    muls r1, r2, r1
    muls r3, r2, r3
    adds r0, r0, r1
    movs r1, #0
    adcs r1, r1
    lsls r1, r1, #16
    lsls r2, r0, #16
    lsrs r0, r0, #16
    orrs r1, r0
    adds r4, r4, r2
    adcs r3, r1
.endm

/* A product is added to a column. */
.macro accumulate low, high, c0, c1, c2
    adds \c0, \c0, \low
    adcs \c1, \high
    movs r0, #0
    adcs \c2, r0
.endm

/* The words of a are at sp, those of b behind them, and those of the product behind both. */
#define B_WORDS 32
#define PRODUCT 64

.macro column_product i, j, c0, c1, c2
    ldr r2, [sp, #4 * (\i)]
    ldr r3, [sp, #B_WORDS + 4 * (\j)]
    times
    accumulate r4, r3, \c0, \c1, \c2
.endm

/* Products of words whose numbers add up to \k, \i being the first of a. */
.macro column k, i, last, c0, c1, c2
    column_product \i, (\k) - (\i), \c0, \c1, \c2
    .if (\i) < (\last)
    column \k, (\i+1), \last, \c0, \c1, \c2
    .endif
.endm

.macro end_column k, c0, c1, c2
    str \c0, [sp, #PRODUCT + 4 * (\k)]
    movs \c0, #0
.endm

.macro square_product i, j, c0, c1, c2
    ldr r2, [sp, #4 * (\i)]
    ldr r3, [sp, #4 * (\j)]
    times
    accumulate r4, r3, \c0, \c1, \c2
    accumulate r4, r3, \c0, \c1, \c2
.endm

.macro square_word i, c0, c1, c2
    ldr r2, [sp, #4 * (\i)]
    uxth r0, r2
    lsrs r2, r2, #16
    mov r1, r0
    muls r1, r2, r1
    muls r0, r0, r0
    muls r2, r2, r2
    lsls r3, r1, #17
    lsrs r1, r1, #15
    adds r4, r0, r3
    adcs r2, r1
    accumulate r4, r2, \c0, \c1, \c2
.endm

.macro square_column k, i, c0, c1, c2
    .if 2 * (\i) < (\k)
    square_product \i, (\k) - (\i), \c0, \c1, \c2
    square_column \k, (\i+1), \c0, \c1, \c2
    .elseif 2 * (\i) == (\k)
    square_word \i, \c0, \c1, \c2
    .endif
.endm

/* r5 is what is carried: the word at r6 and 38 times the one at r7, and on. The sum to r1. */
.macro reduce_word
    ldm r7!, {r1}
    uxth r2, r1
    lsrs r3, r1, #16
    muls r2, r4, r2
    muls r3, r4, r3
    lsls r1, r3, #16
    lsrs r3, r3, #16
    adds r1, r1, r2
    adcs r3, r0
    ldm r6!, {r2}
    adds r1, r1, r2
    adcs r3, r0
    adds r1, r1, r5
    adcs r3, r0
    mov r5, r3
.endm

/* The lower half of the product and 38 times the upper one, to the address in lr. */
.macro reduce
    add r6, sp, #PRODUCT
    add r7, sp, #PRODUCT + 32
    movs r0, #0
    movs r4, #38
    movs r5, #0
    .rept 8
    reduce_word
    mov r2, lr
    stm r2!, {r1}
    mov lr, r2
    .endr
    muls r5, r4, r5
    mov r7, lr
    subs r7, #32
    mov lr, r7
    add_small r7, lr, r5, r0
.endm

/* Adds \word to the number at \to, an address that is in \kept as well; \zero is 0. r1 to r4 are lost. */
.macro add_small to, kept, word, zero
    ldm \to!, {r1-r4}
    adds r1, r1, \word
    adcs r2, \zero
    adcs r3, \zero
    adcs r4, \zero
    mov \to, \kept
    stm \to!, {r1-r4}
    ldm \to!, {r1-r4}
    adcs r1, \zero
    adcs r2, \zero
    adcs r3, \zero
    adcs r4, \zero
    mov \word, \zero
    adcs \word, \word
    subs \to, #16
    stm \to!, {r1-r4}
    /* If that carried, the number is small: 38 more do not carry again. */
    movs r1, #38
    muls \word, r1, \word
    mov \to, \kept
    ldr r1, [\to]
    adds r1, r1, \word
    str r1, [\to]
.endm

/* void mote_f25519_multiply(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b) */
    function mote_f25519_multiply
    push {r4-r7, lr}
    mov lr, r0
    sub sp, #128
    mov r0, sp
    ldm r1!, {r4-r7}
    stm r0!, {r4-r7}
    ldm r1!, {r4-r7}
    stm r0!, {r4-r7}
    ldm r2!, {r4-r7}
    stm r0!, {r4-r7}
    ldm r2!, {r4-r7}
    stm r0!, {r4-r7}
    movs r5, #0
    movs r6, #0
    movs r7, #0
    column 0, 0, 0, r5, r6, r7
    end_column 0, r5, r6, r7
    column 1, 0, 1, r6, r7, r5
    end_column 1, r6, r7, r5
    column 2, 0, 2, r7, r5, r6
    end_column 2, r7, r5, r6
    column 3, 0, 3, r5, r6, r7
    end_column 3, r5, r6, r7
    column 4, 0, 4, r6, r7, r5
    end_column 4, r6, r7, r5
    column 5, 0, 5, r7, r5, r6
    end_column 5, r7, r5, r6
    column 6, 0, 6, r5, r6, r7
    end_column 6, r5, r6, r7
    column 7, 0, 7, r6, r7, r5
    end_column 7, r6, r7, r5
    column 8, 1, 7, r7, r5, r6
    end_column 8, r7, r5, r6
    column 9, 2, 7, r5, r6, r7
    end_column 9, r5, r6, r7
    column 10, 3, 7, r6, r7, r5
    end_column 10, r6, r7, r5
    column 11, 4, 7, r7, r5, r6
    end_column 11, r7, r5, r6
    column 12, 5, 7, r5, r6, r7
    end_column 12, r5, r6, r7
    column 13, 6, 7, r6, r7, r5
    end_column 13, r6, r7, r5
    column 14, 7, 7, r7, r5, r6
    end_column 14, r7, r5, r6
    str r5, [sp, #PRODUCT + 60]
    reduce
    add sp, #128
    pop {r4-r7, pc}

/* void mote_f25519_square(mote_f25519 *r, const mote_f25519 *a, uint8_t times) */
    function mote_f25519_square
    push {r0, r2, r4-r7, lr}
    sub sp, #128
square:
    ldr r0, [sp, #128]
    mov lr, r0
    mov r0, sp
    ldm r1!, {r4-r7}
    stm r0!, {r4-r7}
    ldm r1!, {r4-r7}
    stm r0!, {r4-r7}
    movs r5, #0
    movs r6, #0
    movs r7, #0
    square_column 0, 0, r5, r6, r7
    end_column 0, r5, r6, r7
    square_column 1, 0, r6, r7, r5
    end_column 1, r6, r7, r5
    square_column 2, 0, r7, r5, r6
    end_column 2, r7, r5, r6
    square_column 3, 0, r5, r6, r7
    end_column 3, r5, r6, r7
    square_column 4, 0, r6, r7, r5
    end_column 4, r6, r7, r5
    square_column 5, 0, r7, r5, r6
    end_column 5, r7, r5, r6
    square_column 6, 0, r5, r6, r7
    end_column 6, r5, r6, r7
    square_column 7, 0, r6, r7, r5
    end_column 7, r6, r7, r5
    square_column 8, 1, r7, r5, r6
    end_column 8, r7, r5, r6
    square_column 9, 2, r5, r6, r7
    end_column 9, r5, r6, r7
    square_column 10, 3, r6, r7, r5
    end_column 10, r6, r7, r5
    square_column 11, 4, r7, r5, r6
    end_column 11, r7, r5, r6
    square_column 12, 5, r5, r6, r7
    end_column 12, r5, r6, r7
    square_column 13, 6, r6, r7, r5
    end_column 13, r6, r7, r5
    square_column 14, 7, r7, r5, r6
    end_column 14, r7, r5, r6
    str r5, [sp, #PRODUCT + 60]
    reduce
    ldr r1, [sp, #128]
    ldr r2, [sp, #132]
    subs r2, #1
    str r2, [sp, #132]
    beq 1f
    bl square /* which reaches farther than a branch */
1:  add sp, #128 + 8
    pop {r4-r7, pc}

/* void mote_f25519_add(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b) */
    function mote_f25519_add
    push {r4-r7, lr}
    mov r12, r0
    ldm r1!, {r3-r6}
    ldm r2!, {r0, r7}
    adds r3, r3, r0
    adcs r4, r7
    ldm r2!, {r0, r7}
    adcs r5, r0
    adcs r6, r7
    mov r0, r12
    stm r0!, {r3-r6}
    ldm r1!, {r3-r6}
    ldm r2!, {r1, r7}
    adcs r3, r1
    adcs r4, r7
    ldm r2!, {r1, r7}
    adcs r5, r1
    adcs r6, r7
    stm r0!, {r3-r6}
    movs r6, #0
    mov r5, r6
    adcs r5, r5
    movs r1, #38
    muls r5, r1, r5
    mov r0, r12
    add_small r0, r12, r5, r6
    pop {r4-r7, pc}

/* void mote_f25519_subtract(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b) */
    function mote_f25519_subtract
    push {r4-r7, lr}
    mov r12, r0
    ldm r1!, {r3-r6}
    ldm r2!, {r0, r7}
    subs r3, r3, r0
    sbcs r4, r7
    ldm r2!, {r0, r7}
    sbcs r5, r0
    sbcs r6, r7
    mov r0, r12
    stm r0!, {r3-r6}
    ldm r1!, {r3-r6}
    ldm r2!, {r1, r7}
    sbcs r3, r1
    sbcs r4, r7
    ldm r2!, {r1, r7}
    sbcs r5, r1
    sbcs r6, r7
    stm r0!, {r3-r6}
    sbcs r5, r5
    movs r1, #38
    ands r5, r1
    movs r6, #0
    subs r0, #32
    ldm r0!, {r1-r4}
    subs r1, r1, r5
    sbcs r2, r6
    sbcs r3, r6
    sbcs r4, r6
    mov r0, r12
    stm r0!, {r1-r4}
    ldm r0!, {r1-r4}
    sbcs r1, r6
    sbcs r2, r6
    sbcs r3, r6
    sbcs r4, r6
    sbcs r5, r5
    subs r0, #16
    stm r0!, {r1-r4}
    /* If that borrowed, the number is 2^256 less 38 at most. */
    movs r1, #38
    ands r5, r1
    mov r0, r12
    ldr r1, [r0]
    subs r1, r1, r5
    str r1, [r0]
    pop {r4-r7, pc}

/* The word at r1 times 121665 and the word at r2, to r4; r3 is what is carried, r5 is 0, r6 is 121665 - 65536. */
.macro multiply_add_word
    ldm r1!, {r4}
    uxth r7, r4
    lsrs r0, r4, #16
    mov r4, r0
    muls r4, r6, r4
    adds r4, r4, r7
    muls r7, r6, r7
    adds r7, r7, r3
    adcs r0, r5
    lsls r3, r4, #16
    lsrs r4, r4, #16
    adds r7, r7, r3
    adcs r0, r4
    ldm r2!, {r4}
    adds r4, r4, r7
    adcs r0, r5
    mov r3, r0
.endm

/* void mote_f25519_multiply_add(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b) */
    function mote_f25519_multiply_add
    push {r4-r7, lr}
    mov lr, r0
    mov r12, r0
    movs r3, #0
    movs r5, #0
    ldr r6, =121665 - 65536
    .rept 8
    multiply_add_word
    mov r0, lr
    stm r0!, {r4}
    mov lr, r0
    .endr
    movs r1, #38
    muls r3, r1, r3
    mov r6, r3
    mov r0, r12
    add_small r0, r12, r6, r5
    pop {r4-r7, pc}
    .ltorg
#endif
