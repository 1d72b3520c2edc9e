/*
 * aes-fast on an AVR: the code of aes_fast_bytes.c, with the state in sixteen registers. FIPS 197.
 *
 * No branch depends on a key or a message; the S-boxes are read from flash, where every look-up takes three cycles.
 *
 * MixColumns makes of a column a0..a3, with x() the product with x:
 *
 *     b0 = a1 + (a2 + a3) + x(a0 + a1)        b2 = a3 + (a0 + a1) + x(a2 + a3)
 *     b1 = a0 + (a2 + a3) + x(a1 + a2)        b3 = a2 + (a0 + a1) + x(a3 + a0)
 *
 * so that it is shortest to leave b0 where a1 was, b1 where a0 was, b2 where a3 was and b3 where a2 was. SubBytes and
 * ShiftRows, which move every byte anyway, expect rows exchanged in this way and put them right.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

/* The state: row, column. */
#define S00 r2
#define S10 r3
#define S20 r4
#define S30 r5
#define S01 r6
#define S11 r7
#define S21 r8
#define S31 r9
#define S02 r10
#define S12 r11
#define S22 r12
#define S32 r13
#define S03 r14
#define S13 r15
#define S23 r0
#define S33 r1

#define OUT r20 /* and r21 */
#define ROUND r25
#define SUM01 r18
#define SUM23 r19
#define SUM12 r22
#define SUM30 r23
#define SPARE r24 /* from r16 on, for andi */

/* Z has the page of a table: the look-up's place is the low byte. */
.macro look_up to, from
    mov r30, \from
    lpm \to, Z
.endm

.macro double byte, mask
    lsl \byte
    sbc \mask, \mask
    andi \mask, 0x1b
    eor \byte, \mask
.endm

/* Each register takes the value of the next one, looked up. */
.macro substitute8 b0, b1, b2, b3, b4, b5, b6, b7
    mov SPARE, \b0
    look_up \b0, \b1
    look_up \b1, \b2
    look_up \b2, \b3
    look_up \b3, \b4
    look_up \b4, \b5
    look_up \b5, \b6
    look_up \b6, \b7
    look_up \b7, SPARE
.endm

.macro mix_column a0, a1, a2, a3
    mov SUM01, \a0
    eor SUM01, \a1
    mov SUM23, \a2
    eor SUM23, \a3
    mov SUM12, \a1
    eor SUM12, \a2
    mov SUM30, \a3
    eor SUM30, \a0
    eor \a1, SUM23
    eor \a0, SUM23
    eor \a3, SUM01
    eor \a2, SUM01
    double SUM01, SPARE
    eor \a1, SUM01
    double SUM12, SPARE
    eor \a0, SUM12
    double SUM23, SPARE
    eor \a3, SUM23
    double SUM30, SPARE
    eor \a2, SUM30
.endm

/* A product with 4 x^2 + 5 makes a following MixColumns its own inverse. */
.macro mix_column_back a0, a1, a2, a3
    mov SUM01, \a0
    eor SUM01, \a2
    double SUM01, SPARE
    double SUM01, SPARE
    eor \a0, SUM01
    eor \a2, SUM01
    mov SUM01, \a1
    eor SUM01, \a3
    double SUM01, SPARE
    double SUM01, SPARE
    eor \a1, SUM01
    eor \a3, SUM01
    mix_column \a0, \a1, \a2, \a3
.endm

/* X goes on over four bytes of the round key. */
.macro add_key a0, a1, a2, a3
    ld SPARE, X+
    eor \a0, SPARE
    ld SPARE, X+
    eor \a1, SPARE
    ld SPARE, X+
    eor \a2, SPARE
    ld SPARE, X+
    eor \a3, SPARE
.endm

/* The same from its end. */
.macro add_key_back a0, a1, a2, a3
    ld SPARE, -X
    eor \a3, SPARE
    ld SPARE, -X
    eor \a2, SPARE
    ld SPARE, -X
    eor \a1, SPARE
    ld SPARE, -X
    eor \a0, SPARE
.endm

/* From Z, with exchanged rows. */
.macro load a0, a1, a2, a3
    ld \a1, Z+
    ld \a0, Z+
    ld \a3, Z+
    ld \a2, Z+
.endm

.macro store a0, a1, a2, a3
    st X+, \a0
    st X+, \a1
    st X+, \a2
    st X+, \a3
.endm

.macro begin
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    push r\register
    .endr
    movw r30, r22 /* in */
    movw r26, r24 /* schedule */
    ld ROUND, X+
    load S00, S10, S20, S30
    load S01, S11, S21, S31
    load S02, S12, S22, S32
    load S03, S13, S23, S33
.endm

.macro end
    movw r26, OUT
    store S00, S10, S20, S30
    store S01, S11, S21, S31
    store S02, S12, S22, S32
    store S03, S13, S23, S33
    .irp register, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop r\register
    .endr
    clr r1
    ret
.endm

/* void mote_aes_fast_encrypt(const void *schedule, const uint8_t *in, uint8_t *out) */
    .section .text.mote_aes_fast_encrypt, "ax", @progbits
    .global mote_aes_fast_encrypt
    .type mote_aes_fast_encrypt, @function
mote_aes_fast_encrypt:
    begin
    ldi r31, hi8(mote_aes_fast_sbox)
    add_key S10, S00, S30, S20
    add_key S11, S01, S31, S21
    add_key S12, S02, S32, S22
    add_key S13, S03, S33, S23
    rjmp 2f
