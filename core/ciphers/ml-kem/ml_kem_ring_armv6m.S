/*
 * The ring of ML-KEM on ARMv6-M: FIPS 203, section 4.3. No branch and no address depends on a coefficient.
 *
 * There is no product of 64 bits. A constant c is multiplied by Plantard's method (Huang et al., "Improved Plantard
 * Arithmetic for Lattice-based Cryptography", TCHES 2022(4)): two products of which the lower 32 bits count, and c is stored as
 * (-2^32 c mod q) q^-1 mod 2^32. The result is at most q / 2, so nothing else has to be reduced in the transform. Products of
 * variables are reduced by Montgomery's method. Two layers are done at once: four coefficients are in registers.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M
#include "mote/armv6m.h"
#include "ml_kem_roots.h"

#define POINTER r6
#define Q r7
#define STRIDE r11 /* bytes */
#define END r12
#define TABLE lr

/* \a times the constant, modulo q: from -q / 2 to q / 2. */
.macro times a, constant
    muls \a, \constant, \a
    asrs \a, \a, #16
    adds \a, #8
    muls \a, Q, \a
    asrs \a, \a, #16
.endm

/* a + zeta b stays in \a; a - zeta b goes to \spare, and \b is free. */
.macro butterfly a, b, spare, zeta
    times \b, \zeta
    subs \spare, \a, \b
    adds \a, \a, \b
.endm

/* a + b goes to \spare, zeta (b - a) stays in \b, and \a is free. */
.macro inverse_butterfly a, b, spare, zeta
    adds \spare, \a, \b
    subs \b, \b, \a
    times \b, \zeta
.endm

.macro load_q
    movs Q, #13
    lsls Q, Q, #8
    adds Q, #1
.endm

/* Four coefficients at POINTER, STRIDE bytes apart; r4 and r5 are lost. */
.macro load_four a0, a1, a2, a3
    mov r4, STRIDE
    ldrsh \a1, [POINTER, r4]
    lsls r5, r4, #1
    ldrsh \a2, [POINTER, r5]
    adds r4, r5
    ldrsh \a3, [POINTER, r4]
    movs r4, #0
    ldrsh \a0, [POINTER, r4]
.endm

/* Moves on to the next four, too. */
.macro store_four a0, a1, a2, a3, spare1, spare2
    strh \a0, [POINTER]
    mov \spare1, STRIDE
    strh \a1, [POINTER, \spare1]
    lsls \spare2, \spare1, #1
    strh \a2, [POINTER, \spare2]
    adds \spare1, \spare2
    strh \a3, [POINTER, \spare1]
    adds POINTER, #2
.endm

/* Sets \to to what is behind the polynomial whose address is on the stack. */
.macro load_end to, spare
    ldr \to, [sp]
    movs \spare, #128
    lsls \spare, \spare, #2
    adds \to, \spare
.endm

