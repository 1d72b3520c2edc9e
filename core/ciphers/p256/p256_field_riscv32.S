/*
 * Numbers modulo p of p256_field.h on RISC-V of 32 bits. No branch and no address depends on a
 * number.
 */
#include "p256_assembly.h"

#if MOTE_ASSEMBLY_RISCV32
#include "mote/product_riscv32.h"

#define RESULT a0

/*
 * A row: t = t + a FACTOR, then a multiple of p so that the lowest word is 0, which is left out.
 * -1 / p is 1 modulo 2^32, so it is m p, of the lowest word m. \w0 becomes the highest word.
 */
.macro row at, w0, w1, w2, w3, w4, w5, w6, w7, w8
    lw FACTOR, \at(a2)
    .if \at == 0
    first_product \w0, s0
    product \w1, s1
    product \w2, s2
    product \w3, s3
    product \w4, s4
    product \w5, s5
    product \w6, s6
    product \w7, s7
    mv \w8, CARRY
    .else
    add_first_product \w0, s0
    add_product \w1, s1
    add_product \w2, s2
    add_product \w3, s3
    add_product \w4, s4
    add_product \w5, s5
    add_product \w6, s6
    add_product \w7, s7
    add \w8, \w8, CARRY
    sltu HIGH, \w8, CARRY
    .endif
    /* m p = m (2^256 - 2^224 + 2^192 + 2^96 - 1) */
    add \w3, \w3, \w0
    sltu LOW, \w3, \w0
    add \w4, \w4, LOW
    sltu LOW, \w4, LOW
    add \w5, \w5, LOW
    sltu LOW, \w5, LOW
    add \w6, \w6, LOW
    sltu LOW, \w6, LOW
    add \w6, \w6, \w0
    sltu SPARE, \w6, \w0
    add LOW, LOW, SPARE
    add \w7, \w7, LOW
    sltu LOW, \w7, LOW
    add LOW, LOW, \w0
    sltu SPARE, \w7, \w0
    sub \w7, \w7, \w0
    sub LOW, LOW, SPARE
    add \w8, \w8, LOW
    .if \at == 0
    sltu \w0, \w8, LOW
    .else
    sltu SPARE, \w8, LOW
    add \w0, HIGH, SPARE
    .endif
.endm

.macro store_number w0, w1, w2, w3, w4, w5, w6, w7
    sw \w0, 0(RESULT)
    sw \w1, 4(RESULT)
    sw \w2, 8(RESULT)
    sw \w3, 12(RESULT)
    sw \w4, 16(RESULT)
    sw \w5, 20(RESULT)
    sw \w6, 24(RESULT)
    sw \w7, 28(RESULT)
.endm

/* Word \at of RESULT: \less where the mask is 0, \word where it is all ones; both are lost. */
.macro choose at, less, word, mask
    xor \word, \word, \less
    and \word, \word, \mask
    xor \word, \word, \less
    sw \word, \at(RESULT)
.endm

/* RESULT = the words, of which \top is above the eight, less p if they are not below it. */
.macro reduce_and_store w0, w1, w2, w3, w4, w5, w6, w7, top, carry
    addi s0, \w0, 1
    seqz \carry, s0
    add s1, \w1, \carry
    sltu \carry, s1, \carry
    add s2, \w2, \carry
    sltu \carry, s2, \carry
    xori \carry, \carry, 1 /* a borrow */
    sub s3, \w3, \carry
    sltu \carry, \w3, \carry
    sub s4, \w4, \carry
    sltu \carry, \w4, \carry
    sub s5, \w5, \carry
    sltu \carry, \w5, \carry
    addi \carry, \carry, 1
    sub s6, \w6, \carry
    sltu \carry, \w6, \carry
    xori \carry, \carry, 1
    add s7, \w7, \carry
    sltu \carry, s7, \carry
    add \carry, \carry, \top
    addi \carry, \carry, -1 /* all ones: below p */
    choose 0, s0, \w0, \carry
    choose 4, s1, \w1, \carry
    choose 8, s2, \w2, \carry
    choose 12, s3, \w3, \carry
    choose 16, s4, \w4, \carry
    choose 20, s5, \w5, \carry
    choose 24, s6, \w6, \carry
    choose 28, s7, \w7, \carry
.endm

/* void mote_p256_square(uint32_t r[8], const uint32_t a[8]) */
    function mote_p256_square
    mv a2, a1
    j mote_p256_multiply

