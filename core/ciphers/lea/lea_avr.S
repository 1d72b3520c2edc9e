/*
 * LEA on an AVR: blocks and keys of lea.c, with the block in registers. No branch and no address depends on a secret.
 *
 * Four rounds move each word back to its place, so no word is copied. Rotations by 3 and 5 bits are products, as in
 * speck_avr.S; the sum before them is made in other registers, and the product is written where the word was. Rotations by
 * 8 bits are other names of registers: "from 1" says that byte i of a word is in its register i + 1.
 *
 * For keys of 128 bits a round key is 16 bytes in the order in which encryption needs them: k1 (k3 and k5 are equal), k4, k2,
 * k0. Longer keys have six words in order.
 *
 * Decryption computes T - F - 1, which is the complement of F - T, because it has F in other registers. So one word is a
 * complement when a round begins.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

#define A 2 /* all words are even, for movw */
#define B 6
#define C 10
#define D 14
#define F 18
#define K 22 /* of keys of 128 bits: the word that is in a round key three times */
#define BY_8 r26
#define BY_32 r27
#define TURNS r28
#define ZERO r29

.macro push_all
    .irp i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    push \i
    .endr
.endm

.macro pop_all
    .irp i, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop \i
    .endr
.endm

.macro load word, from=0
    .irp i, 0, 1, 2, 3
    ld (\word) + ((\i + \from) & 3), Z+
    .endr
.endm

.macro store word, from=0
    .irp i, 0, 1, 2, 3
    st Z+, (\word) + ((\i + \from) & 3)
    .endr
.endm

.macro complement word
    .irp i, 0, 1, 2, 3
    com \word + \i
    .endr
.endm

/* byte ^= byte i of word k1, k3 or k5. */
.macro second_key long, byte, i, word
    .if \long
    ldd r0, Z + at + 4 * \word + \i
    eor \byte, r0
    .else
    eor \byte, K + \i
    .endif
.endm

/* to = byte i of word k0, k2 or k4. `next`: the schedule is read in order. */
.macro first_key long, next, to, i, word
    .if \long
    ldd \to, Z + at + 4 * \word + \i
    .elseif \next
    ld \to, Z+
    .else
    ldd \to, Z + at + 12 - 2 * \word + \i
    .endif
.endm

.macro load_second_key long, next
    .if \long == 0
    .irp i, 0, 1, 2, 3
    .if \next
    ld K + \i, Z+
    .else
    ldd K + \i, Z + at + \i
    .endif
    .endr
    .endif
.endm

/* to = the word of bytes a, b, c, d, turned left by what `by` shifts; byte 0 of it is the low half of `a`'s product. */
.macro product to, by, a, b, c, d
    mul \a, \by
    movw \to, r0
    mul \c, \by
    movw \to + 2, r0
    mul \b, \by
    eor \to + 1, r0
    eor \to + 2, r1
    mul \d, \by
    eor \to + 3, r0
    eor \to, r1
.endm

/* One round, as ROUND of lea.c: a and d are from 0, b and c from 1; then b is from 0, and d from 1. */
.macro round long, a, b, c, d
    load_second_key \long, 1
    .irp i, 0, 1, 2, 3
    second_key \long, \d + \i, \i, 5
    first_key \long, 1, F + \i, \i, 4
    eor F + \i, \c + ((\i + 1) & 3)
    .if \i
    adc F + \i, \d + \i
    .else
    add F + \i, \d + \i
    .endif
    .endr
    product \d, BY_32, F, F + 1, F + 2, F + 3
    .irp i, 0, 1, 2, 3
    second_key \long, \c + ((\i + 1) & 3), \i, 3
    first_key \long, 1, F + \i, \i, 2
    eor F + \i, \b + ((\i + 1) & 3)
    .if \i
    adc F + \i, \c + ((\i + 1) & 3)
    .else
    add F + \i, \c + ((\i + 1) & 3)
    .endif
    .endr
    product \c, BY_8, F, F + 1, F + 2, F + 3
    .irp i, 0, 1, 2, 3
    second_key \long, \b + ((\i + 1) & 3), \i, 1
    first_key \long, 1, F, \i, 0
    eor F, \a + \i
    .if \i
    adc \b + ((\i + 1) & 3), F
    .else
    add \b + ((\i + 1) & 3), F
    .endif
    .endr
    lsl \b + 1
    rol \b + 2
    rol \b + 3
    rol \b
    adc \b + 1, ZERO
    .set at, at + 16 + 8 * \long
.endm