/* The four coefficients of 4 bytes each at POINTER: two by two. */
.macro load_pairs
    ldr r0, [POINTER]
    ldr r2, [POINTER, #4]
    asrs r1, r0, #16
    sxth r0, r0
    asrs r3, r2, #16
    sxth r2, r2
.endm

.macro store_pairs a0, a1, a2, a3
    strh \a0, [POINTER]
    strh \a1, [POINTER, #2]
    strh \a2, [POINTER, #4]
    strh \a3, [POINTER, #6]
    adds POINTER, #8
.endm

/* void mote_ml_kem_ntt(int16_t p[256]) */
function mote_ml_kem_ntt
    save_registers
    push {r0}
    load_q
    ldr r0, =mote_ml_kem_zetas
    mov TABLE, r0
    movs r4, #128
    mov STRIDE, r4
ntt_layers:
    ldr POINTER, [sp]
ntt_block:
    mov r4, TABLE
    ldm r4!, {r0, r1, r2}
    mov TABLE, r4
    mov r8, r0
    mov r9, r1
    mov r10, r2
    mov r4, STRIDE
    adds r4, POINTER
    mov END, r4
ntt_four:
    load_four r0, r1, r2, r3
    mov r5, r8
    butterfly r0, r2, r4, r5
    butterfly r1, r3, r2, r5
    mov r5, r9
    butterfly r0, r1, r3, r5
    mov r5, r10
    butterfly r4, r2, r1, r5
    store_four r0, r3, r4, r1, r2, r5
    cmp POINTER, END
    bne ntt_four
    mov r4, STRIDE
    lsls r5, r4, #1
    adds r5, r4
    adds POINTER, r5
    load_end r0, r1
    cmp POINTER, r0
    bne ntt_block
    lsrs r4, r4, #2
    mov STRIDE, r4
    cmp r4, #2
    bne ntt_layers

    mov END, r0
    ldr POINTER, [sp]
ntt_last:
    mov r4, TABLE
    ldm r4!, {r5}
    mov TABLE, r4
    load_pairs
    butterfly r0, r2, r4, r5
    butterfly r1, r3, r2, r5
    store_pairs r0, r1, r4, r2
    cmp POINTER, END
    bne ntt_last
    add sp, #4
    return
    .ltorg

/* Two layers of the inverse, of the coefficients in r0, r1, r2, r3: now in r4, r0, r1, r2, and r3 is free. */
.macro inverse_four
    mov r5, r8
    inverse_butterfly r0, r1, r4, r5 /* r4, r1 */
    mov r5, r9
    inverse_butterfly r2, r3, r0, r5 /* r0, r3 */
    mov r5, r10
    inverse_butterfly r4, r0, r2, r5 /* r2, r0 */
    inverse_butterfly r1, r3, r4, r5 /* r4, r3 */
.endm

/*
 * void mote_ml_kem_inverse(int16_t p[256])
 *
 * The sums of the first layer are reduced; then they are at most 2 q, 8 q and 32 q after each two layers, and the last are
 * multiplied by R / 128.
 */
function mote_ml_kem_inverse
    save_registers
    push {r0}
    load_q
    ldr r4, =mote_ml_kem_zetas_end
    mov TABLE, r4
    ldr r4, =0x13afb8 /* 1 */
    mov r8, r4
    mov POINTER, r0
    load_end r0, r1
    mov END, r0
inverse_first:
    mov r4, TABLE
    subs r4, #4
    ldr r5, [r4]
    mov TABLE, r4
    load_pairs
    inverse_butterfly r0, r2, r4, r5
    inverse_butterfly r1, r3, r0, r5
    mov r5, r8
    times r4, r5
    times r0, r5
    store_pairs r4, r0, r2, r3
    cmp POINTER, END
    bne inverse_first

    movs r4, #8
    mov STRIDE, r4
inverse_layers:
    ldr POINTER, [sp]
inverse_block:
    mov r4, TABLE
    subs r4, #12
    mov TABLE, r4
    ldm r4!, {r0, r1, r2}
    mov r10, r0
    mov r9, r1
    mov r8, r2
    mov r4, STRIDE
    adds r4, POINTER
    mov END, r4
inverse_next:
    load_four r0, r1, r2, r3
    inverse_four
    store_four r2, r4, r0, r3, r1, r5
    cmp POINTER, END
    bne inverse_next
    mov r4, STRIDE
    lsls r5, r4, #1
    adds r5, r4
    adds POINTER, r5
    load_end r0, r1
    cmp POINTER, r0
    bne inverse_block
    lsls r4, r4, #2
    mov STRIDE, r4
    cmp r4, #128
    bne inverse_layers

    ldr POINTER, [sp]
    adds r4, POINTER
    mov END, r4
    mov r4, TABLE
    subs r4, #12
    ldm r4!, {r0, r1, r2}
    mov r9, r1
    mov r8, r2
    ldr r0, =0xeb8b6b6e /* the first of these times R / 128 */
    mov r10, r0
    ldr r0, =0x275f6ed1 /* R / 128 */
    mov TABLE, r0
inverse_last:
    load_four r0, r1, r2, r3
    inverse_four
    mov r5, TABLE
    times r2, r5
    times r4, r5
    store_four r2, r4, r0, r3, r1, r5
    cmp POINTER, END
    bne inverse_last
    add sp, #4
    return
    .ltorg

#undef STRIDE
#undef END
#undef TABLE
#define SUM r8
#define B r9
#define A r10
#define INVERSE r11 /* of q, modulo 2^16 */
#define ROOTS r12
#define END lr

/* Montgomery's reduction. */
.macro reduce a, spare
    mov \spare, INVERSE
    muls \spare, \a, \spare
    sxth \spare, \spare
    muls \spare, Q, \spare
    subs \a, \a, \spare
    asrs \a, \a, #16
.endm

/* Two coefficients; sign: adds or subs, of the root. */
.macro multiply_two sign
    mov r6, A
    ldm r6!, {r0}
    mov A, r6
    mov r6, B
    ldm r6!, {r2}
    mov B, r6
    lsrs r1, r0, #16
    uxth r0, r0
    asrs r3, r2, #16
    sxth r2, r2
    movs r4, r1
    muls r4, r3, r4
    reduce r4, r5
    mov r6, ROOTS
    ldrh r5, [r6]
    sxth r5, r5
    .ifc \sign, subs
    adds r6, #2
    mov ROOTS, r6
    .endif
    muls r5, r4, r5
    movs r4, r0
    muls r4, r2, r4
    \sign r4, r4, r5
    reduce r4, r5
    mov r6, SUM
    ldrh r5, [r6]
    adds r5, r4
    strh r5, [r6]
    muls r0, r3, r0
    muls r1, r2, r1
    adds r0, r1
    reduce r0, r5
    ldrh r5, [r6, #2]
    adds r5, r0
    strh r5, [r6, #2]
    adds r6, #4
    mov SUM, r6
.endm

/* void mote_ml_kem_multiply_add(int16_t *sum, const int16_t *b, const int16_t a[16], uint16_t at) */
function mote_ml_kem_multiply_add
    save_registers
    load_q
    lsls r4, r3, #1
    adds r0, r4
    mov SUM, r0
    adds r1, r4
    mov B, r1
    mov A, r2
    adds r2, #32
    mov END, r2
    ldr r0, =roots
    lsrs r3, r3, #1
    adds r0, r3
    mov ROOTS, r0
    ldr r0, =62209
    mov INVERSE, r0
next_four:
    multiply_two adds
    multiply_two subs
    cmp r10, END
    bne next_four
    return
    .ltorg

/* 17^(2 BitRev7(i) + 1) R, for the products. */
    .section .rodata.mote_ml_kem_roots, "a", %progbits
    .balign 4
roots:
    .hword MOTE_ML_KEM_ROOTS

/* 17^BitRev7(i): three for each block of two layers, then those of the last layer. */
    .section .rodata.mote_ml_kem_zetas, "a", %progbits
    .balign 4
mote_ml_kem_zetas:
    .word 0x84f5c5b6, 0xc666e465, 0xfcec8b58, 0xcb2b72d0, 0x51aaf2da, 0x93922fd5
    .word 0x30726d5b, 0x0ed77946, 0x3d4a0dff, 0x91e11612, 0xd63e49fb, 0xfab1a391
    .word 0x41360f89, 0x2bc18ea7, 0x864470e4, 0x16c32c11, 0x16395e0d, 0x19743224
    .word 0xbc2c9a1c, 0xfa27d58e, 0x87094e0e, 0x66f8144e, 0x5c0c9c92, 0xb12d72a9
    .word 0x71811d74, 0xaf19ea51, 0x9e078945, 0xea3cc040, 0x31fc27af, 0x9807ff63
    .word 0x044e701f, 0xc13fe765, 0x3099ccc9, 0xac4184cf, 0xdc518394, 0x0289a6a5
    .word 0x6681f601, 0x658209b1, 0x934370f8, 0x6da8cba2, 0xb254be68, 0x6e59f915
    .word 0xa1074e36, 0x3e0eeb29, 0x22c23fd4, 0x2924384b, 0x6e95083b, 0xdc8c92ba
    .word 0xdda02ec2, 0x75f6ed02, 0xb8b6b6df, 0xb805896c, 0xcb8de165, 0xc93f49e7
    .word 0xdd651f9c, 0x71e38c09, 0x31d4c840, 0x97ccf03d, 0xbe402274, 0xef28ae1a
    .word 0x3f228731, 0x5e5b3410, 0x45fa9df4, 0x014eab2e, 0xd4522112, 0x2cd52aae
    .word 0xcbb540d4, 0x7de29fcd, 0x379942fb, 0xaff27732, 0x54970814, 0x6c5a2074
    .word 0xccb52d24, 0xfc4f0d9d, 0x11eaedee, 0x3a22e9a0, 0xa5cbdca1, 0xe7da790b
    .word 0xea8b7f1e, 0x82f5ed16, 0x7ef63bd5, 0xd6795921, 0x8992f4b3, 0x8e08c440
    .word 0x4935720b, 0x7059d1b5, 0xcea1560e, 0x483585bb, 0xb17c3187, 0xbb67bcf2
    .word 0xb7a31ad7, 0x385e2025, 0xb3b7194d, 0x149bf401, 0x314afa3c, 0x79cf3ed4
    .word 0xb0b7545c, 0x9ca52e5f, 0xf79e2ee9, 0x1cd665aa, 0xc4049d2f, 0xa0b88f58
    .word 0x7e801d88, 0x51bea292, 0x1887f58b, 0xd53e5dab, 0x3a369957, 0xa169bccb
    .word 0x2b2410ec, 0xbda2a4b9, 0xc77a806d, 0xd7a0a4e0, 0x53f98a58, 0x1efd9db9
    .word 0x4ee63d0f, 0x57e58be2, 0xa555be54, 0xd565bd19, 0x442224c3, 0x846bf7b2
    .word 0x5d33e851, 0x901c4c98, 0x4f214c36, 0xa24249ac, 0xe1b38fba, 0x440e750b
    .word 0xa5a47d32
mote_ml_kem_zetas_end:
#endif
