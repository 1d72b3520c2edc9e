/*
 * The ring of ML-KEM on an AVR: FIPS 203, section 4.3. No branch and no address depends on a coefficient.
 *
 * q is 13 * 256 + 1 and its inverse modulo 2^16 is 1 - 13 * 256. So Montgomery's reduction of p takes two products by 13: the
 * multiple of q that is subtracted is t = p0 + 256 (p1 - 13 p0), and of t q only what goes to p2 and p3 is made, because p0 and
 * p1 become 0. The borrow of p1 - 13 p0 is the carry there.
 */
#include "mote/assembly.h"
#include "ml_kem_roots.h"

#if MOTE_ASSEMBLY_AVR

#define A0 r16
#define A1 r17
#define B0 r18
#define B1 r19
#define P0 r20
#define P1 r21
#define THIRTEEN r22
#define ZERO r23
#define P2 r24 /* and the result of a reduction */
#define P3 r25

.macro function name
    .section .text.\name, "ax", @progbits
    .global \name
    .type \name, @function
\name:
.endm

/* P = a b: the low bytes of a and the high byte of b in r16 to r23, the high byte of a from r16 on. a is not negative. */
.macro multiply_positive a0, a1, b0, b1
    muls \a1, \b1
    movw P2, r0
    mul \a0, \b0
    movw P0, r0
    mul \a1, \b0
    add P1, r0
    adc P2, r1
    adc P3, ZERO
    mulsu \b1, \a0
    sbc P3, ZERO
    add P1, r0
    adc P2, r1
    adc P3, ZERO
.endm

/* P += a b, the same way. */
.macro multiply_positive_add a0, a1, b0, b1
    muls \a1, \b1
    add P2, r0
    adc P3, r1
    mul \a0, \b0
    add P0, r0
    adc P1, r1
    adc P2, ZERO
    adc P3, ZERO
    mul \a1, \b0
    add P1, r0
    adc P2, r1
    adc P3, ZERO
    mulsu \b1, \a0
    sbc P3, ZERO
    add P1, r0
    adc P2, r1
    adc P3, ZERO
.endm

/* P = a b, all four bytes in r16 to r23. */
.macro multiply a0, a1, b0, b1
    muls \a1, \b1
    movw P2, r0
    mul \a0, \b0
    movw P0, r0
    mulsu \a1, \b0
    sbc P3, ZERO
    add P1, r0
    adc P2, r1
    adc P3, ZERO
    mulsu \b1, \a0
    sbc P3, ZERO
    add P1, r0
    adc P2, r1
    adc P3, ZERO
.endm

/* P R^-1 modulo q to P2 and P3. */
.macro reduce
    mul P0, THIRTEEN
    sub P1, r0
    adc r1, ZERO
    sub P2, r1
    sbc P3, ZERO
    mulsu P1, THIRTEEN
    adc P2, ZERO
    adc P3, ZERO
    sub P2, r0
    sbc P3, r1
.endm

/* The four coefficients in work, and the constants of a block: 17^BitRev7(i) R. */
#define C0 r2
#define C0H r3
#define C1 r4
#define C1H r5
#define C2 r6
#define C2H r7
#define C3 r8
#define C3H r9
#define Z1 r10
#define Z1H r11
#define Z2 r12
#define Z2H r13
#define Z3 r14
#define Z3H r15
#define STRIDE r26 /* bytes */
#define COUNT r27

/* Takes the constant in B. */
.macro butterfly a0, a1, b0, b1
    movw A0, \b0
    multiply A0, A1, B0, B1
    reduce
    movw \b0, \a0
    sub \b0, P2
    sbc \b1, P3
    add \a0, P2
    adc \a1, P3
.endm

.macro inverse_butterfly a0, a1, b0, b1
    movw A0, \b0
    sub A0, \a0
    sbc A1, \a1
    add \a0, \b0
    adc \a1, \b1
    multiply A0, A1, B0, B1
    reduce
    movw \b0, P2
.endm

/* Multiplies by the constant in B. */
.macro times a0
    movw A0, \a0
    multiply A0, A1, B0, B1
    reduce
    movw \a0, P2
.endm

.macro load_constant low, high, value
    ldi \low, lo8(\value)
    ldi \high, hi8(\value)
.endm

/* Four coefficients, STRIDE bytes apart; Y stays at the last. */
.macro load_four
    ld C0, Y
    ldd C0H, Y+1
    add r28, STRIDE
    adc r29, ZERO
    ld C1, Y
    ldd C1H, Y+1
    add r28, STRIDE
    adc r29, ZERO
    ld C2, Y
    ldd C2H, Y+1
    add r28, STRIDE
    adc r29, ZERO
    ld C3, Y
    ldd C3H, Y+1
.endm

/* Back to memory; Y goes to the next four. */
.macro store_four
    st Y, C3
    std Y+1, C3H
    sub r28, STRIDE
    sbc r29, ZERO
    st Y, C2
    std Y+1, C2H
    sub r28, STRIDE
    sbc r29, ZERO
    st Y, C1
    std Y+1, C1H
    sub r28, STRIDE
    sbc r29, ZERO
    st Y+, C0
    st Y+, C0H
