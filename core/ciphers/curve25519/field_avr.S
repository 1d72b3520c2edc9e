/*
 * The field of field.h and the ladder of X25519 on an AVR. No branch and no address depends on a
 * number. A number is 32 bytes, the lowest first.
 *
 * Functions that begin with `field_` take addresses in r24 (result), r22 and r20, and lose all
 * registers.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

#include "mote/product_avr.h"

    product_routines

/* The lower half, 38 times the upper half, and the carry r21:r20, to X; r18 = 38, r23 = r21 = 0. */
.macro reduce_byte
    ld r22, Z+
    mul r22, r18
    add r0, r20
    adc r1, r21
    ld r22, Y+
    add r0, r22
    adc r1, r23
    st X+, r0
    mov r20, r1
.endm

/*
 * After the products of halves: bytes 0 to 31 and 38 times bytes 32 to 63. Of the highest byte what
 * is above 7 bits is added 19 times at the lowest, so no carry is left.
 */
    routine field_finish
    join_halves
    ldd r26, Y + RESULT
    ldd r27, Y + RESULT + 1
    ldi r18, 38
    clr r23
    ldd r20, Z + 63
    ldd r21, Z + 31
    mul r20, r18
    add r0, r21
    adc r1, r23
    mov r19, r0
    andi r19, 0x7f
    lsl r0
    rol r1
    ldi r20, 19
    mul r1, r20
    movw r20, r0
    mul r24, r18
    add r20, r0
    adc r21, r1
    adiw r28, LOWER
    adiw r30, 32
    reduce_byte
    clr r21
    .rept 15
    reduce_byte
    .endr
    muls r25, r18
    add r20, r0
    adc r21, r1
    reduce_byte
    clr r21
    .rept 14
    reduce_byte
    .endr
    add r19, r20
    st X, r19
    end_frame (PRODUCT_FRAME - LOWER - 31)
    ret

/* r24 = r22 r20 and r24 = r22^2, addresses; all registers are lost. */
    routine field_multiply
    multiply_halves
    jmp field_finish

    routine field_square
    square_halves
    jmp field_finish

/* After each_byte, all of it \first 19 times r26, to Y; r26, at most 3, is lost. */
.macro put_sum first, then
    mov r24, r26
    lsl r24
    add r26, r24
    lsl r24
    lsl r24
    lsl r24
    add r24, r26
    ldi r26, 0
    \first r0, r24
    st Y, r0
    .irp number, UP_TO_23
    \then r\number, r26
    std Y + \number, r\number
    .endr
    .irp at, 24, 25, 26, 27, 28, 29, 30, 31
    ldd r24, Y + \at
    \then r24, r26
    std Y + \at, r24
    .endr
.endm

/* Bits above 255 are added 19 times: no carry is left. */
    routine field_add
    each_byte add, adc
    ldi r26, 0
    rol r26
    lsl r25
    rol r26
    lsr r25
    std Y + 31, r25
    put_sum add, adc
    ret

/* Bit 255 is set, so that 19 times the bits above can be subtracted without a borrow. */
    routine field_subtract
    each_byte sub, sbc
    sbc r24, r24
    ldi r26, 1
    sub r26, r24
    sub r26, r24
    mov r27, r25
    lsl r27
    sbci r26, 0
    ori r25, 0x80
    std Y + 31, r25
    put_sum sub, sbc
    ret

/*
 * A byte at X times 121665 = 0x1db41, a byte at Z and what is carried in c2:c1:c0, to Y; c3 is 0,
 * and c0 is then. r18, r19 and r17 are 0x41, 0xdb and 0.
 */
.macro multiply_add_byte c0, c1, c2, c3
    ld r25, X+
    ld r0, Z+
    add \c0, r0
    adc \c1, r17
    adc \c2, r17
    product r25, r18, \c0, \c1, \c2, r17
    product r25, r19, \c1, \c2, \c3, r17
    add \c2, r25
    adc \c3, r17
    st Y+, \c0
    clr \c0
.endm

/* r24 = 121665 r22 + r20 */
    routine field_multiply_add
    movw r26, r22
    movw r30, r20
    movw r28, r24
    ldi r18, 0x41
    ldi r19, 0xdb
    clr r17
    clr r20
    clr r21
    clr r22
    clr r23
    ldi r24, 8
1:  multiply_add_byte r20, r21, r22, r23
    multiply_add_byte r21, r22, r23, r20
    multiply_add_byte r22, r23, r20, r21
    multiply_add_byte r23, r20, r21, r22
    dec r24
    breq 2f
    rjmp 1b
