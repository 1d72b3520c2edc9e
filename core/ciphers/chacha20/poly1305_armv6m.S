/*
 * Poly1305 on ARMv6-M: whole blocks of poly1305.c, with its limbs. No branch and no address depends on a secret.
 *
 * Products are taken in two halves: with the lower five limbs of the sum in registers, then with the upper five. Each
 * limb of the multiplier is read once in each half, and goes to five columns; with it one of them is done.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M
#include "mote/armv6m.h"
    .altmacro

/* On the stack: columns of the first half, upper limbs of the sum, and the arguments. */
#define UPPER 40
#define IN 60
#define BLOCKS 64
#define LAST 68
#define FRAME 72
#define STATE r7
#define MULTIPLIER 40 /* in the state; five times it is before it */

/* The bits of a limb from bit `at` of a word on; those of a limb that the next word has some of. */
.macro limb word, at
    lsls r4, \word, #19 - \at
    lsrs r4, #19
.endm

.macro limb_of_two word, at, next
    lsrs r4, \word, #\at
    lsls r5, \next, #51 - \at
    lsrs r5, #19
    orrs r4, r5
.endm

/* Adds a limb of the sum and what was carried, leaves 13 bits in r4 and a carry in r6. */
.macro add_limb index
    ldrh r5, [STATE, #2 * \index]
    adds r4, r5
    .if \index > 0
    adds r4, r6
    .endif
    lsrs r6, r4, #13
    lsls r4, #19
    lsrs r4, #19
.endm

.macro start_product column, limb
    mov r\column, r\limb
    muls r\column, r6
.endm

.macro add_product column, limb
    mov r5, r\limb
    muls r5, r6
    adds r\column, r5
.endm

.macro column_done column, index, half
    .if \half == 0
    str r\column, [sp, #4 * \index]
    .else
    add r\column, lr
    lsrs r5, r\column, #13
    mov lr, r5
    lsls r\column, #19
    lsrs r\column, #19
    strh r\column, [STATE, #2 * \index]
    .endif
.endm

/* Limb k of the multiplier times that in register 8 + j belongs to column k + j + 5 half: in register that mod 5. */
.macro product k, j, half
    .if \k + \j + 5 * \half >= 0 && \k + \j + 5 * \half <= 9
    .if \j == 4 && \half == 0
    start_product %((\k + 4) - 5 * ((\k + 4) / 5)), %(8 + \j)
    .elseif \j == 4
    load_column %((\k + 9) - 5 * ((\k + 9) / 5)), %(\k + 9)
    add_product %((\k + 9) - 5 * ((\k + 9) / 5)), %(8 + \j)
    .else
    add_product %((\k + \j + 5 * \half) - 5 * ((\k + \j + 5 * \half) / 5)), %(8 + \j)
    .endif
    .endif
.endm

.macro load_column column, index
    ldr r\column, [sp, #4 * \index]
.endm

.macro products k, half
    ldrh r6, [STATE, #MULTIPLIER + 2 * (\k)]
    .irp j, 4, 3, 2, 1, 0
    product \k, \j, \half
    .endr
    .if \k + 5 * \half >= 0
    column_done %((\k + 5 * \half) - 5 * ((\k + 5 * \half) / 5)), %(\k + 5 * \half), \half
    .endif
.endm

/* void mote_poly1305_blocks(mote_poly1305 *p, const uint8_t *in, size_t blocks, uint32_t last); at least one */
    function mote_poly1305_blocks
    save_registers
    sub sp, #FRAME
    mov STATE, r0
    str r2, [sp, #BLOCKS]
    lsls r3, #11
    str r3, [sp, #LAST]
1:  lsls r4, r1, #30
    bne 2f
    ldm r1!, {r0, r2, r3, r5}
    str r1, [sp, #IN]
    movs r1, r2
    movs r2, r3
    movs r3, r5
    b 3f
2:  load_bytes r0, r5, r1, 0
    load_bytes r2, r5, r1, 4
    load_bytes r3, r5, r1, 8
    load_bytes r4, r5, r1, 12
    adds r1, #16
    str r1, [sp, #IN]
    movs r1, r2
    movs r2, r3
    movs r3, r4

3:  limb r0, 0
    add_limb 0
    mov r8, r4
    limb r0, 13
    add_limb 1
    mov r9, r4
    limb_of_two r0, 26, r1
    add_limb 2
    mov r10, r4
    limb r1, 7
    add_limb 3
    mov r11, r4
    limb_of_two r1, 20, r2
    add_limb 4
    mov r12, r4
    limb r2, 1
    add_limb 5
    str r4, [sp, #UPPER]
    limb r2, 14
    add_limb 6
    str r4, [sp, #UPPER + 4]
    limb_of_two r2, 27, r3
    add_limb 7
    str r4, [sp, #UPPER + 8]
    limb r3, 8
    add_limb 8
    str r4, [sp, #UPPER + 12]
    lsrs r4, r3, #21
    ldr r5, [sp, #LAST]
    orrs r4, r5
    add_limb 9
    str r4, [sp, #UPPER + 16]
    lsls r5, r6, #2 /* 2^130 is 5 */
    adds r5, r6
    add r8, r5

    .irp k, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
    products \k, 0
    .endr
    add r5, sp, #UPPER
    ldm r5!, {r0, r1, r2, r3, r4}
    mov r8, r0
    mov r9, r1
    mov r10, r2
    mov r11, r3
    mov r12, r4
    movs r5, #0
    mov lr, r5
    .irp k, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4
    products \k, 1
    .endr

    mov r5, lr
    lsls r0, r5, #2
    adds r0, r5
    ldrh r1, [STATE]
    adds r0, r1
    lsls r1, r0, #19
    lsrs r1, #19
    strh r1, [STATE]
    lsrs r0, #13
    ldrh r1, [STATE, #2]
    adds r0, r1
    lsls r1, r0, #19
    lsrs r1, #19
    strh r1, [STATE, #2]
    lsrs r0, #13
    ldrh r1, [STATE, #4]
    adds r0, r1
    strh r0, [STATE, #4]

    ldr r1, [sp, #IN]
    ldr r0, [sp, #BLOCKS]
    subs r0, #1
    str r0, [sp, #BLOCKS]
    beq 4f
    b 1b

4:  mov r1, sp /* r0 is zero: nothing of the sum stays on the stack */
    movs r2, #0
    movs r3, #0
    movs r4, #0
    movs r5, #0
    .rept 3
    stm r1!, {r0, r2, r3, r4, r5}
    .endr
    mov r12, r0
    add sp, #FRAME
    return

#endif
