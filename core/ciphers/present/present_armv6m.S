/*
 * PRESENT on ARMv6-M, two blocks at a time: one costs as much as two. Bogdanov et al., CHES 2007. No branch and no
 * address depends on a secret.
 *
 * A bit of the state has three coordinates of 0 to 3: bit b of S-box 4i + j. The permutation makes i of b, j of i and b
 * of j. A register has the bits with one value of one coordinate, those of the first block in its lower half; so the
 * S-boxes are logic on four registers when that coordinate is b. With the state as it is in memory it is i: exchanging
 * i and b, which takes 24 instructions, makes it b. The permutation then needs nothing but new names, which leaves (i,
 * b, j) in place of (i, j, b); an exchange of i and b, the S-boxes and the permutation leave (i, j, b) again. So every
 * other round key, the last too, has its b and j exchanged, and so has the last state.
 *
 * The logic of the S-box, with 14 operations, is that of Courtois, Hulme, Mourouzis: Solving Circuit Optimisation
 * Problems in Cryptography and Cryptanalysis (IACR ePrint 2011/475). That of its inverse was searched for: four gates
 * that are not linear, and nine sums.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M
#include "mote/armv6m.h"

#define KEY r7
#define END r12
#define MASK1 r8 /* 0x55555555 */
#define MASK2 r9 /* 0x33333333 */
#define MASK4 r10 /* 0x0f0f0f0f */
#define MASK8 r11 /* 0x00ff00ff */

/* The S-box from x0 to x3 to y0 to y3, all different, but x2, which becomes y2; 3 is the highest bit. The others are
 * lost. */
.macro substitute x0, x1, x2, x3, y0, y1, y3
    eors \x1, \x2
    movs \y0, \x2
    ands \y0, \x1
    eors \x3, \y0
    movs \y0, \x0
    eors \y0, \x3
    movs \y3, \x1
    ands \y3, \x3
    eors \x1, \y0
    eors \y3, \x2
    movs \y1, \x0
    orrs \y1, \y3
    eors \y1, \x1
    mvns \x0, \x0
    eors \y3, \x0
    movs \x2, \y3
    orrs \x2, \x1
    eors \x2, \x3
    eors \y3, \y1
.endm

/* Its inverse: x0 becomes y0 and x1 y3; y2 is another; y1 is x3, and \other lost, or the other way round. */
.macro restore x0, x1, x2, x3, spare, y2, y1, other
    movs \spare, \x3
    ands \spare, \x1
    eors \spare, \x2
    eors \x3, \x1
    movs \x2, \spare
    eors \x2, \x0
    movs \y2, \x2
    ands \y2, \x3
    eors \y2, \x1
    eors \y2, \x0
    eors \x3, \x0
    movs \x1, \y2
    orrs \x1, \x3
    eors \x1, \spare
    ands \spare, \y2
    eors \y1, \other
    eors \y2, \y1
    mvns \y2, \y2
    mvns \x0, \x2
.endm

.macro exchange low, high, shift, mask, spare
    lsrs \spare, \low, #\shift
    eors \spare, \high
    ands \spare, \mask
    eors \high, \spare
    lsls \spare, #\shift
    eors \low, \spare
.endm

/* The registers' coordinate and another change places. */
.macro exchange_all x0, x1, x2, x3, shift, mask, shift2, mask2, spare, spare2
    mov \spare2, \mask
    exchange \x0, \x1, \shift, \spare2, \spare
    exchange \x2, \x3, \shift, \spare2, \spare
    mov \spare2, \mask2
    exchange \x0, \x2, \shift2, \spare2, \spare
    exchange \x1, \x3, \shift2, \spare2, \spare
.endm

.macro exchange_fine x0, x1, x2, x3, spare, spare2
    exchange_all \x0, \x1, \x2, \x3, 1, MASK1, 2, MASK2, \spare, \spare2
.endm

.macro exchange_coarse x0, x1, x2, x3, spare, spare2
    exchange_all \x0, \x1, \x2, \x3, 4, MASK4, 8, MASK8, \spare, \spare2
.endm

.macro exchange_within x, shift, mask, spare
    lsrs \spare, \x, #\shift
    eors \spare, \x
    ands \spare, \mask
    eors \x, \spare
    lsls \spare, #\shift
    eors \x, \spare
.endm

/* The two coordinates that are not the registers' change places. */
.macro transpose x0, x1, x2, x3, spare, mask
    ldr \mask, =0x0a0a0a0a
    .irp x, \x0, \x1, \x2, \x3
    exchange_within \x, 3, \mask, \spare
    .endr
    ldr \mask, =0x00cc00cc
    .irp x, \x0, \x1, \x2, \x3
    exchange_within \x, 6, \mask, \spare
    .endr
.endm

.macro add_key x0, x1, x2, x3, spare, spare2
    ldm KEY!, {\spare, \spare2}
    eors \x0, \spare
    eors \x1, \spare2
    ldm KEY!, {\spare, \spare2}
    eors \x2, \spare
    eors \x3, \spare2
.endm

.macro add_key_before x0, x1, x2, x3, spare, spare2
    add_key \x0, \x1, \x2, \x3, \spare, \spare2
    subs KEY, #32
.endm

