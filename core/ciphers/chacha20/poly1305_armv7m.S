/*
 * Poly1305 on ARMv7E-M (Cortex-M4): whole blocks of poly1305.c. No branch and no address depends on a secret. A product
 * takes one cycle, whatever is multiplied. That is not so on a Cortex-M3, which has the code for ARMv6-M.
 *
 * The sum h has four words of 32 bits and a few bits more in h4, the multiplier r four; of r the top four bits are 0, and
 * of r1, r2 and r3 the lowest two. So s = 5 r / 4 is whole, and 2^128 h r = s h modulo 2^130 - 5. The columns are
 *
 *     h0 r0 + h1 s3 + h2 s2 + h3 s1,  h0 r1 + h1 r0 + h2 s3 + h3 s2 + h4 s1,  and so on.
 */
#include "mote/assembly.h"
#include "poly1305.h"

#if MOTE_ASSEMBLY_ARMV7M && !MOTE_POLY1305_WORDS
#include "poly1305_thumb.inc"
#endif

#if MOTE_POLY1305_WORDS
#include "mote/armv7m.h"

#define H0 r0
#define H1 r1
#define H2 r2
#define H3 r3
#define H4 r4
#define R0 r5
#define R1 r6
#define R2 r7
#define R3 r8
/* The next sum. */
#define N0 r9
#define N1 r10
#define N2 r11
#define N3 r12
#define SPARE lr
/* On the stack: the arguments. */
#define STATE 0
#define IN 4
#define BLOCKS 8
#define LAST 12
#define FRAME 16

.macro times_5_4 to, from
    add.w \to, \from, \from, lsr #2
.endm

/* void mote_poly1305_blocks(mote_poly1305 *p, const uint8_t *in, size_t blocks, uint32_t last); at least one */
    function mote_poly1305_blocks
    save_registers
    push.w {r0-r3}
    mov.w SPARE, r1
    ldr.w N0, [r0]
    ldr.w N1, [r0, #4]
    ldr.w N2, [r0, #8]
    ldr.w N3, [r0, #12]
    ldr.w H4, [r0, #16]
    ldr.w R0, [r0, #20]
    ldr.w R1, [r0, #24]
    ldr.w R2, [r0, #28]
    ldr.w R3, [r0, #32]

    .balign 4
1:  ldr.w H0, [SPARE]
    ldr.w H1, [SPARE, #4]
    ldr.w H2, [SPARE, #8]
    ldr.w H3, [SPARE, #12]
    add.w SPARE, SPARE, #16
    str.w SPARE, [sp, #IN]
    ldr.w SPARE, [sp, #LAST]
    adds.w H0, H0, N0
    adcs.w H1, H1, N1
    adcs.w H2, H2, N2
    adcs.w H3, H3, N3
    adc.w H4, H4, SPARE

    umull N0, N1, H0, R0
    times_5_4 SPARE, R3
    umlal N0, N1, H1, SPARE
    times_5_4 N2, R2
    umlal N0, N1, H2, N2
    times_5_4 N3, R1
    umlal N0, N1, H3, N3
    mul N2, H4, N3
    umaal N1, N2, H0, R1
    umlal N1, N2, H1, R0
    umlal N1, N2, H2, SPARE
    times_5_4 N3, R2
    umlal N1, N2, H3, N3
    mul N3, H4, N3
    umaal N2, N3, H0, R2
    umlal N2, N3, H1, R1
    umlal N2, N3, H2, R0
    umlal N2, N3, H3, SPARE
    mul SPARE, H4, SPARE
    umaal N3, SPARE, H0, R3
    umlal N3, SPARE, H1, R2
    umlal N3, SPARE, H2, R1
    umlal N3, SPARE, H3, R0
    mla H4, H4, R0, SPARE

    /* 2^130 is 5: of what is above, four times are its bits where they lie. */
    bic H0, H4, #3
    add.w H0, H0, H4, lsr #2
    and H4, H4, #3
    ldr.w H1, [sp, #BLOCKS]
    ldr.w SPARE, [sp, #IN]
    adds.w N0, N0, H0
    adcs.w N1, N1, #0
    adcs.w N2, N2, #0
    adcs.w N3, N3, #0
    adc.w H4, H4, #0
    subs.w H1, H1, #1
    str.w H1, [sp, #BLOCKS]
    bne.w 1b

    ldr.w r0, [sp, #STATE]
    str.w N0, [r0]
    str.w N1, [r0, #4]
    str.w N2, [r0, #8]
    str.w N3, [r0, #12]
    str.w H4, [r0, #16]
    add sp, #FRAME
    return
    .size mote_poly1305_blocks, . - mote_poly1305_blocks

#endif