.endm

/* To the next block, from the second quarter of this one. */
.macro next_block
    add r28, STRIDE
    adc r29, ZERO
    add r28, STRIDE
    adc r29, ZERO
    add r28, STRIDE
    adc r29, ZERO
.endm

/* Two coefficients and two others behind them. */
.macro load_pairs
    ld C0, Y
    ldd C0H, Y+1
    ldd C1, Y+2
    ldd C1H, Y+3
    ldd C2, Y+4
    ldd C2H, Y+5
    ldd C3, Y+6
    ldd C3H, Y+7
.endm

.macro store_pairs
    st Y+, C0
    st Y+, C0H
    st Y+, C1
    st Y+, C1H
    st Y+, C2
    st Y+, C2H
    st Y+, C3
    st Y+, C3H
.endm

/* Saves the caller's registers. */
.macro begin
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    push r\register
    .endr
.endm

.macro finish
    .irp register, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop r\register
    .endr
    clr r1
    ret
.endm

/* void mote_ml_kem_ntt(int16_t p[256]) */
function mote_ml_kem_ntt
    begin
    clr ZERO
    ldi THIRTEEN, 13
    movw r28, r24
    ldi r30, lo8(mote_ml_kem_zetas)
    ldi r31, hi8(mote_ml_kem_zetas)
    ldi STRIDE, 128
    ldi COUNT, 1 /* blocks */
1:  push COUNT
    push r28
    push r29
2:  push COUNT
    lpm Z1, Z+
    lpm Z1H, Z+
    lpm Z2, Z+
    lpm Z2H, Z+
    lpm Z3, Z+
    lpm Z3H, Z+
    mov COUNT, STRIDE
    lsr COUNT
3:  load_four
    movw B0, Z1
    butterfly C0, C0H, C2, C2H
    butterfly C1, C1H, C3, C3H
    movw B0, Z2
    butterfly C0, C0H, C1, C1H
    movw B0, Z3
    butterfly C2, C2H, C3, C3H
    store_four
    dec COUNT
    breq 4f
    rjmp 3b
4:  next_block
    pop COUNT
    dec COUNT
    breq 5f
    rjmp 2b
5:  pop r29
    pop r28
    pop COUNT
    lsl COUNT
    lsl COUNT
    lsr STRIDE
    lsr STRIDE
    cpi STRIDE, 2
    breq 6f
    rjmp 1b
6:  lpm B0, Z+
    lpm B1, Z+
    load_pairs
    butterfly C0, C0H, C2, C2H
    butterfly C1, C1H, C3, C3H
    store_pairs
    dec COUNT
    breq 7f
    rjmp 6b
7:  finish
    .size mote_ml_kem_ntt, . - mote_ml_kem_ntt

/* Three constants before Z, which goes back by them. */
.macro load_before
    sbiw r30, 6
    lpm Z3, Z+
    lpm Z3H, Z+
    lpm Z2, Z+
    lpm Z2H, Z+
    lpm Z1, Z+
    lpm Z1H, Z+
    sbiw r30, 6
.endm

.macro inverse_four
    movw B0, Z1
    inverse_butterfly C0, C0H, C1, C1H
    movw B0, Z2
    inverse_butterfly C2, C2H, C3, C3H
    movw B0, Z3
    inverse_butterfly C0, C0H, C2, C2H
    inverse_butterfly C1, C1H, C3, C3H
.endm

/*
 * void mote_ml_kem_inverse(int16_t p[256])
 *
 * Sums of the first layer, and those of four after each two layers, are reduced by a product with R^2; the last ones are
 * multiplied by R / 128.
 */
function mote_ml_kem_inverse
    begin
    clr ZERO
    ldi THIRTEEN, 13
    movw r28, r24
    ldi r30, lo8(mote_ml_kem_zetas_end)
    ldi r31, hi8(mote_ml_kem_zetas_end)
    push r28
    push r29
    ldi COUNT, 64
1:  sbiw r30, 2
    lpm B0, Z+
    lpm B1, Z+
    sbiw r30, 2
    load_pairs
    inverse_butterfly C0, C0H, C2, C2H
    inverse_butterfly C1, C1H, C3, C3H
    load_constant B0, B1, -1044
    times C0
    times C1
    store_pairs
    dec COUNT
    breq 2f
    rjmp 1b
2:  pop r29
    pop r28
    ldi STRIDE, 8
    ldi COUNT, 16 /* blocks */
3:  push COUNT
    push r28
    push r29
4:  push COUNT
    load_before
    mov COUNT, STRIDE
    lsr COUNT
5:  load_four
    inverse_four
    load_constant B0, B1, -1044
    times C0
    store_four
    dec COUNT
    breq 6f
    rjmp 5b
6:  next_block
    pop COUNT
    dec COUNT
    breq 7f
    rjmp 4b
7:  pop r29
    pop r28
    pop COUNT
    lsr COUNT
    lsr COUNT
    lsl STRIDE
    lsl STRIDE
    cpi STRIDE, 128
    breq 8f
    rjmp 3b
