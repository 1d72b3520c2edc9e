/*
 * The field of field.h on RISC-V of 32 bits. No branch and no address depends on a number.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_RISCV32
#include "mote/product_riscv32.h"

#define RESULT a0

/* Words in a1, a3 to a7, t0 and t1: 19 times what is above 255 bits, of it \top 2^256, is added. */
.macro fold_and_store top
    slli \top, \top, 1
    srli t2, t1, 31
    or \top, \top, t2
    slli t1, t1, 1
    li t2, 19
    mul \top, \top, t2
    srli t1, t1, 1
    add a1, a1, \top
    sltu t2, a1, \top
    sw a1, 0(RESULT)
    .irp word, a3, a4, a5, a6, a7, t0
    add \word, \word, t2
    sltu t2, \word, t2
    .endr
    add t1, t1, t2
    store_upper
.endm

.macro store_upper
    sw a3, 4(RESULT)
    sw a4, 8(RESULT)
    sw a5, 12(RESULT)
    sw a6, 16(RESULT)
    sw a7, 20(RESULT)
    sw t0, 24(RESULT)
    sw t1, 28(RESULT)
.endm

/* A row of the product: its lowest word is complete, and the highest takes its register. */
.macro row at, w0, w1, w2, w3, w4, w5, w6, w7
    lw FACTOR, \at(a2)
    .if \at == 0
    first_product \w0, s0
    sw \w0, \at(sp)
    product \w1, s1
    product \w2, s2
    product \w3, s3
    product \w4, s4
    product \w5, s5
    product \w6, s6
    product \w7, s7
    mv \w0, CARRY
    .else
    add_first_product \w0, s0
    sw \w0, \at(sp)
    add_product \w1, s1
    add_product \w2, s2
    add_product \w3, s3
    add_product \w4, s4
    add_product \w5, s5
    add_product \w6, s6
    add_product \w7, s7, \w0
    .endif
.endm

/* word, CARRY = the word at \at, and \word times FACTOR, and CARRY. */
.macro reduce_word word, at
    lw s0, \at(sp)
    mul LOW, \word, FACTOR
    mulhu HIGH, \word, FACTOR
    add \word, LOW, s0
    sltu SPARE, \word, LOW
    .if \at == 0
    add CARRY, HIGH, SPARE
    .else
    add HIGH, HIGH, SPARE
    add \word, \word, CARRY
    sltu SPARE, \word, CARRY
    add CARRY, HIGH, SPARE
    .endif
.endm

/* RESULT = the number at a1 by that at a2; all registers but those of arguments may be lost. */
.macro multiply
    load_number a1
    row 0, a1, a3, a4, a5, a6, a7, t0, t1
    row 4, a3, a4, a5, a6, a7, t0, t1, a1
    row 8, a4, a5, a6, a7, t0, t1, a1, a3
    row 12, a5, a6, a7, t0, t1, a1, a3, a4
    row 16, a6, a7, t0, t1, a1, a3, a4, a5
    row 20, a7, t0, t1, a1, a3, a4, a5, a6
    row 24, t0, t1, a1, a3, a4, a5, a6, a7
    row 28, t1, a1, a3, a4, a5, a6, a7, t0
    li FACTOR, 38
    reduce_word a1, 0
    reduce_word a3, 4
    reduce_word a4, 8
    reduce_word a5, 12
    reduce_word a6, 16
    reduce_word a7, 20
    reduce_word t0, 24
    reduce_word t1, 28
    fold_and_store CARRY
.endm

#define LOWER 44 /* bytes of the lower half of a product: with the saved registers, 96 */

/* void mote_f25519_multiply(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b) */
    function mote_f25519_multiply
    li t3, 1
    j f25519_products

/* void mote_f25519_square(mote_f25519 *r, const mote_f25519 *a, uint8_t times) */
    function mote_f25519_square
    mv t3, a2
    mv a2, a1
    j f25519_products

/* Multiplies, then squares the result t3 - 1 times. */
    routine f25519_products
    save_registers LOWER
1:  multiply
    addi t3, t3, -1
    mv a1, RESULT
    mv a2, RESULT
    beqz t3, 2f
    j 1b
2:  return LOWER

/* Words from 1 on: \make with what is carried, t5. */
.macro each_word make
    .irp step, 1, 2, 3, 4, 5, 6, 7
    lw t2, 4 * \step(a1)
    lw t3, 4 * \step(a2)
    .if \step == 1
    \make a3
    .elseif \step == 2
    \make a4
    .elseif \step == 3
    \make a5
    .elseif \step == 4
    \make a6
    .elseif \step == 5
    \make a7
    .elseif \step == 6
    \make t0
    .else
    \make t1
    .endif
    .endr
.endm

.macro add_word to
    add_carry \to, t2, t3, t5, t4
.endm

.macro subtract_word to
    subtract_borrow \to, t2, t3, t5, t4
.endm

/* void mote_f25519_add(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b) */
    function mote_f25519_add
    lw t2, 0(a1)
    lw t6, 0(a2)
    add t6, t6, t2
    sltu t5, t6, t2
    each_word add_word
    mv a1, t6
    fold_and_store t5
    ret

/* word = word - borrow, and the next borrow. */
.macro take word, borrow, next
    sltu \next, \word, \borrow
    sub \word, \word, \borrow
.endm

/*
 * void mote_f25519_subtract(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b). Bit 255 is
 * set, so that 19 times the bits above can be subtracted without a borrow.
 */
    function mote_f25519_subtract
    lw t2, 0(a1)
    lw t3, 0(a2)
    sltu t5, t2, t3
    sub t6, t2, t3
    each_word subtract_word
    slli t5, t5, 1
    srli t2, t1, 31
    addi t5, t5, 1
    sub t5, t5, t2
    li t2, 19
    mul t5, t5, t2
    lui t2, 0x80000
    or t1, t1, t2
    sltu t2, t6, t5
    sub t6, t6, t5
    sw t6, 0(RESULT)
    take a3, t2, t3
    take a4, t3, t2
    take a5, t2, t3
    take a6, t3, t2
    take a7, t2, t3
    take t0, t3, t2
    sub t1, t1, t2
    store_upper
    ret

.macro multiply_add_word to
    mul t4, t2, t6
    mulhu t2, t2, t6
    add t3, t3, t4
    sltu t4, t3, t4
    add t2, t2, t4
    add \to, t3, t5
    sltu t5, \to, t5
    add t5, t5, t2
.endm

/* void mote_f25519_multiply_add(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b) */
    function mote_f25519_multiply_add
    addi sp, sp, -16
    sw s0, 12(sp)
    li t6, 121665
    li t5, 0
    lw t2, 0(a1)
    lw t3, 0(a2)
    multiply_add_word s0
    each_word multiply_add_word
    mv a1, s0
    lw s0, 12(sp)
    addi sp, sp, 16
    fold_and_store t5
    ret

#endif
