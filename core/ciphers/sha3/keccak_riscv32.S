/*
 * Keccak-f[1600] on RISC-V of 32 bits: FIPS 202, section 3. No branch and no address depends on a
 * secret.
 *
 * A lane is two words, its even bits and its odd bits, so that a rotation of the lane is one of
 * each word; by an odd amount the words also change places. Two rounds are written out: the first
 * goes from the state to a copy on the stack, the second back. Five words of a row are in registers
 * from their loads to their stores; the sums of columns for theta of the next round grow meanwhile.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_RISCV32
#include "mote/riscv32.h"

/*
 * Addends of theta for lanes x = 0 to 4: for even words a0 to a4, for odd words s5 to s9. Sums of
 * columns: of even words t0 to t4, of odd words s0 to s4.
 */
#define B0 a5
#define B1 a6
#define B2 a7
#define B3 s10
#define B4 s11
#define SPARE t5
#define STATE t6
#define CONSTANTS ra

#define COPY 204 /* bytes on the stack; the last word is not used */
#define FIRST 0  /* rounds: from the state, to the state */
#define SECOND 1

.macro load_from to, at
    .if round == FIRST
    lw \to, \at(STATE)
    .else
    lw \to, \at(sp)
    .endif
.endm

.macro store_to from, at
    .if round == FIRST
    sw \from, \at(sp)
    .else
    sw \from, \at(STATE)
    .endif
.endm

/* Of the row that is made: its half, 0 for even words, and y. */
.set half, 0
.set row, 0

/* One word of the lane (x, y), which turns left by `amount`. */
.macro load_lane to, x, y, amount
    load_from \to, 40 * \y + 8 * \x + 4 * (half ^ (\amount & 1))
.endm

.macro turn_lane to, x, y, amount
    .if half == (\amount & 1)
    xor \to, \to, a\x
    .elseif \x == 0
    xor \to, \to, s5
    .elseif \x == 1
    xor \to, \to, s6
    .elseif \x == 2
    xor \to, \to, s7
    .elseif \x == 3
    xor \to, \to, s8
    .else
    xor \to, \to, s9
    .endif
    .set left, (\amount + (\amount & 1) * (1 - 2 * half)) / 2
    .if left != 0
    rori \to, \to, 32 - left
    .endif
.endm

/* sum = sum + (a + ~b c), which goes to the row, too. */
.macro chi_word sum, x, a, b, c
    .if row == 0
    andn \sum, \c, \b
    xor \sum, \sum, \a
    .if \x == 0
    xor \sum, \sum, SPARE
    .endif
    store_to \sum, 8 * \x + 4 * half
    .else
    andn SPARE, \c, \b
    xor SPARE, SPARE, \a
    store_to SPARE, 40 * row + 8 * \x + 4 * half
    xor \sum, \sum, SPARE
    .endif
.endm

.macro chi sum0, sum1, sum2, sum3, sum4
    chi_word \sum0, 0, B0, B1, B2
    chi_word \sum1, 1, B1, B2, B3
    chi_word \sum2, 2, B2, B3, B4
    chi_word \sum3, 3, B3, B4, B0
    chi_word \sum4, 4, B4, B0, B1
.endm

/* Lanes of the columns 0 to 4 of a row, as x and amount; that of column y is in row y before. */
.macro make_row y, x0, n0, x1, n1, x2, n2, x3, n3, x4, n4
    .set row, \y
    .irp which, 0, 1
    .set half, \which
    load_lane B0, \x0, 0, \n0
    load_lane B1, \x1, 1, \n1
    load_lane B2, \x2, 2, \n2
    load_lane B3, \x3, 3, \n3
    load_lane B4, \x4, 4, \n4
    turn_lane B0, \x0, 0, \n0
    turn_lane B1, \x1, 1, \n1
    turn_lane B2, \x2, 2, \n2
    turn_lane B3, \x3, 3, \n3
    turn_lane B4, \x4, 4, \n4
    .if row == 0
    lw SPARE, 4 * half(CONSTANTS)
    .endif
    .if half == 0
    chi t0, t1, t2, t3, t4
    .else
    chi s0, s1, s2, s3, s4
    .endif
    .endr
.endm

/* Section 3.2.1 for even words: a = lower + the turned `higher`; for odd ones without a turn. */
.macro theta_words even, odd, lower_even, lower_odd, higher_even, higher_odd
    rori \even, \higher_odd, 31
    xor \even, \even, \lower_even
    xor \odd, \lower_odd, \higher_even
