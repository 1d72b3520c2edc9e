/*
 * SIMON-64/128 on an AVR: blocks and key of simon.c, with everything in registers. No branch and no address depends on a
 * secret. Two rounds of a block and four of the key are one turn of a loop, so that no word moves; rotations by 8 bits are
 * other names of registers.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

#define ROUNDS 44

.macro each what, registers:vararg
    .irp register, \registers
    \what \register
    .endr
.endm

.macro load byte
    ld \byte, Z+
.endm

.macro store byte
    st Z+, \byte
.endm

/* Each of these is even, for movw. */
#define Y0 r18
#define Y1 r19
#define Y2 r20
#define Y3 r21
#define X0 r22
#define X1 r23
#define X2 r24
#define X3 r25
#define T0 r30
#define T1 r31
#define T2 r16
#define T3 r17
#define ZERO r15
#define TURNS r14

.macro turn_left t0, t1, t2, t3
    lsl \t0
    rol \t1
    rol \t2
    rol \t3
    adc \t0, ZERO
.endm

.macro add_key step, byte
    .if \step
    ld r0, X+
    .else
    ld r0, -X
    .endif
    eor \byte, r0
.endm

/* y ^= (x turned left by 1 & x turned left by 8) ^ x turned left by 2 ^ key */
.macro round forward, x0, x1, x2, x3, y0, y1, y2, y3
    movw T0, \x0
    movw T2, \x2
    turn_left T0, T1, T2, T3
    movw r0, \x0
    and r0, T1
    and r1, T2
    eor \y1, r0
    eor \y2, r1
    movw r0, \x2
    and r0, T3
    and r1, T0
    eor \y3, r0
    eor \y0, r1
    turn_left T0, T1, T2, T3
    eor \y0, T0
    eor \y1, T1
    eor \y2, T2
    eor \y3, T3
    .if \forward
    add_key 1, \y0
    add_key 1, \y1
    add_key 1, \y2
    add_key 1, \y3
    .else
    add_key 0, \y3
    add_key 0, \y2
    add_key 0, \y1
    add_key 0, \y0
    .endif
.endm

/* void mote_simon_\way\()_64(const void *schedule, const uint8_t *in, uint8_t *out) */
.macro crypt way, forward
    .section .text.mote_simon_\way\()_64, "ax", @progbits
    .global mote_simon_\way\()_64
    .type mote_simon_\way\()_64, @function
mote_simon_\way\()_64:
    each push, r14, r15, r16, r17, r20, r21
    movw r30, r22
    movw r26, r24
    .if !\forward
    subi r26, lo8(-4 * ROUNDS)
    sbci r27, hi8(-4 * ROUNDS)
    .endif
    each load, Y0, Y1, Y2, Y3, X0, X1, X2, X3
    clr ZERO
    ldi T0, ROUNDS / 4
    mov TURNS, T0
1:  .rept 2
    .if \forward
    round 1, X0, X1, X2, X3, Y0, Y1, Y2, Y3
    round 1, Y0, Y1, Y2, Y3, X0, X1, X2, X3
    .else
    round 0, Y0, Y1, Y2, Y3, X0, X1, X2, X3
    round 0, X0, X1, X2, X3, Y0, Y1, Y2, Y3
    .endif
    .endr
    dec TURNS
    breq 2f
    rjmp 1b
2:  each pop, r31, r30
    each store, Y0, Y1, Y2, Y3, X0, X1, X2, X3
    each pop, r17, r16, r15, r14
    clr r1
    ret
    .size mote_simon_\way\()_64, . - mote_simon_\way\()_64
.endm

    crypt encrypt, 1
    crypt decrypt, 0

/* The key: four words from `first` on, the oldest one of this round named. */
#define K0 2
#define K1 6
#define K2 10
#define K3 14
#define TURNED 18
#define FACTOR r22
#define BITS r23
#define COUNT r24
#define SPARE r25

    .section .progmem.data.mote_simon_sequence, "a", @progbits
/* The sequence z3 of the paper (section 3.3.1), four bits at a time, the first one in the lowest place. */
sequence:
    .byte 0xb, 0xd, 0x5, 0x3, 0x6, 0xa, 0x7, 0x0, 0x2, 0x1

/* The word k0 becomes the next one: the complement of k0 ^ 3 ^ t ^ (t turned right by 1) ^ bit, t = (k3 turned right by 3) ^ k1 */
.macro next bit, k0, k1, k3
    mul \k3, FACTOR
    mov TURNED + 3, r0
    mov TURNED, r1
    mul \k3 + 2, FACTOR
    mov TURNED + 1, r0
    mov TURNED + 2, r1
    mul \k3 + 1, FACTOR
    eor TURNED, r0
    eor TURNED + 1, r1
    mul \k3 + 3, FACTOR
    eor TURNED + 2, r0
    eor TURNED + 3, r1
    .irp i, 0, 1, 2, 3
    eor TURNED + \i, \k1 + \i
    eor \k0 + \i, TURNED + \i
    .endr
    bst TURNED, 0
    lsr TURNED + 3
    ror TURNED + 2
    ror TURNED + 1
    ror TURNED
    bld TURNED + 3, 7
    ldi SPARE, 0xfc
    bst BITS, \bit
    bld SPARE, 0
    eor \k0, SPARE
    .irp i, 1, 2, 3
    com \k0 + \i
    .endr
    .irp i, 0, 1, 2, 3
    eor \k0 + \i, TURNED + \i
    st X+, \k0 + \i
    .endr
.endm

/* void mote_simon_set_key_64(void *schedule, const uint8_t *key) */
    .section .text.mote_simon_set_key_64, "ax", @progbits
    .global mote_simon_set_key_64
    .type mote_simon_set_key_64, @function
mote_simon_set_key_64:
    each push, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17
    movw r26, r24
    movw r30, r22
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ld K0 + \i, Z+
    st X+, K0 + \i
    .endr
    ldi r30, lo8(sequence)
    ldi r31, hi8(sequence)
    ldi FACTOR, 32
    ldi COUNT, ROUNDS / 4 - 1
1:  lpm BITS, Z+
    next 0, K0, K1, K3
    next 1, K1, K2, K0
    next 2, K2, K3, K1
    next 3, K3, K0, K2
    dec COUNT
    breq 2f
    rjmp 1b
2:  clr r1
    each pop, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .size mote_simon_set_key_64, . - mote_simon_set_key_64

#endif
