/*
 * aes-sbox on ARMv6-M: the blocks of aes_sbox.c, with the state in registers. FIPS 197.
 *
 * No branch depends on a key or a message; the S-boxes are read at places that do.
 *
 * Between MixColumns and SubBytes the rows are in r0 to r3, between SubBytes and MixColumns in r4, r0, r1 and r2: each
 * step makes a row in the register that is free, and so frees that of another.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M
#include "mote/armv6m.h"

#define BOX r6 /* or 0x1b, or the place of the round key */
#define ONES r7 /* 0x01010101 */
#define KEPT0 r8
#define KEPT1 r9
#define KEPT2 lr
#define KEPT_BOX r10
#define KEYS r11
#define END r12 /* the round key that is left for after the last round */

.macro look_up to, from, place
    .if ((\place) & 3) == 0
    uxtb \to, \from
    .elseif ((\place) & 3) == 3
    lsrs \to, \from, #24
    .else
    lsrs \to, \from, #8 * ((\place) & 3)
    uxtb \to, \to
    .endif
    ldrb \to, [BOX, \to]
.endm

.macro next_byte to, from, place, spare
    look_up \spare, \from, \place
    lsls \to, #8
    orrs \to, \spare
.endm

/* The word of w0's byte p0, w1's byte p1 and so on, looked up; lost: what is in \spare, which may be w0. */
.macro look_up4 to, w0, p0, w1, p1, w2, p2, w3, p3, spare
    look_up \to, \w3, \p3
    next_byte \to, \w2, \p2, r5
    next_byte \to, \w1, \p1, r5
    next_byte \to, \w0, \p0, \spare
.endm

/* SubBytes of a row that ShiftRows turns right by so many bytes; the old row is lost. */
.macro substitute_row to, from, turn
    look_up4 \to, \from, \turn, \from, \turn + 1, \from, \turn + 2, \from, \turn + 3, \from
.endm

/* step: 1 to encrypt, -1 to decrypt. */
.macro substitute step
    substitute_row r4, r0, 0
    substitute_row r0, r1, \step
    substitute_row r1, r2, 2 * \step
    substitute_row r2, r3, 3 * \step
.endm

/* SubBytes and ShiftRows of columns in r0 to r3. */
.macro substitute_columns step
    .if \step > 0
    look_up4 r4, r1, 1, r2, 1, r3, 1, r0, 1, r5
    .else
    look_up4 r4, r3, 1, r0, 1, r1, 1, r2, 1, r5
    .endif
    mov KEPT0, r4
    look_up4 r4, r2, 2, r3, 2, r0, 2, r1, 2, r5
    mov KEPT1, r4
    .if \step > 0
    look_up4 r4, r3, 3, r0, 3, r1, 3, r2, 3, r5
    .else
    look_up4 r4, r1, 3, r2, 3, r3, 3, r0, 3, r5
    .endif
    mov KEPT2, r4
    look_up4 r4, r0, 0, r1, 0, r2, 0, r3, 0, r5
    mov r0, KEPT0
    mov r1, KEPT1
    mov r2, KEPT2
.endm

/* The same of rows, which makes columns in r0, r1, r4 and r7. */
.macro substitute_last step
    look_up4 r4, r0, 0, r1, \step, r2, 2, r3, 3 * \step, r5
    mov KEPT0, r4
    look_up4 r4, r0, 1, r1, 1 + \step, r2, 3, r3, 1 + 3 * \step, r5
    mov KEPT1, r4
    look_up4 r4, r0, 2, r1, 2 + \step, r2, 0, r3, 2 + 3 * \step, r5
    look_up4 r7, r0, 3, r1, 3 + \step, r2, 1, r3, 3 + 3 * \step, r5
    mov r0, KEPT0
    mov r1, KEPT1
.endm

/* The product with x, with 0x1b in r6. */
.macro double word
    lsrs r5, \word, #7
    ands r5, ONES
    lsls \word, #1
    bics \word, ONES
    muls r5, r6
    eors \word, r5
.endm

.macro quadruple_sum a, b
    movs r3, \a
    eors r3, \b
    double r3
    double r3
    eors \a, r3
    eors \b, r3
.endm

/* From r4, r0, r1, r2 to r0, r1, r2, r3: each row plus the sum of all, plus twice the sum of itself and the next. */
.macro mix_columns
    movs r5, r4
    eors r5, r0
    eors r5, r1
    eors r5, r2
    eors r4, r5
    eors r0, r5
    eors r1, r5
    eors r2, r5
    movs r3, r2
    eors r3, r4
    double r3
    eors r3, r2
    eors r2, r1
    double r2
    eors r2, r1
    eors r1, r0
    double r1
    eors r1, r0
    eors r0, r4
    double r0
    eors r0, r4
