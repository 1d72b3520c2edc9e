/*
 * HIGHT on an AVR: blocks and key of hight.c, with everything in registers. No branch and no address depends on a secret.
 *
 * Two rounds are one turn of the loop; then each byte moves on by two places, in pairs. A rotation is a product: of
 * x * 2^n the low byte is x turned left by n less the bits that are in the high byte.
 *
 * The schedule is in the order of use, so that decryption reads it backwards: whitening keys 0 to 3, 128 subkeys,
 * whitening keys 4 to 7.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

#define TURNS 16
#define SCHEDULE 136

#define X0 r18 /* even, for movw */
#define X1 r19
#define X2 r20
#define X3 r21
#define X4 r22
#define X5 r23
#define X6 r24
#define X7 r25
#define BY_8 r14
#define BY_64 r15
#define BY_128 r16
#define COUNT r17
#define T r30
#define ZERO r31

.macro each what, registers:vararg
    .irp register, \registers
    \what \register
    .endr
.endm

.macro load byte
    ld \byte, Z+
.endm

.macro store byte
    st Z+, \byte
.endm

.macro next_key forward, byte
    .if \forward
    ld \byte, X+
    .else
    ld \byte, -X
    .endif
.endm

/* to = \with(to, key) */
.macro whiten forward, with, to
    next_key \forward, r0
    \with \to, r0
.endm

/* to ^= (x turned left by 1, by 2 and by 7) + key */
.macro f0 forward, x, to
    mul \x, BY_128
    mov T, \x
    lsl T
    adc T, ZERO
    eor r0, r1
    eor r0, T
    lsl T
    adc T, ZERO
    eor r0, T
    next_key \forward, T
    add r0, T
    eor \to, r0
.endm

/* to = \with(to, (x turned left by 3, by 4 and by 6) ^ key) */
.macro f1 forward, with, x, to
    mov T, \x
    swap T
    mul \x, BY_8
    eor T, r0
    eor T, r1
    mul \x, BY_64
    eor T, r0
    eor T, r1
    next_key \forward, r0
    eor T, r0
    \with \to, T
.endm

/* The pointers are in r24, r22 and r20, as C calls. */
.macro begin
    each push, r14, r15, r16, r17
    push r20
    push r21
    movw r26, r24
    movw r30, r22
.endm

.macro constants
    ldi T, 8
    mov BY_8, T
    ldi T, 64
    mov BY_64, T
    ldi BY_128, 128
    ldi COUNT, TURNS
    clr ZERO
.endm

.macro end
    pop r31
    pop r30
.endm

.macro leave
    clr r1
    each pop, r17, r16, r15, r14
    ret
.endm

/* void mote_hight_encrypt(const void *schedule, const uint8_t *in, uint8_t *out) */
    .section .text.mote_hight_encrypt, "ax", @progbits
    .global mote_hight_encrypt
    .type mote_hight_encrypt, @function
mote_hight_encrypt:
    begin
    each load, X0, X1, X2, X3, X4, X5, X6, X7
    constants
    whiten 1, add, X0
    whiten 1, eor, X2
    whiten 1, add, X4
    whiten 1, eor, X6
1:  f1 1, add, X0, X1
    f0 1, X2, X3
    f1 1, add, X4, X5
    f0 1, X6, X7
    f1 1, add, X7, X0
    f0 1, X1, X2
    f1 1, add, X3, X4
    f0 1, X5, X6
    movw r0, X6
    movw X6, X4
    movw X4, X2
    movw X2, X0
    movw X0, r0
    dec COUNT
    breq 2f
    rjmp 1b
2:  whiten 1, add, X1
    whiten 1, eor, X3
    whiten 1, add, X5
    whiten 1, eor, X7
    end
    each store, X1, X2, X3, X4, X5, X6, X7, X0
    leave
    .size mote_hight_encrypt, . - mote_hight_encrypt

/* void mote_hight_decrypt(const void *schedule, const uint8_t *in, uint8_t *out) */
    .section .text.mote_hight_decrypt, "ax", @progbits
    .global mote_hight_decrypt
    .type mote_hight_decrypt, @function
mote_hight_decrypt:
    begin
    subi r26, lo8(-SCHEDULE)
    sbci r27, hi8(-SCHEDULE)
    each load, X1, X2, X3, X4, X5, X6, X7, X0
    constants
    whiten 0, eor, X7
    whiten 0, sub, X5
    whiten 0, eor, X3
    whiten 0, sub, X1
1:  f0 0, X7, X0
    f1 0, sub, X5, X6
    f0 0, X3, X4
    f1 0, sub, X1, X2
    f0 0, X0, X1
    f1 0, sub, X6, X7
    f0 0, X4, X5
    f1 0, sub, X2, X3
    movw r0, X0
    movw X0, X2
    movw X2, X4
    movw X4, X6
    movw X6, r0
    dec COUNT
    breq 2f
    rjmp 1b
2:  whiten 0, eor, X6
    whiten 0, sub, X4
    whiten 0, eor, X2
    whiten 0, sub, X0
    end
    each store, X0, X1, X2, X3, X4, X5, X6, X7
    leave
    .size mote_hight_decrypt, . - mote_hight_decrypt

    .section .progmem.data.mote_hight_deltas, "a", @progbits
deltas: /* section 2.2 of the paper: s6 ... s0, of which s3 and s0 give the next s6 */
    .set delta, 0x5a
    .rept 128
    .byte delta
    .set delta, delta >> 1 | ((delta ^ delta >> 3) & 1) << 6
    .endr
deltas_end:

/* Bytes 0 to 7 and 8 to 15 of the key. */
#define LOW 18
#define HIGH 10

/* Eight subkeys, of which the first one has byte `from` of a half of the key. */
.macro subkeys half, from
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    lpm r0, Z+
    add r0, \half + ((\j + \from) & 7)
    st X+, r0
    .endr
.endm

/* Each byte of a half to where the second next one was. */
.macro move_on half
    movw r0, \half + 6
    movw \half + 6, \half + 4
    movw \half + 4, \half + 2
    movw \half + 2, \half
    movw \half, r0
.endm

/* void mote_hight_set_key(void *schedule, const uint8_t *key) */
    .section .text.mote_hight_set_key, "ax", @progbits
    .global mote_hight_set_key
    .type mote_hight_set_key, @function
mote_hight_set_key:
    each push, r10, r11, r12, r13, r14, r15, r16, r17
    movw r26, r24
    movw r30, r22
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    ld LOW + \i, Z+
    .endr
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    ld HIGH + \i, Z+
    .endr
    .irp i, 4, 5, 6, 7
    st X+, HIGH + \i
    .endr
    ldi r30, lo8(deltas)
    ldi r31, hi8(deltas)
1:  subkeys LOW, 0
    subkeys HIGH, 0
    subkeys LOW, 7
    subkeys HIGH, 7
    move_on LOW
    move_on HIGH
    cpi r30, lo8(deltas_end)
    breq 2f
    rjmp 1b
2:  .irp i, 0, 1, 2, 3
    st X+, LOW + \i
    .endr
    clr r1
    each pop, r17, r16, r15, r14, r13, r12, r11, r10
    ret
    .size mote_hight_set_key, . - mote_hight_set_key

#endif
