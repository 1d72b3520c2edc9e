/*
 * DES on an AVR: what `crypt` of des.c does. No branch depends on a secret; the tables are looked up in flash, where
 * every look-up takes three cycles.
 *
 * A box with its 64 entries of four bytes is a page of 256 bytes, so that six bits times 4 are the low byte of an
 * address. Four boxes have a byte that is zero in every entry: it is stepped over.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

#define L0 r2
#define L1 r3
#define L2 r4
#define L3 r5
#define R0 r6
#define R1 r7
#define R2 r8
#define R3 r9
#define T0 r18 /* a half turned left by four bits; T0 and T2 are even, for movw */
#define T1 r19
#define T2 r20
#define T3 r21
#define LEFT r22
#define PASSES r23
#define FACTOR r24
#define SPARE r25

.macro add_byte to, byte, zero
    .if \byte == \zero
    inc r30
    .else
    lpm SPARE, Z+
    eor \to, SPARE
    .endif
.endm

/* The box's entry at half ^ key byte; its byte `zero` is always 0 (4: none is). */
.macro add_box box, half, key, zero, to0, to1, to2, to3
    ldd r30, Y + \key
    eor r30, \half
    andi r30, 0xfc
    ldi r31, hi8(mote_des_boxes + 256 * \box)
    add_byte \to0, 0, \zero
    add_byte \to1, 1, \zero
    add_byte \to2, 2, \zero
    .if \zero != 3
    lpm SPARE, Z
    eor \to3, SPARE
    .endif
.endm

.macro one_round to0, to1, to2, to3, half0, half1, half2, half3
    mul \half0, FACTOR
    movw T0, r0
    mul \half2, FACTOR
    movw T2, r0
    mul \half1, FACTOR
    eor T1, r0
    eor T2, r1
    mul \half3, FACTOR
    eor T3, r0
    eor T0, r1
    add_box 0, \half3, 3, 3, \to0, \to1, \to2, \to3
    add_box 2, \half2, 2, 2, \to0, \to1, \to2, \to3
    add_box 4, \half1, 1, 1, \to0, \to1, \to2, \to3
    add_box 6, \half0, 0, 0, \to0, \to1, \to2, \to3
    add_box 1, T3, 7, 4, \to0, \to1, \to2, \to3
    add_box 3, T2, 6, 4, \to0, \to1, \to2, \to3
    add_box 5, T1, 5, 4, \to0, \to1, \to2, \to3
    add_box 7, T0, 4, 4, \to0, \to1, \to2, \to3
    adiw r28, 8
.endm

.macro turn_right b0, b1, b2, b3
    bst \b0, 0
    lsr \b3
    ror \b2
    ror \b1
    ror \b0
    bld \b3, 7
.endm

/* Needs 0 in r1. */
.macro turn_left b0, b1, b2, b3
    lsl \b0
    rol \b1
    rol \b2
    rol \b3
    adc \b0, r1
.endm

/* void mote_des_crypt(const mote_des_round *round, uint8_t passes, const uint8_t *in, uint8_t *out) */
    .section .text.mote_des_crypt, "ax", @progbits
    .global mote_des_crypt
    .type mote_des_crypt, @function
mote_des_crypt:
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9, 28, 29, 18, 19
    push \register
    .endr
    movw r30, r20
    movw r28, r24
    mov PASSES, r22
    ldi LEFT, 8
    /* The initial permutation: every other bit of a byte goes to the left half, each to a byte of its own. */
1:  ld r0, Z+
    .irp to, L0, R0, L1, R1, L2, R2, L3, R3
    lsr r0
    ror \to
    .endr
    dec LEFT
    brne 1b
    turn_right L0, L1, L2, L3
    turn_right R0, R1, R2, R3
    ldi FACTOR, 16
2:  ldi LEFT, 8
3:  one_round L0, L1, L2, L3, R0, R1, R2, R3
    one_round R0, R1, R2, R3, L0, L1, L2, L3
    dec LEFT
    breq 4f
    rjmp 3b
4:  movw T0, L0 /* the halves change places */
    movw T2, L2
    movw L0, R0
    movw L2, R2
    movw R0, T0
    movw R2, T2
    dec PASSES
    breq 5f
    rjmp 2b
5:  clr r1
    turn_left L0, L1, L2, L3
    turn_left R0, R1, R2, R3
    pop r31 /* out */
    pop r30
    ldi LEFT, 8
6:  .irp from, R3, L3, R2, L2, R1, L1, R0, L0
    lsr \from
    rol r0
    .endr
    st Z+, r0
    dec LEFT
    brne 6b
    .irp register, 29, 28, 9, 8, 7, 6, 5, 4, 3, 2
    pop \register
    .endr
    ret
    .size mote_des_crypt, . - mote_des_crypt

#endif
