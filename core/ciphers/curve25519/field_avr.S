/*
 * The field of field.h on an AVR: additions, products and squares. No branch and no address depends on a number.
 *
 * A number is 32 bytes, the lowest first. A product is made in bands: 16 bytes of a, which stay in registers, by 4 bytes of b.
 * A column of a band is a sum of up to four products, in three registers, to which the byte of the band before is added.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

#define ZERO r25
/* Registers by number, for expressions. */
#define A 2 /* 16 bytes of a */
#define B 18 /* 4 bytes of b */
#define SUM 22 /* 3 bytes */
#define COUNT r30 /* bands that are left */
#define CARRY r31 /* from the band before, to its byte 20 */

.macro function name
    .section .text.\name, "ax", @progbits
    .global \name
    .type \name, @function
\name:
.endm

.macro save_registers
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    push r\number
    .endr
.endm

.macro restore_registers
    .irp number, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop r\number
    .endr
    clr r1
    ret
.endm

/* Y = SP = SP - \bytes, and back; r0 is lost. */
.macro begin_frame bytes
    in r28, 0x3d
    in r29, 0x3e
    subi r28, lo8(\bytes)
    sbci r29, hi8(\bytes)
    set_stack
.endm

.macro end_frame bytes
    subi r28, lo8(-(\bytes))
    sbci r29, hi8(-(\bytes))
    set_stack
.endm

.macro set_stack
    in r0, 0x3f
    cli
    out 0x3e, r29
    out 0x3f, r0
    out 0x3d, r28
.endm

.macro product a, b, low, middle, high
    mul \a, \b
    add \low, r0
    adc \middle, r1
    adc \high, ZERO
.endm

/* Products of column \k from \i on: byte \i of a and \k - \i of b. */
.macro products k, i, low, middle, high
    .if (\k) - (\i) < 4
    product A + (\i), B + (\k) - (\i), \low, \middle, \high
    .endif
    .if (\i) < (\k) && (\i) < 15
    products \k, (\i+1), \low, \middle, \high
    .endif
.endm

/* A column of a band, to whose byte at Y + \k it is added. */
.macro column k, low, middle, high
    ldd r0, Y + \k
    add \low, r0
    adc \middle, ZERO
    adc \high, ZERO
    .if (\k) == 16
    add \low, CARRY
    adc \middle, ZERO
    adc \high, ZERO
    .endif
    products \k, 0, \low, \middle, \high
    std Y + \k, \low
    clr \low
.endm

/* Adds 16 bytes of a by 4 bytes at X to 20 bytes at Y. */
.macro band
    ld B, X+
    ld B + 1, X+
    ld B + 2, X+
    ld B + 3, X+
    clr SUM
    clr SUM + 1
    clr SUM + 2
    .irp k, 0, 3, 6, 9, 12, 15
    column \k, SUM, SUM + 1, SUM + 2
    column (\k+1), SUM + 1, SUM + 2, SUM
    column (\k+2), SUM + 2, SUM, SUM + 1
    .endr
    column 18, SUM, SUM + 1, SUM + 2
    ldd r0, Y + 19
    add r0, SUM + 1
    std Y + 19, r0
    mov CARRY, SUM + 2
    adc CARRY, ZERO
.endm

.macro load_a
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    ld r\number, Z+
    .endr
.endm

/* 8 bands, added to the 48 bytes at Y; Y is 32 higher then. From some_bands on: COUNT of them. */
    .section .text.mote_f25519_avr_bands, "ax", @progbits
bands:
    ldi COUNT, 8
some_bands:
    clr CARRY
1:  band
    adiw r28, 4
    dec COUNT
    breq 2f
    rjmp 1b
2:  ret

/*
 * The number at Y + 1 and 38 times the one 32 bytes behind it, to X; Z is lost. Of the highest byte what is above 7 bits is
 * added 19 times at the lowest.
 */
    .section .text.mote_f25519_avr_reduce, "ax", @progbits
reduce:
    movw r30, r28
    adiw r30, 33
    ldi r18, 38
    ldd r20, Y + 32
    ldd r21, Z + 31
    mul r21, r18
    add r0, r20
    adc r1, ZERO
    mov r19, r0
    andi r19, 0x7f
    lsl r0
    rol r1 /* what is above: below 78 */
    ldi r20, 19
    mul r1, r20
    movw r22, r0
    adiw r28, 1
    ldi r24, 31
1:  ld r20, Y+
    ld r21, Z+
    mul r21, r18
    add r0, r22
    adc r1, r23
    add r0, r20
    adc r1, ZERO
    st X+, r0
    mov r22, r1
    clr r23
    dec r24
    brne 1b
    add r19, r22
    st X+, r19
    ret

/* void mote_f25519_multiply(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b) */
    function mote_f25519_multiply
    save_registers
    push r24
    push r25
    begin_frame 64
    clr ZERO
    movw r30, r22
    movw r26, r20
    adiw r28, 1
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    std Y + \at, ZERO
    std Y + 16 + \at, ZERO
    std Y + 32 + \at, ZERO
    std Y + 48 + \at, ZERO
    .endr
    load_a
    push r30
    push r31
    push r26
    push r27
    rcall bands
    pop r27
    pop r26
    pop r31
    pop r30
    sbiw r28, 16
    load_a
    rcall bands
    sbiw r28, 49
finish:
    movw r30, r28
    subi r30, lo8(-65)
    sbci r31, hi8(-65)
    ld r27, Z+
    ld r26, Z
    rcall reduce
    sbiw r28, 32
    end_frame 64
    pop r25
    pop r24
    restore_registers

