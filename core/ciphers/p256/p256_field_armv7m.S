/*
 * The field of P-256 on ARMv7E-M, with UMAAL; no floating-point register is used. Most instructions
 * are wide, because the third in a row of those that lie across two words takes a cycle more. No
 * branch and no address depends on a number, and all instructions here take the same time for all
 * operands.
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
    mov.w \spare, #-1
    subs.w \w0, \w0, \spare
    sbcs.w \w1, \w1, \spare
    sbcs.w \w2, \w2, \spare
    sbcs.w \w3, \w3, #0
    sbcs.w \w4, \w4, #0
    sbcs.w \w5, \w5, #0
    sbcs.w \w6, \w6, #1
    sbcs.w \w7, \w7, \spare
    sbcs.w \top, \top, #0
    add_masked \w0, \w1, \w2, \w3, \w4, \w5, \w6, \w7, \top
.endm

/* Adds p if the mask is all ones; without the carry. */
.macro add_masked w0, w1, w2, w3, w4, w5, w6, w7, mask
    adds.w \w0, \w0, \mask
    adcs.w \w1, \w1, \mask
    adcs.w \w2, \w2, \mask
    adcs.w \w3, \w3, #0
    adcs.w \w4, \w4, #0
    adcs.w \w5, \w5, #0
    adcs.w \w6, \w6, \mask, lsr #31
    adc.w \w7, \w7, \mask
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

/*
 * The functions that end in _part keep no register but sp; their arguments are those of the functions of C. r0 is the result.
 */
.macro part name
    .section .text.mote_p256_parts, "ax", %progbits
    .balign 8
    .thumb_func
\name:
.endm

/* The function of C of a part. */
.macro exported name, part
    .section .text.mote_p256_parts, "ax", %progbits
    .balign 8
    entry \name
    push {r4-r11, lr}
    bl \part
    pop {r4-r11, pc}
.endm

/* r0 = r1^2 */
part square_part
    mov.w r2, r1
/* r0 = r1 r2 */
    .thumb_func
