/*
 * The products of Poly1305 on an AVR: what `multiply` of poly1305.c does. No branch and no address depends on a secret.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

#define D0 r18 /* the sum: even, for movw, as D2 is */
#define D1 r19
#define D2 r20
#define D3 r21
#define D4 r22
#define MLOW r23
#define MHIGH r24
#define RLOW r25
#define RHIGH r14
#define ZERO r15
#define FACTOR r10 /* and r11: behind r[i] */
#define SUMMAND r12 /* and r13: m */
#define LEFT r17

/* d += *m++ * *--r, from X and Z */
.macro add_product
    ld MLOW, X+
    ld MHIGH, X+
    ld RHIGH, -Z
    ld RLOW, -Z
    mul MLOW, RLOW
    add D0, r0
    adc D1, r1
    adc D2, ZERO
    adc D3, ZERO
    mul MHIGH, RHIGH
    add D2, r0
    adc D3, r1
    mul MLOW, RHIGH
    add D1, r0
    adc D2, r1
    adc D3, ZERO
    mul MHIGH, RLOW
    add D1, r0
    adc D2, r1
    adc D3, ZERO
.endm

/* uint32_t mote_poly1305_multiply(uint16_t h[10], const uint16_t m[10], const uint16_t *r) */
    .section .text.mote_poly1305_multiply, "ax", @progbits
    .global mote_poly1305_multiply
    .type mote_poly1305_multiply, @function
mote_poly1305_multiply:
    .irp register, 10, 11, 12, 13, 14, 15, 17, 28, 29
    push \register
    .endr
    movw r28, r24
    movw SUMMAND, r22
    movw FACTOR, r20
    clr ZERO
    clr D0
    clr D1
    clr D2
    clr D3
    ldi LEFT, 10
1:  movw r26, SUMMAND
    movw r30, FACTOR
    adiw r30, 2
    movw FACTOR, r30
    .rept 10
    add_product
    .endr
    st Y+, D0
    mov MLOW, D1
    andi MLOW, 0x1f
    st Y+, MLOW
    clr D4 /* to the right by 13: to the left by 3, then two bytes to the right */
    .rept 3
    lsl D1
    rol D2
    rol D3
    rol D4
    .endr
    movw D0, D2
    mov D2, D4
    clr D3
    dec LEFT
    breq 2f
    rjmp 1b
2:  movw r24, D2
    movw r22, D0
    clr r1
    .irp register, 29, 28, 17, 15, 14, 13, 12, 11, 10
    pop \register
    .endr
    ret
    .size mote_poly1305_multiply, . - mote_poly1305_multiply

#endif
