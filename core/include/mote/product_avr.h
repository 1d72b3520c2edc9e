/*
 * Products and squares of 256 bits on an AVR: those of halves, by Karatsuba's method. For the
 * assembler only.
 *
 * With a = a1 x + a0 and b = b1 x + b0, the product is
 *
 *     a1 b1 x^2 + (a1 b1 + a0 b0 - (a0 - a1) (b0 - b1)) x + a0 b0.
 *
 * The differences are made positive; a mask, all ones or 0, has the sign of their product.
 */
#ifndef MOTE_PRODUCT_AVR_H
#define MOTE_PRODUCT_AVR_H

/* For .irp: the numbers from 1 to 23, and the other way round. */
#define UP_TO_23 \
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23
#define DOWN_FROM_23 \
    23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1

/* Registers by number, for expressions. */
#define A 2   /* 16 bytes of a */
#define B 18  /* 8 bytes of b */
#define SUM 26 /* 3 bytes */

.macro function name
    .section .text.\name, "ax", @progbits
    .global \name
    .type \name, @function
\name:
.endm

/* Begins a function that only the file calls. */
.macro routine name
    .section .text.mote_\name, "ax", @progbits
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

.macro product a, b, low, middle, high, zero
    mul \a, \b
    add \low, r0
    adc \middle, r1
    adc \high, \zero
.endm

/* Products of column \k from byte \i of a on, by the 8 bytes of b. */
.macro products k, i, low, middle, high, at, added
    .if (\i) <= (\k) && (\i) < 16
    .if (\k) - (\i) < 8
    .if \added
    /* The byte that is there fits with the first product. */
    ldd \high, Z + \at + \k
    mul A + (\i), B + (\k) - (\i)
    add r0, \high
    adc r1, r29
    clr \high
    add \low, r0
    adc \middle, r1
    adc \high, r29
    .else
    product A + (\i), B + (\k) - (\i), \low, \middle, \high, r29
    .endif
    products \k, (\i + 1), \low, \middle, \high, \at, 0
    .else
    products \k, (\i + 1), \low, \middle, \high, \at, \added
    .endif
    .endif
.endm

/* A column of 16 bytes by 8, to Z + \at + \k; with \added, what is there is added. */
.macro column at, added, k, low, middle, high
    .if \k < 23
    .if \k < 16
    products \k, 0, \low, \middle, \high, \at, \added
    .else
    products \k, 0, \low, \middle, \high, \at, 0
    .endif
    .endif
    std Z + \at + \k, \low
    clr \low
.endm

.macro band at, added
    clr r26
    clr r27
    clr r28
    clr r29
    .irp k, 0, 3, 6, 9, 12, 15, 18, 21
    column \at, \added, \k, r26, r27, r28
    column \at, \added, (\k + 1), r27, r28, r26
    column \at, \added, (\k + 2), r28, r26, r27
    .endr
.endm

.macro square_products k, i, low, middle, high, begun=0
    .if 2 * (\i) < (\k)
    .if (\k) - (\i) < 16
    .if \begun
    product A + (\i), A + (\k) - (\i), r18, r19, r20, r25
    .else
    mul A + (\i), A + (\k) - (\i)
    movw r18, r0
    clr r20
    .endif
    square_products \k, (\i + 1), \low, \middle, \high, 1
    .else
    square_products \k, (\i + 1), \low, \middle, \high, \begun
    .endif
    .elseif \begun
    lsl r18
    rol r19
    rol r20
    add \low, r18
    adc \middle, r19
    adc \high, r20
    .endif
.endm

/* A column of the square of 16 bytes, to Z + \k. */
.macro square_column k, low, middle, high
    .if \k < 31
    square_products \k, 0, \low, \middle, \high
    .if ((\k) & 1) == 0
    product A + (\k) / 2, A + (\k) / 2, \low, \middle, \high, r25
    .endif
    .endif
    std Z + \k, \low
    clr \low
.endm

.macro load_16 from
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    ld r\number, \from
    .endr
.endm

/* Routines that lose all registers but Z. */
.macro product_routines
/* 32 bytes at Z = 16 at X by 16 at Y. */
    routine product_16
    load_16 X+
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7
    ldd 18 + \at, Y + \at
    .endr
    push r28
    push r29
    band 0, 0
    pop r29
    pop r28
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7
    ldd 18 + \at, Y + 8 + \at
    .endr
    band 8, 1
    ret

/* 32 bytes at Z = the square of 16 at X. */
    routine square_16
    load_16 X+
    clr r21
    clr r22
    clr r23
    clr r25
    .irp k, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27
    square_column \k, r21, r22, r23
    square_column (\k + 1), r22, r23, r21
    square_column (\k + 2), r23, r21, r22
    .endr
    square_column 30, r21, r22, r23
    square_column 31, r22, r23, r21
    ret
.endm

/* The frame at Y, and its size: addresses, mask, the products of distances and halves, distances */
#define FACTOR 1
#define OTHER 3
#define RESULT 5
#define MASK 7
#define MIDDLE 8
#define LOWER 40
#define UPPER 72
#define DISTANCE 104
#define PRODUCT_FRAME 136

