/*
 * PRESENT on an AVR: present.c with the rotations of its transposition in the tables and in the round keys.
 *
 * From one substitution to the next, bytes 2 and 3 of the state (from the least significant) are turned left by two
 * bits, 4 and 5 by four, 6 and 7 by six, and so are those of the round keys (present.c sees to that). Each table has
 * four forms, by whether what goes in and what comes out is turned left by two bits; `swap` makes of two bits six.
 * Tables are looked up in flash, where every look-up takes three cycles. No branch depends on a secret.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

/* The S-box and its inverse: Bogdanov et al., CHES 2007, section 3. Places 0 to 7 and 8 to 15, the first one lowest. */
#define SBOX 0xda09b65c, 0x21748fe3
#define INVERSE_SBOX 0xd21c8fe5, 0xa970364b

#define S0 r18
#define S1 r19
#define S2 r20
#define S3 r21
#define S4 r22
#define S5 r23
#define S6 r24
#define S7 r25
#define SPARE r26 /* from r16 on, for andi */
#define ROUND r27
#define LATER r0
#define LAST r1

.macro boxed low, high, place
    .set result, ((\low * (1 - ((\place) >> 3 & 1)) + \high * ((\place) >> 3 & 1)) >> (4 * ((\place) & 7))) & 15
.endm

/* The four bits of two nibbles side by side, those of the upper one above: 7, 3, 6, 2, 5, 1, 4, 0. */
#define PAIRS(byte) \
    (byte & 0x81) | (byte & 0x40) >> 1 | (byte & 0x20) >> 2 | (byte & 0x10) >> 3 | \
    (byte & 8) << 3 | (byte & 4) << 2 | (byte & 2) << 1
#define NIBBLES(byte) \
    (byte & 0x81) | (byte & 0x40) >> 3 | (byte & 0x20) << 1 | (byte & 0x10) >> 2 | \
    (byte & 8) << 2 | (byte & 4) >> 1 | (byte & 2) << 3
#define TURNED(byte, bits) (byte << (bits) | byte >> (8 - (bits))) & 0xff

/* New value of a byte: both of its nibbles looked up, between `before` and `after`. */
.macro entry low, high, inverse, turn_in, turn_out
    .set value, TURNED(place, \turn_in)
    .if \inverse
    .set value, NIBBLES(value)
    .endif
    boxed \low, \high, value & 15
    .set lower, result
    boxed \low, \high, value >> 4
    .set value, result << 4 | lower
    .if \inverse == 0
    .set value, PAIRS(value)
    .endif
    .byte TURNED(value, \turn_out)
    .set place, place + 1
.endm

.macro table low, high, inverse, turn_in, turn_out
    .set place, 0
    .rept 256
    entry \low, \high, \inverse, \turn_in, \turn_out
    .endr
.endm

    .section .progmem.data.mote_present_substitute, "a", @progbits
    .balign 256
substitute:
    table SBOX, 0, 0, 0
substitute_out:
    table SBOX, 0, 0, 2
substitute_in:
    table SBOX, 0, 2, 0
substitute_in_out:
    table SBOX, 0, 2, 2

    .section .progmem.data.mote_present_restore, "a", @progbits
    .balign 256
restore:
    table INVERSE_SBOX, 1, 0, 0
restore_out:
    table INVERSE_SBOX, 1, 0, 2
restore_in:
    table INVERSE_SBOX, 1, 2, 0
restore_in_out:
    table INVERSE_SBOX, 1, 2, 2

.macro exchange a, b, mask
    mov SPARE, \a
    eor SPARE, \b
    andi SPARE, \mask
    eor \a, SPARE
    eor \b, SPARE
.endm

/* The transposition of present.c, less the rotations. */
.macro transpose a, b, c, d
    exchange \a, \c, 0xf0
    exchange \b, \d, 0xc3
    exchange \a, \b, 0xcc
    exchange \c, \d, 0xcc
.endm

/* Needs 0 in r1. */
.macro turn2 byte
    lsl \byte
    adc \byte, r1
    lsl \byte
    adc \byte, r1
.endm

.macro turn6 byte
    swap \byte
    turn2 \byte
.endm

.macro begin
    push r28
    push r29
    push r20 /* out */
    push r21
    movw r28, r24
    movw r30, r22
    ldi ROUND, 31
    ld S7, Z
    ldd S6, Z + 1
    ldd S5, Z + 2
    ldd S4, Z + 3
    ldd S3, Z + 4
    ldd S2, Z + 5
    ldd S1, Z + 6
    ldd S0, Z + 7
    turn2 S2
    turn2 S3
    swap S4
    swap S5
    turn6 S6
    turn6 S7