multiply_part:
    push {r0-r2, lr}
    sub sp, #FRAME
    ldm.w r1, {r3-r6}
    ldm.w r2!, {r7-r10}
    umull r0, r1, r3, r7
    mov.w r11, #0
    umaal r1, r11, r4, r7
    mov.w r12, #0
    umaal r11, r12, r5, r7
    mov.w lr, #0
    umaal r12, lr, r6, r7
    mov.w r7, #0
    row r1, r11, r12, lr, r7, r3, r4, r5, r6, r8
    mov.w r8, #0
    row r11, r12, lr, r7, r8, r3, r4, r5, r6, r9
    str.w r0, [sp, #M0]
    row r12, lr, r7, r8, r0, r3, r4, r5, r6, r10
    ldrd r9, r10, [r2]
    str.w r1, [sp, #M0 + 4]
    row lr, r7, r8, r0, r1, r3, r4, r5, r6, r9
    str.w r11, [sp, #M0 + 8]
    row r7, r8, r0, r1, r11, r3, r4, r5, r6, r10
    ldrd r9, r10, [r2, #8]
    str.w r12, [sp, #M0 + 12]
    row r8, r0, r1, r11, r12, r3, r4, r5, r6, r9
    mov.w r9, #0
    row r0, r1, r11, r12, r9, r3, r4, r5, r6, r10
    /* Words 4 to 11: lr, r7, r8, r0, r1, r11, r12, r9. */
    ldm.w sp, {r3-r6}
    mov.w r10, #-1
    mov.w r2, r4
    row r0, r1, r11, r12, r2, r3, r4, r5, r6, r10
    adds.w r1, r1, r5
    adcs.w r11, r11, r6
    adcs.w r12, r12, #0
    adcs.w r9, r9, r2
    mov.w r10, #0
    adc.w r10, r10, #0
    str.w r1, [sp, #F8]
    str.w r11, [sp, #F8 + 4]
    str.w r12, [sp, #F8 + 8]
    str.w r9, [sp, #F8 + 12]
    str.w r10, [sp, #F12]

    ldrd r1, r2, [sp, #LEFT]
    adds.w r1, #16
    ldm.w r1, {r9-r12}
    ldm.w r2!, {r1, r4, r5}
    mov.w r6, #0
    row lr, r7, r8, r0, r6, r9, r10, r11, r12, r1
    mov.w r1, #0
    row r7, r8, r0, r6, r1, r9, r10, r11, r12, r4
    str.w lr, [sp, #M4]
    str.w r7, [sp, #M5]
    row r8, r0, r6, r1, r3, r9, r10, r11, r12, r5
    ldrd r4, r5, [r2]
    ldr.w r7, [sp, #F8]
    row r0, r6, r1, r3, lr, r9, r10, r11, r12, r4
    row r6, r1, r3, lr, r7, r9, r10, r11, r12, r5
    ldr.w r4, [r2, #8]
    ldr.w r5, [sp, #F8 + 4]
    str.w r8, [sp, #M6]
    row r1, r3, lr, r7, r5, r9, r10, r11, r12, r4
    ldr.w r4, [r2, #12]
    ldr.w r8, [sp, #F8 + 8]
    row r3, lr, r7, r5, r8, r9, r10, r11, r12, r4
    ldr.w r4, [r2, #16]
    ldr.w r2, [sp, #F8 + 12]
    row lr, r7, r5, r8, r2, r9, r10, r11, r12, r4
    /* Words 8 to 15: r6, r1, r3, lr, r7, r5, r8, r2; word 7 in r0. */
    ldr.w r10, [sp, #M4]
    ldr.w r11, [sp, #M5]
    ldr.w r12, [sp, #M6]
    mov.w r4, #-1
    mov.w r9, r11
    row lr, r7, r5, r8, r9, r10, r11, r12, r0, r4
    ldr.w r4, [sp, #F12]
    adds.w r6, r6, r11
    adcs.w r1, r1, r12
    adcs.w r3, r3, r0
    adcs.w lr, lr, #0
    adcs.w r7, r7, r12
    adcs.w r5, r5, r0
    adcs.w r8, r8, #0
    adcs.w r2, r2, r9
    mov.w r12, #0
    adc.w r12, r12, #0
    adds.w r3, r3, r10
    adcs.w lr, lr, #0
    adcs.w r7, r7, r4
    adcs.w r5, r5, #0
    adcs.w r8, r8, #0
    adcs.w r2, r2, #0
    adc.w r12, r12, #0
    ldr.w r0, [sp, #OUT]
    reduce_once r6, r1, r3, lr, r7, r5, r8, r2, r12, r4
    str.w r6, [r0]
    str.w r1, [r0, #4]
    str.w r3, [r0, #8]
    str.w lr, [r0, #12]
    str.w r7, [r0, #16]
    str.w r5, [r0, #20]
    str.w r8, [r0, #24]
    str.w r2, [r0, #28]
    add sp, #FRAME + 12
    pop {pc}

/* To r0: the sum of r3 to r10 and what `from` points to. `from` and `spare` are r1 and r2. */
.macro add_words from, spare
    ldm.w \from!, {\spare, r11, r12}
    adds.w r3, r3, \spare
    adcs.w r4, r4, r11
    adcs.w r5, r5, r12
    ldm.w \from!, {\spare, r11, r12}
    adcs.w r6, r6, \spare
    adcs.w r7, r7, r11
    adcs.w r8, r8, r12
    ldm.w \from, {r11, r12}
    mov.w r1, #0
    adcs.w r9, r9, r11
    adcs.w r10, r10, r12
    adc.w r1, r1, #0
    reduce_once r3, r4, r5, r6, r7, r8, r9, r10, r1, r2
    stm.w r0, {r3-r10}
.endm

/* r0 = r1 + r2 */
part add_part
    ldm.w r1, {r3-r10}
    add_words r2, r1
    bx lr

/* r3 to r10 less what r2 points to; r11 is the mask of p that is to be added. */
.macro subtract_words
    ldm.w r2!, {r1, r11, r12}
    subs.w r3, r3, r1
    sbcs.w r4, r4, r11
    sbcs.w r5, r5, r12
    ldm.w r2!, {r1, r11, r12}
    sbcs.w r6, r6, r1
    sbcs.w r7, r7, r11
    sbcs.w r8, r8, r12
    ldm.w r2, {r11, r12}
    sbcs.w r9, r9, r11
    sbcs.w r10, r10, r12
    sbc.w r11, r11, r11
.endm

/* r0 = r1 - r2 */
part subtract_part
    ldm.w r1, {r3-r10}
    subtract_words
    add_masked r3, r4, r5, r6, r7, r8, r9, r10, r11
    stm.w r0, {r3-r10}
    bx lr

/* r0 = r0 - 2 r1 */
part subtract_twice_part
    mov.w r2, r1
    ldm.w r0, {r3-r10}
    subtract_words
    add_masked r3, r4, r5, r6, r7, r8, r9, r10, r11
    subs.w r2, #24
    subtract_words
    add_masked r3, r4, r5, r6, r7, r8, r9, r10, r11
    stm.w r0, {r3-r10}
    bx lr

/* Half of r3 to r10. */
.macro halve_words
    sbfx r2, r3, #0, #1
    adds.w r3, r3, r2
    adcs.w r4, r4, r2
    adcs.w r5, r5, r2
    adcs.w r6, r6, #0
    adcs.w r7, r7, #0
    adcs.w r8, r8, #0
    adcs.w r9, r9, r2, lsr #31
    adcs.w r10, r10, r2
    rrxs r10, r10
    rrxs r9, r9
    rrxs r8, r8
    rrxs r7, r7
    rrxs r6, r6
    rrxs r5, r5
    rrxs r4, r4
    rrx r3, r3
.endm

part halve_part
    ldm.w r1, {r3-r10}
    halve_words
    stm.w r0, {r3-r10}
    bx lr

/* r0 = 3 r1 / 2 */
part three_halves_part
    ldm.w r1, {r3-r10}
    halve_words
    add_words r1, r2
    bx lr

exported mote_p256_multiply, multiply_part
exported mote_p256_square, square_part
exported mote_p256_add, add_part
exported mote_p256_subtract, subtract_part
exported mote_p256_halve, halve_part

/* r0 = -r0 where the mask in r1 is all ones: each bit inverted, and 1 and p added. */
function mote_p256_negate_if
    push.w {r4-r10}
    ldm.w r0, {r3-r10}
    eor.w r3, r3, r1
    eor.w r4, r4, r1
    eor.w r5, r5, r1
    eor.w r6, r6, r1
    eor.w r7, r7, r1
    eor.w r8, r8, r1
    eor.w r9, r9, r1
    eor.w r10, r10, r1
    lsrs.w r2, r1, #1
    adcs.w r3, r3, r1
    adcs.w r4, r4, r1
    adcs.w r5, r5, r1
    adcs.w r6, r6, #0
    adcs.w r7, r7, #0
    adcs.w r8, r8, #0
    adcs.w r9, r9, r1, lsr #31
    adc.w r10, r10, r1
    stm.w r0, {r3-r10}
    pop.w {r4-r10}
    bx lr

/* Points: their coordinates. */
#define X 0
#define Y 32
#define Z 64
/* On the stack: three numbers, and the addresses of what the functions are given. */
#define S 0
#define T 32
#define U 64
#define R 104
#define A 108

/* Sets a register to a number on the stack, or to a coordinate of the point whose address is on the stack. */
.macro local register, place
    add \register, sp, #\place
.endm

.macro given register, address, place
    ldr \register, [sp, #\address]
    .if \place
    adds \register, #\place
    .endif
.endm

/* r0 = 2 r1, points: the steps of the C function. */
part double_part
    push {r0, r1, lr}
    sub sp, #104
    adds r1, #Z
    local r0, T
    bl square_part
    local r0, U
    given r1, A, X
    local r2, T
    bl subtract_part
    local r0, T
    given r1, A, X
    local r2, T
    bl add_part
    local r0, T
    local r1, T
    local r2, U
    bl multiply_part
    local r0, S
    local r1, T
    bl three_halves_part
    given r0, R, Z
    given r1, A, Y
    given r2, A, Z
    bl multiply_part
    local r0, T
    given r1, A, Y
    bl square_part
    local r0, U
    given r1, A, X
    local r2, T
    bl multiply_part
    local r0, T
    local r1, T
    bl square_part
    given r0, R, X
    local r1, S
    bl square_part
    given r0, R, X
    local r1, U
    bl subtract_twice_part
    local r0, U
    local r1, U
    given r2, R, X
    bl subtract_part
    local r0, U
    local r1, U
    local r2, S
    bl multiply_part
    given r0, R, Y
    local r1, U
    local r2, T
    bl subtract_part
    add sp, #112
    pop {pc}

exported mote_p256_double, double_part

/* r0 = r0 + r1, a point in affine coordinates; r2 and r3 get the differences: the steps of the C function. */
#define H 112 /* addresses of the differences; r0 and r1 as above */
#define V 116
part add_affine_part
    push {r0-r3, lr}
    sub sp, #104
    mov r0, r2
    given r1, R, Z
    bl square_part
    given r0, V, 0
    given r1, H, 0
    given r2, R, Z
    bl multiply_part
    given r0, H, 0
    mov r1, r0
    given r2, A, X
    bl multiply_part
    given r0, V, 0
    mov r1, r0
    given r2, A, Y
    bl multiply_part
    given r0, H, 0
    mov r1, r0
    given r2, R, X
    bl subtract_part
    given r0, V, 0
    mov r1, r0
    given r2, R, Y
    bl subtract_part
    given r0, R, Z
    mov r1, r0
    given r2, H, 0
    bl multiply_part
    local r0, S
    given r1, H, 0
    bl square_part
    local r0, T
    local r1, S
    given r2, H, 0
    bl multiply_part
    local r0, S
    local r1, S
    given r2, R, X
    bl multiply_part
    given r0, R, Y
    mov r1, r0
    local r2, T
    bl multiply_part
    given r0, R, X
    given r1, V, 0
    bl square_part
    given r0, R, X
    mov r1, r0
    local r2, T
    bl subtract_part
    given r0, R, X
    local r1, S
    bl subtract_twice_part
    local r0, S
    local r1, S
    given r2, R, X
    bl subtract_part
    local r0, T
    local r1, S
    given r2, V, 0
    bl multiply_part
    given r0, R, Y
    local r1, T
    mov r2, r0
    bl subtract_part
    add sp, #120
    pop {pc}

exported mote_p256_add_affine, add_affine_part

/* Four words of an entry of the table, taken if it is the one. Moves that are not executed take a cycle too. */
.macro take_entry number
    ldr.w r8, [r1, #64 * \number]
    ldr.w r9, [r1, #64 * \number + 4]
    ldr.w r10, [r1, #64 * \number + 8]
    ldr.w r11, [r1, #64 * \number + 12]
    cmp r2, #\number
    itttt eq
    moveq r4, r8
    moveq r5, r9
    moveq r6, r10
    moveq r7, r11
.endm

/* r0 = point r2 of the eight in r1; all are read. */
function mote_p256_look_up
    push.w {r4-r11}
    add.w r12, r1, #64
look_up_part:
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
    pop.w {r4-r11}
    bx lr

/*
 * r0 = r1 r2 modulo n: for each word of r2, all of r1 times it, then the multiple of n that makes the lowest word 0. The upper
 * half of n is 2^256 - 2^224 + 2^192 - 2^128. The sum has ten words, r3 to r12.
 */
function mote_p256_scalar_multiply
    push.w {r0, r1, r4-r11, lr}
    sub.w sp, sp, #8
    add.w r3, r2, #32
    str.w r3, [sp]
    mov.w r3, #0
    mov.w r4, #0
    mov.w r5, #0
    mov.w r6, #0
    mov.w r7, #0
    mov.w r8, #0
    mov.w r9, #0
    mov.w r10, #0
    mov.w r11, #0
scalar_row:
    ldr.w r1, [sp, #12]
    ldr.w r12, [r2], #4
    mov.w r0, #0
    ldr.w lr, [r1]
    umaal r3, r0, lr, r12
    ldr.w lr, [r1, #4]
    umaal r4, r0, lr, r12
    ldr.w lr, [r1, #8]
    umaal r5, r0, lr, r12
    ldr.w lr, [r1, #12]
    umaal r6, r0, lr, r12
    ldr.w lr, [r1, #16]
    umaal r7, r0, lr, r12
    ldr.w lr, [r1, #20]
    umaal r8, r0, lr, r12
    ldr.w lr, [r1, #24]
    umaal r9, r0, lr, r12
    ldr.w lr, [r1, #28]
    umaal r10, r0, lr, r12
    mov.w r12, #0
    adds.w r11, r11, r0
    adc.w r12, r12, #0
    ldr.w lr, scalar_inverse
    mul r1, r3, lr
    mov.w r0, #0
    ldr.w lr, scalar_n
    umaal r3, r0, lr, r1
    ldr.w lr, scalar_n + 4
    umaal r4, r0, lr, r1
    ldr.w lr, scalar_n + 8
    umaal r5, r0, lr, r1
    ldr.w lr, scalar_n + 12
    umaal r6, r0, lr, r1
    mov.w lr, #-1
    umaal r7, r0, lr, r1
    umaal r8, r0, lr, r1
    adds.w r9, r9, r0
    mov.w r0, #0
    adc.w r0, r0, #0
    umaal r10, r0, lr, r1
    adds.w r11, r11, r0
    adc.w r12, r12, #0
    mov.w r3, r4
    mov.w r4, r5
    mov.w r5, r6
    mov.w r6, r7
    mov.w r7, r8
    mov.w r8, r9
    mov.w r9, r10
    mov.w r10, r11
    mov.w r11, r12
    ldr.w lr, [sp]
    cmp.w r2, lr
    bne.w scalar_row
    /* Less n; n again, if that was too much. */
    ldr.w r0, scalar_n
    ldr.w r1, scalar_n + 4
    ldr.w r2, scalar_n + 8
    ldr.w r12, scalar_n + 12
    mov.w lr, #-1
    subs.w r3, r3, r0
    sbcs.w r4, r4, r1
    sbcs.w r5, r5, r2
    sbcs.w r6, r6, r12
    sbcs.w r7, r7, lr
    sbcs.w r8, r8, lr
    sbcs.w r9, r9, #0
    sbcs.w r10, r10, lr
    sbcs.w r11, r11, #0
    and.w r0, r0, r11
    and.w r1, r1, r11
    and.w r2, r2, r11
    and.w r12, r12, r11
    adds.w r3, r3, r0
    adcs.w r4, r4, r1
    adcs.w r5, r5, r2
    adcs.w r6, r6, r12
    adcs.w r7, r7, r11
    adcs.w r8, r8, r11
    adcs.w r9, r9, #0
    adc.w r10, r10, r11
    add.w sp, sp, #8
    pop.w {r0, r1}
    stm.w r0, {r3-r10}
    pop.w {r4-r11, pc}
    .balign 4
scalar_n:
    .word 0xfc632551, 0xf3b9cac2, 0xa7179e84, 0xbce6faad
scalar_inverse: /* -1 / n modulo 2^32 */
    .word 0xee00bc4f

/* Divsteps: see p256_inverse.c. A factor of 1, 0 or -1 takes a multiplication instead of masks. */

/* int32_t mote_p256_do_steps(steps *t, int32_t delta, uint32_t f, uint32_t g): r8 to r11 are u, v, q and r. */
function mote_p256_do_steps
    push.w {r4-r11}
    mov.w r8, #1
    mov.w r9, #0
    mov.w r10, #0
    mov.w r11, #1
    mov.w r12, #10
do_three_steps:
    .rept 3
    asr.w r4, r1, #31
    sbfx r5, r3, #0, #1
    orr.w r6, r4, #1
    and.w r6, r6, r5
    mla r3, r2, r6, r3
    mla r10, r8, r6, r10
    mla r11, r9, r6, r11
    and.w r4, r4, r5
    eor.w r1, r1, r4
    sub.w r1, r1, #1
    mls r2, r3, r4, r2
    mls r8, r10, r4, r8
    mls r9, r11, r4, r9
    lsr.w r3, r3, #1
    lsl.w r8, r8, #1
    lsl.w r9, r9, #1
    .endr
    subs.w r12, r12, #1
    bne.w do_three_steps
    stm.w r0, {r8-r11}
    mov.w r0, r1
    pop.w {r4-r11}
    bx lr

/* Leaves out the low 30 bits. */
.macro shift_limb low, high
    lsr.w \low, \low, #30
    orr.w \low, \low, \high, lsl #2
    asr.w \high, \high, #30
.endm

#define LIMB 36 /* bytes of a number */

/* void mote_p256_step_numbers(limbs f_g[2], const steps *t) */
function mote_p256_step_numbers
    push.w {r4-r10}
    ldm.w r1, {r3-r6}
    mov.w r7, #0
    mov.w r8, #0
    mov.w r9, #0
    mov.w r10, #0
    .set place, 0
    .rept 9
    ldr.w r1, [r0, #place]
    ldr.w r2, [r0, #place + LIMB]
    smlal r7, r8, r3, r1
    smlal r9, r10, r5, r1
    smlal r7, r8, r4, r2
    smlal r9, r10, r6, r2
    .if place
    bic.w r1, r7, #0xc0000000
    bic.w r2, r9, #0xc0000000
    str.w r1, [r0, #place - 4]
    str.w r2, [r0, #place + LIMB - 4]
    .endif
    shift_limb r7, r8
    shift_limb r9, r10
    .set place, place + 4
    .endr
    str.w r7, [r0, #LIMB - 4]
    str.w r9, [r0, #2 * LIMB - 4]
    pop.w {r4-r10}
    bx lr

/* void mote_p256_step_modulo(limbs d_e_m[3], const steps *t, uint32_t inverse) */
function mote_p256_step_modulo
    push.w {r2, r4-r11, lr}
    ldm.w r1, {r3-r6}
    ldr.w r1, [r0, #LIMB - 4]
    ldr.w r2, [r0, #2 * LIMB - 4]
    asr.w r1, r1, #31
    asr.w r2, r2, #31
    and.w r7, r3, r1
    and.w lr, r4, r2
    add.w r7, r7, lr
    and.w r8, r5, r1
    and.w lr, r6, r2
    add.w r8, r8, lr
    mov.w r9, #0
    mov.w r10, #0
    mov.w r11, #0
    mov.w r12, #0
    .set place, 0
    .rept 9
    ldr.w r1, [r0, #place]
    ldr.w r2, [r0, #place + LIMB]
    smlal r9, r10, r3, r1
    smlal r11, r12, r5, r1
    smlal r9, r10, r4, r2
    smlal r11, r12, r6, r2
    .if place == 0
    ldr.w lr, [sp]
    mla r1, lr, r9, r7
    mla r2, lr, r11, r8
    bic.w r1, r1, #0xc0000000
    bic.w r2, r2, #0xc0000000
    sub.w r7, r7, r1
    sub.w r8, r8, r2
    .endif
    ldr.w lr, [r0, #place + 2 * LIMB]
    smlal r9, r10, lr, r7
    smlal r11, r12, lr, r8
    .if place
    bic.w r1, r9, #0xc0000000
    bic.w r2, r11, #0xc0000000
    str.w r1, [r0, #place - 4]
    str.w r2, [r0, #place + LIMB - 4]
    .endif
    shift_limb r9, r10
    shift_limb r11, r12
    .set place, place + 4
    .endr
    str.w r9, [r0, #LIMB - 4]
    str.w r11, [r0, #2 * LIMB - 4]
    pop.w {r2, r4-r11, pc}

#endif
