/*
 * The ChaCha20 function of chacha20_core.c on RISC-V of 32 bits, with its sixteen words in
 * registers. No branch and no address depends on a secret.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_RISCV32
#include "mote/riscv32.h"

#define INPUT a0
#define STREAM a1
#define ROUNDS t5
#define WORD t6
/* The rows of the state. */
#define ROW_0 a2, a3, a4, a5
#define ROW_1 a6, a7, t0, t1
#define ROW_2 t2, t3, t4, s0
#define ROW_3 s1, s2, s3, s4

.macro add_turn a, b, d, n
    add \a, \a, \b
    xor \d, \d, \a
    rori \d, \d, 32 - \n
.endm

.macro quarter_round a, b, c, d
    add_turn \a, \b, \d, 16
    add_turn \c, \d, \b, 12
    add_turn \a, \b, \d, 8
    add_turn \c, \d, \b, 7
.endm

/* RFC 8439, 2.3: columns, then diagonals. */
.macro double_round a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
    quarter_round \a0, \b0, \c0, \d0
    quarter_round \a1, \b1, \c1, \d1
    quarter_round \a2, \b2, \c2, \d2
    quarter_round \a3, \b3, \c3, \d3
    quarter_round \a0, \b1, \c2, \d3
    quarter_round \a1, \b2, \c3, \d0
    quarter_round \a2, \b3, \c0, \d1
    quarter_round \a3, \b0, \c1, \d2
.endm

.macro load_row at, w0, w1, w2, w3
    lw \w0, \at(INPUT)
    lw \w1, \at + 4(INPUT)
    lw \w2, \at + 8(INPUT)
    lw \w3, \at + 12(INPUT)
.endm

/* Two words and the input go to the stream. */
.macro store_pair at, w0, w1
    lw WORD, \at(INPUT)
    lw ROUNDS, \at + 4(INPUT)
    add \w0, \w0, WORD
    add \w1, \w1, ROUNDS
    sw \w0, \at(STREAM)
    sw \w1, \at + 4(STREAM)
.endm

.macro store_row at, w0, w1, w2, w3
    store_pair \at, \w0, \w1
    store_pair \at + 8, \w2, \w3
.endm

/* void mote_chacha20_block(const uint32_t input[16], uint8_t stream[64]); both aligned to words */
    function mote_chacha20_block
    addi sp, sp, -32
    sw s0, 0(sp)
    sw s1, 4(sp)
    sw s2, 8(sp)
    sw s3, 12(sp)
    sw s4, 16(sp)
    load_row 0, ROW_0
    load_row 16, ROW_1
    load_row 32, ROW_2
    load_row 48, ROW_3
    li ROUNDS, 10
1:  double_round ROW_0, ROW_1, ROW_2, ROW_3
    addi ROUNDS, ROUNDS, -1
    bnez ROUNDS, 1b
    store_row 0, ROW_0
    store_row 16, ROW_1
    store_row 32, ROW_2
    store_row 48, ROW_3
    lw s0, 0(sp)
    lw s1, 4(sp)
    lw s2, 8(sp)
    lw s3, 12(sp)
    lw s4, 16(sp)
    addi sp, sp, 32
    ret

#endif
