/*
 * The permutation of Ascon on ARMv7-M, and what goes through it block by block: that of ascon.c. NIST SP 800-232, section 3.
 * No branch and no address depends on a secret; messages may have any alignment.
 *
 * The even bits of each word are in one register, the odd bits in another, so that a rotation of 64 bits is part of an
 * addition (see ascon_bi32.c). All ten stay in registers from block to block. Four rounds are written out: with what is
 * around it, such a loop fits a cache of 2 KiB, where twelve rounds written out do not. Functions for many blocks follow it
 * directly, so that no two of their lines share a place in a direct-mapped cache.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7M
#include "mote/armv7m.h"
#include "mote/armv7m_interleave.h"

/* Even bits of the words: r0 to r4; odd bits, turned right by four: r5 to r9. In memory the same. */
#define A r10
#define B r11
#define C r12
#define CONSTANTS lr

/*
 * Constants of four rounds, for even and for odd bits. Four bits of even constants are at the top, those of odd ones at the
 * bottom: shifts bring the former down to the even bits, and the latter up to the odd bits, which are turned. Then the
 * register turns by eight.
 */
#define FIRST_OF_12 0xcc99c99c
#define FIRST_OF_8 0x6c39693c

/*
 * The S-boxes of one half (SP 800-232, figure 3). An OR with the complement in the place of an AND with the complement
 * complements words 2 and 3 before they are added, and with it the complement of word 2 takes no instruction.
 */
.macro substitute x0, x1, x2, x3, x4
    eor \x0, \x0, \x4
    eor \x2, \x2, \x1
    eor \x4, \x4, \x3
    bic A, \x2, \x1
    bic B, \x1, \x0
    orn C, \x4, \x0
    eor A, A, \x0
    bic \x0, \x3, \x2
    eor \x1, \x1, \x0
    orn \x0, \x3, \x4
    eor \x2, \x2, \x0
    eor \x3, \x3, C
    eor \x3, \x3, \x2
    eor \x4, \x4, B
    eor \x1, \x1, A
    eor \x0, A, \x4
.endm

/* A word plus itself turned right by n and by m: how far its halves turn, see ascon_bi32.c; and 4, between halves. */
.macro diffuse even, odd, even_odd, even_even, odd_even, odd_odd
    eor A, \even, \odd, ror #(\even_odd + 28) % 32
    eor \odd, \odd, \odd, ror #\odd_odd
    eor \odd, \odd, \even, ror #(\odd_even + 4) % 32
    eor \even, A, \even, ror #\even_even
.endm

/* The same where each half gets two turns of the other half only, which differ by d. */
.macro diffuse_crosswise even, odd, d, even_n, odd_n
    eor A, \odd, \odd, ror #\d
    eor B, \even, \even, ror #\d
    eor \even, \even, A, ror #(\even_n + 28) % 32
    eor \odd, \odd, B, ror #(\odd_n + 4) % 32
.endm

.macro round
    eor r2, r2, CONSTANTS, lsr #28
    eor r7, r7, CONSTANTS, lsl #28
    ror CONSTANTS, CONSTANTS, #24
    substitute r0, r1, r2, r3, r4
    substitute r5, r6, r7, r8, r9
    diffuse r0, r5, 9, 14, 10, 14
    diffuse_crosswise r1, r6, 11, 19, 20
    diffuse r2, r7, 0, 3, 1, 3
    diffuse r3, r8, 8, 5, 9, 5
    diffuse_crosswise r4, r9, 17, 3, 4
.endm

#define AFTER 16 /* on the stack */

    .section .text.mote_ascon_rounds, "ax", %progbits
    .balign 8
    .type mote_ascon_rounds, %function
    .thumb_func
