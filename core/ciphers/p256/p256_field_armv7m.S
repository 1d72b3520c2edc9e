/*
 * The field of P-256 on ARMv7E-M, with UMAAL; no floating-point register is used. No branch and no address depends on a number,
 * and all instructions here take the same time for all operands.
 *
 * A product has two halves, four words of a times all of b. A word of the result is finished as soon as four products have
 * been added; since -1 / p is 1 modulo 2^32, it is also the multiple of p that Montgomery's reduction adds:
 * m p = m (2^256 - 2^224 + 2^192 + 2^96 - 1). So m goes three words higher, as the carry with which a row begins; and
 * m (2^64 - 2^32 + 1) goes six words higher, as m and m (2^32 - 1) one word above.
 */
#include "p256_assembly.h"

#if MOTE_P256_ASSEMBLY
#include "mote/armv7m.h"

/* Four products: four words of the sum, the lowest first; a carry that begins as any word and ends as the highest word. */
.macro row w0, w1, w2, w3, carry, a0, a1, a2, a3, b
    umaal \w0, \carry, \a0, \b
    umaal \w1, \carry, \a1, \b
    umaal \w2, \carry, \a2, \b
    umaal \w3, \carry, \a3, \b
.endm

/* Subtracts p from eight words and the carry above them, and adds it again if that was too much. */
.macro reduce_once w0, w1, w2, w3, w4, w5, w6, w7, top, spare
    mov \spare, #-1
    subs \w0, \w0, \spare
    sbcs \w1, \w1, \spare
    sbcs \w2, \w2, \spare
    sbcs \w3, \w3, #0
    sbcs \w4, \w4, #0
    sbcs \w5, \w5, #0
    sbcs \w6, \w6, #1
    sbcs \w7, \w7, \spare
    sbcs \top, \top, #0
    add_masked \w0, \w1, \w2, \w3, \w4, \w5, \w6, \w7, \top
.endm

/* Adds p if the mask is all ones; without the carry. */
.macro add_masked w0, w1, w2, w3, w4, w5, w6, w7, mask
    adds \w0, \w0, \mask
    adcs \w1, \w1, \mask
    adcs \w2, \w2, \mask
    adcs \w3, \w3, #0
    adcs \w4, \w4, #0
    adcs \w5, \w5, #0
    adcs \w6, \w6, \mask, lsr #31
    adc \w7, \w7, \mask
.endm

/* The place of words 0 to 3, 8 to 11, their carry, words 4 to 6; and the arguments behind. */
#define M0 0
#define F8 16
#define F12 32
#define M4 36
#define M5 40
#define M6 44
#define OUT 48
#define LEFT 52
#define FRAME 48

