/*
 * Keccak-f[1600] on ARMv6-M: FIPS 202, section 3. No branch and no address depends on a secret.
 *
 * A lane is two words, its even bits and its odd bits, so that a rotation of the lane is one of each word; by an odd
 * amount the words also change places. The even words of all lanes come first, by rows of five, then the odd words. Two
 * rounds are written out: the first goes from the state to a copy on the stack, the second back.
 *
 * A round makes ten rows of five words: even words first. The words of a row are loaded, each gets its part of theta and is
 * turned, and chi needs two copies only if its results are made from the last to the first. After each half, the rows are
 * added up for theta of the next round. Six of the ten words that theta adds wait in registers, the others on the stack.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M
#include "mote/armv6m.h"

/* Words of a row before chi: r0 to r4; after it: r2 to r6. The destination of a row that goes to the state: r7. */
#define TEMPORARY r5
#define AMOUNT r6
#define BASE r7

/* Sums that theta adds to lanes x = 0 to 4: to odd words, and to even words. */
odd_0 .req r8
odd_1 .req r9
odd_2 .req r10
odd_3 .req r11
odd_4 .req r12
even_0 .req lr

/* On the stack: the copy of the state, then these. */
#define COPY 0
.set even_4, 200
.set even_1, 204
.set even_2, 208
.set even_3, 212
#define COLUMNS 216 /* of even words: five sums */
#define STATE 236
#define CONSTANTS 240
#define FRAME 244

#define HALF 100 /* bytes of all even words */
#define FIRST 0  /* rounds: from the state, to the state */
#define SECOND 1