/* The rounds from those of CONSTANTS on, to the address at AFTER(sp); everything is in registers. */
mote_ascon_rounds:
1:  round
    round
    round
    round
    /* To those of rounds 4 to 7, to those of rounds 8 to 11, or done: the first are greater than this number as unsigned ones,
     * the last less as signed ones. */
    cmp CONSTANTS, #0xc8c8c8c8
    ite hi
    eorhi CONSTANTS, CONSTANTS, #0xa0a0a0a0
    eorls CONSTANTS, CONSTANTS, #0xaaaaaaaa
    bge 1b
    ldr pc, [sp, #AFTER]
    .size mote_ascon_rounds, . - mote_ascon_rounds

/* Frames of the functions that follow. */
#define IN 0
#define OUT 4
#define END 8
#define WHICH 12 /* then AFTER, the address where it goes on after the rounds */
#define STATE 20

/* From a stack with the state, and the registers of the caller below. */
.macro begin after
    ldm r0, {r0-r9}
    adr A, \after
    orr A, A, #1
    str A, [sp, #AFTER]
.endm

.macro end
    ldr A, [sp, #STATE]
    stm A, {r0-r9}
    add sp, sp, #STATE + 4
    return
.endm

/* void mote_ascon_permute(ascon_state *x, uint8_t rounds); 8 or 12 of them */
    function mote_ascon_permute
    push {r0, r4-r11, lr}
    sub sp, sp, #STATE
    ldr CONSTANTS, =FIRST_OF_8
    cmp r1, #12
    it eq
    ldreq CONSTANTS, =FIRST_OF_12
    begin 1f
    b mote_ascon_rounds
    .balign 4
1:  end
    .pool
    .size mote_ascon_permute, . - mote_ascon_permute

/* Eight bytes of the message, separated, to A and B. */
.macro get at
    ldr C, [sp, #IN]
    ldr A, [C, #\at]
    ldr B, [C, #\at + 4]
    interleave A, B, C
.endm

/*
 * void mote_ascon_crypt(ascon_state *x, const uint8_t *in, uint8_t *out, size_t len, uint8_t decrypting)
 * Blocks of 16 bytes, at least one, with eight rounds between two.
 */
.macro crypt at, even, odd
    get \at
    eor C, \even, A
    eor lr, B, \odd, ror #28
    ittee ne
    movne \even, A
    rorne \odd, B, #4
    moveq \even, C
    roreq \odd, lr, #4
    join C, lr, B
    ldr B, [sp, #OUT]
    str C, [B, #\at]
    str lr, [B, #\at + 4]
.endm

    function mote_ascon_crypt
    ldr r12, [sp] /* decrypting */
    push {r0, r4-r11, lr}
    sub sp, sp, #STATE
    add r3, r3, r1
    strd r1, r2, [sp, #IN]
    strd r3, r12, [sp, #END]
    begin 1f
    .balign 4
1:  ldr A, [sp, #WHICH]
    cmp A, #0
    crypt 0, r0, r5
    crypt 8, r1, r6
    ldrd A, B, [sp, #IN]
    ldr C, [sp, #END]
    add A, A, #16
    add B, B, #16
    cmp A, C
    strd A, B, [sp, #IN]
    beq 2f
    ldr CONSTANTS, =FIRST_OF_8
    b mote_ascon_rounds
2:  end
    .pool
    .size mote_ascon_crypt, . - mote_ascon_crypt

/*
 * void mote_ascon_absorb(ascon_state *x, const uint8_t *in, size_t len, uint8_t words)
 * Blocks of one word, with twelve rounds after each, or of two, with eight; at least one block.
 */
    function mote_ascon_absorb
    push {r0, r4-r11, lr}
    sub sp, sp, #STATE
    str r1, [sp, #IN]
    add r2, r2, r1
    strd r2, r3, [sp, #END]
    begin 3f
1:  get 0
    ldr C, [sp, #WHICH]
    eor r0, r0, A
    eor r5, r5, B, ror #4
    cmp C, #1
    bne 2f
    ldr CONSTANTS, =FIRST_OF_12
    b mote_ascon_rounds
2:  get 8
    eor r1, r1, A
    eor r6, r6, B, ror #4
    ldr CONSTANTS, =FIRST_OF_8
    b mote_ascon_rounds
    .balign 4
3:  ldr A, [sp, #IN]
    ldrd B, C, [sp, #END]
    add A, A, C, lsl #3
    cmp A, B
    str A, [sp, #IN]
    bne 1b
    end
    .pool
    .size mote_ascon_absorb, . - mote_ascon_absorb

#define ODD 20 /* from even bits of a word to its odd bits, in bytes */

/* void mote_ascon_interleave(uint8_t to[8], const uint8_t bytes[8]); `to` is aligned to words */
    function mote_ascon_interleave
    ldr r2, [r1]
    ldr r3, [r1, #4]
    interleave r2, r3, r1
    ror r3, r3, #4
    strd r2, r3, [r0]
    bx lr
    .size mote_ascon_interleave, . - mote_ascon_interleave

/* void mote_ascon_begin(ascon_state *x, uint32_t high, uint32_t low) */
    function mote_ascon_begin
    push {r4-r8, lr}
    interleave r2, r1, r3
    mov r3, #0
    mov r4, #0
    mov r5, #0
    mov r6, #0
    ror r7, r1, #4
    mov r8, #0
    mov r12, #0
    mov lr, #0
    stm r0!, {r2-r8, r12, lr}
    str r12, [r0]
    pop {r4-r8, pc}
    .size mote_ascon_begin, . - mote_ascon_begin

/* Adds the word in the registers to that of the state. */
.macro add_word even, odd, base, at, spare
    ldr \spare, [\base, #4 * \at]
    eor \even, \even, \spare
    ldr \spare, [\base, #4 * \at + ODD]
    eor \odd, \spare, \odd, ror #4
    str \even, [\base, #4 * \at]
    str \odd, [\base, #4 * \at + ODD]
.endm

/* void mote_ascon_add(ascon_state *x, uint8_t word, const uint8_t bytes[8]) */
    function mote_ascon_add
    add r0, r0, r1, lsl #2
    ldr r1, [r2]
    ldr r2, [r2, #4]
    interleave r1, r2, r3
    add_word r1, r2, r0, 0, r3
    bx lr
    .size mote_ascon_add, . - mote_ascon_add

/* void mote_ascon_add_part(ascon_state *x, uint8_t at, const uint8_t *in, uint8_t n); at least one byte, all in one word */
    function mote_ascon_add_part
    push {r4, r5, lr}
    sub sp, sp, #12
    mov r4, #0
    mov r5, #0
    strd r4, r5, [sp]
    and r4, r1, #7
    add r4, r4, sp
1:  ldrb r5, [r2], #1
    subs r3, r3, #1
    strb r5, [r4], #1
    bne 1b
    lsr r1, r1, #3
    add r0, r0, r1, lsl #2
    ldrd r1, r2, [sp]
    interleave r1, r2, r3
    add_word r1, r2, r0, 0, r3
    mov r1, #0
    mov r2, #0
    strd r1, r2, [sp]
    add sp, sp, #12
    pop {r4, r5, pc}
    .size mote_ascon_add_part, . - mote_ascon_add_part

/* void mote_ascon_get(const ascon_state *x, uint8_t word, uint8_t bytes[8]) */
    function mote_ascon_get
    add r3, r0, r1, lsl #2
    ldr r0, [r3]
    ldr r1, [r3, #ODD]
    ror r1, r1, #28
    join r0, r1, r3
    str r0, [r2]
    str r1, [r2, #4]
    bx lr
    .size mote_ascon_get, . - mote_ascon_get

/*
 * void mote_ascon_crypt_part(ascon_state *x, const uint8_t *in, uint8_t *out, uint8_t n, uint8_t at, uint8_t decrypting)
 * At least one byte, from byte `at` of the block on.
 */
    function mote_ascon_crypt_part
    push {r4-r8, lr}
    sub sp, sp, #16
    ldr r12, [sp, #40] /* at */
    ldr lr, [sp, #44]  /* decrypting */
    ldr r4, [r0]
    ldr r5, [r0, #4]
    ldr r6, [r0, #ODD]
    ldr r7, [r0, #ODD + 4]
    ror r6, r6, #28
    ror r7, r7, #28
    join r4, r6, r8
    join r5, r7, r8
    strd r4, r6, [sp]
    strd r5, r7, [sp, #8]
    add r12, r12, sp
1:  ldrb r4, [r1], #1
    ldrb r5, [r12]
    eor r5, r5, r4
    strb r5, [r2], #1
    cmp lr, #0
    it ne
    movne r5, r4 /* what stays is the ciphertext */
    strb r5, [r12], #1
    subs r3, r3, #1
    bne 1b
    ldrd r4, r6, [sp]
    ldrd r5, r7, [sp, #8]
    interleave r4, r6, r8
    interleave r5, r7, r8
    ror r6, r6, #4
    ror r7, r7, #4
    strd r4, r5, [r0]
    strd r6, r7, [r0, #ODD]
    mov r4, #0
    mov r5, #0
    strd r4, r5, [sp]
    strd r4, r5, [sp, #8]
    add sp, sp, #16
    pop {r4-r8, pc}
    .size mote_ascon_crypt_part, . - mote_ascon_crypt_part

#endif