8:  load_before
    load_constant P0, P1, 1397 /* the last of these times R / 128 */
    movw Z3, P0
    ldi COUNT, 64
9:  load_four
    inverse_four
    load_constant B0, B1, 1441 /* R / 128 */
    times C0
    times C1
    store_four
    dec COUNT
    breq 10f
    rjmp 9b
10: finish
    .size mote_ml_kem_inverse, . - mote_ml_kem_inverse

/* Of a product of two polynomials: two coefficients of each, low and high bytes, and the root. */
#undef A0
#undef A1
#undef B0
#undef B1
#define FIRST_A r16
#define SECOND_A r17
#define FIRST_B_HIGH r18
#define SECOND_B_HIGH r19
#define FIRST_A_HIGH r26
#define SECOND_A_HIGH r27
#define FIRST_B r2
#define SECOND_B r3
#define ROOT r4
#define ROOT_HIGH r5
#define ROOTS r6
#define ROOTS_HIGH r7
#define COUNTER r8
#define A r10

/* Adds P2 and P3 to the sum at Z + \at. */
.macro add_to at
    ldd r0, Z+\at
    add r0, P2
    std Z+\at, r0
    ldd r0, Z+\at+1
    adc r0, P3
    std Z+\at+1, r0
.endm

/* negated: 1 for the second of two roots, which is the first with the other sign. */
.macro multiply_two negated
    movw r26, A
    ld FIRST_A, X+
    ld r0, X+
    ld SECOND_A, X+
    ld r1, X+
    movw A, r26
    movw FIRST_A_HIGH, r0
    ld FIRST_B, Y+
    ld FIRST_B_HIGH, Y+
    ld SECOND_B, Y+
    ld SECOND_B_HIGH, Y+
    multiply_positive FIRST_A, FIRST_A_HIGH, SECOND_B, SECOND_B_HIGH
    multiply_positive_add SECOND_A, SECOND_A_HIGH, FIRST_B, FIRST_B_HIGH
    reduce
    add_to 2
    multiply_positive SECOND_A, SECOND_A_HIGH, SECOND_B, SECOND_B_HIGH
    reduce
    .if \negated
    com P3
    neg P2
    sbci P3, -1
    .endif
    mov SECOND_B, P2
    mov SECOND_B_HIGH, P3
    mov SECOND_A, ROOT
    mov SECOND_A_HIGH, ROOT_HIGH
    multiply_positive SECOND_A, SECOND_A_HIGH, SECOND_B, SECOND_B_HIGH
    multiply_positive_add FIRST_A, FIRST_A_HIGH, FIRST_B, FIRST_B_HIGH
    reduce
    add_to 0
    adiw r30, 4
.endm

/* void mote_ml_kem_multiply_add(int16_t *sum, const int16_t *b, const int16_t a[16], uint16_t at) */
function mote_ml_kem_multiply_add
    begin
    movw A, r20
    lsl r18
    rol r19
    movw r30, r24
    add r30, r18
    adc r31, r19
    movw r28, r22
    ldi THIRTEEN, 13
    clr ZERO
    add r28, r18
    adc r29, r19
    lsr r19
    ror r18
    movw ROOTS, r18 /* two bytes for each four coefficients */
    ldi r18, lo8(roots)
    ldi r19, hi8(roots)
    lsr ROOTS_HIGH
    ror ROOTS
    add ROOTS, r18
    adc ROOTS_HIGH, r19
    ldi r18, 4
    mov COUNTER, r18
1:  movw r26, r30
    movw r30, ROOTS
    lpm ROOT, Z+
    lpm ROOT_HIGH, Z+
    movw ROOTS, r30
    movw r30, r26
    multiply_two 0
    multiply_two 1
    dec COUNTER
    breq 2f
    rjmp 1b
2:  finish
    .size mote_ml_kem_multiply_add, . - mote_ml_kem_multiply_add

/* 17^(2 BitRev7(i) + 1) R, for the products: not negative. */
    .section .progmem.data.mote_ml_kem_roots, "a", @progbits
roots:
    .irp root, MOTE_ML_KEM_ROOTS
    .word \root - 3329 * (\root < 0) /* true is -1 */
    .endr

/* 17^BitRev7(i) R: three for each block of two layers, then those of the last layer. */
    .section .progmem.data.mote_ml_kem_zetas, "a", @progbits
mote_ml_kem_zetas:
    .word -758, -359, -1517, 1493, -171, 622, 1422, 1577, 182, 287, 962, -1202
    .word 202, -1474, 1468, 573, 1223, 652, -1325, -552, 1015, 264, -1293, 1491
    .word 383, -282, -1544, -829, 516, -8, 1458, -320, -666, -1602, -1618, -1162
    .word -130, 126, 1469, -681, -853, -90, 1017, -271, 830, 732, 107, -1421
    .word 608, -247, -951, -1542, -398, 961, 411, -1508, -725, -205, 448, -1065
    .word -1571, 677, -1275
    .word MOTE_ML_KEM_ROOTS
mote_ml_kem_zetas_end:
#endif