/* Of the state, BASE reaches 32 words at a time. */
.macro load to, at
    .if round == SECOND
    ldr \to, [sp, #COPY + \at]
    .else
    .if \at - window > 124
    adds BASE, #76
    .set window, window + 76
    .elseif \at < window
    subs BASE, #76
    .set window, window - 76
    .endif
    ldr \to, [BASE, #\at - window]
    .endif
.endm

.macro add_theta to, x, odd
    .if \odd
    mov TEMPORARY, odd_\x
    .elseif \x == 0
    mov TEMPORARY, even_0
    .else
    ldr TEMPORARY, [sp, #even_\x]
    .endif
    eors \to, TEMPORARY
.endm

/* One word of the lane (x, y), which turns left by `amount`, and goes to the half that is made. */
.macro lane to, x, y, amount
    .set odd, half ^ (\amount & 1)
    .set left, (\amount + (\amount & 1) * (1 - 2 * half)) / 2
    load \to, odd * HALF + 20 * \y + 4 * \x
    add_theta \to, \x, odd
    .if left != 0
    .if left != held
    movs AMOUNT, #32 - left
    .set held, left
    .endif
    rors \to, AMOUNT
    .endif
.endm

.macro chi
    movs r6, r1
    bics r6, r0
    eors r6, r4
    movs r5, r0
    bics r5, r4
    eors r5, r3
    bics r4, r3
    eors r4, r2
    bics r3, r2
    eors r3, r1
    bics r2, r1
    eors r2, r0
    .set held, 0
.endm

.macro keep y
    .if round == FIRST
    add r0, sp, #COPY + half * HALF + 20 * \y
    stm r0!, {r2-r6}
    .else
    stm BASE!, {r2-r6}
    .endif
.endm

/* The next word pair of the constants goes to the lane (0, 0). */
.macro iota
    ldr r0, [sp, #CONSTANTS]
    ldr r1, [r0, #4 * half]
    eors r2, r1
    .if half
    adds r0, #8
    str r0, [sp, #CONSTANTS]
    .endif
.endm

/* Five rows; even and odd amounts alternate, as they come from different halves. */
.macro rows
    lane r0, 0, 0, 0
    lane r1, 1, 1, 44
    lane r4, 4, 4, 14
    lane r2, 2, 2, 43
    lane r3, 3, 3, 21
    chi
    iota
    keep 0
    lane r2, 0, 2, 3
    lane r3, 1, 3, 45
    lane r4, 2, 4, 61
    lane r0, 3, 0, 28
    lane r1, 4, 1, 20
    chi
    keep 1
    lane r4, 0, 4, 18
    lane r1, 2, 1, 6
    lane r3, 4, 3, 8
    lane r0, 1, 0, 1
    lane r2, 3, 2, 25
    chi
    keep 2
    lane r3, 2, 3, 15
    lane r0, 4, 0, 27
    lane r1, 0, 1, 36
    lane r2, 1, 2, 10
    lane r4, 3, 4, 56
    chi
    keep 3
    lane r4, 1, 4, 2
    lane r0, 2, 0, 62
    lane r3, 0, 3, 41
    lane r1, 3, 1, 55
    lane r2, 4, 2, 39
    chi
    keep 4
.endm

/* Adds four rows at r7 to the row in r2 to r6. */
.macro add_rows
    .rept 2
    ldm r7!, {r0, r1}
    eors r2, r0
    eors r3, r1
    ldm r7!, {r0, r1}
    eors r4, r0
    eors r5, r1
    ldm r7!, {r0, r1}
    eors r6, r0
    eors r2, r1
    ldm r7!, {r0, r1}
    eors r3, r0
    eors r4, r1
    ldm r7!, {r0, r1}
    eors r5, r0
    eors r6, r1
    .endr
.endm

.macro keep_columns
    add r0, sp, #COLUMNS
    stm r0!, {r2-r6}
.endm

/*
 * Sums that theta adds (section 3.2.1), from those of columns: of odd words in r2 to r6, of even
 * words on the stack.
 */
.macro theta
    add r7, sp, #COLUMNS
    ldm r7!, {r0, r1}
    eors r0, r5
    mov odd_4, r0
    eors r1, r6
    mov odd_0, r1
    ldm r7!, {r0, r1}
    eors r0, r2
    mov odd_1, r0
    eors r1, r3
    mov odd_2, r1
    ldr r0, [r7]
    movs r1, r0
    eors r1, r4
    mov odd_3, r1
    movs r1, #31
    rors r2, r1
    rors r3, r1
    rors r4, r1
    rors r5, r1
    rors r6, r1
    eors r3, r0
    mov even_0, r3
    subs r7, #16
    ldm r7!, {r0, r1}
    eors r4, r0
    eors r5, r1
    ldm r7!, {r0, r1}
    eors r6, r0
    eors r2, r1
    subs r7, #COLUMNS + 16 - even_4
    stm r7!, {r2, r4, r5, r6}
.endm

/* void mote_keccak_permute(uint64_t a[25]) */
    function mote_keccak_permute
    save_registers
    sub sp, #FRAME
    str r0, [sp, #STATE]
    adr r1, constants
    str r1, [sp, #CONSTANTS]
    b 1f
    .balign 4
constants:
    /* Section 3.2.5; even bits, odd bits. */
    .word 1, 0, 0, 0x89, 0, 0x8000008b, 0, 0x80008080
    .word 1, 0x8b, 1, 0x8000, 1, 0x80008088, 1, 0x80000082
    .word 0, 0xb, 0, 0xa, 1, 0x8082, 0, 0x8003
    .word 1, 0x808b, 1, 0x8000000b, 1, 0x8000008a, 1, 0x80000081
    .word 0, 0x80000081, 0, 0x80000008, 0, 0x83, 0, 0x80008003
    .word 1, 0x80008088, 0, 0x80000088, 1, 0x8000, 0, 0x80008082
    .word 0xff /* ends */

1:  ldr r7, [sp, #STATE]
    ldm r7!, {r2-r6}
    add_rows
    keep_columns
    ldm r7!, {r2-r6}
    add_rows
    theta
    .set round, FIRST
    .set half, 0
    .set window, 0
    .set held, 0
    ldr BASE, [sp, #STATE]
    rows
    add r7, sp, #COPY
    add_rows
    keep_columns
    .set half, 1
    .set window, 0
    ldr BASE, [sp, #STATE]
    rows
    add r7, sp, #COPY + HALF
    add_rows
    theta
    .set round, SECOND
    .set half, 0
    ldr BASE, [sp, #STATE]
    rows
    .set half, 1
    rows
    ldr r0, [sp, #CONSTANTS]
    ldr r1, [r0]
    cmp r1, #0xff
    beq 2f
    b 1b

    /* Nothing of the state stays on the stack. */
2:  movs r1, #0
    movs r2, #0
    movs r3, #0
    movs r4, #0
    movs r5, #0
    mov r0, sp
    movs r6, #FRAME / 20
3:  stm r0!, {r1-r5}
    subs r6, #1
    bne 3b
    add sp, #FRAME
    return
    .size mote_keccak_permute, . - mote_keccak_permute

/* void mote_keccak_clear(uint64_t a[25]) */
    function mote_keccak_clear
    push {r4, r5, lr}
    movs r1, #0
    movs r2, #0
    movs r3, #0
    movs r4, #0
    movs r5, #0
    .rept 10
    stm r0!, {r1-r5}
    .endr
    pop {r4, r5, pc}
    .size mote_keccak_clear, . - mote_keccak_clear

#define LOW r1
#define HIGH r2
#define SPARE r3
#define MESSAGE r5
#define OTHER r6 /* a mask, or anything */

/* Of both words, exchanges the bits that the mask selects and those `by` places further left. */
.macro exchange mask, by
    .irp word, LOW, HIGH
    lsrs SPARE, \word, #\by
    eors SPARE, \word
    ands SPARE, \mask
    eors \word, SPARE
    lsls SPARE, #\by
    eors \word, SPARE
    .endr
.endm

/* From (a, lane, message, lanes). r0: to the even word of the lane. Masks: r4, r7, r8, r9. The number of lanes: r10. */
.macro begin_lanes
    save_registers
    mov r10, r3
    mov MESSAGE, r2
    lsls r1, #2
    adds r0, r1
    ldr r4, =0x0000ff00
    mov r8, r4
    ldr r4, =0x00f000f0
    mov r9, r4
    ldr r4, =0x22222222
    ldr r7, =0x0c0c0c0c
.endm

.macro next_lane loop
    adds r0, #4
    mov OTHER, r10
    subs OTHER, #1
    mov r10, OTHER
    bne \loop
.endm

/* void mote_keccak_add_lanes(uint64_t a[25], uint8_t lane, const uint8_t *message, uint8_t lanes); at least one */
    function mote_keccak_add_lanes
    begin_lanes
1:  lsls SPARE, MESSAGE, #30
    bne 3f
    ldm MESSAGE!, {LOW, HIGH}
2:  exchange r4, 1
    exchange r7, 2
    mov OTHER, r9
    exchange OTHER, 4
    mov OTHER, r8
    exchange OTHER, 8
    lsls SPARE, HIGH, #16
    uxth OTHER, LOW
    orrs SPARE, OTHER
    ldr OTHER, [r0]
    eors SPARE, OTHER
    str SPARE, [r0]
    lsrs LOW, #16
    lsrs HIGH, #16
    lsls HIGH, #16
    orrs LOW, HIGH
    ldr OTHER, [r0, #HALF]
    eors LOW, OTHER
    str LOW, [r0, #HALF]
    next_lane 1b
    return
3:  load_bytes LOW, SPARE, MESSAGE, 0
    load_bytes HIGH, SPARE, MESSAGE, 4
    adds MESSAGE, #8
    b 2b
    .ltorg
    .size mote_keccak_add_lanes, . - mote_keccak_add_lanes

/* void mote_keccak_get_lanes(const uint64_t a[25], uint8_t lane, uint8_t *message, uint8_t lanes); at least one */
    function mote_keccak_get_lanes
    begin_lanes
1:  ldr SPARE, [r0]
    ldr OTHER, [r0, #HALF]
    uxth LOW, SPARE
    lsls HIGH, OTHER, #16
    orrs LOW, HIGH
    lsrs HIGH, SPARE, #16
    lsrs OTHER, #16
    lsls OTHER, #16
    orrs HIGH, OTHER
    mov OTHER, r8
    exchange OTHER, 8
    mov OTHER, r9
    exchange OTHER, 4
    exchange r7, 2
    exchange r4, 1
    lsls SPARE, MESSAGE, #30
    bne 3f
    stm MESSAGE!, {LOW, HIGH}
2:  next_lane 1b
    return
3:  store_bytes LOW, MESSAGE, 0
    store_bytes HIGH, MESSAGE, 4
    adds MESSAGE, #8
    b 2b
    .ltorg
    .size mote_keccak_get_lanes, . - mote_keccak_get_lanes

#endif