/* Registers, masks and arguments: on the stack are in, out and blocks. */
.macro begin
    save_registers
    push {r1, r2, r3}
    ldr r4, =0x55555555
    mov MASK1, r4
    ldr r4, =0x33333333
    mov MASK2, r4
    ldr r4, =0x0f0f0f0f
    mov MASK4, r4
    ldr r4, =0x00ff00ff
    mov MASK8, r4
    mov lr, r0
    adds r3, #0
    bne 1f
    b 9f
.endm

/* Two blocks to r0 to r3, 16 bits of each in each; the last one twice, where it is alone. */
.macro load_blocks
1:  ldr r0, [sp]
    movs r6, r0
    ldr r1, [sp, #8]
    cmp r1, #1
    beq 2f
    adds r6, #8
2:  lsls r1, r0, #30
    bne 3f
    ldm r0!, {r1, r2}
    ldm r6!, {r3, r4}
    b 4f
3:  load_bytes r1, r5, r0, 0
    load_bytes r2, r5, r0, 4
    load_bytes r3, r5, r6, 0
    load_bytes r4, r5, r6, 4
    adds r6, #8
4:  str r6, [sp]
    rev r1, r1
    rev r2, r2
    rev r3, r3
    rev r4, r4
    uxth r0, r2
    lsls r5, r4, #16
    orrs r0, r5
    lsrs r5, r2, #16
    lsrs r4, #16
    lsls r4, #16
    orrs r4, r5
    uxth r2, r1
    lsls r5, r3, #16
    orrs r2, r5
    lsrs r1, #16
    lsrs r3, #16
    lsls r3, #16
    orrs r3, r1
    movs r1, r4
.endm

/* And back from x0 to x3; others, lost: low, high, r7. */
.macro store_blocks x0, x1, x2, x3, low, high
    uxth \low, \x0
    lsls r7, \x1, #16
    orrs \low, r7
    lsrs \x0, #16
    lsrs \x1, #16
    lsls \x1, #16
    orrs \x0, \x1 /* the second block's lower half */
    uxth \high, \x2
    lsls r7, \x3, #16
    orrs \high, r7
    lsrs \x2, #16
    lsrs \x3, #16
    lsls \x3, #16
    orrs \x2, \x3
    rev \low, \low
    rev \x0, \x0
    rev \high, \high
    rev \x2, \x2
    ldr r7, [sp, #4]
    lsls \x1, r7, #30
    bne 6f
    str \high, [r7]
    str \low, [r7, #4]
    ldr \x1, [sp, #8]
    subs \x1, #1
    beq 9f
    str \x2, [r7, #8]
    str \x0, [r7, #12]
5:  adds r7, #16
    str r7, [sp, #4]
    subs \x1, #1
    str \x1, [sp, #8]
    beq 9f
    b 1b
6:  store_bytes \high, r7, 0
    store_bytes \low, r7, 4
    ldr \x1, [sp, #8]
    subs \x1, #1
    beq 9f
    store_bytes \x2, r7, 8
    store_bytes \x0, r7, 12
    b 5b
9:  add sp, #12
    return
.endm

/* void mote_present_encrypt(const void *schedule, const uint8_t *in, uint8_t *out) */
    function mote_present_encrypt
    movs r3, #1

/* void mote_present_encrypt_blocks(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks) */
    entry mote_present_encrypt_blocks
    begin
    load_blocks
    mov KEY, lr
    movs r4, #16 * 30 / 2
    lsls r4, #1
    add r4, lr
    mov END, r4
7:  add_key r0, r1, r2, r3, r4, r5
    exchange_fine r0, r1, r2, r3, r4, r5
    substitute r0, r1, r2, r3, r6, r4, r5
    add_key r6, r4, r2, r5, r0, r1
    exchange_coarse r6, r4, r2, r5, r0, r1
    substitute r6, r4, r2, r5, r0, r1, r3
    cmp KEY, END
    bne 7b
    add_key r0, r1, r2, r3, r4, r5
    exchange_fine r0, r1, r2, r3, r4, r5
    substitute r0, r1, r2, r3, r6, r4, r5
    add_key r6, r4, r2, r5, r0, r1
    transpose r6, r4, r2, r5, r0, r1
    store_blocks r6, r4, r2, r5, r0, r1
    .ltorg

/* void mote_present_decrypt(const void *schedule, const uint8_t *in, uint8_t *out) */
    function mote_present_decrypt
    movs r3, #1

/* void mote_present_decrypt_blocks(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks) */
    entry mote_present_decrypt_blocks
    begin
    load_blocks
    mov END, lr
    movs KEY, #16 * 31 / 2
    lsls KEY, #1
    add KEY, lr
    transpose r0, r1, r2, r3, r4, r5
    add_key_before r0, r1, r2, r3, r4, r5
7:  restore r0, r1, r2, r3, r4, r5, r4, r3
    exchange_fine r0, r4, r5, r1, r2, r3
    add_key_before r0, r4, r5, r1, r2, r3
    restore r0, r4, r5, r1, r3, r2, r1, r3
    movs r3, r4
    exchange_coarse r0, r1, r2, r3, r4, r5
    add_key_before r0, r1, r2, r3, r4, r5
    cmp KEY, END
    bne 7b
    restore r0, r1, r2, r3, r4, r5, r4, r3
    exchange_fine r0, r4, r5, r1, r2, r3
    add_key r0, r4, r5, r1, r2, r3
    store_blocks r0, r4, r5, r1, r2, r3
    .ltorg

#endif
