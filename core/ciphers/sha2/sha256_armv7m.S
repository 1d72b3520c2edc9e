/*
 * The compression of SHA-256 on ARMv7-M: that of sha256.c. FIPS 180-4, sections 5.2.1 and 6.2.2. No branch and no address
 * depends on the message, which may have any alignment.
 *
 * Of 64 rounds, 48 also make a word of the message schedule, 16 places further on. Eight rounds are written out, so that no word
 * of the state moves; both loops together fit a cache of 2 KiB. The stack pointer goes along with the schedule.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7M
#include "mote/armv7m.h"

#define SCHEDULE 256

/* Words of the state are in r0 to r7. */
#define K r8
#define T r9
/* One of these has the word of the schedule for this round, the other gets that for the next. */
#define EVEN r10
#define ODD r11
/* One of these has b ^ c, the other gets a ^ b, which is b ^ c of the next round. */
#define BC r12
#define AB lr

/* Section 4.1.2; of three rotations by n, m and l, those by the differences come first. */
.macro round_of a, b, c, d, e, f, g, h, bc, ab
    eor T, \e, \e, ror #5
    eor \ab, \f, \g
    eor T, T, \e, ror #19
    and \ab, \ab, \e
    add.w \h, \h, T, ror #6
    eor \ab, \ab, \g
    add.w \h, \h, \ab
    eor T, \a, \a, ror #11
    eor \ab, \a, \b
    add.w \d, \d, \h
    eor T, T, \a, ror #20
    and \bc, \bc, \ab
    add.w \h, \h, T, ror #2
    eor \bc, \bc, \b /* ((a ^ b) & (b ^ c)) ^ b, the majority */
    add.w \h, \h, \bc
.endm

/* Loads stand together, because a load behind a load takes a cycle less. */
.macro round at, a, b, c, d, e, f, g, h, bc, ab
    ldr.w T, [K, #4 * \at]
    ldr.w EVEN, [sp, #4 * \at]
    add.w \h, \h, T
    add.w \h, \h, EVEN
    round_of \a, \b, \c, \d, \e, \f, \g, \h, \bc, \ab
.endm

/*
 * The same, and the word of the schedule for 16 rounds later, which the next round stores: where \next is. A store behind a load
 * takes a cycle less, too.
 */
.macro round_and_word at, a, b, c, d, e, f, g, h, bc, ab, w, next
    ldr.w T, [K, #4 * \at]
    ldr.w \ab, [sp, #4 * (\at + 9)]
    str.w \next, [sp, #4 * (\at + 15)]
    add.w \h, \h, T
    add.w \h, \h, \w
    add.w \w, \w, \ab
    ldr.w \ab, [sp, #4 * (\at + 14)]
    ldr.w \next, [sp, #4 * (\at + 1)]
    ror T, \ab, #17
    eor T, T, \ab, ror #19
    eor T, T, \ab, lsr #10
    add.w \w, \w, T
    ror T, \next, #7
    eor T, T, \next, ror #18
    eor T, T, \next, lsr #3
    add.w \w, \w, T
    round_of \a, \b, \c, \d, \e, \f, \g, \h, \bc, \ab
.endm

/* void mote_sha256_compress(void *chain, const uint8_t *block) */
    function mote_sha256_compress
    push {r0, r4-r11, lr}
    sub sp, sp, #SCHEDULE
    mov r12, sp
    .rept 2
    .irp word, r2, r3, r4, r5, r6, r7, r8, r9
    ldr \word, [r1], #4 /* of any alignment */
    .endr
    .irp word, r2, r3, r4, r5, r6, r7, r8, r9
    rev \word, \word
    .endr
    stm r12!, {r2-r9}
    .endr
    mov ODD, r9
    ldm r0, {r0-r7}
    ldr K, =mote_sha256_k
    ldr EVEN, [sp]
    eor BC, r1, r2

    .balign 8
1:  round_and_word 0, r0, r1, r2, r3, r4, r5, r6, r7, BC, AB, EVEN, ODD
    round_and_word 1, r7, r0, r1, r2, r3, r4, r5, r6, AB, BC, ODD, EVEN
    round_and_word 2, r6, r7, r0, r1, r2, r3, r4, r5, BC, AB, EVEN, ODD
    round_and_word 3, r5, r6, r7, r0, r1, r2, r3, r4, AB, BC, ODD, EVEN
    round_and_word 4, r4, r5, r6, r7, r0, r1, r2, r3, BC, AB, EVEN, ODD
    round_and_word 5, r3, r4, r5, r6, r7, r0, r1, r2, AB, BC, ODD, EVEN
    round_and_word 6, r2, r3, r4, r5, r6, r7, r0, r1, BC, AB, EVEN, ODD
    round_and_word 7, r1, r2, r3, r4, r5, r6, r7, r0, AB, BC, ODD, EVEN
    ldr T, =mote_sha256_k + 4 * 48
    add.w K, K, #32
    add.w sp, sp, #32
    cmp.w K, T
    bne 1b
    str ODD, [sp, #60]

    .balign 8
2:  round 0, r0, r1, r2, r3, r4, r5, r6, r7, BC, AB
    round 1, r7, r0, r1, r2, r3, r4, r5, r6, AB, BC
    round 2, r6, r7, r0, r1, r2, r3, r4, r5, BC, AB
    round 3, r5, r6, r7, r0, r1, r2, r3, r4, AB, BC
    round 4, r4, r5, r6, r7, r0, r1, r2, r3, BC, AB
    round 5, r3, r4, r5, r6, r7, r0, r1, r2, AB, BC
    round 6, r2, r3, r4, r5, r6, r7, r0, r1, BC, AB
    round 7, r1, r2, r3, r4, r5, r6, r7, r0, AB, BC
    ldr T, =mote_sha256_k + 4 * 64
    add.w K, K, #32
    add.w sp, sp, #32
    cmp.w K, T
    bne 2b

    pop {r8} /* the chain */
    ldm r8, {r9-r12}
    add r0, r0, r9
    add r1, r1, r10
    add r2, r2, r11
    add r3, r3, r12
    stm r8!, {r0-r3}
    ldm r8, {r9-r12}
    add r4, r4, r9
    add r5, r5, r10
    add r6, r6, r11
    add r7, r7, r12
    stm r8!, {r4-r7}
    sub sp, sp, #SCHEDULE + 4
    mov r8, sp
    .irp word, r0, r1, r2, r3, r4, r5, r6, r7
    mov \word, #0
    .endr
    .rept 8
    stm r8!, {r0-r7}
    .endr
    add sp, sp, #SCHEDULE + 4
    return
    .pool

#endif
