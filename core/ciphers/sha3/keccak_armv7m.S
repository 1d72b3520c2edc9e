/*
 * Keccak-f[1600] on ARMv7-M: FIPS 202, section 3. No branch and no address depends on a secret.
 *
 * A lane is two words, its even bits and its odd bits, so that a rotation of the lane is one of each word; by an odd amount the
 * words also change places. The even words of all lanes come first, by rows of five, then the odd words. One round is
 * written out, which fits a cache of 2 KiB; it goes from one copy of the state to another, the next round back.
 *
 * Rotations take no instructions. A word stays as it is, and owes a rotation left by a fixed amount, `owed`, until an
 * instruction that adds it to another turns one of the two by the difference. Rho and pi take a word through 24 places, and
 * each place owes what the one before owed and the rotation of rho; only where the circle closes is a word turned. Lane (0, 0)
 * stays where it is and owes nothing. What is turned may be turned by anything modulo 32, so the amounts below are differences.
 *
 * A round makes ten rows of five words: even words first. The words of a row are loaded, each gets its part of theta; chi
 * makes one word after the other, which is stored, and added to the sums of columns for theta of the next round.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7M
#include "mote/armv7m.h"
#include "mote/armv7m_interleave.h"

/* Words of a row before chi: r0 to r4. */
#define A r5
#define B r6
#define FROM r7
#define TO lr

/* Sums of columns x = 0 to 4, of the words that are made. */
sum_0 .req r8
sum_1 .req r9
sum_2 .req r10
sum_3 .req r11
sum_4 .req r12

#define HALF 100 /* bytes of all even words */

/* On the stack. */
#define THETA 0 /* what theta adds to even words of x = 0 to 4, and to odd words */
#define SUMS 40 /* of columns, even words */
#define CONSTANTS 60
#define LAST 64
#define STATE 68
#define COPY 72
#define FRAME 272

/* Bits that even and odd words of a lane owe. */
.macro owed lane, even, odd
    .set owed_0_\lane, \even
    .set owed_1_\lane, \odd
.endm

    owed 0, 0, 0
    owed 1, 0, 0
    owed 2, 26, 26
    owed 3, 28, 28
    owed 4, 22, 22
    owed 5, 10, 10
    owed 6, 30, 30
    owed 7, 2, 2
    owed 8, 19, 18
    owed 9, 20, 20
    owed 10, 1, 0
    owed 11, 5, 5
    owed 12, 5, 4
    owed 13, 24, 24
    owed 14, 2, 2
    owed 15, 4, 3
    owed 16, 28, 28
    owed 17, 10, 10
    owed 18, 18, 17
    owed 19, 20, 20
    owed 20, 25, 25
    owed 21, 14, 14
    owed 22, 22, 21
    owed 23, 24, 24
    owed 24, 15, 15

/* `operation` with the last operand turned right by \by modulo 32; zero would not be a rotation. */
.macro turned operation, to, left, right, by
    .if (\by) & 31
    \operation \to, \left, \right, ror #(\by) & 31
    .else
    \operation \to, \left, \right
    .endif
.endm

/* Bits that a word of that lane owes: `owes`. */
.macro look_up lane, half
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24
    .if \lane == \at
    .if \half
    .set owes, owed_1_\at
    .else
    .set owes, owed_0_\at
    .endif
    .endif
    .endr
.endm

/*
 * The lane turns left by \amount. Of the word that goes to the half \half: `source`, the half that it comes from; `theta_owes`,
 * what that which theta adds to it owes; `owes`, what it owes itself; `owes_then`, the same after the turn.
 */
.macro find lane, amount, half
    .set source, \half ^ (\amount & 1)
    look_up (\lane + 4) % 5, source
    .set theta_owes, owes
    look_up \lane, source
    .set owes_then, owes + (\amount + (\amount & 1) * (1 - 2 * \half)) / 2
.endm

