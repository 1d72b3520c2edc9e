/*
 * The ring of ML-KEM on ARMv7E-M: FIPS 203, section 4.3. No branch and no address depends on a coefficient.
 *
 * A register has two coefficients. A constant c is multiplied by Plantard's method (Huang et al., "Improved Plantard Arithmetic
 * for Lattice-based Cryptography", TCHES 2022(4)): c is stored as (-2^32 c mod q) q^-1 mod 2^32, and SMULW and SMLA find the
 * product modulo q, at most q / 2 either way, of any coefficient. Products of variables are reduced by Montgomery's method.
 * Three layers are done at once: eight registers have sixteen coefficients.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7EM
#include "mote/armv7m.h"
#include "ml_kem_roots.h"

#define POINTER r0
#define ZETA r1
#define SPARE r10
#define Q_TOP r11 /* q 2^16 */
#define ROUND r12 /* 8 q */
#define TABLE lr

/* On the stack. */
#define END 0
#define POLYNOMIAL 4

#include "mote/ntt_armv7m.h"

.macro begin_transform
    save_registers
    push {r0, r1}
    str r0, [sp, #POLYNOMIAL]
    movw ROUND, #8 * 3329
    mov Q_TOP, #0
    movt Q_TOP, #3329
.endm

.macro end_transform
    add sp, sp, #8
    return
.endm

/* Both coefficients of \a times ZETA. */
.macro times a
    smulwb SPARE, ZETA, \a
    smulwt \a, ZETA, \a
    smlabt SPARE, SPARE, Q_TOP, ROUND
    smlabt \a, \a, Q_TOP, ROUND
    pkhtb \a, \a, SPARE, asr #16
.endm

/* a + zeta b and a - zeta b. */
.macro butterfly a, b
    smulwb SPARE, ZETA, \b
    smulwt \b, ZETA, \b
    smlabt SPARE, SPARE, Q_TOP, ROUND
    smlabt \b, \b, Q_TOP, ROUND
    pkhtb SPARE, \b, SPARE, asr #16
    usub16 \b, \a, SPARE
    uadd16 \a, \a, SPARE
.endm

/* a + b and zeta (b - a). */
.macro inverse_butterfly a, b
    usub16 SPARE, \b, \a
    uadd16 \a, \a, \b
    smulwb \b, ZETA, SPARE
    smulwt SPARE, ZETA, SPARE
    smlabt \b, \b, Q_TOP, ROUND
    smlabt SPARE, SPARE, Q_TOP, ROUND
    pkhtb \b, SPARE, \b, asr #16
.endm

.macro load_one /* as a constant, to reduce */
    movw ZETA, #0xafb8
    movt ZETA, #0x13
.endm

/* Four words of each half of the polynomial. */
.macro load_halves
    ldr.w r2, [POINTER]
    ldr.w r3, [POINTER, #4]
    ldr.w r4, [POINTER, #8]
    ldr.w r5, [POINTER, #12]
    ldr.w r6, [POINTER, #256]
    ldr.w r7, [POINTER, #260]
    ldr.w r8, [POINTER, #264]
    ldr.w r9, [POINTER, #268]
.endm

.macro store_halves
    str.w r6, [POINTER, #256]
    str.w r7, [POINTER, #260]
    str.w r8, [POINTER, #264]
    str.w r9, [POINTER, #268]
    stm.w POINTER!, {r2-r5}
.endm

.macro load_together
    ldm.w POINTER, {r2-r9}
.endm

.macro store_together
    stm.w POINTER!, {r2-r9}
.endm

.macro set_end bytes
    ldr.w SPARE, [sp, #POLYNOMIAL]
    add.w SPARE, SPARE, #\bytes
    str.w SPARE, [sp, #END]
.endm

.macro repeat_to_end label
    ldr.w SPARE, [sp, #END]
    cmp.w POINTER, SPARE
    bne.w \label
.endm

/* void mote_ml_kem_ntt(int16_t p[256]): each layer adds q / 2 to the magnitudes. */
    function mote_ml_kem_ntt
    begin_transform
    ldr TABLE, =zetas
    set_end 256
    load_zeta 0
    add.w TABLE, TABLE, #4
    .balign 8
1:  load_halves
    butterfly r2, r6
    butterfly r3, r7
    butterfly r4, r8
    butterfly r5, r9
    store_halves
    repeat_to_end 1b

    sub.w POINTER, POINTER, #256
    set_end 32
    .balign 8
2:  load_eight POINTER, 32
    three_layers
    store_eight POINTER, 32
    repeat_to_end 2b
    add.w TABLE, TABLE, #28
    add.w SPARE, SPARE, #256
    str.w SPARE, [sp, #END]
    add.w POINTER, POINTER, #224
    ldr.w r2, [sp, #POLYNOMIAL]
    add.w r3, r2, #512
    cmp.w POINTER, r3
    bne.w 2b

    str.w r3, [sp, #END]
    mov.w POINTER, r2
    .balign 8
3:  load_together
    three_layers
    store_together
    add.w TABLE, TABLE, #28
    repeat_to_end 3b
    end_transform
    .ltorg
    .size mote_ml_kem_ntt, . - mote_ml_kem_ntt

/*
 * void mote_ml_kem_inverse(int16_t p[256])
 *
 * Sums of the first layer are reduced, so three layers leave at most 2 q; two more would leave 8 q, and are reduced where they
 * do. The last layer is multiplied by R / 128.
 */
    function mote_ml_kem_inverse
    begin_transform
    ldr TABLE, =zetas_end
    set_end 512
    .balign 8
1:  sub.w TABLE, TABLE, #28
    load_together
    inverse_layer_1
    load_one
    times r2
    times r4
    times r6
    times r8
    inverse_layer_2
    inverse_layer_3
    store_together
    repeat_to_end 1b

    sub.w POINTER, POINTER, #512
    set_end 32
2:  sub.w TABLE, TABLE, #28
    .balign 8
3:  load_eight POINTER, 32
    inverse_layer_1
    inverse_layer_2
    load_one
    times r2
    times r6
    inverse_layer_3
    store_eight POINTER, 32
    repeat_to_end 3b
    add.w SPARE, SPARE, #256
    str.w SPARE, [sp, #END]
    add.w POINTER, POINTER, #224
    ldr.w r2, [sp, #POLYNOMIAL]
    add.w r3, r2, #512
    cmp.w POINTER, r3
    bne.w 2b

    mov.w POINTER, r2
    set_end 256
    .balign 8
4:  load_halves
    ldr.w ZETA, =0xeb8b6b6e /* the first constant times R / 128 */
    inverse_butterfly r2, r6
    inverse_butterfly r3, r7
    inverse_butterfly r4, r8
    inverse_butterfly r5, r9
    ldr.w ZETA, =0x275f6ed1 /* R / 128 */
    times r2
    times r3
    times r4
    times r5
    store_halves
    repeat_to_end 4b
    end_transform
    .ltorg
    .size mote_ml_kem_inverse, . - mote_ml_kem_inverse

#undef POINTER
#undef ZETA
#undef SPARE
#undef END
#define SUM r0
#define B r1
#define A r2
#define ROOTS r3
#define PRODUCT r8
#define SPARE r9
#define ROOT r10
#define REDUCER r11 /* -q^-1 modulo 2^16, q */
#define END lr

/* a R^-1 modulo q, in the upper half. */
.macro reduce a, spare
    smulbt \spare, \a, REDUCER
    smlabb \a, \spare, REDUCER, \a
.endm

/* void mote_ml_kem_multiply_add(int16_t *sum, const int16_t *b, const int16_t a[64], uint16_t at) */
    function mote_ml_kem_multiply_add
    save_registers
    add.w SUM, SUM, r3, lsl #1
    add.w B, B, r3, lsl #1
    ldr.w r4, =roots
    add.w ROOTS, r4, r3, lsr #1
    movw REDUCER, #3329
    movt REDUCER, #3327
    add.w END, A, #128
    .balign 8
1:  ldm.w A!, {r4, r5}
    ldm.w B!, {r6, r7}
    ldrsh.w ROOT, [ROOTS], #2
    smultt PRODUCT, r4, r6
    reduce PRODUCT, SPARE
    smultb PRODUCT, PRODUCT, ROOT
    smlabb PRODUCT, r4, r6, PRODUCT
    reduce PRODUCT, SPARE
    smuadx r4, r4, r6
    reduce r4, SPARE
    pkhtb r4, r4, PRODUCT, asr #16
    smultt PRODUCT, r5, r7
    reduce PRODUCT, SPARE
    smultb PRODUCT, PRODUCT, ROOT
    smulbb SPARE, r5, r7
    sub.w PRODUCT, SPARE, PRODUCT
    reduce PRODUCT, SPARE
    smuadx r5, r5, r7
    reduce r5, SPARE
    pkhtb r5, r5, PRODUCT, asr #16
    ldm.w SUM, {r6, r7}
    uadd16 r6, r6, r4
    uadd16 r7, r7, r5
    stm.w SUM!, {r6, r7}
    cmp.w A, END
    bne.w 1b
    return
    .ltorg
    .size mote_ml_kem_multiply_add, . - mote_ml_kem_multiply_add

/* 17^(2 BitRev7(i) + 1) R, for the products. */
    .section .rodata.mote_ml_kem_roots, "a", %progbits
    .balign 4
roots:
    .hword MOTE_ML_KEM_ROOTS

/* 17^BitRev7(i): that of the first layer; two times seven for the next three layers; sixteen times seven. */
    .section .rodata.mote_ml_kem_zetas, "a", %progbits
    .balign 4
zetas:
    .word 0x84f5c5b6, 0xc666e465, 0xcb2b72d0, 0x30726d5b, 0x51aaf2da, 0x93922fd5, 0x0ed77946, 0x3d4a0dff
    .word 0xfcec8b58, 0x91e11612, 0x41360f89, 0xd63e49fb, 0xfab1a391, 0x2bc18ea7, 0x864470e4, 0x16c32c11
    .word 0x16395e0d, 0x19743224, 0x014eab2e, 0xd4522112, 0x2cd52aae, 0xcbb540d4, 0xbc2c9a1c, 0xfa27d58e
    .word 0x87094e0e, 0x7de29fcd, 0x379942fb, 0xaff27732, 0x54970814, 0x66f8144e, 0x5c0c9c92, 0xb12d72a9
    .word 0x6c5a2074, 0xccb52d24, 0xfc4f0d9d, 0x11eaedee, 0x71811d74, 0xaf19ea51, 0x9e078945, 0x3a22e9a0
    .word 0xa5cbdca1, 0xe7da790b, 0xea8b7f1e, 0xea3cc040, 0x31fc27af, 0x9807ff63, 0x82f5ed16, 0x7ef63bd5
    .word 0xd6795921, 0x8992f4b3, 0x044e701f, 0xc13fe765, 0x3099ccc9, 0x8e08c440, 0x4935720b, 0x7059d1b5
    .word 0xcea1560e, 0xac4184cf, 0xdc518394, 0x0289a6a5, 0x483585bb, 0xb17c3187, 0xbb67bcf2, 0xb7a31ad7
    .word 0x6681f601, 0x658209b1, 0x934370f8, 0x385e2025, 0xb3b7194d, 0x149bf401, 0x314afa3c, 0x6da8cba2
    .word 0xb254be68, 0x6e59f915, 0x79cf3ed4, 0xb0b7545c, 0x9ca52e5f, 0xf79e2ee9, 0xa1074e36, 0x3e0eeb29
    .word 0x22c23fd4, 0x1cd665aa, 0xc4049d2f, 0xa0b88f58, 0x7e801d88, 0x2924384b, 0x6e95083b, 0xdc8c92ba
    .word 0x51bea292, 0x1887f58b, 0xd53e5dab, 0x3a369957, 0xdda02ec2, 0x75f6ed02, 0xb8b6b6df, 0xa169bccb
    .word 0x2b2410ec, 0xbda2a4b9, 0xc77a806d, 0xb805896c, 0xcb8de165, 0xc93f49e7, 0xd7a0a4e0, 0x53f98a58
    .word 0x1efd9db9, 0x4ee63d0f, 0xdd651f9c, 0x71e38c09, 0x31d4c840, 0x57e58be2, 0xa555be54, 0xd565bd19
    .word 0x442224c3, 0x97ccf03d, 0xbe402274, 0xef28ae1a, 0x846bf7b2, 0x5d33e851, 0x901c4c98, 0x4f214c36
    .word 0x3f228731, 0x5e5b3410, 0x45fa9df4, 0xa24249ac, 0xe1b38fba, 0x440e750b, 0xa5a47d32
zetas_end:

#endif