/* r2 to r17 = the distance of both halves of the number at X; its sign to r18. To Z. */
.macro distance_16
    load_16 X+
    ld r0, X+
    sub r2, r0
    .irp number, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    ld r0, X+
    sbc r\number, r0
    .endr
    sbc r18, r18
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    eor r\number, r18
    .endr
    sub r2, r18
    .irp number, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    sbc r\number, r18
    .endr
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    st Z+, r\number
    .endr
.endm

.macro frame_address register, at
    movw \register, 28
    subi \register, lo8(-(\at))
    sbci \register + 1, hi8(-(\at))
.endm

/* r24 = result, r22 and r20 = factors, to the frame; the three products of their halves. */
.macro multiply_halves
    begin_frame PRODUCT_FRAME
    std Y + FACTOR, r22
    std Y + FACTOR + 1, r23
    std Y + OTHER, r20
    std Y + OTHER + 1, r21
    std Y + RESULT, r24
    std Y + RESULT + 1, r25
    frame_address 30, DISTANCE
    movw r26, r22
    distance_16
    mov r19, r18
    movw r26, r20
    distance_16
    eor r18, r19
    com r18
    std Y + MASK, r18
    frame_address 26, DISTANCE
    movw r30, r28
    adiw r30, MIDDLE
    push r28
    push r29
    subi r28, lo8(-(DISTANCE + 16))
    sbci r29, hi8(-(DISTANCE + 16))
    call product_16
    pop r29
    pop r28
    product_of_halves 0, LOWER
    product_of_halves 16, UPPER
.endm

.macro product_of_halves at, to
    ldd r26, Y + FACTOR
    ldd r27, Y + FACTOR + 1
    ldd r18, Y + OTHER
    ldd r19, Y + OTHER + 1
    frame_address 30, \to
    push r28
    push r29
    movw r28, r18
    .if \at
    adiw r26, \at
    adiw r28, \at
    .endif
    call product_16
    pop r29
    pop r28
.endm

.macro square_halves
    begin_frame PRODUCT_FRAME
    std Y + FACTOR, r22
    std Y + FACTOR + 1, r23
    std Y + RESULT, r24
    std Y + RESULT + 1, r25
    frame_address 30, DISTANCE
    movw r26, r22
    distance_16
    ldi r18, 0xff
    std Y + MASK, r18
    movw r26, r30
    sbiw r26, 16
    movw r30, r28
    adiw r30, MIDDLE
    call square_16
    ldd r26, Y + FACTOR
    ldd r27, Y + FACTOR + 1
    adiw r30, LOWER - MIDDLE
    call square_16
    ldd r26, Y + FACTOR
    ldd r27, Y + FACTOR + 1
    adiw r26, 16
    adiw r30, UPPER - LOWER
    call square_16
.endm

/* Eight bytes: those at Z + \from, r\t on, and those at Y + \middle with their sign, to Z + \to. */
.macro join_8 from, t, middle, to
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7
    ldd 18 + \at, Z + \from + \at
    .endr
    ror r27 /* the carry of the sums */
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7
    adc 18 + \at, \t + \at
    .endr
    rol r27
    ror r1 /* that of the middle */
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7
    ldd r0, Y + \middle + \at
    eor r0, r26
    adc 18 + \at, r0
    .endr
    rol r1
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7
    std Z + \to + \at, 18 + \at
    .endr
.endm

/*
 * Bytes 16 to 47 of the product to LOWER + 16. r24 has what the bytes below carry to byte 32, and
 * r25 what they carry to byte 48, perhaps -1; neither is added yet. Z = Y + LOWER.
 */
.macro join_halves
    movw r30, r28
    adiw r30, LOWER
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ldd 2 + \at, Z + 16 + \at
    .endr
    ldd r0, Z + 32
    add r2, r0
    .irp at, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ldd r0, Z + 32 + \at
    adc 2 + \at, r0
    .endr
    ldd r26, Y + MASK
    clr r27
    rol r27
    push r27
    clr r27
    mov r1, r26
    join_8 0, 2, MIDDLE, 16
    join_8 8, 10, (MIDDLE + 8), 24
    join_8 48, 2, (MIDDLE + 16), 32
    join_8 56, 10, (MIDDLE + 24), 40
    pop r24
    mov r25, r24
    andi r27, 1
    add r25, r27
    lsr r1
    adc r25, r26
.endm

/*
 * r24 = r22 \first r20, byte by byte: bytes 0 to 23 in the registers of their numbers, the others
 * at the result, whose address is Y; the highest is in r25, too. The carry is that of all.
 */
.macro each_byte first, then
    movw r26, r22
    movw r30, r20
    movw r28, r24
    ld r0, X+
    ld r25, Z+
    \first r0, r25
    .irp number, UP_TO_23
    ld r\number, X+
    ld r25, Z+
    \then r\number, r25
    .endr
    .irp at, 24, 25, 26, 27, 28, 29, 30, 31
    ld r25, X+
    ld r24, Z+
    \then r25, r24
    std Y + \at, r25
    .endr
.endm

#endif