.macro fetch to, lane, amount, half
    find \lane, \amount, \half
    ldr.w \to, [FROM, #HALF * source + 4 * \lane]
.endm

.macro fetch_theta to, lane, amount, half
    find \lane, \amount, \half
    ldr.w \to, [sp, #THETA + 20 * source + 4 * (\lane % 5)]
.endm

.macro add_theta word, from, lane, amount, half, then
    find \lane, \amount, \half
    turned eor, \word, \word, \from, owes - theta_owes
    .set \then, owes_then
.endm

/* Section 3.2.4, and 3.2.5 for lane (0, 0). Word x of row y: \w plus what is in \w2 and not in \w1; these owe \e, \e1, \e2. */
.macro chi half, y, x, w, w1, w2, e, e1, e2
    turned bic, A, \w2, \w1, \e2 - \e1
    look_up 5 * \y + \x, \half
    .if \y
    turned eor, A, \w, A, \e - \e2
    .if (\e - owes) & 31
    .error "a word owes what its place does not"
    .endif
    str.w A, [TO, #HALF * \half + 20 * \y + 4 * \x]
    .set made_owes, owes
    look_up \x, \half
    turned eor, sum_\x, sum_\x, A, owes - made_owes
    .else
    turned eor, sum_\x, \w, A, \e - \e2
    .if \x == 0
    eor sum_0, sum_0, sum_1 /* which has the constant */
    .endif
    .if (\e - owes) & 31
    ror sum_\x, sum_\x, #(owes - \e) & 31
    .endif
    str.w sum_\x, [TO, #HALF * \half + 4 * \x]
    .endif
.endm

/*
 * Row y of what is made: for word x of it, the lane that comes there, and how far the lane turns. Loads stand together, because a
 * load behind a load takes a cycle less. The first row may use what is for sums, and takes the constant of the round.
 */
.macro row half, y, l0, n0, l1, n1, l2, n2, l3, n3, l4, n4
    fetch r0, \l0, \n0, \half
    fetch r1, \l1, \n1, \half
    fetch r2, \l2, \n2, \half
    fetch r4, \l4, \n4, \half
    fetch_theta A, \l0, \n0, \half
    fetch_theta B, \l1, \n1, \half
    .if \y
    fetch_theta r3, \l2, \n2, \half
    add_theta r0, A, \l0, \n0, \half, e0
    add_theta r1, B, \l1, \n1, \half, e1
    add_theta r2, r3, \l2, \n2, \half, e2
    fetch r3, \l3, \n3, \half
    fetch_theta A, \l3, \n3, \half
    fetch_theta B, \l4, \n4, \half
    add_theta r3, A, \l3, \n3, \half, e3
    add_theta r4, B, \l4, \n4, \half, e4
    .else
    fetch r3, \l3, \n3, \half
    fetch_theta sum_2, \l2, \n2, \half
    fetch_theta sum_3, \l3, \n3, \half
    fetch_theta sum_4, \l4, \n4, \half
    ldr.w sum_0, [sp, #CONSTANTS]
    .if \half
    ldr.w sum_1, [sum_0, #4]
    add.w sum_0, sum_0, #8
    str.w sum_0, [sp, #CONSTANTS]
    .else
    ldr.w sum_1, [sum_0]
    .endif
    add_theta r0, A, \l0, \n0, \half, e0
    add_theta r1, B, \l1, \n1, \half, e1
    add_theta r2, sum_2, \l2, \n2, \half, e2
    add_theta r3, sum_3, \l3, \n3, \half, e3
    add_theta r4, sum_4, \l4, \n4, \half, e4
    .endif
    chi \half, \y, 0, r0, r1, r2, e0, e1, e2
    chi \half, \y, 1, r1, r2, r3, e1, e2, e3
    chi \half, \y, 2, r2, r3, r4, e2, e3, e4
    chi \half, \y, 3, r3, r4, r0, e3, e4, e0
    chi \half, \y, 4, r4, r0, r1, e4, e0, e1
.endm

.macro rows half
    row \half, 0, 0, 0, 6, 44, 12, 43, 18, 21, 24, 14
    row \half, 1, 3, 28, 9, 20, 10, 3, 16, 45, 22, 61
    row \half, 2, 1, 1, 7, 6, 13, 25, 19, 8, 20, 18
    row \half, 3, 4, 27, 5, 36, 11, 10, 17, 15, 23, 56
    row \half, 4, 2, 62, 8, 55, 14, 39, 15, 41, 21, 2
.endm

/* The sums of columns of the state that FROM points to. */
.macro add_columns half
    .irp x, 0, 1, 2, 3, 4
    look_up \x, \half
    .set sum_owes, owes
    ldr.w sum_\x, [FROM, #HALF * \half + 4 * \x]
    ldr.w r0, [FROM, #HALF * \half + 4 * \x + 20]
    ldr.w r1, [FROM, #HALF * \half + 4 * \x + 40]
    ldr.w r2, [FROM, #HALF * \half + 4 * \x + 60]
    ldr.w r3, [FROM, #HALF * \half + 4 * \x + 80]
    look_up \x + 5, \half
    turned eor, sum_\x, sum_\x, r0, sum_owes - owes
    look_up \x + 10, \half
    turned eor, sum_\x, sum_\x, r1, sum_owes - owes
    look_up \x + 15, \half
    turned eor, sum_\x, sum_\x, r2, sum_owes - owes
    look_up \x + 20, \half
    turned eor, sum_\x, sum_\x, r3, sum_owes - owes
    .endr
.endm

.macro keep_sums
    .irp x, 0, 1, 2, 3, 4
    str.w sum_\x, [sp, #SUMS + 4 * \x]
    .endr
.endm

/* Section 3.2.1, of a column's neighbours: \even and \odd are the sums of even words (r0 to r4) and of odd ones. */
.macro theta x, left, right, even_left, even_right, odd_left, odd_right
    look_up \right, 1
    .set other_owes, owes
    look_up \left, 0
    turned eor, A, \even_left, \odd_right, owes - other_owes - 1 /* the right one turns left by one */
    look_up \right, 0
    .set other_owes, owes
    look_up \left, 1
    turned eor, B, \odd_left, \even_right, owes - other_owes
    str.w A, [sp, #THETA + 4 * \x]
    str.w B, [sp, #THETA + 4 * \x + 20]
.endm

/* void mote_keccak_permute(uint64_t a[25]) */
    function mote_keccak_permute
    save_registers
    sub sp, sp, #FRAME
    mov FROM, r0
    add TO, sp, #COPY
    adr A, 3f
    add B, A, #23 * 8
    strd A, B, [sp, #CONSTANTS]
    str.w r0, [sp, #STATE]
    add_columns 0
    keep_sums
    add_columns 1

    .balign 8
1:  ldr.w r0, [sp, #SUMS]
    ldr.w r1, [sp, #SUMS + 4]
    ldr.w r2, [sp, #SUMS + 8]
    ldr.w r3, [sp, #SUMS + 12]
    ldr.w r4, [sp, #SUMS + 16]
    ldr.w A, [sp, #CONSTANTS]
    ldr.w B, [sp, #LAST]
    cmp.w A, B /* nothing that follows changes the flags */
    theta 0, 4, 1, r4, r1, sum_4, sum_1
    theta 1, 0, 2, r0, r2, sum_0, sum_2
    theta 2, 1, 3, r1, r3, sum_1, sum_3
    theta 3, 2, 4, r2, r4, sum_2, sum_4
    theta 4, 3, 0, r3, r0, sum_3, sum_0
    rows 0
    keep_sums
    rows 1
    mov.w A, FROM
    mov.w FROM, TO
    mov.w TO, A
    bne 1b

    /* Nothing of the state stays on the stack. */
    mov r10, sp
    .irp word, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9
    mov \word, #0
    .endr
    .rept 6
    stm r10!, {r0-r9}
    .endr
    stm r10!, {r0-r7}
    add sp, sp, #FRAME
    return

    .balign 8
    /* Section 3.2.5: of each constant the even bits, then the odd ones. */
3:  .word 1, 0, 0, 0x89, 0, 0x8000008b, 0, 0x80008080
    .word 1, 0x8b, 1, 0x8000, 1, 0x80008088, 1, 0x80000082
    .word 0, 0xb, 0, 0xa, 1, 0x8082, 0, 0x8003
    .word 1, 0x808b, 1, 0x8000000b, 1, 0x8000008a, 1, 0x80000081
    .word 0, 0x80000081, 0, 0x80000008, 0, 0x83, 0, 0x80008003
    .word 1, 0x80008088, 0, 0x80000088, 1, 0x8000, 0, 0x80008082
    .size mote_keccak_permute, . - mote_keccak_permute

/* void mote_keccak_clear(uint64_t a[25]) */
    function mote_keccak_clear
    mov r1, #0
    mov r2, #0
    mov r3, #0
    mov r12, #0
    .rept 12
    stm r0!, {r1-r3, r12}
    .endr
    stm r0!, {r1, r2}
    bx lr
    .size mote_keccak_clear, . - mote_keccak_clear

/* From (a, lane, message, lanes): r0 to the even word of the lane, r1 to what it owes, r3 behind the last lane's even word. */
.macro begin_lanes table
    push {r4-r7, lr}
    add r0, r0, r1, lsl #2
    add r3, r0, r3, lsl #2
    adr r7, \table
    add r1, r7, r1, lsl #1
.endm

/* Bits that even and odd words of a lane owe; with the minus, the bits by which they turn left. */
.macro owed_bytes sign
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24
    .byte (\sign owed_0_\at) & 31, (\sign owed_1_\at) & 31
    .endr
    .balign 4
.endm

/* void mote_keccak_add_lanes(uint64_t a[25], uint8_t lane, const uint8_t *message, uint8_t lanes); at least one */
    function mote_keccak_add_lanes
    begin_lanes 2f
1:  ldr r4, [r2], #4 /* of any alignment */
    ldr r5, [r2], #4
    interleave r4, r5, r6
    ldrb r6, [r1], #1
    ldrb r7, [r1], #1
    ror r4, r4, r6
    ror r5, r5, r7
    ldr r6, [r0]
    ldr r7, [r0, #HALF]
    eor r6, r6, r4
    eor r7, r7, r5
    str r7, [r0, #HALF]
    str r6, [r0], #4
    cmp r0, r3
    bne 1b
    pop {r4-r7, pc}
    .balign 4
2:  owed_bytes +
    .size mote_keccak_add_lanes, . - mote_keccak_add_lanes

/* void mote_keccak_get_lanes(const uint64_t a[25], uint8_t lane, uint8_t *message, uint8_t lanes); at least one */
    function mote_keccak_get_lanes
    begin_lanes 2f
1:  ldrb r6, [r1], #1
    ldrb r7, [r1], #1
    ldr r5, [r0, #HALF]
    ldr r4, [r0], #4
    ror r5, r5, r7
    ror r4, r4, r6
    join r4, r5, r6
    str r4, [r2], #4
    str r5, [r2], #4
    cmp r0, r3
    bne 1b
    pop {r4-r7, pc}
    .balign 4
2:  owed_bytes -
    .size mote_keccak_get_lanes, . - mote_keccak_get_lanes

#endif
