/*
 * The key schedule of AES on ARMv7-M: aes_keys.c, and InvMixColumns of round keys for aes_fast_words.c. FIPS 197,
 * section 5.2. No branch depends on a key; the tables are read at places that do.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7M
#include "mote/armv7m.h"

#define NEXT r0
#define SBOX r3

/* The bytes of a word as places in the S-box, in t0 to t3; first turned right by 8 bits where `turned` is 1. */
.macro read_sub_word word, t0, t1, t2, t3, turned
    .if \turned
    uxtb.w \t0, \word, ror #8
    uxtb.w \t1, \word, ror #16
    lsr.w \t2, \word, #24
    uxtb.w \t3, \word
    .else
    uxtb.w \t0, \word
    uxtb.w \t1, \word, ror #8
    uxtb.w \t2, \word, ror #16
    lsr.w \t3, \word, #24
    .endif
    ldrb.w \t0, [SBOX, \t0]
    ldrb.w \t1, [SBOX, \t1]
    ldrb.w \t2, [SBOX, \t2]
    ldrb.w \t3, [SBOX, \t3]
.endm

/* sum += the word of these bytes. */
.macro add_bytes sum, t0, t1, t2, t3
    eor.w \sum, \sum, \t0
    eor.w \sum, \sum, \t1, lsl #8
    eor.w \sum, \sum, \t2, lsl #16
    eor.w \sum, \sum, \t3, lsl #24
.endm

/* sum += S(word). */
.macro add_sub_word sum, word, t0, t1, t2, t3, turned
    read_sub_word \word, \t0, \t1, \t2, \t3, \turned
    add_bytes \sum, \t0, \t1, \t2, \t3
.endm

/* Each word += the one before. */
.macro run first, others:vararg
    add_before \first, \others
.endm
.macro add_before before, word, others:vararg
    .ifnb \word
    eor.w \word, \word, \before
    add_before \word, \others
    .endif
.endm

/*
 * Four words of a schedule for AES-128, of which three are stored. The last one before them is stored here, behind loads,
 * where a store takes no cycle.
 */
.macro step_128 at, shift
    read_sub_word r7, r8, r9, r10, r11, 1
    str.w r7, [NEXT, #\at - 4]
    add_bytes r4, r8, r9, r10, r11
    eor.w r4, r4, r12, lsr #\shift
    run r4, r5, r6, r7
    str.w r4, [NEXT, #\at]
    str.w r5, [NEXT, #\at + 4]
    str.w r6, [NEXT, #\at + 8]
.endm

/*
 * void mote_aes_expand(uint32_t *next, const uint8_t *key, uint32_t words, const uint8_t sbox[256]). The constant of a
 * step stands in the upper bits of a register, out of which it is shifted in the end.
 */
    function mote_aes_expand
    save_registers
    ldr.w r4, [r1]
    ldr.w r5, [r1, #4]
    ldr.w r6, [r1, #8]
    ldr.w r7, [r1, #12]
    cmp r2, #6
    beq.w 2f
    bhi.w 4f

    mov.w r12, #0x01000000
    stm.w NEXT!, {r4-r7}
    .balign 8
1:  step_128 0, 24
    step_128 16, 23
    lsls.w r12, r12, #2
    it eq
    moveq.w r12, #0x1b000000 /* behind the eighth */
    adds NEXT, NEXT, #32
    cmp.w r12, #0x6c000000 /* behind the tenth */
    bne.w 1b
    str.w r7, [NEXT, #-4]
    return

2:  ldr.w r8, [r1, #16]
    ldr.w r9, [r1, #20]
    mov.w r2, #0x01000000
    stm.w NEXT!, {r4-r9}
    .balign 8
3:  add_sub_word r4, r9, r10, r11, r12, lr, 1
    eor.w r4, r4, r2, lsr #24
    lsls.w r2, r2, #1
    run r4, r5, r6, r7
    itt eq /* behind the eighth */
    stmeq.w NEXT!, {r4-r7}
    popeq.w {r4-r11, pc}
    run r7, r8, r9
    stm.w NEXT!, {r4-r9}
    b.w 3b

4:  ldr.w r8, [r1, #16]
    ldr.w r9, [r1, #20]
    ldr.w r10, [r1, #24]
    ldr.w r11, [r1, #28]
    mov.w lr, #0x02000000
    stm.w NEXT!, {r4-r11}
    .balign 8
5:  add_sub_word r4, r11, r12, r1, r2, r11, 1
    eor.w r4, r4, lr, lsr #25
    lsls.w lr, lr, #1
    run r4, r5, r6, r7
    stm.w NEXT!, {r4-r7}
    it eq /* behind the seventh */
    popeq.w {r4-r11, pc}
    ldr.w r11, [NEXT, #-20]
    add_sub_word r8, r7, r12, r1, r2, r7, 0
    ldr.w r7, [NEXT, #-4]
    run r8, r9, r10, r11
    stm.w NEXT!, {r8-r11}
    b.w 5b
    .size mote_aes_expand, . - mote_aes_expand

/* void mote_aes_fast_mix_back(uint32_t *word, const uint32_t *end): InvMixColumns of each word; at least of one. */
    function mote_aes_fast_mix_back
    push.w {r4-r7, lr}
    movw r2, #:lower16:mote_aes_fast_mixed_back
    movt r2, #:upper16:mote_aes_fast_mixed_back
    movw SBOX, #:lower16:mote_aes_fast_sbox
    movt SBOX, #:upper16:mote_aes_fast_sbox
    .balign 4
1:  ldr.w r7, [r0]
    uxtb.w r4, r7
    uxtb.w r5, r7, ror #8
    uxtb.w r6, r7, ror #16
    lsr.w r7, r7, #24
    ldrb.w r4, [SBOX, r4]
    ldrb.w r5, [SBOX, r5]
    ldrb.w r6, [SBOX, r6]
    ldrb.w r7, [SBOX, r7]
    ldr.w r4, [r2, r4, lsl #2]
    ldr.w r5, [r2, r5, lsl #2]
    ldr.w r6, [r2, r6, lsl #2]
    ldr.w r7, [r2, r7, lsl #2]
    eor.w r4, r4, r5, ror #24
    eor.w r4, r4, r6, ror #16
    eor.w r4, r4, r7, ror #8
    str r4, [r0], #4
    cmp.w r0, r1
    bne.w 1b
    pop.w {r4-r7, pc}
    .size mote_aes_fast_mix_back, . - mote_aes_fast_mix_back

#endif
