/*
 * GHASH on an AVR: the code of ghash.c bit by bit, with the hash in registers. Neither a branch nor an address depends on
 * a secret: a bit becomes a mask.
 *
 * A word lies in memory with its lowest byte first, and the coefficient of x^0 is the top bit of word 0: from there on
 * bytes follow one another as 3, 2, 1, 0, 7, 6, 5, 4, 11, ... Byte i is in register i + 2.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

#define BITS r18 /* of y, the next one lowest */
#define MASK r19
#define SPARE r20
#define LEFT r21
#define BYTES r22 /* that are left of the word */
#define WORDS r23

.macro each what, registers:vararg
    .irp register, \registers
    \what \register
    .endr
.endm

.macro add_masked byte
    ldd SPARE, Z + \byte
    and SPARE, MASK
    eor \byte + 2, SPARE
.endm

/* void mote_ghash_multiply(uint32_t y[4], const uint32_t h[4]) */
    .section .text.mote_ghash_multiply, "ax", @progbits
    .global mote_ghash_multiply
    .type mote_ghash_multiply, @function
mote_ghash_multiply:
    each push, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17
    movw r30, r22 /* h */
    movw r26, r24
    adiw r26, 12 /* the last word of y */
    each clr, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17
    ldi WORDS, 4
1:  ldi BYTES, 4
2:  ld BITS, X+
    ldi LEFT, 8
    /* Times x, with x^128 = x^7 + x^2 + x + 1, and h once more where the bit is set. */
3:  lsr r5
    each ror, r4, r3, r2, r9, r8, r7, r6, r13, r12, r11, r10, r17, r16, r15, r14
    sbc MASK, MASK
    andi MASK, 0xe1
    eor r5, MASK
    lsr BITS
    sbc MASK, MASK
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    add_masked \byte
    .endr
    dec LEFT
    breq 4f
    rjmp 3b
4:  dec BYTES
    breq 5f
    rjmp 2b
5:  sbiw r26, 8
    dec WORDS
    breq 6f
    rjmp 1b
6:  movw r26, r24
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    st X+, r\register
    .endr
    each pop, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .size mote_ghash_multiply, . - mote_ghash_multiply

#endif
