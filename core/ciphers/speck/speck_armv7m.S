/*
 * SPECK on ARMv7-M: blocks of speck.c and keys of SPECK-128/128, with everything in registers. No
 * branch and no address depends on a secret. An operand turns by any amount for nothing. All 27
 * rounds of SPECK-64/128 are written out, and four of the 32 of SPECK-128/128.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7M
#include "mote/armv7m.h"

#define KEYS r0
#define IN r1
#define OUT r2

/*
 * void name(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks), and of one. A
 * block has 2^log bytes; the end of the input is on the stack.
 */
.macro begin_blocks name, name_of_one, log
    function \name
    cbz r3, 9f
    add r3, IN, r3, lsl #\log
    b 8f
9:  bx lr
    .balign 8
    entry \name_of_one
    add.w r3, IN, #1 << \log
8:  push {r3-r11, lr}
1:
.endm

.macro end_blocks
    ldr r3, [sp]
    cmp r3, IN
    bne.w 1b
    pop {r3-r11, pc}
.endm

/* SPECK-64: 9 round keys at once. */
#define X r3
#define Y r4
#define NINE_KEYS r5-r12, lr

.macro encrypt_round key
    add.w X, Y, X, ror #8
    eor.w X, X, \key
    eor.w Y, X, Y, ror #29
.endm

    begin_blocks mote_speck_encrypt_blocks_64, mote_speck_encrypt_64, 3
    ldr.w X, [IN, #4] /* what follows is aligned to words */
    ldr Y, [IN], #8
    .rept 3
    ldm KEYS!, {NINE_KEYS}
    .irp key, r5, r6, r7, r8, r9, r10, r11, r12, lr
    encrypt_round \key
    .endr
    .endr
    sub KEYS, #4 * 27
    str.w X, [OUT, #4]
    str Y, [OUT], #8
    end_blocks

/* x owes a turn by 24 bits to the right, y one by 27. */
.macro decrypt_round key
    eor.w Y, X, Y, ror #3
    eor.w X, \key, X, ror #24
    sub.w X, X, Y, ror #27
.endm

    begin_blocks mote_speck_decrypt_blocks_64, mote_speck_decrypt_64, 3
    ldr.w X, [IN, #4] /* what follows is aligned to words */
    ldr Y, [IN], #8
    ror X, X, #8
    ror Y, Y, #5
    add KEYS, #4 * 27
    .rept 3
    ldmdb KEYS!, {NINE_KEYS}
    .irp key, lr, r12, r11, r10, r9, r8, r7, r6, r5
    decrypt_round \key
    .endr
    .endr
    ror X, X, #24
    ror Y, Y, #27
    str.w X, [OUT, #4]
    str Y, [OUT], #8
    end_blocks

/* SPECK-128: lower and upper halves of x, y and round keys. */
#define XL r3
#define XH r4
#define YH r5
#define HIGH r8

/* x = x turned by 8 bits to the right, plus y */
.macro add_y y, low
    lsr.w \low, XL, #8
    lsr.w HIGH, XH, #8
    orr.w \low, \low, XH, lsl #24
    orr.w HIGH, HIGH, XL, lsl #24
    adds.w XL, \low, \y
    adc.w XH, HIGH, YH
.endm

/* y = y turned by 3 bits to the left, plus x; its lower half moves from \y to \low. */
.macro add_x y, low
    eor.w \low, XL, \y, lsl #3
    eor.w HIGH, XH, YH, lsl #3
    eor.w \low, \low, YH, lsr #29
    eor.w YH, HIGH, \y, lsr #29
.endm

.macro encrypt_round_128 y, low, key_low, key_high
    add_y \y, \low
    eor.w XL, XL, \key_low
    eor.w XH, XH, \key_high
    add_x \y, \low
.endm

    begin_blocks mote_speck_encrypt_blocks_128, mote_speck_encrypt_128, 4
    ldr r6, [IN]
    ldr YH, [IN, #4]
    ldr XL, [IN, #8]
    ldr XH, [IN, #12]
    add IN, #16
    add lr, KEYS, #8 * 32
    .balign 4
2:  .rept 2
    ldm KEYS!, {r9-r12}
    encrypt_round_128 r6, r7, r9, r10
    encrypt_round_128 r7, r6, r11, r12
    .endr
    cmp KEYS, lr
    bne.w 2b
    sub KEYS, #8 * 32
    str r6, [OUT]
    str YH, [OUT, #4]
    str XL, [OUT, #8]
    str XH, [OUT, #12]
    add OUT, #16
    end_blocks

.macro decrypt_round_128 key_low, key_high
    eor.w r7, XL, r6
    eor.w HIGH, XH, YH
    lsr.w r6, r7, #3
    lsr.w YH, HIGH, #3
    orr.w r6, r6, HIGH, lsl #29
    orr.w YH, YH, r7, lsl #29
    eor.w r7, XL, \key_low
    eor.w HIGH, XH, \key_high
    subs.w r7, r7, r6
    sbc.w HIGH, HIGH, YH
    lsl.w XL, r7, #8
    lsl.w XH, HIGH, #8
    orr.w XL, XL, HIGH, lsr #24
    orr.w XH, XH, r7, lsr #24
.endm

    begin_blocks mote_speck_decrypt_blocks_128, mote_speck_decrypt_128, 4
    ldr r6, [IN]
    ldr YH, [IN, #4]
    ldr XL, [IN, #8]
    ldr XH, [IN, #12]
    add IN, #16
    mov lr, KEYS
    add KEYS, #8 * 32
    .balign 4
2:  .rept 2
    ldmdb KEYS!, {r9-r12}
    decrypt_round_128 r11, r12
    decrypt_round_128 r9, r10
    .endr
    cmp KEYS, lr
    bne.w 2b
    str r6, [OUT]
    str YH, [OUT, #4]
    str XL, [OUT, #8]
    str XH, [OUT, #12]
    add OUT, #16
    end_blocks

/* void mote_speck_set_key_128(void *schedule, const uint8_t *key) */
    function mote_speck_set_key_128
    push {r4-r8, lr}
    ldr r6, [r1]
    ldr YH, [r1, #4]
    ldr XL, [r1, #8]
    ldr XH, [r1, #12]
    strd r6, YH, [r0], #8
    movs r2, #0
    b 2f
    .balign 4
1:  add_y r7, r6
    eor.w XL, XL, r2
    add_x r7, r6
    strd r6, YH, [r0], #8
    adds r2, #1
2:  add_y r6, r7
    eor.w XL, XL, r2
    add_x r6, r7
    strd r7, YH, [r0], #8
    adds r2, #1
    cmp r2, #31
    bne 1b
    pop {r4-r8, pc}

#endif