/* 38 times what is carried is below 2^24. */
2:  ldi r24, 38
    mul r20, r24
    movw r18, r0
    mul r21, r24
    add r19, r0
    mov r20, r1
    adc r20, r17
    mul r22, r24
    add r20, r0
    sbiw r28, 32
    ld r16, Y
    add r16, r18
    st Y+, r16
    ld r16, Y
    adc r16, r19
    st Y+, r16
    ld r16, Y
    adc r16, r20
    st Y+, r16
    .rept 29
    ld r16, Y
    adc r16, r17
    st Y+, r16
    .endr
    /* If that carries, the number is small: 38 more carry to three bytes at most. */
    sbc r18, r18
    andi r18, 38
    sbiw r28, 32
    ld r16, Y
    add r16, r18
    st Y+, r16
    .rept 3
    ld r16, Y
    adc r16, r17
    st Y+, r16
    .endr
    ret

/* The frame of the ladder: the address of `turns`, the step, and numbers, by their places. */
#define TURNS 1
#define STEPS 3
#define X1 4
#define X2 36
#define Z2 68
#define X3 100
#define Z3 132
#define U 164
#define V 196
#define LADDER 227

.macro step operation, result, a, b=0
    frame_address 24, \result
    frame_address 22, \a
    .if \b
    frame_address 20, \b
    .endif
    call field_\operation
    in r28, 0x3d
    in r29, 0x3e
.endm

/* \count bytes from X to Z, and of \byte to Z; r16 and r0 are lost. */
.macro copy count
    ldi r16, \count
1:  ld r0, X+
    st Z+, r0
    dec r16
    brne 1b
.endm

.macro fill count, byte
    ldi r16, \count
1:  st Z+, \byte
    dec r16
    brne 1b
.endm

/*
 * void mote_x25519_climb(mote_f25519 *x2, mote_f25519 *z2, const mote_f25519 *x1,
 *                        const uint32_t turns[8])
 */
    function mote_x25519_climb
    save_registers
    push r24
    push r25
    push r22
    push r23
    begin_frame LADDER
    std Y + TURNS, r18
    std Y + TURNS + 1, r19
    ldi r16, 254
    std Y + STEPS, r16
    ldi r17, 1
    movw r26, r20
    movw r30, r28
    adiw r30, X1
    copy 32
    st Z+, r17
    fill 63, r1
    movw r26, r20
    copy 32
    st Z+, r17
    fill 31, r1
steps:
    step add, U, X2, Z2
    step subtract, V, X2, Z2
    step add, X2, X3, Z3
    step subtract, Z2, X3, Z3
    step multiply, X3, Z2, U
    step multiply, Z3, X2, V
    /* The bit of the scalar says whether u and v become x2 and z2. */
    ldd r26, Y + TURNS
    ldd r27, Y + TURNS + 1
    ldd r16, Y + STEPS
    mov r17, r16
    lsr r17
    lsr r17
    lsr r17
    clr r1
    add r26, r17
    adc r27, r1
    ld r18, X
    andi r16, 7
    breq 2f
1:  lsr r18
    dec r16
    brne 1b
2:  andi r18, 1
    neg r18
    frame_address 26, X2
    frame_address 30, U
    ldi r16, 16
1:  .rept 4
    ld r0, Z
    ld r1, X+
    eor r1, r0
    and r1, r18
    eor r0, r1
    st Z+, r0
    .endr
    dec r16
    brne 1b
    step square, U, U
    step square, V, V
    step multiply, X2, U, V
    step subtract, V, U, V
    step multiply_add, U, V, U
    step multiply, Z2, U, V
    step subtract, U, X3, Z3
    step add, X3, X3, Z3
    step square, X3, X3
    step square, U, U
    step multiply, Z3, U, X1
    ldd r16, Y + STEPS
    subi r16, 1
    std Y + STEPS, r16
    brcs 1f
    jmp steps
1:  frame_address 26, (LADDER + 1)
    ld r23, X+ /* in the reverse order of their pushes */
    ld r22, X+
    ld r25, X+
    ld r24, X+
    movw r30, r24
    frame_address 26, X2
    copy 32
    movw r30, r22
    copy 32
    /* Nothing of the point is left on the stack. */
    movw r30, r28
    adiw r30, 1
    clr r1
    fill LADDER, r1
    end_frame (LADDER + 4)
    restore_registers

/* void mote_f25519_add(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b), and so on */
.macro field_function name
    function mote_f25519_\name
    save_registers
    call field_\name
    restore_registers
.endm

    field_function add
    field_function subtract
    field_function multiply
    field_function multiply_add

/* void mote_f25519_square(mote_f25519 *r, const mote_f25519 *a, uint8_t times) */
    function mote_f25519_square
    save_registers
1:  push r20
    push r24
    push r25
    call field_square
    pop r25
    pop r24
    movw r22, r24
    pop r20
    dec r20
    brne 1b
    restore_registers
#endif
