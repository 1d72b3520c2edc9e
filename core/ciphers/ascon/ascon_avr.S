/*
 * The Ascon permutation on an AVR: NIST SP 800-232, section 3. No branch and no address depends on a secret.
 *
 * The S-box layer goes over the words byte by byte, then each word takes its part of the linear layer. Word 4 is in
 * registers all the time, the others are in memory. Word 3 is there as its complement, which saves complements in the
 * S-box layer: with n for a complement, after the first three additions of section 3.3,
 *
 *     x0 + (~x1 & x2) = x0 + (n1 & x2)         x3 + (~x4 & x0) = ~(n3 + (n4 & x0))
 *     x1 + (~x2 & x3) = n1 + (x2 | n3)         x4 + (~x0 & x1) = n4 + (x0 | n1)
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

#define CONSTANT r26
#define STATE Z

/* The words that are at hand: eight registers each, from these on. A word of the linear layer, and a copy of it. */
#define W 2
#define COPY 10
#define X4 18

/* While the S-box layer is at work. */
#define X0 r2
#define X1 r3
#define X2 r4
#define X3 r5
#define KEPT3 r6
#define KEPT4 r7
#define SPARE r8

.macro get first, word
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    ldd \first + \i, STATE + 8 * \word + \i
    .endr
.endm

.macro put first, word
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    std STATE + 8 * \word + \i, \first + \i
    .endr
.endm

.macro copy to, from
    .irp i, 0, 2, 4, 6
    movw \to + \i, \from + \i
    .endr
.endm

/* word ^= turned, by further `bytes` bytes to the right */
.macro add_turned word, turned, bytes
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    eor \word + \i, \turned + ((\i + \bytes) & 7)
    .endr
.endm

.macro turn_right first
    bst \first, 0
    lsr \first + 7
    .irp i, 6, 5, 4, 3, 2, 1, 0
    ror \first + \i
    .endr
    bld \first + 7, 7
.endm

.macro turn_left first
    lsl \first
    .irp i, 1, 2, 3, 4, 5, 6, 7
    rol \first + \i
    .endr
    adc \first, r1
.endm

.macro complement_x3
    get W, 3
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    com W + \i
    .endr
    put W, 3
.endm

.macro substitute i, x4
    ldd X0, STATE + \i
    ldd X1, STATE + 8 + \i
    ldd X2, STATE + 16 + \i
    ldd X3, STATE + 24 + \i
    .if \i == 0
    eor X2, CONSTANT
    .endif
    eor X0, \x4
    eor \x4, X3
    eor X2, X1
    com X1
    mov KEPT3, \x4
    and KEPT3, X0
    mov KEPT4, X0
    or KEPT4, X1
    mov SPARE, X1
    and SPARE, X2
    eor X0, SPARE
    mov SPARE, X2
    or SPARE, X3
    eor X1, SPARE
    mov SPARE, \x4 /* n3 & ~n4 */
    com SPARE
    and SPARE, X3
    eor X2, SPARE
    eor X3, KEPT3
    eor \x4, KEPT4
    eor X1, X0
    eor X0, \x4
    eor X3, X2
    com X2
    std STATE + \i, X0
    std STATE + 8 + \i, X1
    std STATE + 16 + \i, X2
    std STATE + 24 + \i, X3
.endm

/* void mote_ascon_permute(uint64_t words[5], uint8_t rounds): the last `rounds` of 12 */
    .section .text.mote_ascon_permute, "ax", @progbits
    .global mote_ascon_permute
    .type mote_ascon_permute, @function
mote_ascon_permute:
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    push \register
    .endr
    movw r30, r24
    ldi CONSTANT, 0x0f
    mul r22, CONSTANT
    mov CONSTANT, r0
    subi CONSTANT, -0x3c
    clr r1
    complement_x3
    get X4, 4
1:
    substitute 0, X4
    substitute 1, X4 + 1
    substitute 2, X4 + 2
    substitute 3, X4 + 3
    substitute 4, X4 + 4
    substitute 5, X4 + 5
    substitute 6, X4 + 6
    substitute 7, X4 + 7

    get W, 0 /* 19 = 2 * 8 + 3, 28 = 3 * 8 + 4 */
    copy COPY, W
    turn_right COPY
    turn_right COPY
    turn_right COPY
    add_turned W, COPY, 2
    turn_right COPY
    add_turned W, COPY, 3
    put W, 0

    get W, 1 /* 39 = 5 * 8 - 1, 61 = 8 * 8 - 3 */
    copy COPY, W
    turn_left COPY
    add_turned W, COPY, 5
    turn_left COPY
    turn_left COPY
    add_turned W, COPY, 0
    put W, 1

    get W, 2 /* 1, 6 = 8 - 2 */
    copy COPY, W
    turn_right COPY
    add_turned W, COPY, 0
    turn_left COPY
    turn_left COPY
    turn_left COPY
    add_turned W, COPY, 1
    put W, 2

    get W, 3 /* 17 = 2 * 8 + 1, 10 = 8 + 2 */
    copy COPY, W
    turn_right COPY
    add_turned W, COPY, 2
    turn_right COPY
    add_turned W, COPY, 1
    put W, 3

    copy COPY, X4 /* 7 = 8 - 1, 41 = 5 * 8 + 1 */
    copy W, X4
    turn_left COPY
    turn_right W
    add_turned X4, COPY, 1
    add_turned X4, W, 5

    subi CONSTANT, 0x0f
    cpi CONSTANT, 0x3c
    breq 2f
    rjmp 1b
2:  complement_x3
    put X4, 4
    .irp register, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop \register
    .endr
    ret
    .size mote_ascon_permute, . - mote_ascon_permute

#endif
