/*
 * Numbers modulo p, of P-256, on an AVR. No branch and no address depends on a number. A number is
 * 32 bytes, the lowest first.
 *
 * Functions that begin with `field_` take addresses in r24 (result), r22 and r20, and lose all
 * registers.
 */
#include "p256_assembly.h"

#if MOTE_ASSEMBLY_AVR

#include "mote/product_avr.h"

    product_routines

/*
 * r2 to r17 \first \count bytes from Z + \from on, four times \next, and zeros. r18 counts what is
 * carried; r1 is 0.
 */
.macro add_bytes first, then, from, count, next
    ldd r0, Z + \from
    \first r2, r0
    .irp at, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .if \at < \count
    ldd r0, Z + \from + \at
    \then 2 + \at, r0
    .elseif \at < \count + 4
    \then 2 + \at, \next
    .else
    \then 2 + \at, r1
    .endif
    .endr
    \then r18, r1
.endm

/* r2 to r17 = 16 bytes at Z + \at, and r18, a number with the sign \sign. */
.macro begin_bytes at, sign
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ldd 2 + \number, Z + \at + \number
    .endr
    add r2, r18
    .irp number, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    adc r\number, \sign
    .endr
    ldi r18, 0xff /* the carry - 1 */
    adc r18, r1
.endm

/* \count bytes at Z + \to \first those at Z. */
.macro add_below first, then, to, count
    ldd r20, Z + \to
    ld r21, Z
    \first r20, r21
    std Z + \to, r20
    .irp at, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19
    .if \at < \count
    ldd r20, Z + \to + \at
    ldd r21, Z + \at
    \then r20, r21
    std Z + \to + \at, r20
    .endif
    .endr
.endm

/*
 * Montgomery's reduction, after the products of halves. The multiple M p that makes the lower bytes
 * 0 is that of their sum with 2^96 M + 2^192 M - 2^224 M, since -1 / p is 1 modulo 2^96. The result
 * is
 *
 *     the upper bytes + M + (2^96 M + 2^192 M - 2^224 M) / 2^256, and what the lower bytes carry.
 *
 * p is subtracted as its complement, whose words are 1, 0, 0, ones, ones, ones, ones - 1, 0, in the
 * same sums: 1 with the carry, and "ones" (words 3 and 6) where a number has no word. r18 counts
 * what the bytes so far carry; in the end it is all ones if p is to be added again.
 */
    routine field_finish
    join_halves
    clr r1
    add_below add, adc, 12, 20
    clr r18
    adc r18, r1
    add_below add, adc, 24, 8
    adc r18, r1
    add_below sub, sbc, 28, 4
    sbc r18, r1
    inc r18
    add r18, r24
    begin_bytes 32, r1
    ldi r19, 0xff
    add_bytes add, adc, 0, 16, r1
    add_bytes add, adc, 20, 12, r19
    add_bytes add, adc, 8, 16, r1
    add_bytes sub, sbc, 4, 16, r1
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    std Z + 32 + \at, 2 + \at
    .endr
    add r18, r25
    mov r20, r18
    lsl r20
    sbc r20, r20
    begin_bytes 48, r20
    add r18, r20
    add_bytes add, adc, 16, 16, r1
    add_bytes add, adc, 24, 8, r19
    add_bytes sub, sbc, 20, 12, r1
    ldd r26, Y + RESULT
    ldd r27, Y + RESULT + 1
    mov r19, r18
    andi r19, 1
    ldd r0, Z + 32
    add r0, r18
    st X+, r0
    .irp at, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    ldd r0, Z + 32 + \at
    adc r0, r18
    st X+, r0
    .endr
    .irp at, 12, 13, 14, 15
    ldd r0, Z + 32 + \at
    adc r0, r1
    st X+, r0
    .endr
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9
    adc r\number, r1
    st X+, r\number
    .endr
    adc r10, r19
    st X+, r10
    .irp number, 11, 12, 13
    adc r\number, r1
    st X+, r\number
    .endr
    .irp number, 14, 15, 16, 17
    adc r\number, r18
    st X+, r\number
    .endr
    end_frame PRODUCT_FRAME
    ret

    routine field_multiply
    multiply_halves
    jmp field_finish

    routine field_square
    square_halves
    jmp field_finish

/* To r0 to r23 and the bytes at Y + 24: p, where r26 is all ones. r25 = 0; r24 = r26 & 1. */
.macro add_prime
    ldi r25, 0
    mov r24, r26
    andi r24, 1
    add r0, r26
    .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    adc r\number, r26
    .endr
    .irp number, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23
    adc r\number, r25
    .endr
    ldd r27, Y + 24
    adc r27, r24
    std Y + 24, r27
    .irp at, 25, 26, 27
    ldd r27, Y + \at
    adc r27, r25
    std Y + \at, r27
    .endr
    .irp at, 28, 29, 30, 31
    ldd r27, Y + \at
    adc r27, r26
    std Y + \at, r27
    .endr
