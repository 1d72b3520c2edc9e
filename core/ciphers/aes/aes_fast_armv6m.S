/*
 * aes-fast on ARMv6-M: the code of aes_fast_words.c, with the state in registers. FIPS 197.
 *
 * No branch depends on a key or a message; the tables are read at places that do.
 *
 * A column is one word, its first byte the lowest. Entry x of a table has 8 bytes: T, the column that MixColumns makes
 * of S(x) in row 0, and T turned by 16 bits. A round takes the columns one after the other and adds an entry to each of
 * the four that it makes. All these are kept turned: what column j gets first, of row r (-j modulo 4 to encrypt, j to
 * decrypt), it gets as if that were row 0. So it gets T, then the turned T of row r + 2; then all are turned by 24
 * bits, which makes row r - 1 come next, with T, and row r + 1, with the turned T. Nothing has to be turned back: the
 * bytes of a column turned by any multiple of 8 bits are as easy to take. Round keys are turned the same way by the key
 * set-up.
 *
 * The mask that leaves 8 times a byte, 0x7f8, ends in 0xf8: as an amount to rotate by that is 24.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M
#include "mote/armv6m.h"

#define TABLE r6
#define MASK r7
#define COLUMN1 r8
#define COLUMN2 r9
#define COLUMN3 r10
#define KEYS lr
#define LAST_KEY r12

/* 8 times the byte at that place. */
.macro index to, from, place
    .if ((\place) & 3) == 0
    lsls \to, \from, #3
    .elseif ((\place) & 3) == 1
    lsrs \to, \from, #5
    .elseif ((\place) & 3) == 2
    lsrs \to, \from, #13
    .else
    lsrs \to, \from, #21
    .endif
    ands \to, MASK
.endm

.macro add_entry sum, spare, from, place
    index \spare, \from, \place
    ldr \spare, [TABLE, \spare]
    eors \sum, \spare
.endm

/* Adds the entries of the bytes of a column to four others: to the first that of byte `place`, and so on by `step`. */
.macro add_entries from, spare, sum0, sum1, sum2, sum3, place, step
    add_entry \sum0, \spare, \from, \place
    add_entry \sum1, \spare, \from, \place + \step
    add_entry \sum2, \spare, \from, \place + 2 * \step
    add_entry \sum3, \from, \from, \place + 3 * \step
.endm

/* Column 0 is in \from; the new one will be in \sum0. step: -1 to encrypt, 1 to decrypt. */
.macro round from, spare, sum0, sum1, sum2, sum3, step
    mov \spare, KEYS
    ldm \spare!, {\sum0, \sum1, \sum2, \sum3}
    mov KEYS, \spare
    add_entries \from, \spare, \sum0, \sum1, \sum2, \sum3, 1, \step
    adds TABLE, #4
    mov \from, COLUMN2
    add_entries \from, \spare, \sum0, \sum1, \sum2, \sum3, 1, \step
    rors \sum0, MASK
    rors \sum1, MASK
    rors \sum2, MASK
    rors \sum3, MASK
    .if \step < 0
    mov \from, COLUMN1
    .else
    mov \from, COLUMN3
    .endif
    add_entries \from, \spare, \sum0, \sum1, \sum2, \sum3, 3, \step
    subs TABLE, #4
    .if \step < 0
    mov \from, COLUMN3
    .else
    mov \from, COLUMN1
    .endif
    add_entries \from, \spare, \sum0, \sum1, \sum2, \sum3, 3, \step
    mov COLUMN1, \sum1
    mov COLUMN2, \sum2
    mov COLUMN3, \sum3
.endm

.macro add_byte sum, spare, from, place
    .if ((\place) & 3) == 0
    uxtb \spare, \from
    .elseif ((\place) & 3) == 3
    lsrs \spare, \from, #24
    .else
    lsrs \spare, \from, #8 * ((\place) & 3)
    uxtb \spare, \spare
    .endif
    ldrb \spare, [TABLE, \spare]
    eors \sum, \spare
.endm

/* As add_entries, for the last round; after it what is to come is of the row before. */
.macro add_bytes from, place, step
    add_byte r1, r5, \from, \place
    add_byte r2, r5, \from, \place + \step
    add_byte r3, r5, \from, \place + 2 * \step
    add_byte r4, \from, \from, \place + 3 * \step
.endm

