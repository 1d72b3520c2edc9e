/*
 * TWINE on an AVR: blocks and keys of twine.c. A block is in registers with a nibble in each, the key register with two
 * in each. No branch depends on a secret; the S-box is read from flash by secret indices, where every look-up takes three
 * cycles.
 *
 * The table begins at an address whose lowest four bits are 0. A byte of the schedule is a nibble and the other four bits of
 * the low byte of that address: added to a nibble of the block, it is the address of the entry.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

#define CONSTANT r8
#define REDUCE r9
#define SPARE r30

    .section .progmem.data.mote_twine_sbox, "a", @progbits
    .balign 16
box: /* table 1 of the paper */
    .byte 0xc, 0x0, 0xf, 0xa, 0x2, 0xb, 0x9, 0x5, 0x8, 0x3, 0xd, 0x7, 0x1, 0xe, 0x6, 0x4

#define STATE 10 /* nibble 0 of the block */
#define COUNT r1
#define ROUNDS 36

/* Nibble i + 1 ^= box[nibble i ^ key] */
.macro substitute forward, i
    .if \forward
    ld r30, X+
    .else
    ld r30, -X
    .endif
    eor r30, STATE + \i
    lpm r30, Z
    eor STATE + \i + 1, r30
.endm

/* Each nibble to where the one before it in the list was. */
.macro cycle first, nibbles:vararg
    mov r0, STATE + \first
    .set to, \first
    .irp from, \nibbles
    mov STATE + to, STATE + \from
    .set to, \from
    .endr
    mov STATE + to, r0
.endm

.macro begin
    .irp i, 10, 11, 12, 13, 14, 15, 16, 17, 20, 21
    push \i
    .endr
    movw r0, r24
    movw r26, r22
    .irp i, 0, 2, 4, 6, 8, 10, 12, 14
    ld r30, X+
    mov r31, r30
    andi r31, 0x0f
    mov STATE + \i + 1, r31
    swap r30
    andi r30, 0x0f
    mov STATE + \i, r30
    .endr
    movw r26, r0
    ldi r31, ROUNDS
    mov COUNT, r31
    ldi r31, hi8(box)
.endm

/* COUNT, which is r1, is 0. */
.macro end
    pop r31
    pop r30
    .irp i, 0, 2, 4, 6, 8, 10, 12, 14
    swap STATE + \i
    or STATE + \i, STATE + \i + 1
    st Z+, STATE + \i
    .endr
    .irp i, 17, 16, 15, 14, 13, 12, 11, 10
    pop \i
    .endr
    ret
.endm

/* void mote_twine_encrypt(const void *schedule, const uint8_t *in, uint8_t *out) */
    .section .text.mote_twine_encrypt, "ax", @progbits
    .global mote_twine_encrypt
    .type mote_twine_encrypt, @function
mote_twine_encrypt:
    begin
1:  .irp i, 0, 2, 4, 6, 8, 10, 12, 14
    substitute 1, \i
    .endr
    dec COUNT
    breq 2f
    cycle 0, 1, 2, 11, 14, 15, 12, 5
    cycle 3, 6, 9, 10, 13, 8, 7, 4
    rjmp 1b
2:  end
    .size mote_twine_encrypt, . - mote_twine_encrypt

/* void mote_twine_decrypt(const void *schedule, const uint8_t *in, uint8_t *out) */
    .section .text.mote_twine_decrypt, "ax", @progbits
    .global mote_twine_decrypt
    .type mote_twine_decrypt, @function
mote_twine_decrypt:
    subi r24, lo8(-8 * ROUNDS)
    sbci r25, hi8(-8 * ROUNDS)
    begin
1:  .irp i, 14, 12, 10, 8, 6, 4, 2, 0
    substitute 0, \i
    .endr
    dec COUNT
    breq 2f
    cycle 0, 5, 12, 15, 14, 11, 2, 1
    cycle 3, 4, 7, 8, 13, 10, 9, 6
    rjmp 1b
2:  end
    .size mote_twine_decrypt, . - mote_twine_decrypt

/* SPARE = nibble i of the key register, which begins at register `key`. */
.macro nibble key, i
    mov SPARE, \key + \i / 2
    .if (\i & 1) == 0
    swap SPARE
    .endif
    andi SPARE, 0x0f
.endm

/* Nibble `to` ^= box[nibble `from`] */
.macro substitute_key key, to, from
    nibble \key, \from
    ori SPARE, lo8(box)
    lpm SPARE, Z
    .if (\to & 1) == 0
    swap SPARE
    .endif
    eor \key + \to / 2, SPARE
.endm

/* For a key of `len` bytes, the last of them in r25: nibbles `taken` are a round key. */
.macro set_key len, taken:vararg
    .set key, 26 - \len
    .irp i, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    .if \i < 10 || \i >= 26 - \len
    push \i
    .endif
    .endr
    movw r26, r24
    movw r30, r22
    .irp i, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25
    .if \i >= 26 - \len
    ld \i, Z+
    .endif
    .endr
    ldi SPARE, 1
    mov CONSTANT, SPARE
    ldi SPARE, 0x43 /* z^6 + z + 1 */
    mov REDUCE, SPARE
    ldi r31, hi8(box)
1:  .irp i, \taken
    nibble key, \i
    ori SPARE, lo8(box)
    st X+, SPARE
    .endr
    mov SPARE, CONSTANT
    cpi SPARE, 0x0b /* what follows the last one, 0x24 */
    brne 2f
    rjmp 3f
2:  substitute_key key, 1, 0
    substitute_key key, 4, 16
    .if \len == 16
    substitute_key key, 23, 30
    .endif
    mov SPARE, CONSTANT
    andi SPARE, 7
    eor key + 19 / 2, SPARE
    mov SPARE, CONSTANT
    lsr SPARE
    lsr SPARE
    lsr SPARE
    eor key + 7 / 2, SPARE
    lsl CONSTANT
    sbrc CONSTANT, 6
    eor CONSTANT, REDUCE
    movw r0, key /* four nibbles go round: 0, 1, 2, 3 become 1, 2, 3, 0 and the last ones */
    .irp i, 0, 2, 4, 6, 8, 10, 12
    .if \i < \len - 2
    movw key + \i, key + \i + 2
    .endif
    .endr
    swap r0
    swap r1
    mov SPARE, r0
    eor SPARE, r1
    andi SPARE, 0x0f
    eor r0, SPARE
    eor r1, SPARE
    movw r24, r0
    rjmp 1b
3:  clr r1
    .irp i, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8
    .if \i < 10 || \i >= 26 - \len
    pop \i
    .endif
    .endr
    ret
.endm

/* void mote_twine_set_key_80(void *schedule, const uint8_t *key) */
    .section .text.mote_twine_set_key_80, "ax", @progbits
    .global mote_twine_set_key_80
    .type mote_twine_set_key_80, @function
mote_twine_set_key_80:
    set_key 10, 1, 3, 4, 6, 13, 14, 15, 16
    .size mote_twine_set_key_80, . - mote_twine_set_key_80

/* void mote_twine_set_key_128(void *schedule, const uint8_t *key) */
    .section .text.mote_twine_set_key_128, "ax", @progbits
    .global mote_twine_set_key_128
    .type mote_twine_set_key_128, @function
mote_twine_set_key_128:
    set_key 16, 2, 3, 12, 15, 17, 18, 28, 31
    .size mote_twine_set_key_128, . - mote_twine_set_key_128

#endif