/* Products of two different bytes of a, from byte \i on, whose numbers add up to \k. */
.macro square_products k, i
    .if 2 * (\i) < (\k)
    .if (\k) - (\i) < 16
    product A + (\i), A + (\k) - (\i), r18, r19, r20
    .endif
    square_products \k, (\i+1)
    .endif
.endm

/* A column of a square, to whose byte at Y + \k it is added. */
.macro square_column k, low, middle, high
    clr r18
    clr r19
    clr r20
    square_products \k, 0
    lsl r18
    rol r19
    rol r20
    ldd r0, Y + \k
    add \low, r0
    adc \middle, ZERO
    adc \high, ZERO
    add \low, r18
    adc \middle, r19
    adc \high, r20
    .if ((\k) & 1) == 0 && (\k) < 31
    product A + (\k) / 2, A + (\k) / 2, \low, \middle, \high
    .endif
    std Y + \k, \low
    clr \low
.endm

/* Adds the square of 16 bytes, and what r21 to r23 carry, to 32 bytes at Y. r21 to r23 carry then. */
square_16:
    .irp k, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27
    square_column \k, r21, r22, r23
    square_column (\k+1), r22, r23, r21
    square_column (\k+2), r23, r21, r22
    .endr
    square_column 30, r21, r22, r23
    square_column 31, r22, r23, r21
    mov r22, r21
    mov r21, r23
    clr r23
    ret

/*
 * void mote_f25519_square_once(mote_f25519 *r, const mote_f25519 *a): twice the product of the lower and the upper half, and
 * the squares of both
 */
    .global mote_f25519_square_once
    .type mote_f25519_square_once, @function
mote_f25519_square_once:
    save_registers
    push r24
    push r25
    begin_frame 64
    clr ZERO
    movw r30, r22
    adiw r28, 1
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    std Y + \at, ZERO
    std Y + 16 + \at, ZERO
    std Y + 32 + \at, ZERO
    std Y + 48 + \at, ZERO
    .endr
    load_a
    push r30
    push r31
    movw r26, r30
    adiw r28, 16
    ldi COUNT, 4
    rcall some_bands
    sbiw r28, 16
    clc
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32
    ldd r0, Y + \at
    rol r0
    std Y + \at, r0
    .endr
    sbiw r28, 16
    clr r21
    clr r22
    clr r23
    rcall square_16
    adiw r28, 32
    pop r31
    pop r30
    load_a
    rcall square_16
    sbiw r28, 33
    rjmp finish

/* The number before Y, 32 bytes, and 38 times the carry. r18, r19 are lost. */
.macro add_carry
    sbc r18, r18
    andi r18, 38
    sbiw r28, 32
    ld r19, Y
    add r19, r18
    st Y+, r19
    .rept 31
    ld r19, Y
    adc r19, r1
    st Y+, r19
    .endr
    /* If that carries, the number is small: 38 more do not carry again. */
    sbc r18, r18
    andi r18, 38
    sbiw r28, 32
    ld r19, Y
    add r19, r18
    st Y, r19
.endm

.macro pointers
    push r28
    push r29
    movw r26, r22
    movw r30, r20
    movw r28, r24
.endm

/* void mote_f25519_add(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b) */
    function mote_f25519_add
    pointers
    clc
    .rept 32
    ld r18, X+
    ld r19, Z+
    adc r18, r19
    st Y+, r18
    .endr
    add_carry
    pop r29
    pop r28
    ret

/* void mote_f25519_subtract(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b) */
    function mote_f25519_subtract
    pointers
    clc
    .rept 32
    ld r18, X+
    ld r19, Z+
    sbc r18, r19
    st Y+, r18
    .endr
    sbc r18, r18
    andi r18, 38
    sbiw r28, 32
    ld r19, Y
    sub r19, r18
    st Y+, r19
    .rept 31
    ld r19, Y
    sbc r19, r1
    st Y+, r19
    .endr
    /* If that borrows, the number is 2^256 less 38 at most. */
    sbc r18, r18
    andi r18, 38
    sbiw r28, 32
    ld r19, Y
    sub r19, r18
    st Y, r19
    pop r29
    pop r28
    ret

/* void mote_f25519_multiply_add(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b): 121665 is 0x1db41 */
    function mote_f25519_multiply_add
    pointers
    push r16
    push r17
    clr r17
    ldi r18, 0x41
    ldi r19, 0xdb
    clr r20
    clr r21
    clr r22
    clr r23
    ldi r24, 32
1:  ld r25, X+
    mul r25, r18
    add r20, r0
    adc r21, r1
    adc r22, r17
    adc r23, r17
    mul r25, r19
    add r21, r0
    adc r22, r1
    adc r23, r17
    add r22, r25
    adc r23, r17
    ld r25, Z+
    add r20, r25
    adc r21, r17
    adc r22, r17
    adc r23, r17
    st Y+, r20
    mov r20, r21
    mov r21, r22
    mov r22, r23
    clr r23
    dec r24
    brne 1b
    /* 38 times what is carried is below 2^24. */
    ldi r24, 38
    mul r20, r24
    movw r18, r0
    mul r21, r24
    add r19, r0
    mov r20, r1
    adc r20, r17
    mul r22, r24
    add r20, r0
    clr r1
    sbiw r28, 32
    ld r16, Y
    add r16, r18
    st Y+, r16
    ld r16, Y
    adc r16, r19
    st Y+, r16
    ld r16, Y
    adc r16, r20
    st Y+, r16
    .rept 29
    ld r16, Y
    adc r16, r1
    st Y+, r16
    .endr
    sbc r18, r18
    andi r18, 38
    sbiw r28, 32
    ld r16, Y
    add r16, r18
    st Y+, r16
    .rept 3
    ld r16, Y
    adc r16, r1
    st Y+, r16
    .endr
    pop r17
    pop r16
    pop r29
    pop r28
    ret
#endif
