/*
 * The field of field.h, and the ladder of X25519, on ARMv7E-M (Cortex-M4). No branch and no address depends on a number. A
 * product takes one cycle, whatever is multiplied. That is not so on a Cortex-M3, which has the code for ARMv6-M.
 *
 * UMAAL multiplies two words and adds two more, which fits 64 bits. A row of products so takes a word of the sum and a word
 * that is carried. Functions that begin with `field_` keep no register. Their result is in r0, r1, r2, r4, r5, r6, r7, r8, the
 * lowest word first: "the number in registers". Where a function takes a number in registers, it is there too.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7M && !MOTE_ASSEMBLY_ARMV7EM
#include "field_thumb.inc"
#endif

#if MOTE_ASSEMBLY_ARMV7EM
#include "mote/armv7m.h"

#define NUMBER r0, r1, r2, r4, r5, r6, r7, r8

/* high = what is above 255 bits of high:low, 19 times; that is taken from low. */
.macro fold low, high, spare
    lsl.w \high, \high, #1
    orr.w \high, \high, \low, lsr #31
    bic.w \low, \low, #0x80000000
    add.w \spare, \high, \high, lsl #3
    add.w \high, \high, \spare, lsl #1
.endm

/*
 * Multiplication: the lower four words of a by all of b, then the upper four. A row is a word of b. The row's lowest word is
 * whole; the others are the sum that the next row begins with.
 */
#define A0 r0
#define A1 r1
#define A2 r2
#define A3 r3
#define B_AT r4
#define A_AT r5
#define B lr

.macro row w0, w1, w2, w3, carry
    umaal \w0, \carry, A0, B
    umaal \w1, \carry, A1, B
    umaal \w2, \carry, A2, B
    umaal \w3, \carry, A3, B
.endm

