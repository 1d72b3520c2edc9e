/*
 * The compression of SHA-256 on ARMv6-M: that of sha256.c. FIPS 180-4, sections 5.2.1 and 6.2.2. No branch and no address
 * depends on the message; the alignment of the block selects how it is read.
 *
 * First the message schedule, with the constants added, in a loop of 52 bytes that fits a small cache of instructions. Then
 * eight rounds are written out, so that no word moves. Additions take any register: a word of the state must be in a low one
 * only while it is a or e.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M
#include "mote/armv6m.h"

#define SCHEDULE 256

/* The words of the state that are in low registers; the others are in r8 to r12 and lr. */
#define LOW0 r0
#define LOW1 r1
#define COPY r2
#define AMOUNT r5
/* Rotations take the amount modulo 32, so that the first of these also counts: 32 less for every eight rounds. */
#define BY_13 r6
#define BY_11 r7

/* A big-endian word of any alignment. */
.macro load_bytes_be to, spare, base, at
    ldrb \to, [\base, #\at]
    .irp byte, 1, 2, 3
    lsls \to, #8
    ldrb \spare, [\base, #\at + \byte]
    orrs \to, \spare
    .endr
.endm

.macro copy to, from
    .ifnc \to, \from
    mov \to, \from
    .endif
.endm

/*
 * Words a to h; `low_e`, `low_a` and `low_b` are COPY, COPY and AMOUNT, or the words themselves if these are in low registers.
 * \bc is b ^ c, \t becomes a ^ b.
 */
.macro round at, a, b, c, d, e, f, g, h, low_e, low_a, low_b, bc, t
    copy \low_e, \e
    mov \t, \low_e
    rors \t, BY_13
    eors \t, \low_e
    movs AMOUNT, #14
    rors \t, AMOUNT
    eors \t, \low_e
    rors \t, BY_11
    add \h, \t /* e turned by 11, 25 and 6 */
    mov \t, \f
    ands \t, \low_e
    add \h, \t
    mov \t, \g
    bics \t, \low_e
    add \h, \t
    ldr \t, [sp, #4 * \at]
    add \h, \t
    add \d, \h
    copy \low_a, \a
    mov \t, \low_a
    movs AMOUNT, #12
    rors \t, AMOUNT
    eors \t, \low_a
    movs AMOUNT, #9
    rors \t, AMOUNT
    eors \t, \low_a
    rors \t, BY_13
    add \h, \t /* a turned by 13, 22 and 2 */
    mov \t, \b
    eors \t, \low_a
    ands \bc, \t
    copy \low_b, \b
    eors \bc, \low_b
    add \h, \bc /* ((a ^ b) & (b ^ c)) ^ b, the majority */
.endm

/* A word of the state from memory; and the word added to it. */
.macro begin word
    ldm r2!, {r3}
    copy \word, r3
.endm

.macro end word
    ldr r3, [r2]
    add r3, \word
    stm r2!, {r3}
.endm

/* void mote_sha256_compress(void *chain, const uint8_t *block) */
    function mote_sha256_compress
    save_registers
    push {r0}
    sub sp, #SCHEDULE
    mov r0, sp
    movs r2, r0
    adds r2, #64
    lsls r3, r1, #30
    bne 2f

1:  ldm r1!, {r4, r5, r6, r7}
    rev r4, r4
    rev r5, r5
    rev r6, r6
    rev r7, r7
    stm r0!, {r4, r5, r6, r7}
    cmp r0, r2
    bne 1b
    b 3f

2:  load_bytes_be r3, r4, r1, 0
    adds r1, #4
    stm r0!, {r3}
    cmp r0, r2
    bne 2b

3:  movs r3, #SCHEDULE - 128
    adds r2, r3
    mov r12, r2 /* where the last sixteen words begin */
    mov r0, sp
    ldr r1, =mote_sha256_k
    movs r2, #2
    movs r3, #17
    movs r4, #7

    /* A word 16 places further on, and the constant added to this one. */
    .balign 8
4:  ldr r5, [r0, #4]
    movs r7, #11
    mov r6, r5
    rors r6, r7
    eors r6, r5
    rors r6, r4 /* turned by 7 and 18 */
    lsrs r5, #3
    eors r6, r5
    ldr r5, [r0, #36]
    adds r6, r5
    ldr r5, [r0, #56]
    mov r7, r5
    rors r7, r2
    eors r7, r5
    rors r7, r3 /* turned by 17 and 19 */
    lsrs r5, #10
    eors r7, r5
    adds r6, r7
    ldr r5, [r0]
    adds r6, r5
    str r6, [r0, #64]
    ldm r1!, {r7}
    adds r5, r7
    stm r0!, {r5}
    cmp r0, r12
    bne 4b

    mov r2, r0
    adds r2, #64
    .balign 8
5:  ldr r4, [r0]
    ldr r5, [r0, #4]
    ldm r1!, {r6, r7}
    adds r4, r6
    adds r5, r7
    stm r0!, {r4, r5}
    cmp r0, r2
    bne 5b

    ldr r2, [r0] /* the chain, behind the schedule */
    begin LOW0
    begin LOW1
    .irp word, r8, r9, r10, r11, r12, lr
    begin \word
    .endr
    mov r3, LOW1
    mov r2, r8
    eors r3, r2
    movs BY_13, #13 + 7 * 32
    movs BY_11, #11

6:  round 0, r0, r1, r8, r9, r10, r11, r12, lr, COPY, r0, r1, r3, r4
    round 1, lr, r0, r1, r8, r9, r10, r11, r12, COPY, COPY, r0, r4, r3
    round 2, r12, lr, r0, r1, r8, r9, r10, r11, COPY, COPY, AMOUNT, r3, r4
    round 3, r11, r12, lr, r0, r1, r8, r9, r10, r1, COPY, AMOUNT, r4, r3
    round 4, r10, r11, r12, lr, r0, r1, r8, r9, r0, COPY, AMOUNT, r3, r4
    round 5, r9, r10, r11, r12, lr, r0, r1, r8, COPY, COPY, AMOUNT, r4, r3
    round 6, r8, r9, r10, r11, r12, lr, r0, r1, COPY, COPY, AMOUNT, r3, r4
    round 7, r1, r8, r9, r10, r11, r12, lr, r0, COPY, r1, AMOUNT, r4, r3
    add sp, #32
    subs BY_13, #32
    bmi 7f
    b 6b

7:  ldr r2, [sp]
    end LOW0
    end LOW1
    .irp word, r8, r9, r10, r11, r12, lr
    end \word
    .endr
    mov r4, sp
    sub sp, #SCHEDULE
    mov r5, sp
    movs r0, #0
    movs r1, #0
    movs r2, #0
    movs r3, #0
    .balign 8
8:  stm r5!, {r0, r1, r2, r3}
    stm r5!, {r0, r1, r2, r3}
    cmp r5, r4
    bne 8b
    add sp, #SCHEDULE
    pop {r0}
    return
    .pool

#endif
