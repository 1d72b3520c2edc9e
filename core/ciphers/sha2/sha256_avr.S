/*
 * The compression of SHA-256 on an AVR: FIPS 180-4, section 6.2.2. No branch and no address depends on a secret.
 *
 * Words are little-endian in memory, and no word moves. The eight working variables are a window, h first, that moves up a word
 * with every round: the new a is written behind it, the new e in the place of d. After 16 rounds they are copied back. The message
 * schedule is 16 words, which are replaced 16 at a time; each is written a second time 64 bytes further on, so that the words
 * after it are always there in order. a, e and b ^ c stay in registers.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

#define ZERO r1
#define BYTE r23
#define ROUNDS r22
#define GROUPS r24

/* Words: four registers each, from these on. */
#define A 2
#define E 6
#define DIFFERENT 10 /* b ^ c */
#define T2 14
#define TURNED 18
#define T1 2 /* a is no longer needed then */

/* On the stack: the schedule, twice, and the window. */
#define SCHEDULE 0
#define WINDOW 128
#define FRAME 224

#define SPH 0x3e
#define SPL 0x3d
#define SREG 0x3f

.macro copy to, from
    movw \to, \from
    movw \to + 2, \from + 2
.endm

.macro turn_left first
    lsl \first
    .irp i, 1, 2, 3
    rol \first + \i
    .endr
    adc \first, ZERO
.endm

.macro turn_right first
    bst \first, 0
    lsr \first + 3
    .irp i, 2, 1, 0
    ror \first + \i
    .endr
    bld \first + 3, 7
.endm

/* word ^= turned, by further `bytes` bytes to the right; the word's own bytes are `off` places off */
.macro add_turned word, turned, bytes, off=0
    .irp i, 0, 1, 2, 3
    eor \word + ((\i + \off) & 3), \turned + ((\i + \bytes) & 3)
    .endr
.endm

/* A byte of a sum; the carry goes from one to the next. */
.macro plus i, to, from
    .if \i == 0
    add \to, \from
    .else
    adc \to, \from
    .endif
.endm

/* The big-endian words of the message at X, to Z, little-endian. */
.macro take_word
    ld BYTE, X+
    std Z + 3, BYTE
    ld BYTE, X+
    std Z + 2, BYTE
    ld BYTE, X+
    std Z + 1, BYTE
    ld BYTE, X+
    st Z, BYTE
    adiw r30, 4
.endm

.macro take_stack to
    in \to, SPL
    in \to + 1, SPH
.endm

.macro set_stack from
    in r0, SREG
    cli
    out SPH, \from + 1
    out SREG, r0
    out SPL, \from
.endm

/* void mote_sha256_compress(uint32_t chain[8], const uint8_t block[64]) */
    .section .text.mote_sha256_compress, "ax", @progbits
    .global mote_sha256_compress
    .type mote_sha256_compress, @function
mote_sha256_compress:
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    push \register
    .endr
    push r24
    push r25
    take_stack 28
    subi r28, lo8(FRAME)
    sbci r29, hi8(FRAME)
    set_stack 28
    adiw r28, 1

    movw r26, r22
    movw r30, r28
    ldi ROUNDS, 16
1:  take_word
    dec ROUNDS
    brne 1b

    /* The window, from h to a. */
    movw r26, r24
    movw r28, r30
    subi r28, lo8(64 - WINDOW)
    sbci r29, hi8(64 - WINDOW)
    .irp at, 28, 24, 20, 16, 12, 8, 4, 0
    .irp i, 0, 1, 2, 3
    ld BYTE, X+
    std Y + \at + \i, BYTE
    .endr
    .endr
    .irp i, 0, 1, 2, 3
    ldd A + \i, Y + 28 + \i
    ldd E + \i, Y + 12 + \i
    ldd DIFFERENT + \i, Y + 20 + \i
    ldd BYTE, Y + 24 + \i
    eor DIFFERENT + \i, BYTE
    .endr
    movw r26, r28
    subi r26, lo8(WINDOW)
    sbci r27, hi8(WINDOW)
    ldi r30, lo8(mote_sha256_k)
    ldi r31, hi8(mote_sha256_k)
    ldi GROUPS, 4

    /* 16 rounds. X: the schedule; Y: the window; Z: the constants. */
