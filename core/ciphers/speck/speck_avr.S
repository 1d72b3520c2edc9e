/*
 * SPECK-64/128 on an AVR: blocks and key of speck.c, with everything in registers. No branch and no address depends on a
 * secret.
 *
 * Rotations by 8 bits are other names of registers: four rounds are one turn of the loop, which begins with the second
 * of them, as 27 = 7 * 4 - 1. Rotations by 3 bits are products: with 8 to the left, with 32 to the right. The product
 * of each byte has its upper bits where they go to in its high byte, its lower ones in its low byte.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

#define X0 r18
#define X1 r19
#define X2 r20
#define X3 r21
#define Y0 r22 /* each of these is even, for movw */
#define Y1 r23
#define Y2 r24
#define Y3 r25
#define Z0 r14 /* y of every other round */
#define Z1 r15
#define Z2 r16
#define Z3 r17
#define FACTOR r30
#define TURNS r31
/* For several blocks, as the T flag says: where `out` ends, and how far `in` is from it. */
#define END r10
#define END_HIGH r11
#define AWAY r12
#define AWAY_HIGH r13

.macro each what, registers:vararg
    .irp register, \registers
    \what \register
    .endr
.endm

.macro load byte
    ld \byte, Z+
.endm

.macro store byte
    st Y+, \byte
.endm

.macro add_key x
    ld r0, X+
    eor \x, r0
.endm

.macro add_key_back x
    ld r0, -X
    eor \x, r0
.endm

/* x = (x + y) ^ k, with x turned right already; z = (y turned left by 3) ^ x */
.macro encrypt_round x0, x1, x2, x3, y0, y1, y2, y3, z0, z1, z2, z3
    add \x0, \y0
    adc \x1, \y1
    adc \x2, \y2
    adc \x3, \y3
    each add_key, \x0, \x1, \x2, \x3
    mul \y0, FACTOR
    movw \z0, r0
    mul \y2, FACTOR
    movw \z2, r0
    mul \y1, FACTOR
    eor \z1, r0
    eor \z2, r1
    mul \y3, FACTOR
    eor \z3, r0
    eor \z0, r1
    eor \z0, \x0
    eor \z1, \x1
    eor \z2, \x2
    eor \z3, \x3
.endm

/*
 * z = (y ^ x) turned right by 3; x = (x ^ k) - z, to be turned left after that. z3 and z1 are even registers, z0 and
 * z2 the next ones.
 */
.macro decrypt_round x0, x1, x2, x3, y0, y1, y2, y3, z0, z1, z2, z3
    eor \y0, \x0
    eor \y1, \x1
    eor \y2, \x2
    eor \y3, \x3
    each add_key_back, \x3, \x2, \x1, \x0
    mul \y0, FACTOR
    movw \z3, r0
    mul \y2, FACTOR
    movw \z1, r0
    mul \y1, FACTOR
    eor \z0, r0
    eor \z1, r1
    mul \y3, FACTOR
    eor \z2, r0
    eor \z3, r1
    sub \x0, \z0
    sbc \x1, \z1
    sbc \x2, \z2
    sbc \x3, \z3
.endm

/*
 * void mote_speck_\way\()_64(const void *schedule, const uint8_t *in, uint8_t *out), and
 * void mote_speck_\way\()_blocks_64(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks). `key_step`:
 * by how much a block moves on in the schedule.
 */
.macro begin way, key_step
    .section .text.mote_speck_\way\()_64, "ax", @progbits
    .global mote_speck_\way\()_blocks_64
    .type mote_speck_\way\()_blocks_64, @function
mote_speck_\way\()_blocks_64:
    mov r0, r18
    or r0, r19
    brne 1f
    ret
1:  each push, r10, r11, r12, r13
    movw END, r18
    .rept 3
    lsl END
    rol END_HIGH
    .endr
    add END, r20
    adc END_HIGH, r21
    movw AWAY, r22
    sub AWAY, r20
    sbc AWAY_HIGH, r21
    set
    rjmp 1f
    .global mote_speck_\way\()_64
    .type mote_speck_\way\()_64, @function
mote_speck_\way\()_64:
    clt
1:  each push, r14, r15, r16, r17, r28, r29
    movw r28, r20
    movw r30, r22
    movw r26, r24
    .if \key_step < 0
    subi r26, lo8(\key_step)
    sbci r27, hi8(\key_step)
    .endif
.endm