/* One round back, as UNDO. b is from 0 and becomes from 1, c the other way round. d is a complement, and c becomes one. */
.macro undo long, a, b, c, d
    .set at, at - 16 - 8 * \long
    load_second_key \long, 0
    bst \b, 0
    lsr \b + 3
    ror \b + 2
    ror \b + 1
    ror \b
    bld \b + 3, 7
    .irp i, 0, 1, 2, 3
    first_key \long, 0, F, \i, 0
    eor F, \a + \i
    .if \i
    sbc \b + ((\i + 1) & 3), F
    .else
    sub \b + ((\i + 1) & 3), F
    .endif
    .endr
    .irp i, 0, 1, 2, 3
    second_key \long, \b + ((\i + 1) & 3), \i, 1
    .endr
    product F, BY_32, \c + 1, \c + 2, \c + 3, \c
    sec
    .irp i, 0, 1, 2, 3
    first_key \long, 0, \c + \i, \i, 2
    eor \c + \i, \b + ((\i + 1) & 3)
    sbc \c + \i, F + \i
    .endr
    .irp i, 0, 1, 2, 3
    second_key \long, \c + \i, \i, 3
    .endr
    product F, BY_8, \d, \d + 1, \d + 2, \d + 3
    .irp i, 0, 1, 2, 3
    first_key \long, 0, \d + \i, \i, 4
    eor \d + \i, \c + \i
    .if \i
    sbc \d + \i, F + \i
    .else
    sub \d + \i, F + \i
    .endif
    .endr
    .irp i, 0, 1, 2, 3
    second_key \long, \d + \i, \i, 5
    .endr
.endm

/* r19: turns for long keys */
.macro begin long, turns
    push_all
    push r20
    push r21
    movw r30, r22
    .if \long
    mov TURNS, r19
    .else
    ldi TURNS, \turns
    .endif
    ldi BY_8, 8
    ldi BY_32, 32
    clr ZERO
.endm

.macro end
    pop r31
    pop r30
    store A
    store B, 1
.endm

.macro leave
    clr r1
    pop_all
    ret
.endm

/* Two rounds and two rounds, as the offsets of ldd end at 63. */
.macro four_rounds long
    .set at, 0
    round \long, A, B, C, D
    round \long, B, C, D, A
    .if \long
    adiw r30, 48
    .endif
    .set at, 0
    round \long, C, D, A, B
    round \long, D, A, B, C
    .if \long
    adiw r30, 48
    .endif
.endm

/* Eight rounds a turn for keys of 128 bits, which saves 12 cycles of a block for 600 bytes; four for longer keys. */
.macro encrypt long
    begin \long, 3
    load A
    load B, 1
    load C, 1
    load D
    movw r30, r24
1:  four_rounds \long
    .if \long == 0
    four_rounds 0
    .endif
    dec TURNS
    breq 2f
    rjmp 1b
2:  end
    store C, 1
    store D
    leave
.endm

/* The schedule is given by its end. */
.macro decrypt long
    begin \long, 6
    load A
    load B, 1
    load C
    load D
    complement C
    movw r30, r24
1:  .if \long
    sbiw r30, 48
    .set at, 48
    .else
    subi r30, 64
    sbci r31, 0
    .set at, 64
    .endif
    undo \long, D, A, B, C
    undo \long, C, D, A, B
    .if \long
    sbiw r30, 48
    .set at, 48
    .endif
    undo \long, B, C, D, A
    undo \long, A, B, C, D
    dec TURNS
    breq 2f
    rjmp 1b
2:  complement C
    end
    store C
    store D
    leave
.endm

.macro function name
    .section .text.mote_lea_\name, "ax", @progbits
    .global mote_lea_\name
    .type mote_lea_\name, @function
mote_lea_\name:
.endm

.macro ended name
    .size mote_lea_\name, . - mote_lea_\name
.endm

/* void mote_lea_encrypt_128(const void *schedule, const uint8_t *in, uint8_t *out), and so on */
    function encrypt_128
    encrypt 0
    ended encrypt_128

    function decrypt_128
    subi r24, lo8(-24 * 16)
    sbci r25, hi8(-24 * 16)
    decrypt 0
    ended decrypt_128

    function encrypt_192
    ldi r19, 7
    rjmp encrypt_long
    ended encrypt_192

    .global mote_lea_encrypt_256
    .type mote_lea_encrypt_256, @function
mote_lea_encrypt_256:
    ldi r19, 8
encrypt_long:
    encrypt 1
    ended encrypt_256

    function decrypt_192
    subi r24, lo8(-28 * 24)
    sbci r25, hi8(-28 * 24)
    ldi r19, 7
    rjmp decrypt_long
    ended decrypt_192

    .global mote_lea_decrypt_256
    .type mote_lea_decrypt_256, @function
mote_lea_decrypt_256:
    subi r24, lo8(-32 * 24)
    sbci r25, hi8(-32 * 24)
    ldi r19, 8
decrypt_long:
    decrypt 1
    ended decrypt_256

/* Constant i mod `words`, turned left by i bits, for each round i: delta of lea.c. A true comparison is -1. */
.macro delta_of round, words
    .set word, \round % \words
    .set delta, -0xc3efe9db * (word == 0) - 0x44626b02 * (word == 1) - 0x79e27c8a * (word == 2)
    .set delta, delta - 0x78df30ec * (word == 3) - 0x715ea49e * (word == 4) - 0xc785da0a * (word == 5)
    .set delta, delta - 0xe04ef22a * (word == 6) - 0xe5c40957 * (word == 7)
    .rept \round
    .set delta, (delta << 1 | (delta >> 31 & 1)) & 0xffffffff
    .endr
    .long delta