.endm

.macro one_round
    theta_words a0, s5, t4, s4, t1, s1
    theta_words a1, s6, t0, s0, t2, s2
    theta_words a2, s7, t1, s1, t3, s3
    theta_words a3, s8, t2, s2, t4, s4
    theta_words a4, s9, t3, s3, t0, s0
    make_row 0, 0, 0, 1, 44, 2, 43, 3, 21, 4, 14
    make_row 1, 3, 28, 4, 20, 0, 3, 1, 45, 2, 61
    make_row 2, 1, 1, 2, 6, 3, 25, 4, 8, 0, 18
    make_row 3, 4, 27, 0, 36, 1, 10, 2, 15, 3, 56
    make_row 4, 2, 62, 3, 55, 4, 39, 0, 41, 1, 2
    addi CONSTANTS, CONSTANTS, 8
.endm

/* void mote_keccak_permute(uint64_t a[25]) */
    function mote_keccak_permute
    save_registers COPY
    mv STATE, a0
    la CONSTANTS, constants
    .irp x, 0, 1, 2, 3, 4
    lw t\x, 8 * \x(STATE)
    lw s\x, 8 * \x + 4(STATE)
    .irp y, 1, 2, 3, 4
    lw B0, 40 * \y + 8 * \x(STATE)
    lw B1, 40 * \y + 8 * \x + 4(STATE)
    xor t\x, t\x, B0
    xor s\x, s\x, B1
    .endr
    .endr
1:  .set round, FIRST
    one_round
    .set round, SECOND
    one_round
    la SPARE, constants_end
    beq CONSTANTS, SPARE, 2f
    j 1b

    /* Nothing of the state stays on the stack. */
2:  mv a0, sp
    addi a1, sp, 200
3:  sw zero, 0(a0)
    sw zero, 4(a0)
    addi a0, a0, 8
    bne a0, a1, 3b
    return COPY
    .size mote_keccak_permute, . - mote_keccak_permute

    .section .rodata.mote_keccak_constants, "a", @progbits
    .balign 4
constants:
    /* Section 3.2.5; even bits, odd bits. */
    .word 1, 0, 0, 0x89, 0, 0x8000008b, 0, 0x80008080
    .word 1, 0x8b, 1, 0x8000, 1, 0x80008088, 1, 0x80000082
    .word 0, 0xb, 0, 0xa, 1, 0x8082, 0, 0x8003
    .word 1, 0x808b, 1, 0x8000000b, 1, 0x8000008a, 1, 0x80000081
    .word 0, 0x80000081, 0, 0x80000008, 0, 0x83, 0, 0x80008003
    .word 1, 0x80008088, 0, 0x80000088, 1, 0x8000, 0, 0x80008082
constants_end:

/* void mote_keccak_add_lanes(uint64_t a[25], uint8_t lane, const uint8_t *message, uint8_t lanes); at least one */
    function mote_keccak_add_lanes
    sh3add a0, a1, a0
1:  load_two a4, a5, a2, a6, a7
    lw t0, 0(a0)
    lw t1, 4(a0)
    unzip a4, a4
    unzip a5, a5
    pack a6, a4, a5
    srli a4, a4, 16
    srli a5, a5, 16
    pack a7, a4, a5
    xor t0, t0, a6
    xor t1, t1, a7
    sw t0, 0(a0)
    sw t1, 4(a0)
    addi a0, a0, 8
    addi a2, a2, 8
    addi a3, a3, -1
    bnez a3, 1b
    ret
    .size mote_keccak_add_lanes, . - mote_keccak_add_lanes

/* void mote_keccak_get_lanes(const uint64_t a[25], uint8_t lane, uint8_t *message, uint8_t lanes); at least one */
    function mote_keccak_get_lanes
    sh3add a0, a1, a0
1:  lw a4, 0(a0)
    lw a5, 4(a0)
    addi a0, a0, 8
    pack a6, a4, a5
    srli a4, a4, 16
    srli a5, a5, 16
    pack a7, a4, a5
    zip a6, a6
    zip a7, a7
    store_two a6, a7, a2, a4
    addi a2, a2, 8
    addi a3, a3, -1
    bnez a3, 1b
    ret
    .size mote_keccak_get_lanes, . - mote_keccak_get_lanes

#endif