/* Back to `again` with r26 at the keys and r30 at `in`, if there is another block. */
.macro end way, key_step, again
    brtc 1f
    cp r28, END
    cpc r29, END_HIGH
    breq 1f
    subi r26, lo8(\key_step)
    sbci r27, hi8(\key_step)
    movw r30, r28
    add r30, AWAY
    adc r31, AWAY_HIGH
    rjmp \again
1:  each pop, r29, r28, r17, r16, r15, r14
    brtc 1f
    each pop, r13, r12, r11, r10
1:  clr r1
    ret
    .size mote_speck_\way\()_64, . - mote_speck_\way\()_64
.endm

    begin encrypt, 4*27
2:  each load, Z0, Z1, Z2, Z3, X1, X2, X3, X0
    ldi FACTOR, 8
    ldi TURNS, 7
3:  encrypt_round X2, X3, X0, X1, Z0, Z1, Z2, Z3, Y0, Y1, Y2, Y3
    encrypt_round X3, X0, X1, X2, Y0, Y1, Y2, Y3, Z0, Z1, Z2, Z3
    encrypt_round X0, X1, X2, X3, Z0, Z1, Z2, Z3, Y0, Y1, Y2, Y3
    dec TURNS
    breq 4f
    encrypt_round X1, X2, X3, X0, Y0, Y1, Y2, Y3, Z0, Z1, Z2, Z3
    rjmp 3b
4:  each store, Y0, Y1, Y2, Y3, X0, X1, X2, X3
    end encrypt, 4*27, 2b

    begin decrypt, -4*27
2:  each load, Z1, Z2, Z3, Z0, X3, X0, X1, X2
    ldi FACTOR, 32
    ldi TURNS, 7
3:  decrypt_round X3, X0, X1, X2, Z1, Z2, Z3, Z0, Y1, Y2, Y3, Y0
    decrypt_round X2, X3, X0, X1, Y1, Y2, Y3, Y0, Z1, Z2, Z3, Z0
    decrypt_round X1, X2, X3, X0, Z1, Z2, Z3, Z0, Y1, Y2, Y3, Y0
    dec TURNS
    breq 4f
    decrypt_round X0, X1, X2, X3, Y1, Y2, Y3, Y0, Z1, Z2, Z3, Z0
    rjmp 3b
4:  each store, Y1, Y2, Y3, Y0, X0, X1, X2, X3
    end decrypt, -4*27, 2b

/* k and l of the key, and the index of the round. */
#define KEY 18
#define NEXT 22
#define L0 6
#define L1 10
#define L2 14
#define INDEX r30

/* l = (k + l turned right by 8) ^ index; k = (k turned left by 3) ^ l, which is stored. */
.macro next_key l
    mov r0, \l
    mov \l, \l + 1
    mov \l + 1, \l + 2
    mov \l + 2, \l + 3
    mov \l + 3, r0
    add \l, KEY
    adc \l + 1, KEY + 1
    adc \l + 2, KEY + 2
    adc \l + 3, KEY + 3
    eor \l, INDEX
    inc INDEX
    mul KEY, r31
    movw NEXT, r0
    mul KEY + 2, r31
    movw NEXT + 2, r0
    mul KEY + 1, r31
    eor NEXT + 1, r0
    eor NEXT + 2, r1
    mul KEY + 3, r31
    eor NEXT + 3, r0
    eor NEXT, r1
    .irp i, 0, 1, 2, 3
    eor NEXT + \i, \l + \i
    st X+, NEXT + \i
    .endr
    movw KEY, NEXT
    movw KEY + 2, NEXT + 2
.endm

/* void mote_speck_set_key_64(void *schedule, const uint8_t *key) */
    .section .text.mote_speck_set_key_64, "ax", @progbits
    .global mote_speck_set_key_64
    .type mote_speck_set_key_64, @function
mote_speck_set_key_64:
    each push, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17
    movw r26, r24
    movw r30, r22
    .irp i, 0, 1, 2, 3
    ld KEY + \i, Z+
    st X+, KEY + \i
    .endr
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    ld L0 + \i, Z+
    .endr
    ldi r31, 8
    clr INDEX
1:  next_key L0
    next_key L1
    cpi INDEX, 26
    breq 2f
    next_key L2
    rjmp 1b
2:  clr r1
    each pop, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6
    ret
    .size mote_speck_set_key_64, . - mote_speck_set_key_64

#endif
