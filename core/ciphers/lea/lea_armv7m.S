/*
 * LEA on ARMv7-M: blocks of lea.c, and keys of 128 bits. No branch and no address depends on a
 * secret. Four rounds are written out, so that no word moves; with keys of 128 bits twelve are.
 *
 * An operand turns by any amount for nothing. So a word that encryption changes keeps the turn that
 * ends its round as a debt, and all instructions that read it pay. By its place in the next round
 * alone a word owes a turn to the right by A, B, C or D bits.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7M
#include "mote/armv7m.h"

#define KEYS r0
#define OUT r2
#define A 23
#define B 5
#define C 3
#define D 23

/* Words and round keys; k0, k2 and k4 are lost. */
.macro encrypt_round a, b, c, d, k0, k1, k2, k3, k4, k5
    eor.w \d, \k5, \d, ror #D
    eor.w \k4, \k4, \c, ror #C
    add \d, \k4
    eor.w \c, \k3, \c, ror #C
    eor.w \k2, \k2, \b, ror #B
    add \c, \k2
    eor.w \b, \k1, \b, ror #B
    eor.w \k0, \k0, \a, ror #A
    add \b, \k0
.endm

.macro decrypt_round a, b, c, d, k0, k1, k2, k3, k4, k5
    eor.w \k0, \k0, \a
    rsb.w \b, \k0, \b, ror #9
    eor.w \b, \b, \k1
    eor.w \k2, \k2, \b
    rsb.w \c, \k2, \c, ror #27
    eor.w \c, \c, \k3
    eor.w \k4, \k4, \c
    rsb.w \d, \k4, \d, ror #29
    eor.w \d, \d, \k5
.endm

/* A round with the next or the last round key; of keys of 128 bits one word stands for three. */
.macro encrypt_with words, a, b, c, d
    .if \words == 4
    ldm KEYS!, {r7-r10}
    encrypt_round \a, \b, \c, \d, r7, r8, r9, r8, r10, r8
    .else
    ldm KEYS!, {r7-r12}
    encrypt_round \a, \b, \c, \d, r7, r8, r9, r10, r11, r12
    .endif
.endm

.macro decrypt_with words, a, b, c, d
    .if \words == 4
    ldmdb KEYS!, {r7-r10}
    decrypt_round \a, \b, \c, \d, r7, r8, r9, r8, r10, r8
    .else
    ldmdb KEYS!, {r7-r12}
    decrypt_round \a, \b, \c, \d, r7, r8, r9, r10, r11, r12
    .endif
.endm

.macro load_block
    ldr r3, [r1]
    ldr r4, [r1, #4]
    ldr r5, [r1, #8]
    ldr r6, [r1, #12]
.endm

.macro store_block
    str r3, [OUT]
    str r4, [OUT, #4]
    str r5, [OUT, #8]
    str r6, [OUT, #12]
.endm

/* void name(const void *schedule, const uint8_t *in, uint8_t *out); lr is the end of the keys, of
   which a turn of the loop takes 4 \turns. */
.macro encrypts words, turns
    load_block
    ror r3, r3, #32 - A
    ror r4, r4, #32 - B
    ror r5, r5, #32 - C
    ror r6, r6, #32 - D
    .balign 4
1:  .rept \turns
    encrypt_with \words, r3, r4, r5, r6
    encrypt_with \words, r4, r5, r6, r3
    encrypt_with \words, r5, r6, r3, r4
    encrypt_with \words, r6, r3, r4, r5
    .endr
    cmp KEYS, lr
    bne.w 1b
    ror r3, r3, #A
    ror r4, r4, #B
    ror r5, r5, #C
    ror r6, r6, #D
    store_block
    return
.endm

.macro decrypts words, turns
    load_block
    .balign 4
1:  .rept \turns
    decrypt_with \words, r6, r3, r4, r5
    decrypt_with \words, r5, r6, r3, r4
    decrypt_with \words, r4, r5, r6, r3
    decrypt_with \words, r3, r4, r5, r6
    .endr
    cmp KEYS, lr
    bne.w 1b
    store_block
    return
.endm

    function mote_lea_encrypt_128
    save_registers
    add lr, KEYS, #4 * 4 * 24
    encrypts 4, 3

    function mote_lea_decrypt_128
    save_registers
    mov lr, KEYS
    add KEYS, #4 * 4 * 24
    decrypts 4, 3

    function mote_lea_encrypt_192
    save_registers
    add lr, KEYS, #4 * 6 * 28
    b mote_lea_encrypt_long
    entry mote_lea_encrypt_256
    save_registers
    add lr, KEYS, #4 * 6 * 32
mote_lea_encrypt_long:
    encrypts 6, 1

    function mote_lea_decrypt_192
    save_registers
    mov lr, KEYS
    add KEYS, #4 * 6 * 28
    b mote_lea_decrypt_long
    entry mote_lea_decrypt_256
    save_registers
    mov lr, KEYS
    add KEYS, #4 * 6 * 32
mote_lea_decrypt_long:
    decrypts 6, 1

/* A word of the key register: the constant has turned `by` bits, the sum turns `left`. */
.macro next_word t, c, by, left
    .if \by
    add.w \t, \t, \c, ror #32 - (\by)
    .else
    add.w \t, \t, \c
    .endif
    ror.w \t, \t, #32 - \left
.endm

.macro next_key c, by
    next_word r3, \c, \by, 1
    next_word r4, \c, \by + 1, 3
    next_word r5, \c, \by + 2, 6
    next_word r6, \c, \by + 3, 11
    ror.w \c, \c, #28
    stm.w r0!, {r3-r6}
.endm

/* void mote_lea_set_key_128(void *schedule, const uint8_t *key) */
    function mote_lea_set_key_128
    push {r4-r10, lr}
    load_block
    adr.w r1, constants
    ldm r1, {r7-r10}
    add lr, r0, #4 * 4 * 24
1:  next_key r7, 0
    next_key r8, 1
    next_key r9, 2
    next_key r10, 3
    cmp r0, lr
    bne 1b
    pop {r4-r10, pc}
    .balign 4
constants: /* section 3.2.1 of the paper */
    .word 0xc3efe9db, 0x44626b02, 0x79e27c8a, 0x78df30ec

#endif