.endm

.macro store_bytes
    .irp number, 0, UP_TO_23
    std Y + \number, r\number
    .endr
.endm

/* p is subtracted: 1 at words 3 and 6, ones at word 7 (and 1 less a carry at byte 0). */
    routine field_add
    sec
    each_byte adc, adc
    ldi r25, 0
    ldi r26, 0
    adc r26, r25
    ldi r24, 1
    sub r12, r24
    .irp number, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23
    sbc r\number, r25
    .endr
    ldd r27, Y + 24
    sbc r27, r24
    std Y + 24, r27
    .irp at, 25, 26, 27
    ldd r27, Y + \at
    sbc r27, r25
    std Y + \at, r27
    .endr
    ldi r24, 0xff
    .irp at, 28, 29, 30, 31
    ldd r27, Y + \at
    sbc r27, r24
    std Y + \at, r27
    .endr
    sbc r26, r25
    add_prime
    store_bytes
    ret

    routine field_subtract
    each_byte sub, sbc
    sbc r26, r26
    add_prime
    store_bytes
    ret

/* Half of r22, to which p is added if it is odd. */
    routine field_halve
    movw r26, r22
    movw r28, r24
    .irp number, 0, UP_TO_23
    ld r\number, X+
    .endr
    .irp at, 24, 25, 26, 27, 28, 29, 30, 31
    ld r25, X+
    std Y + \at, r25
    .endr
    mov r26, r0
    andi r26, 1
    neg r26
    add_prime
    .irp at, 31, 30, 29, 28, 27, 26, 25, 24
    ldd r27, Y + \at
    ror r27
    std Y + \at, r27
    .endr
    .irp number, DOWN_FROM_23, 0
    ror r\number
    std Y + \number, r\number
    .endr
    ret

/* \to = column \k of a product of four bytes from r22 on and four from r18 on. */
.macro word_products k, i, low, middle, high
    .if (\i) <= (\k) && (\i) < 4
    .if (\k) - (\i) < 4
    product 22 + (\i), 18 + (\k) - (\i), \low, \middle, \high, r31
    .endif
    word_products \k, (\i + 1), \low, \middle, \high
    .endif
.endm

.macro word_column k, to, low, middle, high
    word_products \k, 0, \low, \middle, \high
    mov \to, \low
    clr \low
.endm

/* r14 to r17 and r18 to r21 = (r25 to r22) (r21 to r18), the lowest first. */
.macro word_product
    clr r26
    clr r27
    clr r30
    clr r31
    word_column 0, r14, r26, r27, r30
    word_column 1, r15, r27, r30, r26
    word_column 2, r16, r30, r26, r27
    word_column 3, r17, r26, r27, r30
    word_column 4, r18, r27, r30, r26
    word_column 5, r19, r30, r26, r27
    word_column 6, r20, r26, r27, r30
    mov r21, r27
.endm

.macro return_product
    movw r22, r18
    movw r24, r20
    movw r18, r14
    movw r20, r16
    .irp number, 17, 16, 15, 14, 13, 12, 11, 10
    pop r\number
    .endr
    clr r1
    ret
.endm

.macro keep_for_product
    .irp number, 10, 11, 12, 13, 14, 15, 16, 17
    push r\number
    .endr
.endm

/* uint64_t mote_p256_product(uint32_t a, uint32_t b) */
    function mote_p256_product
    keep_for_product
    word_product
    return_product

/*
 * int64_t mote_p256_signed_product(int32_t a, int32_t b): a negative number is 2^32 too large as an
 * unsigned one, so the other is subtracted from the upper word.
 */
    function mote_p256_signed_product
    keep_for_product
    mov r26, r25
    lsl r26
    sbc r26, r26
    mov r27, r21
    lsl r27
    sbc r27, r27
    movw r10, r22
    movw r12, r24
    .irp number, 10, 11, 12, 13
    and r\number, r27
    .endr
    movw r14, r18
    movw r16, r20
    .irp number, 14, 15, 16, 17
    and r\number, r26
    .endr
    add r10, r14
    adc r11, r15
    adc r12, r16
    adc r13, r17
    word_product
    sub r18, r10
    sbc r19, r11
    sbc r20, r12
    sbc r21, r13
    return_product

/* The functions of p256_field.h. */
.macro field_function name
    function mote_p256_\name
    save_registers
    call field_\name
    restore_registers
.endm

    field_function multiply
    field_function square
    field_function add
    field_function subtract
    field_function halve
#endif