/* void mote_p256_multiply(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]) */
    function mote_p256_multiply
    save_registers 12
    load_number a1
    row 0, a1, a3, a4, a5, a6, a7, t0, t1, t2
    row 4, a3, a4, a5, a6, a7, t0, t1, t2, a1
    row 8, a4, a5, a6, a7, t0, t1, t2, a1, a3
    row 12, a5, a6, a7, t0, t1, t2, a1, a3, a4
    row 16, a6, a7, t0, t1, t2, a1, a3, a4, a5
    row 20, a7, t0, t1, t2, a1, a3, a4, a5, a6
    row 24, t0, t1, t2, a1, a3, a4, a5, a6, a7
    row 28, t1, t2, a1, a3, a4, a5, a6, a7, t0
    reduce_and_store t2, a1, a3, a4, a5, a6, a7, t0, t1, CARRY
    return 12

.macro save_eight
    addi sp, sp, -32
    sw s0, 0(sp)
    sw s1, 4(sp)
    sw s2, 8(sp)
    sw s3, 12(sp)
    sw s4, 16(sp)
    sw s5, 20(sp)
    sw s6, 24(sp)
    sw s7, 28(sp)
.endm

.macro return_eight
    lw s0, 0(sp)
    lw s1, 4(sp)
    lw s2, 8(sp)
    lw s3, 12(sp)
    lw s4, 16(sp)
    lw s5, 20(sp)
    lw s6, 24(sp)
    lw s7, 28(sp)
    addi sp, sp, 32
    ret
.endm

/* to = word \at of a and b by \make; t3 is the carry, t4 to t6 are lost. */
.macro each make, at, to
    lw t4, \at(a1)
    lw t5, \at(a2)
    \make \to, t4, t5, t3, t6
.endm

/* void mote_p256_add(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]) */
    function mote_p256_add
    save_eight
    lw t4, 0(a1)
    lw t2, 0(a2)
    add t2, t2, t4
    sltu t3, t2, t4
    each add_carry, 4, a3
    each add_carry, 8, a4
    each add_carry, 12, a5
    each add_carry, 16, a6
    each add_carry, 20, a7
    each add_carry, 24, t0
    each add_carry, 28, t1
    reduce_and_store t2, a3, a4, a5, a6, a7, t0, t1, t3, t4
    return_eight

/* Adds p where the mask t4 is all ones; t3 becomes what is carried, t5 is lost. */
.macro add_modulus w0, w1, w2, w3, w4, w5, w6, w7
    add \w0, \w0, t4
    sltu t3, \w0, t4
    add_carry \w1, \w1, t4, t3, t5
    add_carry \w2, \w2, t4, t3, t5
    add \w3, \w3, t3
    sltu t3, \w3, t3
    add \w4, \w4, t3
    sltu t3, \w4, t3
    add \w5, \w5, t3
    sltu t3, \w5, t3
    sub t3, t3, t4
    add \w6, \w6, t3
    sltu t3, \w6, t3
    add_carry \w7, \w7, t4, t3, t5
.endm

/* void mote_p256_subtract(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]) */
    function mote_p256_subtract
    lw t4, 0(a1)
    lw t5, 0(a2)
    sltu t3, t4, t5
    sub t2, t4, t5
    each subtract_borrow, 4, a3
    each subtract_borrow, 8, a4
    each subtract_borrow, 12, a5
    each subtract_borrow, 16, a6
    each subtract_borrow, 20, a7
    each subtract_borrow, 24, t0
    each subtract_borrow, 28, t1
    neg t4, t3
    add_modulus t2, a3, a4, a5, a6, a7, t0, t1
    store_number t2, a3, a4, a5, a6, a7, t0, t1
    ret

/* to = (high, to) / 2, a word of it; high is the next one. */
.macro halve_word to, high
    srli \to, \to, 1
    slli t5, \high, 31
    or \to, \to, t5
.endm

/* void mote_p256_halve(uint32_t r[8], const uint32_t a[8]) */
    function mote_p256_halve
    lw t2, 0(a1)
    lw a3, 4(a1)
    lw a4, 8(a1)
    lw a5, 12(a1)
    lw a6, 16(a1)
    lw a7, 20(a1)
    lw t0, 24(a1)
    lw t1, 28(a1)
    andi t4, t2, 1
    neg t4, t4
    add_modulus t2, a3, a4, a5, a6, a7, t0, t1
    halve_word t2, a3
    halve_word a3, a4
    halve_word a4, a5
    halve_word a5, a6
    halve_word a6, a7
    halve_word a7, t0
    halve_word t0, t1
    halve_word t1, t3
    store_number t2, a3, a4, a5, a6, a7, t0, t1
    ret

#endif
