/*
 * aes-fast on ARMv7-M: what aes_fast_words.c does, with the state in registers. FIPS 197.
 *
 * No branch depends on a key or a message; the tables are read at places that do.
 *
 * A round takes the columns one after the other. Each adds four entries of the table, turned by 0 to 3 bytes, to the four
 * columns of the next round, which begin as the round key. Four addresses are made before four loads, so that loads
 * follow one another and take one cycle each.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7M
#include "mote/armv7m.h"

#define TABLE r11
#define KEY r12
#define LAST_KEY lr
/* On the stack: the arguments. */
#define SCHEDULE 0
#define IN 4
#define OUT 8
#define BLOCKS 12
#define FRAME 16

/* The bytes of \from as indexes in r8, r9, r10 and itself. */
.macro indexes from
    uxtb.w r8, \from
    uxtb.w r9, \from, ror #8
    uxtb.w r10, \from, ror #16
    lsr.w \from, \from, #24
.endm

/* Adds the entries of a column, row 0 first, to four others. */
.macro add_entries from, row0, row1, row2, row3
    indexes \from
    ldr.w r8, [TABLE, r8, lsl #2]
    ldr.w r9, [TABLE, r9, lsl #2]
    ldr.w r10, [TABLE, r10, lsl #2]
    ldr.w \from, [TABLE, \from, lsl #2]
    eor.w \row0, \row0, r8
    eor.w \row1, \row1, r9, ror #24
    eor.w \row2, \row2, r10, ror #16
    eor.w \row3, \row3, \from, ror #8
.endm

/* As add_entries, in the last round: bytes that lie 1 << `apart` from one another. */
.macro add_bytes from, row0, row1, row2, row3, apart
    indexes \from
    ldrb.w r8, [TABLE, r8, lsl #\apart]
    ldrb.w r9, [TABLE, r9, lsl #\apart]
    ldrb.w r10, [TABLE, r10, lsl #\apart]
    ldrb.w \from, [TABLE, \from, lsl #\apart]
    eor.w \row0, \row0, r8
    eor.w \row1, \row1, r9, lsl #8
    eor.w \row2, \row2, r10, lsl #16
    eor.w \row3, \row3, \from, lsl #24
.endm

.macro add_second_bytes from, row0, row1, row2, row3
    add_bytes \from, \row0, \row1, \row2, \row3, 2
.endm

.macro add_box_bytes from, row0, row1, row2, row3
    add_bytes \from, \row0, \row1, \row2, \row3, 0
.endm

/* step: -1 to encrypt, 1 to decrypt. what: one of the three above. Columns a become columns b. */
.macro round step, what, a0, a1, a2, a3, b0, b1, b2, b3
    .if \step < 0
    ldm KEY!, {\b0, \b1, \b2, \b3}
    \what \a0, \b0, \b3, \b2, \b1
    \what \a1, \b1, \b0, \b3, \b2
    \what \a2, \b2, \b1, \b0, \b3
    \what \a3, \b3, \b2, \b1, \b0
    .else
    ldmdb KEY!, {\b0, \b1, \b2, \b3}
    \what \a0, \b0, \b1, \b2, \b3
    \what \a1, \b1, \b2, \b3, \b0
    \what \a2, \b2, \b3, \b0, \b1
    \what \a3, \b3, \b0, \b1, \b2
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
    push.w {r0-r3}
2:  ldr LAST_KEY, [r0], #4 /* rounds */
    mov.w KEY, r0
    add.w LAST_KEY, r0, LAST_KEY, lsl #4
    .if \step > 0
    mov.w KEY, LAST_KEY
    add.w LAST_KEY, r0, #16
    .endif
    ldr.w r4, [r1]
    ldr.w r5, [r1, #4]
    ldr.w r6, [r1, #8]
    ldr.w r7, [r1, #12]
    ldm.w KEY, {r0-r3}
    .if \step < 0
    add.w KEY, KEY, #16
    .endif
    eor.w r0, r0, r4
    eor.w r1, r1, r5
    eor.w r2, r2, r6
    eor.w r3, r3, r7
    movw TABLE, #:lower16:\table
    movt TABLE, #:upper16:\table
    b.w 4f

    /* An odd number of rounds, and registers change places: begins in the middle. */
    .balign 8
3:  round \step, add_entries, r4, r5, r6, r7, r0, r1, r2, r3
4:  round \step, add_entries, r0, r1, r2, r3, r4, r5, r6, r7
    cmp.w KEY, LAST_KEY
    bne.w 3b

    .if \step < 0
    add.w TABLE, TABLE, #1 /* the second byte of an entry is S(x): a smaller part of a cache than a table of its own */
    round \step, add_second_bytes, r4, r5, r6, r7, r0, r1, r2, r3
    .else
    movw TABLE, #:lower16:mote_aes_fast_inverse_sbox
    movt TABLE, #:upper16:mote_aes_fast_inverse_sbox
    round \step, add_box_bytes, r4, r5, r6, r7, r0, r1, r2, r3
    .endif
    ldr.w r9, [sp, #OUT]
    ldr.w r10, [sp, #BLOCKS]
    ldr.w r8, [sp, #IN]
    str.w r0, [r9]
    str.w r1, [r9, #4]
    str.w r2, [r9, #8]
    str.w r3, [r9, #12]
    subs.w r10, r10, #1
    beq.w 5f
    add.w r1, r8, #16
    add.w r9, r9, #16
    ldr.w r0, [sp, #SCHEDULE]
    str.w r1, [sp, #IN]
    str.w r9, [sp, #OUT]
    str.w r10, [sp, #BLOCKS]
    b.w 2b

5:  add sp, #FRAME
    return
    .size \name, . - \name
    .size \name_of_one, . - \name_of_one
.endm

    blocks mote_aes_fast_encrypt_blocks, mote_aes_fast_encrypt, mote_aes_fast_mixed, -1
    blocks mote_aes_fast_decrypt_blocks, mote_aes_fast_decrypt, mote_aes_fast_mixed_back, 1

#endif
