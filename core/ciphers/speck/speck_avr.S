/*
 * SPECK-64/128 on an AVR: the blocks of speck.c, with everything in registers. No branch and no address depends on a
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
#define Z0 r2 /* y of every other round */
#define Z1 r3
#define Z2 r4
#define Z3 r5
#define SCHEDULE r12 /* and r13 */
#define BLOCKS r14
#define BLOCKS_HIGH r15
#define TURNS r16
#define FACTOR r17

.macro begin factor
    .irp register, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17, 28, 29
    push r\register
    .endr
    movw SCHEDULE, r24
    movw r30, r22 /* in */
    movw r28, r20 /* out */
    movw BLOCKS, r18
    ldi FACTOR, \factor
.endm

.macro end
    .irp register, 29, 28, 17, 16, 15, 14, 13, 12, 5, 4, 3, 2
    pop r\register
    .endr
    clr r1
    ret
.endm

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

/* void mote_speck_encrypt_64(const void *schedule, const uint8_t *in, uint8_t *out) */
    .section .text.mote_speck_encrypt_64, "ax", @progbits
    .global mote_speck_encrypt_64
    .type mote_speck_encrypt_64, @function
mote_speck_encrypt_64:
    ldi r18, 1
    ldi r19, 0

/* void mote_speck_encrypt_blocks_64(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks) */
    .global mote_speck_encrypt_blocks_64
    .type mote_speck_encrypt_blocks_64, @function
mote_speck_encrypt_blocks_64:
    begin 8
    rjmp 4f
1:  movw r26, SCHEDULE
    each load, Z0, Z1, Z2, Z3, X1, X2, X3, X0
    ldi TURNS, 7
    rjmp 3f
2:  encrypt_round X1, X2, X3, X0, Y0, Y1, Y2, Y3, Z0, Z1, Z2, Z3
3:  encrypt_round X2, X3, X0, X1, Z0, Z1, Z2, Z3, Y0, Y1, Y2, Y3
    encrypt_round X3, X0, X1, X2, Y0, Y1, Y2, Y3, Z0, Z1, Z2, Z3
    encrypt_round X0, X1, X2, X3, Z0, Z1, Z2, Z3, Y0, Y1, Y2, Y3
    dec TURNS
    breq 5f
    rjmp 2b
5:  each store, Y0, Y1, Y2, Y3, X0, X1, X2, X3
    movw r26, BLOCKS
    sbiw r26, 1
    movw BLOCKS, r26
4:  mov r0, BLOCKS
    or r0, BLOCKS_HIGH
    breq 6f
    rjmp 1b
6:  end
    .size mote_speck_encrypt_64, . - mote_speck_encrypt_64

/* void mote_speck_decrypt_64(const void *schedule, const uint8_t *in, uint8_t *out) */
    .section .text.mote_speck_decrypt_64, "ax", @progbits
    .global mote_speck_decrypt_64
    .type mote_speck_decrypt_64, @function
mote_speck_decrypt_64:
    ldi r18, 1
    ldi r19, 0

/* void mote_speck_decrypt_blocks_64(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks) */
    .global mote_speck_decrypt_blocks_64
    .type mote_speck_decrypt_blocks_64, @function
mote_speck_decrypt_blocks_64:
    subi r24, lo8(-4 * 27) /* the end of the schedule */
    sbci r25, hi8(-4 * 27)
    begin 32
    rjmp 4f
1:  movw r26, SCHEDULE
    each load, Z1, Z2, Z3, Z0, X3, X0, X1, X2
    ldi TURNS, 7
    rjmp 3f
2:  decrypt_round X0, X1, X2, X3, Y1, Y2, Y3, Y0, Z1, Z2, Z3, Z0
3:  decrypt_round X3, X0, X1, X2, Z1, Z2, Z3, Z0, Y1, Y2, Y3, Y0
    decrypt_round X2, X3, X0, X1, Y1, Y2, Y3, Y0, Z1, Z2, Z3, Z0
    decrypt_round X1, X2, X3, X0, Z1, Z2, Z3, Z0, Y1, Y2, Y3, Y0
    dec TURNS
    breq 5f
    rjmp 2b
5:  each store, Y1, Y2, Y3, Y0, X0, X1, X2, X3
4:  movw r26, BLOCKS
    sbiw r26, 1
    movw BLOCKS, r26
    brcs 6f
    rjmp 1b
6:  end
    .size mote_speck_decrypt_64, . - mote_speck_decrypt_64

#endif