2:  ldi ROUNDS, 16
3:  copy T2, A
    turn_right T2
    turn_right T2
    copy TURNED, A
    turn_left TURNED
    turn_left TURNED
    add_turned T2, TURNED, 3
    turn_left TURNED
    add_turned T2, TURNED, 2
    .irp i, 0, 1, 2, 3
    ldd r0, Y + 24 + \i
    eor A + \i, r0
    and DIFFERENT + \i, A + \i
    eor DIFFERENT + \i, r0
    plus \i, T2 + \i, DIFFERENT + \i
    .endr
    copy DIFFERENT, A

    copy T1, E
    turn_left T1
    turn_left T1
    copy TURNED, E
    turn_right TURNED
    add_turned T1, TURNED, 3, 1
    turn_right TURNED
    turn_right TURNED
    add_turned T1, TURNED, 1, 1
    .irp i, 0, 1, 2, 3
    ldd r0, Y + 8 + \i
    ldd BYTE, Y + 4 + \i
    eor r0, BYTE
    and r0, E + \i
    eor r0, BYTE
    plus \i, T1 + ((\i + 1) & 3), r0
    .endr
    .irp i, 0, 1, 2, 3
    ldd r0, Y + \i
    plus \i, T1 + ((\i + 1) & 3), r0
    .endr
    .irp i, 0, 1, 2, 3
    lpm r0, Z+
    plus \i, T1 + ((\i + 1) & 3), r0
    .endr
    .irp i, 0, 1, 2, 3
    ld r0, X+
    plus \i, T1 + ((\i + 1) & 3), r0
    .endr
    .irp i, 0, 1, 2, 3
    ldd E + \i, Y + 16 + \i
    plus \i, E + \i, T1 + ((\i + 1) & 3)
    std Y + 16 + \i, E + \i
    .endr
    .irp i, 0, 1, 2, 3
    plus \i, T2 + \i, T1 + ((\i + 1) & 3)
    std Y + 32 + \i, T2 + \i
    .endr
    copy A, T2
    adiw r28, 4
    dec ROUNDS
    breq 4f
    rjmp 3b
4:  dec GROUPS
    brne 5f
    rjmp 7f

    /* The window goes back. */
5:  push r30
    push r31
    movw r30, r28
    subi r28, 64
    sbci r29, 0
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    ldd BYTE, Z + \i
    std Y + \i, BYTE
    .endr
    push r28
    push r29

    /* 16 words of the schedule. X: the second place of each; Y: the first one. */
    movw r28, r26
    subi r28, 64
    sbci r29, 0
    ldi ROUNDS, 16
6:  .irp i, 0, 1, 2, 3
    ldd TURNED + \i, Y + 4 + \i
    .endr
    copy T2, TURNED
    turn_left T2
    turn_right TURNED
    turn_right TURNED
    add_turned T2, TURNED, 2, 1
    andi TURNED + 3, 0x3f
    lsr TURNED + 3
    .irp i, 2, 1, 0
    ror TURNED + \i
    .endr
    add_turned T2, TURNED, 0, 1
    .irp i, 0, 1, 2, 3
    ldd r0, Y + \i
    plus \i, T2 + ((\i + 1) & 3), r0
    .endr
    .irp i, 0, 1, 2, 3
    ldd r0, Y + 36 + \i
    plus \i, T2 + ((\i + 1) & 3), r0
    .endr
    .irp i, 0, 1, 2, 3
    ldd TURNED + \i, Y + 56 + \i
    .endr
    turn_right TURNED
    copy A, TURNED
    turn_right TURNED
    eor A + 2, TURNED + 1
    eor A + 3, TURNED + 2
    mov BYTE, TURNED + 3
    andi BYTE, 0x3f
    eor A, BYTE
    turn_right TURNED
    add_turned A, TURNED, 0
    .irp i, 0, 1, 2, 3
    plus \i, T2 + ((\i + 1) & 3), A + ((\i + 2) & 3)
    .endr
    .irp i, 0, 1, 2, 3
    std Y + \i, T2 + ((\i + 1) & 3)
    st X+, T2 + ((\i + 1) & 3)
    .endr
    adiw r28, 4
    dec ROUNDS
    breq 8f
    rjmp 6b
8:  movw r26, r28
    subi r26, 64
    sbci r27, 0
    pop r29
    pop r28
    pop r31
    pop r30
    .irp i, 0, 1, 2, 3
    ldd A + \i, Y + 28 + \i
    .endr
    rjmp 2b

    /* The chain; nothing of the block stays on the stack. */
7:  subi r28, lo8(WINDOW + 64)
    sbci r29, hi8(WINDOW + 64)
    movw r30, r28
    ldi ROUNDS, FRAME / 8
    subi r28, lo8(-WINDOW - 64)
    sbci r29, hi8(-WINDOW - 64)
    movw r26, r30
    subi r26, lo8(-FRAME)
    sbci r27, hi8(-FRAME)
    ld r25, X+
    ld r24, X+
    movw r26, r24
    .irp at, 28, 24, 20, 16, 12, 8, 4, 0
    .irp i, 0, 1, 2, 3
    ld BYTE, X
    ldd r0, Y + \at + \i
    plus \i, BYTE, r0
    st X+, BYTE
    .endr
    .endr
9:  .rept 8
    st Z+, ZERO
    .endr
    dec ROUNDS
    brne 9b
    adiw r30, 1
    set_stack 30
    .irp register, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop \register
    .endr
    ret
    .size mote_sha256_compress, . - mote_sha256_compress

#endif
