/*
 * The key schedule of PRESENT on an AVR: the code of present_schedule.c, with the key register in registers, its most
 * significant byte in r25. No branch depends on a secret; the S-box is read from flash by secret indices, where every
 * look-up takes three cycles.
 *
 * Two forms, of which a firmware has what its implementation calls: plain round keys, and turned ones, as present_avr.S
 * wants them.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

/* The number of the round in the bits of two bytes to which it is added: bit 15 or 62 of the register and those above. */
#define LOW r28
#define HIGH r29
#define SPARE r30
#define BY_4 r8
#define BY_64 r9

    .section .progmem.data.mote_present_schedule, "a", @progbits
    .balign 16
box: /* Bogdanov et al., CHES 2007, section 3, in the upper half of a byte */
    .byte 0xc0, 0x50, 0x60, 0xb0, 0x90, 0x00, 0xa0, 0xd0, 0x30, 0xe0, 0xf0, 0x80, 0x40, 0x70, 0x10, 0x20

/* SPARE = box[SPARE], turned left by four bits; r31 is the upper half of the box's address. */
.macro look_up
    andi SPARE, 0x0f
    ori SPARE, lo8(box)
    lpm SPARE, Z
.endm

.macro exchange a, b
    movw r0, \a
    movw \a, \b
    movw \b, r0
.endm

/* A byte of a round key turned left by two bits, or six. */
.macro keep_turned byte, by
    mul \byte, \by
    eor r0, r1
    st X+, r0
.endm

.macro keep_swapped byte
    mov r0, \byte
    swap r0
    st X+, r0
.endm

/* The registers that C wants back. */
.macro each_saved what, len, turned, registers:vararg
    .irp i, \registers
    .if \i > 17 || (\i < 10 && \turned) || (\i >= 10 && \i >= 26 - \len)
    \what \i
    .endif
    .endr
.endm

.macro set_key len, turned
    each_saved push, \len, \turned, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    movw r26, r24
    movw r30, r22
    .irp i, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10
    .if \i >= 26 - \len
    ld \i, Z+
    .endif
    .endr
    .if \turned
    ldi SPARE, 4
    mov BY_4, SPARE
    ldi SPARE, 64
    mov BY_64, SPARE
    .endif
    ldi LOW, 0x40 - 0x40 * (\len == 10)
    ldi HIGH, 0
    ldi r31, hi8(box)
1:  st X+, r18
    st X+, r19
    .if \turned
    keep_turned r20, BY_4
    keep_turned r21, BY_4
    keep_swapped r22
    keep_swapped r23
    keep_turned r24, BY_64
    keep_turned r25, BY_64
    .else
    .irp i, 20, 21, 22, 23, 24, 25
    st X+, \i
    .endr
    .endif
    cpi HIGH, 8 - 8 * (\len == 10) /* a true comparison is -1 */
    brne 2f
    rjmp 3f
2:  mov r0, 26 - \len /* three bits to the right */
    .rept 3
    lsr r0
    .irp i, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10
    .if \i >= 26 - \len
    ror \i
    .endif
    .endr
    .endr
    .if \len == 10 /* 61 bits to the left: 19 to the right */
    movw r0, r16
    movw r16, r18
    movw r18, r20
    movw r20, r22
    movw r22, r24
    movw r24, r0
    .else /* 67 to the right */
    exchange r10, r18
    exchange r12, r20
    exchange r14, r22
    exchange r16, r24
    .endif
    mov SPARE, r25
    swap SPARE
    look_up
    .if \len == 10
    andi r25, 0x0f
    .else
    mov r0, SPARE
    mov SPARE, r25
    look_up
    swap SPARE
    mov r25, r0
    .endif
    or r25, SPARE
    eor r18, HIGH
    eor r17, LOW
    .if \len == 10
    subi LOW, 0x80
    sbci HIGH, 0xff
    .else
    subi LOW, 0xc0
    sbci HIGH, 0xff
    .endif
    rjmp 1b
3:  clr r1
    each_saved pop, \len, \turned, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8
    ret
.endm

/* void mote_present_set_key_80(void *schedule, const uint8_t *key), and so on */
.macro function name, len, turned
    .section .text.mote_present_\name, "ax", @progbits
    .global mote_present_\name
    .type mote_present_\name, @function
mote_present_\name:
    set_key \len, \turned
    .size mote_present_\name, . - mote_present_\name
.endm

    function set_key_80, 10, 0
    function set_key_128, 16, 0
    function set_turned_key_80, 10, 1
    function set_turned_key_128, 16, 1

#endif