.endm

.macro deltas words, rounds
    .set number, 0
    .rept \rounds
    delta_of number, \words
    .set number, number + 1
    .endr
.endm

    .section .progmem.data.mote_lea_deltas, "a", @progbits
deltas_128:
    deltas 4, 24
deltas_128_end:
deltas_192:
    deltas 6, 28
deltas_256:
    deltas 8, 32

/* Words of the key register for keys of 128 bits, a word that a product makes, and the constant. */
#define T0 2
#define T1 6
#define T2 10
#define T3 14
#define DELTA 18
#define TURNED 22
#define BY r28

.macro next_delta
    .irp i, 0, 1, 2, 3
    lpm DELTA + \i, Z+
    .endr
.endm

/* Words to the left or right by one bit. */
.macro left word, zero=ZERO
    lsl \word
    rol \word + 1
    rol \word + 2
    rol \word + 3
    adc \word, \zero
.endm

.macro right word, zero
    mov r0, \word
    lsr r0
    ror \word + 3
    ror \word + 2
    ror \word + 1
    ror \word
.endm

.macro add_delta word
    add \word, DELTA
    adc \word + 1, DELTA + 1
    adc \word + 2, DELTA + 2
    adc \word + 3, DELTA + 3
.endm

.macro keep word
    .irp i, 0, 1, 2, 3
    st X+, \word + \i
    .endr
.endm

/* void mote_lea_set_key_128(void *schedule, const uint8_t *key) */
    function set_key_128
    push_all
    movw r26, r24
    movw r30, r22
    load T0
    load T1
    load T2
    load T3
    ldi r30, lo8(deltas_128)
    ldi r31, hi8(deltas_128)
    ldi BY, 8
    clr ZERO
1:  next_delta
    add_delta T0
    left T0
    left DELTA
    add_delta T1
    left T1
    left T1
    left T1
    left DELTA
    add_delta T2 /* left by 6: right by 2, and a byte to the left */
    right T2
    right T2
    mov r0, T2 + 3
    mov T2 + 3, T2 + 2
    mov T2 + 2, T2 + 1
    mov T2 + 1, T2
    mov T2, r0
    left DELTA
    add_delta T3 /* left by 11: by 3, and a byte */
    product TURNED, BY, T3, T3 + 1, T3 + 2, T3 + 3
    mov T3, TURNED + 3
    mov T3 + 1, TURNED
    mov T3 + 2, TURNED + 1
    mov T3 + 3, TURNED + 2
    keep T1
    keep T3
    keep T2
    keep T0
    cpi r30, lo8(deltas_128_end)
    breq 2f
    rjmp 1b
2:  clr r1
    pop_all
    ret
    ended set_key_128

/*
 * Keys of 192 and 256 bits: a word of the schedule is made of the one that is 6 or 8 words before, the first of those of
 * the key. r19: how many words the key has; r18: rounds.
 */
#define ROUNDS r18
#define LEFT r19
#define WORD 20
#define START r24
#define CONSTANT 14

/* One word, turned left by so many bits: the bytes go round by names, from `from` on. */
.macro long_word turn, from, times
    .irp i, 0, 1, 2, 3
    ld WORD + \i, X+
    .endr
    add WORD, CONSTANT
    adc WORD + 1, CONSTANT + 1
    adc WORD + 2, CONSTANT + 2
    adc WORD + 3, CONSTANT + 3
    .rept \times
    \turn WORD, r1
    .endr
    .irp i, 0, 1, 2, 3
    st Y+, WORD + ((\i + \from) & 3)
    .endr
    left CONSTANT, r1
    dec LEFT
    brne 2f
    movw r26, START
2:
.endm

    function set_key_192
    ldi r30, lo8(deltas_192)
    ldi r31, hi8(deltas_192)
    ldi LEFT, 6
    ldi ROUNDS, 28
    rjmp set_key_long
    ended set_key_192

    .global mote_lea_set_key_256
    .type mote_lea_set_key_256, @function
mote_lea_set_key_256:
    ldi r30, lo8(deltas_256)
    ldi r31, hi8(deltas_256)
    ldi LEFT, 8
    ldi ROUNDS, 32
set_key_long:
    .irp i, 14, 15, 16, 17, 28, 29
    push \i
    .endr
    movw r26, r22
    movw r28, r24
1:  .irp i, 0, 1, 2, 3
    lpm CONSTANT + \i, Z+
    .endr
    long_word left, 0, 1
    long_word left, 0, 3
    long_word right, 3, 2
    long_word left, 3, 3
    long_word right, 2, 3
    long_word left, 2, 1
    dec ROUNDS
    breq 3f
    rjmp 1b
3:  .irp i, 29, 28, 17, 16, 15, 14
    pop \i
    .endr
    ret
    ended set_key_256

#endif
