/*
 * The key schedule of PRESENT on an AVR: what present_schedule.c does, with the key register in registers, its most
 * significant byte in r17. No branch depends on a secret; the S-box is read from flash, where every look-up takes three
 * cycles.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

#define ROUND r18
#define SPARE r19

    .section .progmem.data.mote_present_schedule, "a", @progbits
box: /* Bogdanov et al., CHES 2007, section 3 */
    .byte 0xc, 0x5, 0x6, 0xb, 0x9, 0x0, 0xa, 0xd, 0x3, 0xe, 0xf, 0x8, 0x4, 0x7, 0x1, 0x2

/* ZL = box[ZL] */
.macro look_up
    clr r31
    subi r30, lo8(-(box))
    sbci r31, hi8(-(box))
    lpm r30, Z
.endm

/* To the right by one bit, from r17 to `first`; the way round is a bst before and a bld behind. */
.macro turn_right first
    bst \first, 0
    lsr r17
    .irp i, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    .if \i >= \first
    ror \i
    .endif
    .endr
    bld r17, 7
.endm

.macro exchange a, b
    movw r0, \a
    movw \a, \b
    movw \b, r0
.endm

.macro set_key first, len
    .irp i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    .if \i >= \first
    push \i
    .endif
    .endr
    movw r26, r24
    movw r30, r22
    .irp i, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    .if \i >= \first
    ld \i, Z+
    .endif
    .endr
    ldi ROUND, 1
1:  .irp i, 10, 11, 12, 13, 14, 15, 16, 17
    st X+, \i
    .endr
    cpi ROUND, 32
    brne 2f
    rjmp 3f
2:  turn_right \first
    turn_right \first
    turn_right \first
    .if \len == 10 /* 61 bits to the left: 19 to the right */
    movw r0, r8
    movw r8, r10
    movw r10, r12
    movw r12, r14
    movw r14, r16
    movw r16, r0
    .else /* 67 to the right */
    exchange r2, r10
    exchange r4, r12
    exchange r6, r14
    exchange r8, r16
    .endif
    mov r30, r17
    swap r30
    andi r30, 0x0f
    look_up
    swap r30
    .if \len == 10
    mov SPARE, r17
    andi SPARE, 0x0f
    or r30, SPARE
    mov r17, r30
    .else
    mov SPARE, r30
    mov r30, r17
    andi r30, 0x0f
    look_up
    or r30, SPARE
    mov r17, r30
    .endif
    clr r0 /* the round's number, from bit 15 or 62 of the register on */
    mov r30, ROUND
    lsr r30
    ror r0
    .if \len == 16
    lsr r30
    ror r0
    .endif
    eor r10, r30
    eor r9, r0
    inc ROUND
    rjmp 1b
3:  clr r1
    .irp i, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    .if \i >= \first
    pop \i
    .endif
    .endr
    ret
.endm

/* void mote_present_set_key_80(void *schedule, const uint8_t *key) */
    .section .text.mote_present_set_key_80, "ax", @progbits
    .global mote_present_set_key_80
    .type mote_present_set_key_80, @function
mote_present_set_key_80:
    set_key 8, 10
    .size mote_present_set_key_80, . - mote_present_set_key_80

/* void mote_present_set_key_128(void *schedule, const uint8_t *key) */
    .section .text.mote_present_set_key_128, "ax", @progbits
    .global mote_present_set_key_128
    .type mote_present_set_key_128, @function
mote_present_set_key_128:
    set_key 2, 16
    .size mote_present_set_key_128, . - mote_present_set_key_128

#endif
