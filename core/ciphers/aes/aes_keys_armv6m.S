/*
 * Key schedules of AES on ARMv6-M: what aes_fast_words.c and aes_sbox.c do in C. FIPS 197, sections 5.2 and 5.3.5. No
 * branch depends on a key; the S-box is read at places that do.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M
#include "mote/armv6m.h"

#define NEXT r0
#define CONSTANT r1
#define WORDS r2
#define BOX r3
#define LAST r4
#define BEFORE r5 /* the word that many before the next */
#define END r12

.macro add_byte from, to
    .if \from == 0
    uxtb r7, LAST
    .elseif \from == 3
    lsrs r7, LAST, #24
    .else
    lsrs r7, LAST, #8 * (\from)
    uxtb r7, r7
    .endif
    ldrb r7, [BOX, r7]
    .if \to > 0
    lsls r7, #8 * \to
    .endif
    orrs r6, r7
.endm

/* S of each byte of LAST; turned right by 8 bits if \turn is 1. */
.macro substitute turn
    movs r6, #0
    add_byte \turn, 0
    add_byte \turn + 1, 1
    add_byte \turn + 2, 2
    add_byte (\turn + 3) & 3, 3
    movs LAST, r6
.endm

.macro words count
    .rept \count
    ldm BEFORE!, {r6}
    eors LAST, r6
    stm NEXT!, {LAST}
    .endr
.endm

/* void mote_aes_expand(uint32_t *next, const uint8_t *key, uint32_t words, const uint8_t sbox[256]) */
    function mote_aes_expand
    push {r4-r7, lr}
    movs BEFORE, r0
    adds r6, WORDS, #7
    lsls r6, #4
    adds r6, r0
    mov END, r6
    lsls r6, WORDS, #2
    adds r6, r0
1:  load_bytes LAST, r7, r1, 0
    adds r1, #4
    stm NEXT!, {LAST}
    cmp NEXT, r6
    bne 1b
    movs CONSTANT, #1
2:  substitute 1
    eors LAST, CONSTANT
    lsls CONSTANT, #1
    words 4
    cmp NEXT, END
    beq 4f
    lsrs r6, CONSTANT, #8 /* 0x1b follows 0x80 */
    beq 3f
    movs CONSTANT, #0x1b
3:  cmp WORDS, #6
    blo 2b
    bne 5f
    words 2
    b 2b
5:  substitute 0
    words 4
    b 2b
4:  pop {r4-r7, pc}

.macro double word
    lsrs r4, \word, #7
    ands r4, r6
    lsls \word, #1
    bics \word, r6
    muls r4, r7
    eors \word, r4
.endm

/* InvMixColumns of each word, which is MixColumns of its product with 4 x^2 + 5.
 * void mote_aes_mix_back(uint32_t *word, const uint32_t *end); at least one */
    function mote_aes_mix_back
    push {r4-r7, lr}
    mov END, r1
    movs r1, #16
    ldr r6, =0x01010101
    movs r7, #0x1b
1:  ldr r2, [r0]
    movs r3, r2
    rors r3, r1
    eors r3, r2
    double r3
    double r3
    eors r2, r3
    movs r3, r2
    movs r4, #8
    rors r3, r4
    eors r2, r3
    movs r5, r2
    double r5
    eors r5, r3
    rors r2, r1
    eors r5, r2
    stm r0!, {r5}
    cmp r0, END
    bne 1b
    pop {r4-r7, pc}
    .ltorg

/* Turns the words 1, 2 and 3 of each round key right by column1, 16 and column3 bits.
 * void mote_aes_turn_keys(uint32_t *key, const uint32_t *end, uint32_t column1, uint32_t column3) */
    function mote_aes_turn_keys
    push {r4-r7, lr}
    movs r7, #16
1:  adds r0, #4
    ldr r4, [r0]
    ldr r5, [r0, #4]
    ldr r6, [r0, #8]
    rors r4, r2
    rors r5, r7
    rors r6, r3
    stm r0!, {r4, r5, r6}
    cmp r0, r1
    bne 1b
    pop {r4-r7, pc}

.macro exchange low, high, shift, mask
    lsrs r6, \low, #\shift
    eors r6, \high
    ands r6, \mask
    eors \high, r6
    lsls r6, #\shift
    eors \low, r6
.endm

/* Columns of each round key to rows.
 * void mote_aes_transpose_keys(uint32_t *key, const uint32_t *end) */
    function mote_aes_transpose_keys
    push {r4-r7, lr}
    mov END, r1
    ldr r1, =0x0000ffff
    ldr r7, =0x00ff00ff
1:  ldm r0!, {r2, r3, r4, r5}
    exchange r2, r3, 8, r7
    exchange r4, r5, 8, r7
    exchange r2, r4, 16, r1
    exchange r3, r5, 16, r1
    subs r0, #16
    stm r0!, {r2, r3, r4, r5}
    cmp r0, END
    bne 1b
    pop {r4-r7, pc}
    .ltorg

#endif