.endm

.macro add_key a, b, c, d, from, spare0, spare1
    ldm \from!, {\spare0, \spare1}
    eors \a, \spare0
    eors \b, \spare1
    ldm \from!, {\spare0, \spare1}
    eors \c, \spare0
    eors \d, \spare1
.endm

/* Four columns of the next block to r0 to r3, and the first round key to them. */
.macro load_block
1:  ldr r4, [sp, #4]
    lsls r5, r4, #30
    bne 6f
    ldm r4!, {r0, r1, r2, r3}
    str r4, [sp, #4]
2:  ldr r4, [sp]
    add_key r0, r1, r2, r3, r4, r5, r6
.endm

/* To `out`, and on to the next block, if there is one; where messages are not aligned. */
.macro end_block
    ldr r2, [sp, #8]
    lsls r3, r2, #30
    bne 7f
    stm r2!, {r0, r1, r4, r7}
    str r2, [sp, #8]
5:  ldr r0, [sp, #12]
    subs r0, #1
    str r0, [sp, #12]
    beq 9f
    b 1b
9:  add sp, #16
    return

7:  bl mote_aes_sbox_store
    b 5b
.endm

.macro load_unaligned
6:  bl mote_aes_sbox_load
    b 2b
.endm

.macro constants table
    ldr BOX, =\table
    mov KEPT_BOX, BOX
    ldr ONES, =0x01010101
.endm

/* void mote_aes_sbox_encrypt(const void *schedule, const uint8_t *in, uint8_t *out) */
    function mote_aes_sbox_encrypt
    movs r3, #1

/* void mote_aes_sbox_encrypt_blocks(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks) */
    entry mote_aes_sbox_encrypt_blocks
    save_registers
    ldm r0!, {r4} /* rounds */
    lsls r4, #4
    adds r4, r0
    mov END, r4
    push {r0-r3}
    cmp r3, #0
    bne 1f
    b 9f
    load_block
    mov KEYS, r4
    constants mote_aes_sbox_table
    substitute_columns 1
    b 4f
    load_unaligned
3:  mov BOX, KEPT_BOX
    substitute 1
4:  movs r6, #0x1b
    mix_columns
    mov r6, KEYS
    add_key r0, r1, r2, r3, r6, r4, r5
    mov KEYS, r6
    cmp KEYS, END
    bne 3b
    mov BOX, KEPT_BOX
    substitute_last 1
    mov r5, KEYS
    add_key r0, r1, r4, r7, r5, r2, r3
    end_block
    .ltorg

/* void mote_aes_sbox_decrypt(const void *schedule, const uint8_t *in, uint8_t *out) */
    function mote_aes_sbox_decrypt
    movs r3, #1

/* void mote_aes_sbox_decrypt_blocks(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks) */
    entry mote_aes_sbox_decrypt_blocks
    save_registers
    ldm r0!, {r4} /* rounds */
    mov END, r0
    lsls r4, #4
    adds r0, r4
    push {r0-r3}
    cmp r3, #0
    bne 1f
    b 9f
    load_block
    subs r4, #32
    mov KEYS, r4
    constants mote_aes_sbox_inverse_table
    substitute_columns -1
    b 4f
    load_unaligned
3:  mov BOX, KEPT_BOX
    substitute -1
4:  mov r6, KEYS
    add_key r4, r0, r1, r2, r6, r3, r5
    subs r6, #32
    mov KEYS, r6
    movs r6, #0x1b
    quadruple_sum r4, r1
    quadruple_sum r0, r2
    mix_columns
    cmp KEYS, END
    beq 8f
    b 3b
8:  mov BOX, KEPT_BOX
    substitute_last -1
    mov r5, KEYS
    add_key r0, r1, r4, r7, r5, r2, r3
    end_block
    .ltorg

/* A block that is not aligned: from [sp, #4] to r0 to r3; from r0, r1, r4 and r7 to [sp, #8]. Moves those on. */
    .section .text.mote_aes_sbox_load, "ax", %progbits
    .thumb_func
mote_aes_sbox_load:
    load_bytes r0, r5, r4, 0
    load_bytes r1, r5, r4, 4
    load_bytes r2, r5, r4, 8
    load_bytes r3, r5, r4, 12
    adds r4, #16
    str r4, [sp, #4]
    bx lr

    .section .text.mote_aes_sbox_store, "ax", %progbits
    .thumb_func
mote_aes_sbox_store:
    store_bytes r0, r2, 0
    store_bytes r1, r2, 4
    store_bytes r4, r2, 8
    store_bytes r7, r2, 12
    adds r2, #16
    str r2, [sp, #8]
    bx lr

#endif