.macro turn by, registers:vararg
    .irp register, \registers
    rors \register, \by
    .endr
.endm

/*
 * void name(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks), and with one block. The stack holds
 * in, out, blocks, and where the round keys are.
 */
.macro blocks name, name_of_one, table, box, step
    function \name
    cmp r3, #0
    bne 0f
    bx lr
    entry \name_of_one
    movs r3, #1
0:  push {r4-r7, lr}
    mov r4, r8
    mov r5, r9
    mov r6, r10
    push {r4-r6}
    ldm r0!, {r4} /* rounds */
    lsls r4, #4
    adds r4, r0
    mov LAST_KEY, r4
    push {r0}
    push {r1-r3}
    movs r4, r1

1:  lsls r5, r4, #30
    bne 6f
    ldm r4!, {r1, r2, r3, r5}
2:  ldm r0!, {r6, r7}
    eors r1, r6
    eors r2, r7
    ldm r0!, {r6, r7}
    eors r3, r6
    eors r5, r7
    mov KEYS, r0
    movs MASK, #0xff
    lsls MASK, #3
    movs r4, #16
    movs r6, #8
    rors r1, MASK
    .if \step < 0
    rors r2, r4
    rors r3, r6
    .else
    rors r3, r6
    rors r5, r4
    .endif
    mov COLUMN1, r2
    mov COLUMN2, r3
    mov COLUMN3, r5
    ldr TABLE, =\table
    b 4f

6:  bl mote_aes_fast_load
    b 2b

    /* An odd number of rounds, and registers change places: begins in the middle. */
3:  round r0, r5, r1, r2, r3, r4, \step
4:  round r1, r5, r0, r2, r3, r4, \step
    cmp KEYS, LAST_KEY
    beq 5f
    b 3b

5:  ldr TABLE, =\box
    mov r5, KEYS
    ldm r5!, {r1, r2, r3, r4}
    add_bytes r0, 1, \step
    turn MASK, r1, r2, r3, r4
    .if \step < 0
    mov r0, COLUMN3
    .else
    mov r0, COLUMN1
    .endif
    add_bytes r0, 3, \step
    turn MASK, r1, r2, r3, r4
    mov r0, COLUMN2
    add_bytes r0, 1, \step
    turn MASK, r1, r2, r3, r4
    .if \step < 0
    mov r0, COLUMN1
    .else
    mov r0, COLUMN3
    .endif
    add_bytes r0, 3, \step
    rors r1, MASK
    movs r5, #16
    movs r7, #8
    .if \step < 0
    rors r3, r7
    rors r4, r5
    .else
    rors r2, r5
    rors r3, r7
    .endif
    pop {r5, r6, r7} /* in, out, blocks */
    lsls r0, r6, #30
    bne 9f
    stm r6!, {r1, r2, r3, r4}
7:  subs r7, #1
    bne 8f
    add sp, #4
    pop {r4-r6}
    mov r8, r4
    mov r9, r5
    mov r10, r6
    pop {r4-r7, pc}

8:  adds r5, #16
    movs r4, r5
    push {r5, r6, r7}
    ldr r0, [sp, #12]
    b 1b

9:  bl mote_aes_fast_store
    b 7b
    .ltorg
    .size \name, . - \name
    .size \name_of_one, . - \name_of_one
.endm

    blocks mote_aes_fast_encrypt_blocks, mote_aes_fast_encrypt, mote_aes_fast_mixed, mote_aes_fast_sbox, -1
    blocks mote_aes_fast_decrypt_blocks, mote_aes_fast_decrypt, mote_aes_fast_mixed_back, mote_aes_fast_inverse_sbox, 1

/* 16 bytes of any alignment: from r4 to r1, r2, r3 and r5; from r1, r2, r3 and r4 to r6, which moves on. */
    .section .text.mote_aes_fast_load, "ax", %progbits
    .thumb_func
mote_aes_fast_load:
    load_bytes r1, r6, r4, 0
    load_bytes r2, r6, r4, 4
    load_bytes r3, r6, r4, 8
    load_bytes r5, r6, r4, 12
    bx lr

    .section .text.mote_aes_fast_store, "ax", %progbits
    .thumb_func
mote_aes_fast_store:
    store_bytes r1, r6, 0
    store_bytes r2, r6, 4
    store_bytes r3, r6, 8
    store_bytes r4, r6, 12
    adds r6, #16
    bx lr

#endif
