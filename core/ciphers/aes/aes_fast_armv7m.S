/*
 * aes-fast on ARMv7-M: the code of aes_fast_words.c, with the state in registers. FIPS 197.
 *
 * No branch depends on a key or a message; the tables are read at places that do.
 *
 * A round makes one column of the next state after the other: four entries of the table, turned by 0 to 3 bytes, and a
 * word of the round key. A load takes one cycle behind another load, and the first one two. So a round's 20 loads, those
 * of its key too, are three groups: as many addresses at once as there are registers for.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7M
#include "mote/armv7m.h"

#define TABLE r11
#define KEY r12
#define LAST_KEY lr
/* On the stack. */
#define FIRST_KEY 0
#define IN 4
#define OUT 8
#define BLOCKS 12
#define FRAME 16

/* Entries of the table of words, and how those of rows 1 to 3 are turned. */
.macro read_entry to
    ldr.w \to, [TABLE, \to, lsl #2]
.endm
.macro add_entry sum, entry, row
    eor.w \sum, \sum, \entry, ror #32 - 8 * \row
.endm

/* In the last round: bytes, from the second ones of these entries or from a table of bytes. */
.macro read_second_byte to
    ldrb.w \to, [TABLE, \to, lsl #2]
.endm
.macro read_box_byte to
    ldrb.w \to, [TABLE, \to]
.endm
.macro add_byte sum, byte, row
    eor.w \sum, \sum, \byte, lsl #8 * \row
.endm

/*
 * Columns a become columns b, with the round key of four words from KEY + `at` on, of which those of b1 and b3 lie at `at1`
 * and `at3`. Row r of column c comes from column c + r.
 */
.macro columns read, add, at, at1, at3, a0, a1, a2, a3, b0, b1, b2, b3
    uxtb.w \b0, \a0
    uxtb.w r8, \a1, ror #8
    uxtb.w r9, \a2, ror #16
    lsr.w r10, \a3, #24
    uxtb.w \b1, \a1
    uxtb.w \b2, \a2, ror #8
    \read \b0
    \read r8
    \read r9
    \read r10
    \read \b1
    \read \b2
    ldr.w \b3, [KEY, #\at]
    \add \b0, r8, 1
    \add \b0, r9, 2
    \add \b0, r10, 3
    eor.w \b0, \b0, \b3
    \add \b1, \b2, 1

    uxtb.w r8, \a3, ror #16
    lsr.w r9, \a0, #24
    uxtb.w \b2, \a2
    uxtb.w r10, \a3, ror #8
    \read r8
    \read r9
    \read \b2
    \read r10
    ldr.w \b3, [KEY, #\at + \at1]
    \add \b1, r8, 2
    \add \b1, r9, 3
    \add \b2, r10, 1
    eor.w \b1, \b1, \b3

    uxtb.w r8, \a0, ror #16
    uxtb.w \a0, \a0, ror #8
    lsr.w r9, \a1, #24
    uxtb.w \a1, \a1, ror #16
    lsr.w \a2, \a2, #24
    uxtb.w \b3, \a3
    \read r8
    \read \a0
    \read r9
    \read \a1
    \read \a2
    \read \b3
    ldr.w r10, [KEY, #\at + 8]
    ldr.w \a3, [KEY, #\at + \at3]
    \add \b2, r8, 2
    \add \b2, r9, 3
    \add \b3, \a0, 1
    \add \b3, \a1, 2
    \add \b3, \a2, 3
    eor.w \b2, \b2, r10
    eor.w \b3, \b3, \a3
.endm

/* step: 1 to encrypt; -1 to decrypt, where row r comes from column c - r: so columns 1 and 3 change places. */
.macro round step, read, add, at, a0, a1, a2, a3, b0, b1, b2, b3
    .if \step > 0
    columns \read, \add, \at, 4, 12, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3
    .else
    columns \read, \add, \at, 12, 4, \a0, \a3, \a2, \a1, \b0, \b3, \b2, \b1
    .endif
.endm

/* void name(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks), and with one block. */
.macro blocks name, name_of_one, table, step
    function \name
    cmp r3, #0
    it eq
    bxeq lr
    b.w 1f
    .balign 4
    entry \name_of_one
    movs.w r3, #1
1:  save_registers
    ldr LAST_KEY, [r0], #4 /* rounds */
    .if \step > 0
    add.w LAST_KEY, r0, LAST_KEY, lsl #4
    .else
    mov.w KEY, r0
    add.w r0, r0, LAST_KEY, lsl #4
    mov.w LAST_KEY, KEY
    .endif
    push.w {r0-r3}
    movw TABLE, #:lower16:\table
    movt TABLE, #:upper16:\table
    .balign 4
2:  ldr.w r8, [sp, #IN]
    ldr.w KEY, [sp, #FIRST_KEY]
    ldr.w r0, [r8]
    ldr.w r1, [r8, #4]
    ldr.w r2, [r8, #8]
    ldr.w r3, [r8, #12]
    ldr.w r4, [KEY]
    ldr.w r5, [KEY, #4]
    ldr.w r6, [KEY, #8]
    ldr.w r7, [KEY, #12]
    add.w r8, r8, #16
    str.w r8, [sp, #IN]
    eor.w r0, r0, r4
    eor.w r1, r1, r5
    eor.w r2, r2, r6
    eor.w r3, r3, r7
    b.w 4f

    /* An odd number of rounds, and registers change places: begins in the middle. */
    .balign 8
3:  round \step, read_entry, add_entry, 0, r4, r5, r6, r7, r0, r1, r2, r3
4:  round \step, read_entry, add_entry, 16 * \step, r0, r1, r2, r3, r4, r5, r6, r7
    add.w KEY, KEY, #32 * \step
    cmp.w KEY, LAST_KEY
    bne.w 3b

    .if \step > 0
    add.w TABLE, TABLE, #1 /* the second byte of an entry is S(x): a smaller part of a cache than a table of its own */
    round \step, read_second_byte, add_byte, 0, r4, r5, r6, r7, r0, r1, r2, r3
    sub.w TABLE, TABLE, #1
    .else
    movw TABLE, #:lower16:mote_aes_fast_inverse_sbox
    movt TABLE, #:upper16:mote_aes_fast_inverse_sbox
    round \step, read_box_byte, add_byte, 0, r4, r5, r6, r7, r0, r1, r2, r3
    movw TABLE, #:lower16:\table
    movt TABLE, #:upper16:\table
    .endif
    ldr.w r9, [sp, #OUT]
    ldr.w r10, [sp, #BLOCKS]
    str.w r0, [r9]
    str.w r1, [r9, #4]
    str.w r2, [r9, #8]
    str.w r3, [r9, #12]
    add.w r9, r9, #16
    str.w r9, [sp, #OUT]
    subs.w r10, r10, #1
    str.w r10, [sp, #BLOCKS]
    bne.w 2b

    add sp, #FRAME
    return
    .size \name, . - \name
    .size \name_of_one, . - \name_of_one
.endm

    blocks mote_aes_fast_encrypt_blocks, mote_aes_fast_encrypt, mote_aes_fast_mixed, 1
    blocks mote_aes_fast_decrypt_blocks, mote_aes_fast_decrypt, mote_aes_fast_mixed_back, -1

#endif
