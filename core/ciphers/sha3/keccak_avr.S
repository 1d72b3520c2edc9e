/*
 * Keccak-f[1600] on an AVR, in place: FIPS 202, section 3. No branch and no address depends on a secret.
 *
 * A round is two passes. The first goes over the lanes in the order in which pi moves them: each gets its part of theta, turns,
 * and takes the place of the next one; whole bytes turn by the registers that they are loaded into. The second pass goes over the
 * eight slices of 25 bytes: chi and iota, the sums of columns, and what theta adds in the next round, which needs the slice
 * before for one bit of each byte.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

#define ZERO r1

/* On the stack: sums of theta, five lanes; the constant of the round. */
#define CONSTANT 40
#define FRAME 48

/* A slice: the columns' sums, and those of the slice before; a row before chi, and its results beside it. */
#define C0 r8
#define C1 r9
#define C2 r10
#define C3 r11
#define C4 r12
#define P0 r14
#define P1 r15
#define P2 r16
#define P3 r17
#define P4 r18
#define B0 r0
#define B1 r13
#define SLICES r19
#define SPARE r20
#define ROUND r21
#define STATE r22
#define ADDED r24

#define SPH 0x3e
#define SPL 0x3d
#define SREG 0x3f

/* From here on Y reaches eight lanes, `first` and those after it. */
.macro move_y first
    subi r28, lo8(8 * (window - \first))
    sbci r29, hi8(8 * (window - \first))
    .set window, \first
.endm

/* Eight registers from `first` on turn by one bit. */
.macro turn_left first
    lsl \first
    .irp i, 1, 2, 3, 4, 5, 6, 7
    rol \first + \i
    .endr
    adc \first, ZERO
.endm

.macro turn_right first
    bst \first, 0
    lsr \first + 7
    .irp i, 6, 5, 4, 3, 2, 1, 0
    ror \first + \i
    .endr
    bld \first + 7, 7
.endm

.macro exchange_byte i, load, store
    .set to, \load + ((\i + bytes) & 7)
    ldd 0 + to, Y + from + \i
    .if \store
    std Y + from + \i, \store + \i
    .endif
    ldd r0, Z + 8 * x + \i
    eor 0 + to, r0
.endm

/*
 * Loads a lane into `load`, bytes moved, and puts there the lane in `store` (0: none). Then what was loaded turns left: by
 * `amount` in all. Y reaches eight lanes from `window` on.
 */
.macro lane number, load, store, amount
    .if \number < window || \number > window + 7
    move_y \number
    .endif
    .set from, 8 * (\number - window)
    .set bits, \amount & 7
    .set bytes, \amount / 8
    .if bits > 4
    .set bits, bits - 8
    .set bytes, bytes + 1
    .endif
    .set x, \number % 5
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    exchange_byte \i, \load, \store
    .endr
    .if bits > 0
    .rept bits
    turn_left \load
    .endr
    .else
    .rept -bits
    turn_right \load
    .endr
    .endif
.endm

#define A 2
#define B 10

/* chi of a row; the results are where b2, b3, b4, t3 and t4 are. */
.macro chi b2, b3, b4, t3, t4
    ldd B0, Y + 0
    ldd B1, Y + 8
    ldd \b2, Y + 16
    ldd \b3, Y + 24
    ldd \b4, Y + 32
    mov \t4, B0
    com \t4
    and \t4, B1
    eor \t4, \b4
    mov \t3, \b4
    com \t3
    and \t3, B0
    eor \t3, \b3
    com \b3
    and \b4, \b3
    eor \b4, \b2
    or \b3, \b2
    com \b3
    eor \b3, B1
    com B1
    and \b2, B1
    eor \b2, B0
.endm

.macro keep a0, a1, a2, a3, a4
    std Y + 0, \a0
    std Y + 8, \a1
    std Y + 16, \a2
    std Y + 24, \a3
    std Y + 32, \a4
.endm

.macro add_row
    eor C0, r2
    eor C1, r3
    eor C2, r4
    eor C3, r5
    eor C4, r6
.endm

/* Of this slice and the one before: what theta adds to this slice of lanes x. */
.macro theta_of x, before, previous, current
    lsl \previous
    mov SPARE, \current
    rol SPARE
    eor SPARE, \before
    std Z + 8 * \x, SPARE
.endm

.macro theta
    theta_of 0, C4, P1, C1
    theta_of 1, C0, P2, C2
    theta_of 2, C1, P3, C3
    theta_of 3, C2, P4, C4
    theta_of 4, C3, P0, C0
    movw P0, C0
    movw P2, C2
    mov P4, C4
    adiw r30, 1
.endm

/* The first slice lacks the bits of the last one. */
.macro last_bit x, previous
    ldd SPARE, Z + 8 * \x
    sbrc \previous, 7
    eor SPARE, r2
    std Z + 8 * \x, SPARE
.endm

.macro begin_slices
    movw r28, STATE
    movw r30, ADDED
    .irp register, P0, P1, P2, P3, P4
    clr \register
    .endr
    ldi SLICES, 8
.endm

