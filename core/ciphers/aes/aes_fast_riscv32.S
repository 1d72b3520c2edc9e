/*
 * aes-fast on RISC-V of 32 bits: the code of aes_fast_words.c, with the state in registers. FIPS
 * 197.
 *
 * No branch depends on a key or a message; the tables are read at places that do. A column is one
 * word, its first byte the lowest; entries of rows 1 to 3 are turned after the look-up. The number
 * of rounds before the last is odd, so that two of them are a turn of the loop, which begins in its
 * middle.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_RISCV32
#include "mote/riscv32.h"

#define KEYS a0
#define IN a1
#define OUT a2
#define BLOCKS a3
#define TABLE t0
#define BOX t1
#define T0 t2
#define T1 t3
#define T2 t4
#define KEY t5
#define END t6
#define START s4
/* The state: a4 to a7 and s0 to s3, from one to the other in each round. */

/* new = the column of four rows, and the word of the key at `at`. */
.macro column new, row0, row1, row2, row3, at
    srli T0, \row3, 24
    srli T1, \row2, 16
    srli T2, \row1, 8
    andi T1, T1, 255
    andi T2, T2, 255
    andi \new, \row0, 255
    sh2add T0, T0, TABLE
    sh2add T1, T1, TABLE
    sh2add T2, T2, TABLE
    sh2add \new, \new, TABLE
    lw T0, 0(T0)
    lw T1, 0(T1)
    lw T2, 0(T2)
    lw \new, 0(\new)
    lw KEY, \at(KEYS)
    rori T0, T0, 24
    xor T0, T0, T1
    rori T0, T0, 24
    xor T0, T0, T2
    rori T0, T0, 24
    xor \new, \new, KEY
    xor \new, \new, T0
.endm

/* The same of the last round: bytes of the S-box. */
.macro last_column new, row0, row1, row2, row3, at
    srli T0, \row3, 24
    srli T1, \row2, 16
    srli T2, \row1, 8
    andi T1, T1, 255
    andi T2, T2, 255
    andi \new, \row0, 255
    add T0, T0, BOX
    add T1, T1, BOX
    add T2, T2, BOX
    add \new, \new, BOX
    lbu T0, 0(T0)
    lbu T1, 0(T1)
    lbu T2, 0(T2)
    lbu \new, 0(\new)
    lw KEY, \at(KEYS)
    packh T1, T1, T0
    packh \new, \new, T2
    pack \new, \new, T1
    xor \new, \new, KEY
.endm

/* Four columns: ShiftRows takes rows of the columns behind, its inverse of those before. */
.macro columns make, n0, n1, n2, n3, a0, a1, a2, a3, at
    .if step > 0
    \make \n0, \a0, \a1, \a2, \a3, \at
    \make \n1, \a1, \a2, \a3, \a0, \at + 4
    \make \n2, \a2, \a3, \a0, \a1, \at + 8
    \make \n3, \a3, \a0, \a1, \a2, \at + 12
    .else
    \make \n0, \a0, \a3, \a2, \a1, \at
    \make \n1, \a1, \a0, \a3, \a2, \at + 4
    \make \n2, \a2, \a1, \a0, \a3, \at + 8
    \make \n3, \a3, \a2, \a1, \a0, \at + 12
    .endif
.endm

/*
 * void mote_aes_fast_name(const void *schedule, const uint8_t *in, uint8_t *out), and
 * name_blocks(..., size_t blocks), of none too. toward: from a round key to the next one, in bytes.
 */
.macro crypt name, table, box, toward
    .set step, \toward
    function mote_aes_fast_\name
    li BLOCKS, 1
    .global mote_aes_fast_\name\()_blocks
    .type mote_aes_fast_\name\()_blocks, @function
mote_aes_fast_\name\()_blocks:
    beqz BLOCKS, 4f
    addi sp, sp, -32
    sw s0, 0(sp)
    sw s1, 4(sp)
    sw s2, 8(sp)
    sw s3, 12(sp)
    sw s4, 16(sp)
    la TABLE, \table
    la BOX, \box
    lw T0, 0(KEYS) /* rounds */
    addi START, KEYS, 4
    slli T0, T0, 4
    .if step > 0
    add END, START, T0
    addi END, END, -32
    .else
    addi END, START, 32
    add START, START, T0
    .endif
1:  load_four a4, a5, a6, a7, IN, T0, T1
    mv KEYS, START
    lw T0, 0(KEYS)
    lw T1, 4(KEYS)
    lw T2, 8(KEYS)
    lw KEY, 12(KEYS)
    xor a4, a4, T0
    xor a5, a5, T1
    xor a6, a6, T2
    xor a7, a7, KEY
    j 3f
2:  columns column, a4, a5, a6, a7, s0, s1, s2, s3, 2 * step
    addi KEYS, KEYS, 2 * step
3:  columns column, s0, s1, s2, s3, a4, a5, a6, a7, step
    beq KEYS, END, 5f
    j 2b
5:  columns last_column, a4, a5, a6, a7, s0, s1, s2, s3, 2 * step
    store_four a4, a5, a6, a7, OUT, T0
    addi IN, IN, 16
    addi OUT, OUT, 16
    addi BLOCKS, BLOCKS, -1
    beqz BLOCKS, 6f
    j 1b
6:  lw s0, 0(sp)
    lw s1, 4(sp)
    lw s2, 8(sp)
    lw s3, 12(sp)
    lw s4, 16(sp)
    addi sp, sp, 32
4:  ret
.endm

    crypt encrypt, mote_aes_fast_mixed, mote_aes_fast_sbox, 16
    crypt decrypt, mote_aes_fast_mixed_back, mote_aes_fast_inverse_sbox, -16

#endif
