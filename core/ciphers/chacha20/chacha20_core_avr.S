/*
 * The ChaCha20 function on an AVR: RFC 8439, 2.1 to 2.3. No branch and no address depends on a secret.
 *
 * The state is in memory, the four words of a quarter round in registers. Rotations by whole bytes are other names of
 * registers; one by four bits to the left is a product with 16 of each byte, whose upper and lower byte go where they
 * belong; one by 7 to the left is a byte to the left and a bit to the right.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

#define A0 r2
#define A1 r3
#define A2 r4
#define A3 r5
#define B0 r6
#define B1 r7
#define B2 r8
#define B3 r9
#define C0 r10
#define C1 r11
#define C2 r12
#define C3 r13
#define D0 r14
#define D1 r15
#define D2 r16
#define D3 r17
#define T0 r18 /* B after the first rotation; T0 and T2 are even, for movw */
#define T1 r19
#define T2 r20
#define T3 r21
#define FACTOR r22
#define LEFT r23

.macro load word, byte0, byte1, byte2, byte3
    ldd \byte0, Z + 4 * \word
    ldd \byte1, Z + 4 * \word + 1
    ldd \byte2, Z + 4 * \word + 2
    ldd \byte3, Z + 4 * \word + 3
.endm

.macro store word, byte0, byte1, byte2, byte3
    std Z + 4 * \word, \byte0
    std Z + 4 * \word + 1, \byte1
    std Z + 4 * \word + 2, \byte2
    std Z + 4 * \word + 3, \byte3
.endm

.macro add4 to0, to1, to2, to3, from0, from1, from2, from3
    add \to0, \from0
    adc \to1, \from1
    adc \to2, \from2
    adc \to3, \from3
.endm

.macro eor4 to0, to1, to2, to3, from0, from1, from2, from3
    eor \to0, \from0
    eor \to1, \from1
    eor \to2, \from2
    eor \to3, \from3
.endm

.macro quarter_round a, b, c, d
    load \a, A0, A1, A2, A3
    load \b, B0, B1, B2, B3
    load \c, C0, C1, C2, C3
    load \d, D0, D1, D2, D3
    add4 A0, A1, A2, A3, B0, B1, B2, B3
    eor4 D0, D1, D2, D3, A0, A1, A2, A3
    /* d, turned by 16, is D2, D3, D0, D1 */
    add4 C0, C1, C2, C3, D2, D3, D0, D1
    eor4 B0, B1, B2, B3, C0, C1, C2, C3
    mul B0, FACTOR
    movw T0, r0
    mul B2, FACTOR
    movw T2, r0
    mul B1, FACTOR
    eor T1, r0
    eor T2, r1
    mul B3, FACTOR
    eor T3, r0
    eor T0, r1
    /* b, turned by 12, is T3, T0, T1, T2 */
    add4 A0, A1, A2, A3, T3, T0, T1, T2
    eor4 D2, D3, D0, D1, A0, A1, A2, A3
    /* d, turned by 8, is D1, D2, D3, D0 */
    add4 C0, C1, C2, C3, D1, D2, D3, D0
    eor4 T3, T0, T1, T2, C0, C1, C2, C3
    /* b, turned by 8, is T2, T3, T0, T1 */
    bst T2, 0
    lsr T1
    ror T0
    ror T3
    ror T2
    bld T1, 7
    store \a, A0, A1, A2, A3
    store \b, T2, T3, T0, T1
    store \c, C0, C1, C2, C3
    store \d, D1, D2, D3, D0
.endm

/* void mote_chacha20_rounds(uint32_t x[16]) */
    .section .text.mote_chacha20_rounds, "ax", @progbits
    .global mote_chacha20_rounds
    .type mote_chacha20_rounds, @function
mote_chacha20_rounds:
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    push \register
    .endr
    movw r30, r24
    ldi FACTOR, 16
    ldi LEFT, 10
1:  quarter_round 0, 4, 8, 12
    quarter_round 1, 5, 9, 13
    quarter_round 2, 6, 10, 14
    quarter_round 3, 7, 11, 15
    quarter_round 0, 5, 10, 15
    quarter_round 1, 6, 11, 12
    quarter_round 2, 7, 8, 13
    quarter_round 3, 4, 9, 14
    dec LEFT
    breq 2f
    rjmp 1b
2:  clr r1
    .irp register, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop \register
    .endr
    ret
    .size mote_chacha20_rounds, . - mote_chacha20_rounds

/* void mote_chacha20_block(const uint32_t input[16], uint8_t stream[64]) */
    .section .text.mote_chacha20_block, "ax", @progbits
    .global mote_chacha20_block
    .type mote_chacha20_block, @function
mote_chacha20_block:
    push r28
    push r29
    push r24
    push r25
    movw r30, r24
    movw r28, r22
    ldi LEFT, 16
1:  .rept 4
    ld r0, Z+
    st Y+, r0
    .endr
    dec LEFT
    brne 1b
    sbiw r28, 60
    sbiw r28, 4
    movw r24, r28
    call mote_chacha20_rounds
    pop r31
    pop r30
    ldi LEFT, 16
2:  ld r18, Z+
    ld r0, Y
    add r0, r18
    st Y+, r0
    .rept 3
    ld r18, Z+
    ld r0, Y
    adc r0, r18
    st Y+, r0
    .endr
    dec LEFT
    brne 2b
    pop r29
    pop r28
    ret
    .size mote_chacha20_block, . - mote_chacha20_block

#endif
