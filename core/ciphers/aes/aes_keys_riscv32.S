/*
 * The key schedule of AES on words, aes_keys.c, on RISC-V of 32 bits. No branch depends on a key;
 * the S-box is read at places that do.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_RISCV32
#include "mote/riscv32.h"

#define NEXT a0
#define KEY a1
#define WORDS a2
#define BOX a3
#define LAST a4
#define BEFORE a5
#define GROUP a6 /* its end */
#define END a7
#define CONSTANT t0
#define LENGTH t6 /* of a group, in bytes */

/* SubWord: LAST becomes the S-box of its bytes at these places, the lowest first. */
.macro substitute b0, b1, b2, b3
    srli t1, LAST, \b0
    srli t2, LAST, \b1
    srli t3, LAST, \b2
    srli t4, LAST, \b3
    andi t1, t1, 255
    andi t2, t2, 255
    andi t3, t3, 255
    andi t4, t4, 255
    add t1, t1, BOX
    add t2, t2, BOX
    add t3, t3, BOX
    add t4, t4, BOX
    lbu t1, 0(t1)
    lbu t2, 0(t2)
    lbu t3, 0(t3)
    lbu t4, 0(t4)
    packh t1, t1, t2
    packh t3, t3, t4
    pack LAST, t1, t3
.endm

/* Words to the end of the group, two at once: every number of words is even. */
.macro add_group
    add GROUP, NEXT, LENGTH
9:  lw t1, 0(BEFORE)
    lw t2, 4(BEFORE)
    addi BEFORE, BEFORE, 8
    xor t1, t1, LAST
    xor LAST, t1, t2
    sw t1, 0(NEXT)
    sw LAST, 4(NEXT)
    addi NEXT, NEXT, 8
    beq NEXT, END, 4f
    bne NEXT, GROUP, 9b
.endm

/* void mote_aes_expand(uint32_t *next, const uint8_t *key, uint32_t words, const uint8_t sbox[256]) */
    function mote_aes_expand
    addi END, WORDS, 7
    slli END, END, 4
    add END, END, NEXT
    mv BEFORE, NEXT
    sh2add GROUP, WORDS, KEY
    andi t1, KEY, 3
    bnez t1, 2f
1:  lw LAST, 0(KEY)
    addi KEY, KEY, 4
    sw LAST, 0(NEXT)
    addi NEXT, NEXT, 4
    bne KEY, GROUP, 1b
    j 3f
2:  load_bytes LAST, KEY, 0, t1, t2
    sw LAST, 0(NEXT)
    addi KEY, KEY, 4
    addi NEXT, NEXT, 4
    bne KEY, GROUP, 2b
3:  li CONSTANT, 1
    slli LENGTH, WORDS, 2
    andi t5, WORDS, 8
    beqz t5, 5f
    li LENGTH, 16
5:  substitute 8, 16, 24, 0
    xor LAST, LAST, CONSTANT
    srli t1, CONSTANT, 7
    neg t1, t1
    andi t1, t1, 0x11b
    slli CONSTANT, CONSTANT, 1
    xor CONSTANT, CONSTANT, t1
    add_group
    beqz t5, 5b
    substitute 0, 8, 16, 24
    add_group
    j 5b
4:  ret

#endif
