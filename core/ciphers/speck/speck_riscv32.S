/*
 * SPECK on RISC-V of 32 bits: blocks of speck.c and keys of SPECK-128/128, in registers. No branch
 * and no address depends on a secret. All 27 rounds of SPECK-64/128 are written out, and four of
 * the 32 of SPECK-128/128.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_RISCV32
#include "mote/riscv32.h"

#define KEYS a0
#define IN a1
#define OUT a2
#define BLOCKS a3

/* void name(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks), and of one. */
.macro begin_blocks name, name_of_one
    function \name_of_one
    li BLOCKS, 1
    .global \name
    .type \name, @function
\name:
    beqz BLOCKS, 2f
1:
.endm

.macro end_blocks length
    addi BLOCKS, BLOCKS, -1
    addi IN, IN, \length
    addi OUT, OUT, \length
    beqz BLOCKS, 2f
    j 1b
2:  ret
.endm

#define X a4
#define Y a5

    begin_blocks mote_speck_encrypt_blocks_64, mote_speck_encrypt_64
    load_two Y, X, IN, t0, t1
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26
    rori X, X, 8
    lw t0, 4 * \at(KEYS)
    add X, X, Y
    rori Y, Y, 29
    xor X, X, t0
    xor Y, Y, X
    .endr
    store_two Y, X, OUT, t0
    end_blocks 8

    begin_blocks mote_speck_decrypt_blocks_64, mote_speck_decrypt_64
    load_two Y, X, IN, t0, t1
    .irp at, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
    xor Y, Y, X
    lw t0, 4 * \at(KEYS)
    rori Y, Y, 3
    xor X, X, t0
    sub X, X, Y
    rori X, X, 24
    .endr
    store_two Y, X, OUT, t0
    end_blocks 8

/* SPECK-128: lower and upper halves of x and y. */
#define XL a4
#define XH a5
#define YL a6
#define YH a7

/* x = x turned by 8 bits to the right, plus y */
.macro add_y
    srli t0, XL, 8
    srli t1, XH, 8
    slli XH, XH, 24
    slli XL, XL, 24
    or t0, t0, XH
    or t1, t1, XL
    add XL, t0, YL
    add t1, t1, YH
    sltu t0, XL, t0
    add XH, t1, t0
.endm

/* y = y turned by 3 bits to the left, plus x */
.macro add_x
    srli t0, YH, 29
    srli t1, YL, 29
    slli YL, YL, 3
    slli YH, YH, 3
    xor t0, t0, XL
    xor t1, t1, XH
    xor YL, YL, t0
    xor YH, YH, t1
.endm

    begin_blocks mote_speck_encrypt_blocks_128, mote_speck_encrypt_128
    load_four YL, YH, XL, XH, IN, t0, t1
    addi t4, KEYS, 8 * 32
3:  .irp at, 0, 8, 16, 24
    add_y
    lw t2, \at(KEYS)
    lw t3, \at + 4(KEYS)
    xor XL, XL, t2
    xor XH, XH, t3
    add_x
    .endr
    addi KEYS, KEYS, 32
    bne KEYS, t4, 3b
    addi KEYS, KEYS, -8 * 32
    store_four YL, YH, XL, XH, OUT, t0
    end_blocks 16

    begin_blocks mote_speck_decrypt_blocks_128, mote_speck_decrypt_128
    load_four YL, YH, XL, XH, IN, t0, t1
    addi t4, KEYS, 8 * 32
3:  .irp at, -8, -16, -24, -32
    xor YL, YL, XL
    xor YH, YH, XH
    lw t2, \at(t4)
    lw t3, \at + 4(t4)
    slli t0, YH, 29
    slli t1, YL, 29
    srli YL, YL, 3
    srli YH, YH, 3
    or YL, YL, t0
    or YH, YH, t1
    xor XL, XL, t2
    xor XH, XH, t3
    sltu t0, XL, YL
    sub XL, XL, YL
    sub XH, XH, YH
    sub XH, XH, t0
    srli t0, XH, 24
    srli t1, XL, 24
    slli XL, XL, 8
    slli XH, XH, 8
    or XL, XL, t0
    or XH, XH, t1
    .endr
    addi t4, t4, -32
    bne KEYS, t4, 3b
    store_four YL, YH, XL, XH, OUT, t0
    end_blocks 16

/* void mote_speck_set_key_128(void *schedule, const uint8_t *key) */
    function mote_speck_set_key_128
    load_four YL, YH, XL, XH, IN, t0, t1
    sw YL, 0(KEYS)
    sw YH, 4(KEYS)
    li t2, 0
    li t3, 31
1:  addi KEYS, KEYS, 8
    add_y
    xor XL, XL, t2
    add_x
    addi t2, t2, 1
    sw YL, 0(KEYS)
    sw YH, 4(KEYS)
    bne t2, t3, 1b
    ret

#endif