/* r0 = r1 r2. r3 to r12 and lr are lost. */
function mote_p256_multiply
    push {r4-r11, lr}
    push {r0-r2}
    sub sp, #FRAME
    ldm r1, {r3-r6}
    ldm r2!, {r7-r10}
    umull r0, r1, r3, r7
    mov r11, #0
    umaal r1, r11, r4, r7
    mov r12, #0
    umaal r11, r12, r5, r7
    mov lr, #0
    umaal r12, lr, r6, r7
    mov r7, #0
    row r1, r11, r12, lr, r7, r3, r4, r5, r6, r8
    mov r8, #0
    row r11, r12, lr, r7, r8, r3, r4, r5, r6, r9
    str r0, [sp, #M0]
    row r12, lr, r7, r8, r0, r3, r4, r5, r6, r10
    ldrd r9, r10, [r2]
    str r1, [sp, #M0 + 4]
    row lr, r7, r8, r0, r1, r3, r4, r5, r6, r9
    str r11, [sp, #M0 + 8]
    row r7, r8, r0, r1, r11, r3, r4, r5, r6, r10
    ldrd r9, r10, [r2, #8]
    str r12, [sp, #M0 + 12]
    row r8, r0, r1, r11, r12, r3, r4, r5, r6, r9
    mov r9, #0
    row r0, r1, r11, r12, r9, r3, r4, r5, r6, r10
    /* Words 4 to 11: lr, r7, r8, r0, r1, r11, r12, r9. */
    ldm sp, {r3-r6}
    mov r10, #-1
    mov r2, r4
    row r0, r1, r11, r12, r2, r3, r4, r5, r6, r10
    adds r1, r1, r5
    adcs r11, r11, r6
    adcs r12, r12, #0
    adcs r9, r9, r2
    mov r10, #0
    adc r10, r10, #0
    str r1, [sp, #F8]
    str r11, [sp, #F8 + 4]
    str r12, [sp, #F8 + 8]
    str r9, [sp, #F8 + 12]
    str r10, [sp, #F12]

    ldrd r1, r2, [sp, #LEFT]
    adds r1, #16
    ldm r1, {r9-r12}
    ldm r2!, {r1, r4, r5}
    mov r6, #0
    row lr, r7, r8, r0, r6, r9, r10, r11, r12, r1
    mov r1, #0
    row r7, r8, r0, r6, r1, r9, r10, r11, r12, r4
    str lr, [sp, #M4]
    str r7, [sp, #M5]
    row r8, r0, r6, r1, r3, r9, r10, r11, r12, r5
    ldrd r4, r5, [r2]
    ldr r7, [sp, #F8]
    row r0, r6, r1, r3, lr, r9, r10, r11, r12, r4
    row r6, r1, r3, lr, r7, r9, r10, r11, r12, r5
    ldr r4, [r2, #8]
    ldr r5, [sp, #F8 + 4]
    str r8, [sp, #M6]
    row r1, r3, lr, r7, r5, r9, r10, r11, r12, r4
    ldr r4, [r2, #12]
    ldr r8, [sp, #F8 + 8]
    row r3, lr, r7, r5, r8, r9, r10, r11, r12, r4
    ldr r4, [r2, #16]
    ldr r2, [sp, #F8 + 12]
    row lr, r7, r5, r8, r2, r9, r10, r11, r12, r4
    /* Words 8 to 15: r6, r1, r3, lr, r7, r5, r8, r2; word 7 in r0. */
    ldr r10, [sp, #M4]
    ldr r11, [sp, #M5]
    ldr r12, [sp, #M6]
    mov r4, #-1
    mov r9, r11
    row lr, r7, r5, r8, r9, r10, r11, r12, r0, r4
    ldr r4, [sp, #F12]
    adds r6, r6, r11
    adcs r1, r1, r12
    adcs r3, r3, r0
    adcs lr, lr, #0
    adcs r7, r7, r12
    adcs r5, r5, r0
    adcs r8, r8, #0
    adcs r2, r2, r9
    mov r12, #0
    adc r12, r12, #0
    adds r3, r3, r10
    adcs lr, lr, #0
    adcs r7, r7, r4
    adcs r5, r5, #0
    adcs r8, r8, #0
    adcs r2, r2, #0
    adc r12, r12, #0
    ldr r0, [sp, #OUT]
    reduce_once r6, r1, r3, lr, r7, r5, r8, r2, r12, r4
    str r6, [r0]
    str r1, [r0, #4]
    str r3, [r0, #8]
    str lr, [r0, #12]
    str r7, [r0, #16]
    str r5, [r0, #20]
    str r8, [r0, #24]
    str r2, [r0, #28]
    add sp, #FRAME + 12
    pop {r4-r11, pc}

function mote_p256_square
    mov r2, r1
    b mote_p256_multiply

function mote_p256_add
    push {r4-r11, lr}
    ldm r1, {r3-r10}
    ldm r2!, {r1, r11, r12, lr}
    adds r3, r1
    adcs r4, r11
    adcs r5, r12
    adcs r6, lr
    ldm r2, {r1, r11, r12, lr}
    adcs r7, r1
    adcs r8, r11
    adcs r9, r12
    adcs r10, lr
    mov r1, #0
    adc r1, r1, #0
    reduce_once r3, r4, r5, r6, r7, r8, r9, r10, r1, r2
    stm r0, {r3-r10}
    pop {r4-r11, pc}

function mote_p256_subtract
    push {r4-r11, lr}
    ldm r1, {r3-r10}
    ldm r2!, {r1, r11, r12, lr}
    subs r3, r1
    sbcs r4, r11
    sbcs r5, r12
    sbcs r6, lr
    ldm r2, {r1, r11, r12, lr}
    sbcs r7, r1
    sbcs r8, r11
    sbcs r9, r12
    sbcs r10, lr
    sbc r1, r1, r1
    add_masked r3, r4, r5, r6, r7, r8, r9, r10, r1
    stm r0, {r3-r10}
    pop {r4-r11, pc}

function mote_p256_halve
    push {r4-r11, lr}
    ldm r1, {r3-r10}
    sbfx r1, r3, #0, #1
    adds r3, r3, r1
    adcs r4, r4, r1
    adcs r5, r5, r1
    adcs r6, r6, #0
    adcs r7, r7, #0
    adcs r8, r8, #0
    adcs r9, r9, r1, lsr #31
    adcs r10, r10, r1
    rrxs r10, r10
    rrxs r9, r9
    rrxs r8, r8
    rrxs r7, r7
    rrxs r6, r6
    rrxs r5, r5
    rrxs r4, r4
    rrx r3, r3
    stm r0, {r3-r10}
    pop {r4-r11, pc}

/* Words of an entry of the table, taken if it is the one. Moves that are not executed take a cycle too. */
.macro take_entry number
    ldm lr, {r8-r11}
    add lr, lr, r2
    cmp r3, #\number
    itttt eq
    moveq r4, r8
    moveq r5, r9
    moveq r6, r10
    moveq r7, r11
.endm

/* r0 = entry r3 of the table in r1, whose entries have r2 words, a multiple of 4; all eight entries are read. */
function mote_p256_look_up
    push {r4-r11, lr}
    lsls r2, r2, #2
    add r12, r1, r2
look_up_part:
    mov lr, r1
    take_entry 0
    take_entry 1
    take_entry 2
    take_entry 3
    take_entry 4
    take_entry 5
    take_entry 6
    take_entry 7
    stm r0!, {r4-r7}
    adds r1, #16
    cmp r1, r12
    bne look_up_part
    pop {r4-r11, pc}

#endif