/* The row of word \number of b, and the word \done of the row before it to the stack. */
.macro row_and_store number, done, at, w0, w1, w2, w3, carry
    ldr.w B, [B_AT, #4 * (\number)]
    str.w \done, [sp, #4 * (\at)]
    mov.w \carry, #0
    row \w0, \w1, \w2, \w3, \carry
.endm

/* The product of the numbers at B_AT and A_AT. */
    routine field_multiply
    push {lr}
    sub sp, #32
    ldm.w A_AT!, {A0, A1, A2, A3}
    ldr.w B, [B_AT]
    umull r9, r6, A0, B
    mov.w r10, #0
    umlal r6, r10, A1, B
    mov.w r11, #0
    umlal r10, r11, A2, B
    mov.w r12, #0
    umlal r11, r12, A3, B
    row_and_store 1, r9, 0, r6, r10, r11, r12, r9
    row_and_store 2, r6, 1, r10, r11, r12, r9, r6
    row_and_store 3, r10, 2, r11, r12, r9, r6, r10
    row_and_store 4, r11, 3, r12, r9, r6, r10, r11
    row_and_store 5, r12, 4, r9, r6, r10, r11, r12
    row_and_store 6, r9, 5, r6, r10, r11, r12, r9
    row_and_store 7, r6, 6, r10, r11, r12, r9, r6
    /* Word 7 is in r10, words 8 to 11 in r11, r12, r9, r6. */
    str.w r6, [sp, #28]
    ldm.w A_AT, {A0, A1, A2, A3}
    ldr.w A_AT, [sp, #16]
    ldr.w r7, [sp, #20]
    ldr.w r8, [sp, #24]
    ldr.w B, [B_AT]
    mov.w r6, #0
    row A_AT, r7, r8, r10, r6
    row_and_store 1, A_AT, 4, r7, r8, r10, r6, A_AT
    row_and_store 2, r7, 5, r8, r10, r6, A_AT, r7
    row_and_store 3, r8, 6, r10, r6, A_AT, r7, r8
    ldr.w B, [B_AT, #16]
    row r6, A_AT, r7, r8, r11
    ldr.w B, [B_AT, #20]
    row A_AT, r7, r8, r11, r12
    ldr.w B, [B_AT, #24]
    row r7, r8, r11, r12, r9
    ldr.w B, [B_AT, #28]
    ldr.w B_AT, [sp, #28]
    row r8, r11, r12, r9, B_AT
    /* Word 7 is in r10, words 8 to 15 in r6, r5, r7, r8, r11, r12, r9, r4: 38 times these are added. */
    mov.w lr, #38
    mov.w r3, #0
    umlal r10, r3, r4, lr
    fold r10, r3, r4
    ldm sp, {r0, r1, r2, r4}
    umaal r0, r3, r6, lr
    umaal r1, r3, r5, lr
    umaal r2, r3, r7, lr
    umaal r4, r3, r8, lr
    ldr.w r5, [sp, #16]
    ldr.w r6, [sp, #20]
    ldr.w r7, [sp, #24]
    umaal r5, r3, r11, lr
    umaal r6, r3, r12, lr
    umaal r7, r3, r9, lr
    add.w r8, r10, r3
    add sp, #32
    pop {pc}

#undef A0
#undef A1
#undef A2
#undef A3
#undef B_AT
#undef A_AT
#undef B

/*
 * Squares the number in registers. Column by column: the products of two different words, whose rows each have a word that
 * is carried; twice the sum of them, by the carry flag; and the square of a word.
 */
#define A0 r0
#define A1 r1
#define A2 r2
#define A3 r4
#define A4 r5
#define A5 r6
#define A6 r7
#define A7 r8
#define C0 r3
#define C1 r9
#define C2 r10
#define T r11
#define S r12
#define Z lr

    routine field_square
    push {lr}
    sub sp, #28
    mov.w Z, #0
    umull T, S, A0, A0
    str.w T, [sp]
    umull T, C0, A0, A1
    adds.w T, T, T
    umaal T, S, Z, Z
    str.w T, [sp, #4]
    mov.w T, #0
    umaal T, C0, A0, A2
    adcs.w T, T, T
    umaal T, S, A1, A1
    str.w T, [sp, #8]
    umull T, C1, A1, A2
    umaal T, C0, A0, A3
    adcs.w T, T, T
    umaal T, S, Z, Z
    str.w T, [sp, #12]
    mov.w T, #0
    umaal T, C0, A0, A4
    umaal T, C1, A1, A3
    adcs.w T, T, T
    umaal T, S, A2, A2
    str.w T, [sp, #16]
    umull T, C2, A2, A3
    umaal T, C0, A0, A5
    umaal T, C1, A1, A4
    adcs.w T, T, T
    umaal T, S, Z, Z
    str.w T, [sp, #20]
    mov.w T, #0
    umaal T, C0, A0, A6
    umaal T, C1, A1, A5
    umaal T, C2, A2, A4
    adcs.w T, T, T
    umaal T, S, A3, A3
    str.w T, [sp, #24]
    umull T, Z, A3, A4
    umaal T, C0, A0, A7
    mov.w A0, #0
    umaal T, C1, A1, A6
    umaal T, C2, A2, A5
    adcs.w T, T, T
    umaal T, S, A0, A0
    /* Column 8. */
    umaal C0, C1, A1, A7
    umaal C0, C2, A2, A6
    umaal C0, Z, A3, A5
    adcs.w C0, C0, C0
    umaal C0, S, A4, A4
    mov.w A1, #0
    umaal A1, C1, A2, A7
    umaal A1, C2, A3, A6
    umaal A1, Z, A4, A5
    adcs.w A1, A1, A1
    umaal A1, S, A0, A0
    umaal C1, C2, A3, A7
    umaal C1, Z, A4, A6
    adcs.w C1, C1, C1
    umaal C1, S, A5, A5
    mov.w A2, #0
    umaal A2, C2, A4, A7
    umaal A2, Z, A5, A6
    adcs.w A2, A2, A2
    umaal A2, S, A0, A0
    umaal C2, Z, A5, A7
    adcs.w C2, C2, C2
    umaal C2, S, A6, A6
    mov.w A3, #0
    umaal A3, Z, A6, A7
    adcs.w A3, A3, A3
    umaal A3, S, A0, A0
    adcs.w Z, Z, Z
    umaal Z, S, A7, A7
    adc.w S, S, A0
    /* Word 7 is in T, words 8 to 15 in C0, A1, C1, A2, C2, A3, Z, S: 38 times these are added. */
    mov.w A7, #38
    umlal T, A0, S, A7
    fold T, A0, S
    mov.w S, A0
    mov.w A5, A1
    mov.w A6, A2
    ldm sp, {A0, A1, A2}
    umaal A0, S, C0, A7
    umaal A1, S, A5, A7
    mov.w C0, A3
    umaal A2, S, C1, A7
    ldr.w A3, [sp, #12]
    ldr.w A4, [sp, #16]
    ldr.w A5, [sp, #20]
    umaal A3, S, A6, A7
    ldr.w A6, [sp, #24]
    umaal A4, S, C2, A7
    umaal A5, S, C0, A7
    umaal A6, S, Z, A7
    add.w A7, T, S
    add sp, #28
    pop {pc}

/* The sum of the numbers at r9 and r10. */
    routine field_add
    ldm r9, {NUMBER}
    ldm r10!, {r3, r9, r11, r12}
    adds.w r0, r0, r3
    adcs.w r1, r1, r9
    adcs.w r2, r2, r11
    adcs.w r4, r4, r12
    ldm r10, {r3, r9, r11, r12}
    adcs.w r5, r5, r3
    adcs.w r6, r6, r9
    adcs.w r7, r7, r11
    adcs.w r8, r8, r12
    mov.w r3, #0
    mov.w r9, #38
    adc.w r11, r3, r3
    mul r11, r11, r9
    adds.w r0, r0, r11
    adcs.w r1, r1, r3
    adcs.w r2, r2, r3
    adcs.w r4, r4, r3
    adcs.w r5, r5, r3
    adcs.w r6, r6, r3
    adcs.w r7, r7, r3
    adcs.w r8, r8, r3
    /* If that carries, the number is below 38. */
    adc.w r11, r3, r3
    mla r0, r11, r9, r0
    bx lr

/* The number at r9 less the number at r10. */
    routine field_subtract
    ldm r9, {NUMBER}
    ldm r10!, {r3, r9, r11, r12}
    subs.w r0, r0, r3
    sbcs.w r1, r1, r9
    sbcs.w r2, r2, r11
    sbcs.w r4, r4, r12
    ldm r10, {r3, r9, r11, r12}
    sbcs.w r5, r5, r3
    sbcs.w r6, r6, r9
    sbcs.w r7, r7, r11
    sbcs.w r8, r8, r12
    sbc.w r3, r3, r3
    and.w r3, r3, #38
    subs.w r0, r0, r3
    sbcs.w r1, r1, #0
    sbcs.w r2, r2, #0
    sbcs.w r4, r4, #0
    sbcs.w r5, r5, #0
    sbcs.w r6, r6, #0
    sbcs.w r7, r7, #0
    sbcs.w r8, r8, #0
    /* If that borrows, the number is 2^256 less 38 at most. */
    sbc.w r3, r3, r3
    and.w r3, r3, #38
    sub.w r0, r0, r3
    bx lr

/* 121665 times the number in registers, and the number at r3. */
    routine field_multiply_add
    movw r12, #121665 & 0xffff
    movt r12, #121665 >> 16
    ldr.w r9, [r3, #28]
    mov.w r10, #0
    umlal r9, r10, r8, r12
    fold r9, r10, r11
    ldm r3!, {r8, r11}
    umaal r8, r10, r0, r12
    umaal r11, r10, r1, r12
    mov r0, r8
    mov r1, r11
    ldm r3!, {r8, r11}
    umaal r8, r10, r2, r12
    umaal r11, r10, r4, r12
    mov r2, r8
    mov r4, r11
    ldm r3, {r3, r8, r11}
    umaal r3, r10, r5, r12
    umaal r8, r10, r6, r12
    umaal r11, r10, r7, r12
    mov r5, r3
    mov r6, r8
    mov r7, r11
    add.w r8, r9, r10
    bx lr

    function mote_f25519_multiply
    save_registers
    push {r0, r1}
    mov r5, r1
    mov r4, r2
    bl field_multiply
    pop {r3, r9}
    stm r3, {NUMBER}
    return

    function mote_f25519_add
    save_registers
    push {r0, r1}
    mov r9, r1
    mov r10, r2
    bl field_add
    pop {r3, r9}
    stm r3, {NUMBER}
    return

    function mote_f25519_subtract
    save_registers
    push {r0, r1}
    mov r9, r1
    mov r10, r2
    bl field_subtract
    pop {r3, r9}
    stm r3, {NUMBER}
    return

    function mote_f25519_multiply_add
    save_registers
    push {r0, r2}
    ldm r1, {NUMBER}
    ldr r3, [sp, #4]
    bl field_multiply_add
    pop {r3, r9}
    stm r3, {NUMBER}
    return

    function mote_f25519_square
    save_registers
    push {r0, r2}
    ldm r1, {NUMBER}
1:  bl field_square
    ldr r3, [sp, #4]
    subs r3, #1
    str r3, [sp, #4]
    bne 1b
    pop {r3, r9}
    stm r3, {NUMBER}
    return

/* The ladder: its numbers on the stack, and below them what functions push. */
#define X1 0
#define X2 32
#define Z2 64
#define X3 96
#define Z3 128
#define U 160
#define V 192
#define TURNS 224
#define STEPS 228
#define FRAME 232

.macro store_at to
    add r3, sp, #\to
    stm r3, {NUMBER}
.endm

.macro call function, to, a, b
    add r9, sp, #\a
    add r10, sp, #\b
    bl \function
    store_at \to
.endm

.macro multiply to, a, b
    add r4, sp, #\b
    add r5, sp, #\a
    bl field_multiply
    store_at \to
.endm

/* \first, or \other where the bytes of the flags GE are 1, to registers. */
.macro select first, other
    add r9, sp, #\other
    add r10, sp, #\first
    ldm r9, {NUMBER}
    ldm r10!, {r3, r9, r11, r12}
    sel r0, r0, r3
    sel r1, r1, r9
    sel r2, r2, r11
    sel r4, r4, r12
    ldm r10, {r3, r9, r11, r12}
    sel r5, r5, r3
    sel r6, r6, r9
    sel r7, r7, r11
    sel r8, r8, r12
.endm

/* void mote_x25519_climb(mote_f25519 *x2, mote_f25519 *z2, const mote_f25519 *x1, const uint32_t turns[8]) */
    function mote_x25519_climb
    save_registers
    push {r0, r1}
    sub sp, #FRAME
    str r3, [sp, #TURNS]
    ldm r2, {NUMBER}
    add r3, sp, #X1
    stm r3, {NUMBER}
    add r3, sp, #X3
    stm r3, {NUMBER}
    mov.w r0, #1
    mov.w r1, #0
    mov.w r2, #0
    mov.w r4, #0
    mov.w r5, #0
    mov.w r6, #0
    mov.w r7, #0
    mov.w r8, #0
    store_at X2
    store_at Z3
    mov.w r0, #0
    store_at Z2
    mov.w r0, #255
climb:
    str r0, [sp, #STEPS]
    call field_add, U, X2, Z2
    call field_subtract, V, X2, Z2
    call field_add, X2, X3, Z3
    call field_subtract, Z2, X3, Z3
    multiply X3, Z2, U
    multiply Z3, X2, V
    /* The bit of this step. */
    ldr r1, [sp, #TURNS]
    ldr r0, [sp, #STEPS]
    sub r0, #1
    lsr r2, r0, #5
    ldr r1, [r1, r2, lsl #2]
    and r0, #31
    lsr r1, r0
    sbfx r1, r1, #0, #1
    uadd8 r1, r1, r1
    select U, X2
    bl field_square
    store_at U
    /* GE is as it was: no function changes it. */
    select V, Z2
    bl field_square
    store_at V
    multiply X2, U, V
    call field_subtract, V, U, V
    add r3, sp, #U
    bl field_multiply_add
    store_at U
    multiply Z2, U, V
    add r9, sp, #X3
    add r10, sp, #Z3
    bl field_subtract
    bl field_square
    store_at U
    add r9, sp, #X3
    add r10, sp, #Z3
    bl field_add
    bl field_square
    store_at X3
    multiply Z3, U, X1
    ldr r0, [sp, #STEPS]
    subs r0, #1
    bne climb

    ldr r9, [sp, #FRAME]
    add r3, sp, #X2
    ldm r3, {NUMBER}
    stm r9, {NUMBER}
    ldr r9, [sp, #FRAME + 4]
    add r3, sp, #Z2
    ldm r3, {NUMBER}
    stm r9, {NUMBER}
    /* Wipes what is secret. */
    mov.w r0, #0
    mov.w r1, #0
    add r3, sp, #FRAME
1:  strd r0, r1, [r3, #-8]!
    cmp r3, sp
    bne 1b
    add sp, #FRAME + 8
    return
#endif