.macro end_slices
    movw r30, ADDED
    clr r2
    inc r2
    last_bit 0, P1
    last_bit 1, P2
    last_bit 2, P3
    last_bit 3, P4
    last_bit 4, P0
.endm

    .section .progmem.data.mote_keccak_constants, "a", @progbits
/* Bits 0, 1, 3 and 7 of section 3.2.5; bits 15, 31 and 63 are bits 2, 4 and 5. */
constants:
    .byte 0x01, 0x86, 0xae, 0x34, 0x8f, 0x11, 0xb5, 0x2d, 0x8a, 0x88, 0x1d, 0x1a
    .byte 0x9f, 0xab, 0xad, 0x27, 0x26, 0xa0, 0x0e, 0x3a, 0xb5, 0xa4, 0x11, 0x3c

/* void mote_keccak_permute(uint64_t a[25]) */
    .section .text.mote_keccak_permute, "ax", @progbits
    .global mote_keccak_permute
    .type mote_keccak_permute, @function
mote_keccak_permute:
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    push \register
    .endr
    movw STATE, r24
    in r28, SPL
    in r29, SPH
    sbiw r28, FRAME
    in r0, SREG
    cli
    out SPH, r29
    out SREG, r0
    out SPL, r28
    adiw r28, 1
    movw ADDED, r28
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    std Y + CONSTANT + \i, ZERO
    .endr

    begin_slices
1:  ldd C0, Y + 0
    ldd C1, Y + 8
    ldd C2, Y + 16
    ldd C3, Y + 24
    ldd C4, Y + 32
    .rept 4
    adiw r28, 40
    .irp i, 0, 8, 16, 24, 32
    ldd 2 + \i / 8, Y + \i
    .endr
    add_row
    .endr
    theta
    subi r28, lo8(159)
    sbci r29, hi8(159)
    dec SLICES
    breq 2f
    rjmp 1b
2:  end_slices
    clr ROUND

    /* theta, rho and pi (sections 3.2.1 to 3.2.3). */
3:  movw r28, STATE
    movw r30, ADDED
    .set window, 0
    lane 0, A, 0, 0
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    std Y + \i, A + \i
    .endr
    lane 1, A, 0, 1
    lane 10, B, A, 3
    lane 7, A, B, 6
    lane 11, B, A, 10
    lane 17, A, B, 15
    lane 18, B, A, 21
    lane 3, A, B, 28
    lane 5, B, A, 36
    lane 16, A, B, 45
    lane 8, B, A, 55
    lane 21, A, B, 2
    lane 24, B, A, 14
    lane 4, A, B, 27
    lane 15, B, A, 41
    lane 23, A, B, 56
    lane 19, B, A, 8
    lane 13, A, B, 25
    lane 12, B, A, 43
    lane 2, A, B, 62
    lane 20, B, A, 18
    lane 14, A, B, 39
    lane 22, B, A, 61
    lane 9, A, B, 20
    lane 6, B, A, 44
    move_y 1
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    std Y + \i, B + \i
    .endr

    /* The constant of the round. */
    movw r28, ADDED
    ldi r30, lo8(constants)
    ldi r31, hi8(constants)
    add r30, ROUND
    adc r31, ZERO
    lpm SPARE, Z
    clr r2
    bst SPARE, 2
    bld r2, 7
    std Y + CONSTANT + 1, r2
    bst SPARE, 4
    bld r2, 7
    std Y + CONSTANT + 3, r2
    bst SPARE, 5
    bld r2, 7
    std Y + CONSTANT + 7, r2
    andi SPARE, 0x8b
    std Y + CONSTANT, SPARE

    /* chi and iota (sections 3.2.4 and 3.2.5). */
    begin_slices
4:  chi C0, C1, C2, C3, C4
    ldd SPARE, Z + CONSTANT
    eor C0, SPARE
    keep C0, C1, C2, C3, C4
    .rept 4
    adiw r28, 40
    chi r2, r3, r4, r5, r6
    keep r2, r3, r4, r5, r6
    add_row
    .endr
    theta
    subi r28, lo8(159)
    sbci r29, hi8(159)
    dec SLICES
    breq 5f
    rjmp 4b
5:  end_slices
    inc ROUND
    cpi ROUND, 24
    breq 6f
    rjmp 3b

    /* Nothing of the state stays on the stack. */
6:  ldi SLICES, FRAME - 8
7:  st Z+, ZERO
    dec SLICES
    brne 7b
    adiw r30, 7
    in r0, SREG
    cli
    out SPH, r31
    out SREG, r0
    out SPL, r30
    .irp register, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop \register
    .endr
    ret
    .size mote_keccak_permute, . - mote_keccak_permute

/* void mote_keccak_clear(uint64_t a[25]) */
    .section .text.mote_keccak_clear, "ax", @progbits
    .global mote_keccak_clear
    .type mote_keccak_clear, @function
mote_keccak_clear:
    movw r30, r24
    ldi SPARE, 25
1:  .rept 8
    st Z+, ZERO
    .endr
    dec SPARE
    brne 1b
    ret
    .size mote_keccak_clear, . - mote_keccak_clear

#endif
