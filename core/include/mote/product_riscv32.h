/*
 * Products of numbers of 256 bits on RISC-V of 32 bits, row by row, by MUL and MULHU, which take
 * the same time for all operands. For the assembler only.
 */
#ifndef MOTE_PRODUCT_RISCV32_H
#define MOTE_PRODUCT_RISCV32_H

#include "mote/riscv32.h"

/* One factor is in s0 to s7; a word of the other one is FACTOR. */
#define FACTOR s8
#define LOW s9
#define HIGH s10
#define SPARE s11
#define CARRY ra

/* sum, CARRY = \word FACTOR. */
.macro first_product sum, word
    mul \sum, \word, FACTOR
    mulhu CARRY, \word, FACTOR
.endm

/* sum, CARRY = \word FACTOR + CARRY. */
.macro product sum, word
    mul LOW, \word, FACTOR
    mulhu HIGH, \word, FACTOR
    add \sum, LOW, CARRY
    sltu SPARE, \sum, LOW
    add CARRY, HIGH, SPARE
.endm

/* sum, CARRY = sum + \word FACTOR. */
.macro add_first_product sum, word
    mul LOW, \word, FACTOR
    mulhu CARRY, \word, FACTOR
    add \sum, \sum, LOW
    sltu SPARE, \sum, LOW
    add CARRY, CARRY, SPARE
.endm

/* sum, \carry = sum + \word FACTOR + CARRY. */
.macro add_product sum, word, carry=CARRY
    mul LOW, \word, FACTOR
    mulhu HIGH, \word, FACTOR
    add LOW, LOW, CARRY
    sltu SPARE, LOW, CARRY
    add HIGH, HIGH, SPARE
    add \sum, \sum, LOW
    sltu SPARE, \sum, LOW
    add \carry, HIGH, SPARE
.endm

/* s0 to s7 = the number at \from. */
.macro load_number from
    lw s0, 0(\from)
    lw s1, 4(\from)
    lw s2, 8(\from)
    lw s3, 12(\from)
    lw s4, 16(\from)
    lw s5, 20(\from)
    lw s6, 24(\from)
    lw s7, 28(\from)
.endm

/* sum = a + b + carry, and the new carry; the sum may be a. */
.macro add_carry sum, a, b, carry, spare
    add \sum, \a, \b
    sltu \spare, \sum, \b
    add \sum, \sum, \carry
    sltu \carry, \sum, \carry
    or \carry, \carry, \spare
.endm

/* difference = a - b - borrow, and the new borrow; b is lost, and the difference may be a. */
.macro subtract_borrow difference, a, b, borrow, spare
    sltu \spare, \a, \b
    sub \difference, \a, \b
    sltu \b, \difference, \borrow
    sub \difference, \difference, \borrow
    or \borrow, \b, \spare
.endm

#endif