1:  mix_column S00, S10, S20, S30
    add_key S10, S00, S30, S20
    mix_column S01, S11, S21, S31
    add_key S11, S01, S31, S21
    mix_column S02, S12, S22, S32
    add_key S12, S02, S32, S22
    mix_column S03, S13, S23, S33
    add_key S13, S03, S33, S23
2:  substitute8 S00, S10, S01, S11, S02, S12, S03, S13
    substitute8 S20, S32, S21, S33, S22, S30, S23, S31
    dec ROUND
    breq 3f
    rjmp 1b
3:  add_key S00, S10, S20, S30
    add_key S01, S11, S21, S31
    add_key S02, S12, S22, S32
    add_key S03, S13, S23, S33
    end
    .size mote_aes_fast_encrypt, . - mote_aes_fast_encrypt

/* void mote_aes_fast_decrypt(const void *schedule, const uint8_t *in, uint8_t *out) */
    .section .text.mote_aes_fast_decrypt, "ax", @progbits
    .global mote_aes_fast_decrypt
    .type mote_aes_fast_decrypt, @function
mote_aes_fast_decrypt:
    begin
    ldi r31, hi8(mote_aes_fast_inverse_sbox)
    mov SPARE, ROUND /* the end of the round keys: 16 * (rounds + 1) bytes, less than 256 */
    inc SPARE
    swap SPARE
    add r26, SPARE
    brcc 1f
    inc r27
1:  add_key_back S13, S03, S33, S23
    add_key_back S12, S02, S32, S22
    add_key_back S11, S01, S31, S21
    add_key_back S10, S00, S30, S20
    rjmp 3f
2:  mix_column_back S03, S13, S23, S33
    mix_column_back S02, S12, S22, S32
    mix_column_back S01, S11, S21, S31
    mix_column_back S00, S10, S20, S30
3:  substitute8 S00, S10, S03, S13, S02, S12, S01, S11
    substitute8 S20, S32, S23, S31, S22, S30, S21, S33
    add_key_back S03, S13, S23, S33
    add_key_back S02, S12, S22, S32
    add_key_back S01, S11, S21, S31
    add_key_back S00, S10, S20, S30
    dec ROUND
    breq 4f
    rjmp 2b
4:  end
    .size mote_aes_fast_decrypt, . - mote_aes_fast_decrypt

/* void mote_aes_fast_set_key(void *schedule, const uint8_t *key, uint8_t key_len) */
#define A0 r18
#define A1 r19
#define A2 r22
#define A3 r23
#define PAIRS r20    /* of words in a run: as many as the key has, but 2 if it has 4 */
#define LEFT r21     /* pairs still to make */
#define CONSTANT r25
#define COUNT r0
#define KIND r17     /* its lowest bit: the next run begins without rotation and constant */
#define KINDS r1     /* 1: every other run does */

/* One more word, from the one at X. */
.macro next_word
    ld SPARE, X+
    eor A0, SPARE
    st Y+, A0
    ld SPARE, X+
    eor A1, SPARE
    st Y+, A1
    ld SPARE, X+
    eor A2, SPARE
    st Y+, A2
    ld SPARE, X+
    eor A3, SPARE
    st Y+, A3
.endm

    .section .text.mote_aes_fast_set_key, "ax", @progbits
    .global mote_aes_fast_set_key
    .type mote_aes_fast_set_key, @function
mote_aes_fast_set_key:
    push r17
    push r28
    push r29
    movw r28, r24
    movw r30, r22
    lsr r20 /* words of the key */
    lsr r20
    mov COUNT, r20
    mov SPARE, r20
    subi SPARE, -6 /* rounds */
    st Y+, SPARE
    movw r26, r28
1:  ld A0, Z+
    st Y+, A0
    ld A1, Z+
    st Y+, A1
    ld A2, Z+
    st Y+, A2
    ld A3, Z+
    st Y+, A3
    dec COUNT
    brne 1b
    lsr PAIRS
    mov LEFT, PAIRS /* 2 * (rounds + 1) = 4 * pairs + 14 with those of the key */
    lsl LEFT
    add LEFT, PAIRS
    subi LEFT, -14
    ldi r31, hi8(mote_aes_fast_sbox)
    ldi CONSTANT, 1
    ldi KIND, 0
    cpi PAIRS, 4
    brne 2f
    ldi PAIRS, 2
    inc KINDS
2:  sbrc KIND, 0
    rjmp 6f
    mov SPARE, A0
    look_up A0, A1
    look_up A1, A2
    look_up A2, A3
    look_up A3, SPARE
    eor A0, CONSTANT
    double CONSTANT, SPARE
3:  eor KIND, KINDS
    mov COUNT, PAIRS
    sub LEFT, COUNT
    brcs 7f
4:  next_word
    next_word
    dec COUNT
    brne 4b
    tst LEFT
    brne 2b
    clr r1
    pop r29
    pop r28
    pop r17
    ret
6:  look_up A0, A0
    look_up A1, A1
    look_up A2, A2
    look_up A3, A3
    rjmp 3b
7:  add COUNT, LEFT /* the last run is shorter */
    clr LEFT
    rjmp 4b
    .size mote_aes_fast_set_key, . - mote_aes_fast_set_key

#endif
