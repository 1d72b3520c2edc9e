/*
 * The coding of ML-KEM on ARMv7E-M: see ml_kem_coding.h. No branch and no address depends on a coefficient, but for the matrix.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7EM
#include "mote/armv7m.h"

#define P r0
#define BITS r1
#define END r2
#define FACTOR r3 /* its magnitude */
#define TOO_MUCH r4 /* 2^eta times that, in both halves */
#define OPPOSITE r5 /* all ones, if the factor is negative */
#define MASK r6
#define DIFFERENCES r7
#define SPARE r8
#define SUM r12

/* To r3 to r5: the factor that is behind save_registers on the stack. Fields of noise are 2^eta too large. */
.macro load_factor eta
    ldrsh.w FACTOR, [sp, #36]
    asr.w OPPOSITE, FACTOR, #31
    eor.w FACTOR, FACTOR, OPPOSITE
    sub.w FACTOR, FACTOR, OPPOSITE
    lsl.w TOO_MUCH, FACTOR, #\eta
    orr.w TOO_MUCH, TOO_MUCH, TOO_MUCH, lsl #16
.endm

/* Two coefficients \at bytes behind P. */
.macro add_two two, at
    mul \two, \two, FACTOR
    ldr.w SUM, [P, #\at]
    usub16 \two, \two, TOO_MUCH
    uadd16 SUM, SUM, \two
    str.w SUM, [P, #\at]
.endm

/* void mote_ml_kem_add_noise(int16_t *p, const uint8_t *bits, uint8_t len, uint8_t eta, int16_t factor) */
    function mote_ml_kem_add_noise
    save_registers
    add.w END, BITS, END
    cmp.w r3, #3
    beq.w 3f
    load_factor 2
    mov.w lr, #0x77777777
    and.w lr, lr, OPPOSITE
    .balign 8
2:  ldr.w SPARE, [BITS], #4
    and.w DIFFERENCES, SPARE, #0x55555555
    and.w SPARE, SPARE, #0xaaaaaaaa
    add.w SPARE, DIFFERENCES, SPARE, lsr #1
    and.w DIFFERENCES, SPARE, #0x33333333
    add.w DIFFERENCES, DIFFERENCES, #0x44444444
    and.w SPARE, SPARE, #0xcccccccc
    sub.w DIFFERENCES, DIFFERENCES, SPARE, lsr #2
    eor.w DIFFERENCES, DIFFERENCES, OPPOSITE
    sub.w DIFFERENCES, DIFFERENCES, lr
    and.w SPARE, DIFFERENCES, #0xf0f0f0f0 /* numbers 1, 3, 5, 7 */
    and.w DIFFERENCES, DIFFERENCES, #0x0f0f0f0f
    lsr.w SPARE, SPARE, #4
    uxtb16 r9, DIFFERENCES
    uxtb16 r10, SPARE
    uxtb16 r11, DIFFERENCES, ror #8
    uxtb16 SPARE, SPARE, ror #8
    pkhbt DIFFERENCES, r9, r10, lsl #16
    pkhtb r9, r10, r9, asr #16
    add_two DIFFERENCES, 0
    add_two r9, 8
    pkhbt r10, r11, SPARE, lsl #16
    pkhtb SPARE, SPARE, r11, asr #16
    add_two r10, 4
    add_two SPARE, 12
    add.w P, P, #16
    cmp.w BITS, END
    bne.w 2b
    return

3:  load_factor 3
    movw MASK, #0x71c7
    movt MASK, #0x1c
    movw r11, #0x8208
    movt r11, #0x20
    movw lr, #0xfbef /* four times 47 */
    movt lr, #0xbe
    and.w lr, lr, OPPOSITE
    movw r10, #0x9249
    movt r10, #0x24
    .balign 8
4:  ldr.w SPARE, [BITS], #3
    and.w DIFFERENCES, r10, SPARE
    and.w r9, r10, SPARE, lsr #1
    add.w DIFFERENCES, DIFFERENCES, r9
    and.w r9, r10, SPARE, lsr #2
    add.w DIFFERENCES, DIFFERENCES, r9
    and.w SPARE, MASK, DIFFERENCES
    and.w DIFFERENCES, MASK, DIFFERENCES, lsr #3
    add.w SPARE, SPARE, r11
    sub.w DIFFERENCES, SPARE, DIFFERENCES
    eor.w DIFFERENCES, DIFFERENCES, OPPOSITE
    sub.w DIFFERENCES, DIFFERENCES, lr
    ubfx SPARE, DIFFERENCES, #6, #6
    ubfx r9, DIFFERENCES, #0, #6
    orr.w SPARE, r9, SPARE, lsl #16
    add_two SPARE, 0
    ubfx SPARE, DIFFERENCES, #18, #6
    ubfx r9, DIFFERENCES, #12, #6
    orr.w SPARE, r9, SPARE, lsl #16
    add_two SPARE, 4
    add.w P, P, #8
    cmp.w BITS, END
    bne.w 4b
    return
    .size mote_ml_kem_add_noise, . - mote_ml_kem_add_noise

#undef P
#undef BITS
#undef END
#undef FACTOR
#undef TOO_MUCH
#undef OPPOSITE
#undef MASK
#undef DIFFERENCES
#undef SPARE
#undef SUM

/*
 * const uint8_t *mote_ml_kem_sample(int16_t **to, const int16_t *enough, const uint8_t *in, const uint8_t *end)
 *
 * A word is read whose last byte may be behind the end.
 */
    function mote_ml_kem_sample
    push {r4-r6, lr}
    ldr r4, [r0]
    b 2f
    .balign 8
1:  ldr.w r5, [r2], #3
    ubfx r6, r5, #0, #12
    strh r6, [r4]
    cmp.w r6, #3328
    it ls
    addls r4, #2
    ubfx r6, r5, #12, #12
    strh r6, [r4]
    cmp.w r6, #3328
    it ls
    addls r4, #2
    cmp r4, r1
    bhs 3f
2:  cmp r2, r3
    bne 1b
    movs r2, #0
3:  str r4, [r0]
    mov r0, r2
    pop {r4-r6, pc}
    .size mote_ml_kem_sample, . - mote_ml_kem_sample

/* const uint8_t *mote_ml_kem_decode(int16_t few[64], const uint8_t *in) */
    function mote_ml_kem_decode
    push {r4, lr}
    add.w r12, r0, #128
    .balign 8
1:  ldr.w r2, [r1], #3
    ldr.w r3, [r1], #3
    ubfx r4, r2, #12, #12
    bfc r2, #12, #20
    orr.w r2, r2, r4, lsl #16
    ubfx r4, r3, #12, #12
    bfc r3, #12, #20
    orr.w r3, r3, r4, lsl #16
    stm.w r0!, {r2, r3}
    cmp r0, r12
    bne.n 1b
    mov r0, r1
    pop {r4, pc}
    .size mote_ml_kem_decode, . - mote_ml_kem_decode

#define OUT r0
#define COMPARE r1
#define P r2
#define D r3
#define DIFFERS r4
#define HELD r5 /* bits that are not written */
#define COUNT r6  /* how many */
#define X r7
#define SPARE r8
#define HALF r9 /* q 2^d + q / 2 */
#define INVERSE r10 /* 2^43 / q, rounded up: exact for what is below 2^24 */
#define MASK r11
#define END r12

/* uint8_t mote_ml_kem_put(uint8_t *out, const uint8_t *compare, const int16_t *p, uint8_t d) */
    function mote_ml_kem_put
    save_registers
    movw HALF, #3329
    lsl.w HALF, HALF, D
    add.w HALF, HALF, #1664
    ldr INVERSE, =2642262849
    mov MASK, #1
    lsl.w MASK, MASK, D
    sub.w MASK, MASK, #1
    add.w END, P, #512
    mov DIFFERS, #0
    mov HELD, #0
    mov COUNT, #0
    .balign 8
1:  ldrsh.w X, [P], #2
    lsl.w X, X, D
    add.w X, X, HALF
    umull SPARE, X, X, INVERSE
    and.w X, MASK, X, lsr #11
    lsl.w SPARE, X, COUNT
    orr.w HELD, HELD, SPARE
    add.w COUNT, COUNT, D
    cmp.w COUNT, #32
    bhs.n 3f
2:  cmp.w P, END
    bne.n 1b
    uxth r0, DIFFERS
    orr.w r0, r0, DIFFERS, lsr #16
    orr.w r0, r0, r0, lsr #8
    uxtb r0, r0
    return
3:  sub.w COUNT, COUNT, #32
    cbz OUT, 4f
    str.w HELD, [OUT], #4
    sub.w SPARE, D, COUNT
    lsr.w HELD, X, SPARE
    b.n 2b
4:  ldr.w SPARE, [COMPARE], #4
    eor.w HELD, HELD, SPARE
    orr.w DIFFERS, DIFFERS, HELD
    sub.w SPARE, D, COUNT
    lsr.w HELD, X, SPARE
    b.n 2b
    .ltorg
    .size mote_ml_kem_put, . - mote_ml_kem_put

#undef OUT
#undef COMPARE
#undef P
#undef D
#undef DIFFERS
#undef HELD
#undef COUNT
#undef X
#undef SPARE
#undef HALF
#undef INVERSE
#undef MASK
#undef END
#define P r0
#define IN r1
#define D r2
#define HELD r3
#define COUNT r4
#define X r5
#define WORD r6
#define Q r7
#define HALF r8
#define MASK r9
#define END r12

/* void mote_ml_kem_get(int16_t *p, const uint8_t *in, uint8_t d) */
    function mote_ml_kem_get
    save_registers
    mov MASK, #1
    lsl.w HALF, MASK, D
    sub.w MASK, HALF, #1
    lsr.w HALF, HALF, #1
    movw Q, #3329
    add.w END, P, #512
    mov HELD, #0
    mov COUNT, #0
    .balign 8
1:  cmp.w COUNT, D
    blo.n 3f
    sub.w COUNT, COUNT, D
    and.w X, HELD, MASK
    lsr.w HELD, HELD, D
2:  mla X, X, Q, HALF
    lsr.w X, X, D
    strh.w X, [P], #2
    cmp.w P, END
    bne.n 1b
    return
3:  ldr.w WORD, [IN], #4 /* COUNT bits are held, and this one gives the rest */
    lsl.w X, WORD, COUNT
    orr.w X, X, HELD
    and.w X, X, MASK
    sub.w HELD, D, COUNT
    add.w COUNT, COUNT, #32
    sub.w COUNT, COUNT, D
    lsr.w HELD, WORD, HELD
    b.n 2b
    .size mote_ml_kem_get, . - mote_ml_kem_get

#endif