.endm

.macro end
    clr r1
    turn6 S2
    turn6 S3
    swap S4
    swap S5
    turn2 S6
    turn2 S7
    pop r31
    pop r30
    st Z, S7
    std Z + 1, S6
    std Z + 2, S5
    std Z + 3, S4
    std Z + 4, S3
    std Z + 5, S2
    std Z + 6, S1
    std Z + 7, S0
    pop r29
    pop r28
    ret
.endm

.macro add_key byte, i
    ldd SPARE, Y + \i
    eor \byte, SPARE
.endm

.macro add_keys s0, s1, s2, s3, s4, s5, s6, s7
    add_key \s0, 0
    add_key \s1, 1
    add_key \s2, 2
    add_key \s3, 3
    add_key \s4, 4
    add_key \s5, 5
    add_key \s6, 6
    add_key \s7, 7
.endm

/* to = table[from ^ key byte i], the argument swapped on demand */
.macro look_up to, from, i, swapped=0
    ldd r30, Y + \i
    eor r30, \from
    .if \swapped
    swap r30
    .endif
    lpm \to, Z
.endm

.macro look_back to, from, swapped=0
    mov r30, \from
    .if \swapped
    swap r30
    .endif
    lpm \to, Z
.endm

/*
 * In the loop the registers are the rows of the two matrices, so bytes 0 to 7 of the state are, before a substitution,
 * in S0, S4, S1, S5, S2, S6, S3, S7.
 */
/* void mote_present_encrypt(const void *schedule, const uint8_t *in, uint8_t *out) */
    .section .text.mote_present_encrypt, "ax", @progbits
    .global mote_present_encrypt
    .type mote_present_encrypt, @function
mote_present_encrypt:
    begin
    mov LATER, S1
    mov S1, S2
    mov S2, S4
    mov S4, LATER
    mov LATER, S3
    mov S3, S6
    mov S6, S5
    mov S5, LATER
1:  ldi r31, hi8(substitute_in)
    look_up LATER, S1, 2, swapped=1
    look_up LAST, S3, 6
    ldi r31, hi8(substitute_in_out)
    look_up S3, S5, 3, swapped=1
    look_up S7, S7, 7
    ldi r31, hi8(substitute_out)
    look_up S5, S6, 5, swapped=1
    look_up S1, S4, 1
    ldi r31, hi8(substitute)
    look_up S4, S2, 4, swapped=1
    look_up S0, S0, 0
    mov S2, LATER
    mov S6, LAST
    swap S2
    swap S3
    swap S6
    swap S7
    transpose S0, S1, S2, S3
    transpose S4, S5, S6, S7
    adiw r28, 8
    dec ROUND
    breq 2f
    rjmp 1b
2:  add_keys S0, S4, S1, S5, S2, S6, S3, S7
    mov LATER, S4
    mov S4, S2
    mov S2, S1
    mov S1, LATER
    mov LATER, S5
    mov S5, S6
    mov S6, S3
    mov S3, LATER
    end
    .size mote_present_encrypt, . - mote_present_encrypt

/* void mote_present_decrypt(const void *schedule, const uint8_t *in, uint8_t *out) */
    .section .text.mote_present_decrypt, "ax", @progbits
    .global mote_present_decrypt
    .type mote_present_decrypt, @function
mote_present_decrypt:
    begin
    subi r28, lo8(-8 * 31)
    sbci r29, hi8(-8 * 31)
    add_keys S0, S1, S2, S3, S4, S5, S6, S7
1:  transpose S0, S2, S4, S6
    transpose S1, S3, S5, S7
    ldi r31, hi8(restore)
    look_back LATER, S1
    look_back S0, S0
    ldi r31, hi8(restore_in)
    look_back S1, S2, swapped=1
    look_back LAST, S3, swapped=1
    ldi r31, hi8(restore_in_out)
    look_back S3, S6
    look_back S7, S7
    ldi r31, hi8(restore_out)
    look_back S6, S5, swapped=1
    look_back S2, S4, swapped=1
    mov S4, LATER
    mov S5, LAST
    swap S4
    swap S5
    swap S6
    swap S7
    sbiw r28, 8
    add_keys S0, S1, S2, S3, S4, S5, S6, S7
    dec ROUND
    breq 2f
    rjmp 1b
2:  end
    .size mote_present_decrypt, . - mote_present_decrypt

#endif
