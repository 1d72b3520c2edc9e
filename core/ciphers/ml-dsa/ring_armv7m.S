/*
 * Arithmetic of ML-DSA for ARMv7E-M, by Montgomery's method: a b + t q is divided by R = 2^32, t chosen so that it can be. The
 * result is below q either way, if one factor is at most q / 2 and the other one fits 32 bits. Follows the procedure call
 * standard (AAPCS). Three layers of a transform are done at once: eight coefficients are in registers.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7EM
#include "mote/armv7m.h"

#define TABLE r0
#define ZETA r1
#define LOW r10
#define HIGH r11
#define Q r12
#define INVERSE lr /* -q^-1 modulo R */

/* On the stack. */
#define POINTER 0
#define END 4
#define POLYNOMIAL 8

#include "mote/ntt_armv7m.h"

.macro load_q
    movw Q, #0xe001
    movt Q, #0x7f
    ldr INVERSE, =0xfc7fdfff
.endm

.macro begin_transform
    save_registers
    sub sp, sp, #12
    str r0, [sp, #POINTER]
    str r0, [sp, #POLYNOMIAL]
    load_q
.endm

.macro end_transform
    add sp, sp, #12
    return
.endm

/* a + zeta b and a - zeta b. */
.macro butterfly a, b
    smull LOW, HIGH, \b, ZETA
    mul \b, LOW, INVERSE
    smlal LOW, HIGH, \b, Q
    sub.w \b, \a, HIGH
    add.w \a, \a, HIGH
.endm

/* a + b and zeta (b - a). */
.macro inverse_butterfly a, b
    sub.w HIGH, \b, \a
    add.w \a, \a, \b
    smull LOW, \b, HIGH, ZETA
    mul HIGH, LOW, INVERSE
    smlal LOW, \b, HIGH, Q
.endm

/* x - (x >> 23) q. */
.macro reduce x
    asr.w LOW, \x, #23
    mls \x, LOW, Q, \x
.endm

.macro times_zeta x
    smull LOW, HIGH, \x, ZETA
    mul \x, LOW, INVERSE
    smlal LOW, HIGH, \x, Q
    mov.w \x, HIGH
.endm

.macro inverse_three_layers
    inverse_layer_1
    inverse_layer_2
    inverse_layer_3
.endm

/* Eight coefficients \by bytes apart. */
.macro load_apart by
    ldr.w HIGH, [sp, #POINTER]
    load_eight HIGH, \by
.endm

/* Goes on with the next ones, too: HIGH is POINTER. */
.macro store_apart by
    ldr.w HIGH, [sp, #POINTER]
    store_eight HIGH, \by
    str.w HIGH, [sp, #POINTER]
.endm

.macro load_together
    ldr.w HIGH, [sp, #POINTER]
    ldm.w HIGH, {r2-r9}
.endm

.macro store_together
    ldr.w HIGH, [sp, #POINTER]
    stm.w HIGH!, {r2-r9}
    str.w HIGH, [sp, #POINTER]
.endm

.macro set_end bytes
    ldr.w LOW, [sp, #POLYNOMIAL]
    add.w LOW, LOW, #\bytes
    str.w LOW, [sp, #END]
.endm

/* After a store. */
.macro repeat_to_end label
    ldr.w LOW, [sp, #END]
    cmp.w HIGH, LOW
    bne.w \label
.endm

.macro rewind
    ldr.w LOW, [sp, #POLYNOMIAL]
    str.w LOW, [sp, #POINTER]
.endm

/* Goes on to \label with the next block of 32 coefficients, after the four groups of one; LOW is END. */
.macro repeat_blocks label
    add.w LOW, LOW, #128
    str.w LOW, [sp, #END]
    add.w HIGH, HIGH, #112
    str.w HIGH, [sp, #POINTER]
    ldr.w LOW, [sp, #POLYNOMIAL]
    add.w LOW, LOW, #1024
    cmp.w HIGH, LOW
    bne.w \label
.endm

    function mote_ml_dsa_ntt
    begin_transform
    ldr TABLE, =zetas
    set_end 128
    .balign 8
1:  load_apart 128
    three_layers
    store_apart 128
    repeat_to_end 1b

    rewind
    set_end 16
2:  add.w TABLE, TABLE, #28
    .balign 8
3:  load_apart 16
    three_layers
    store_apart 16
    repeat_to_end 3b
    repeat_blocks 2b

    rewind
    set_end 1024
    add.w TABLE, TABLE, #28
    .balign 8
4:  load_together
    load_zeta 0
    butterfly r2, r4
    butterfly r3, r5
    load_zeta 1
    butterfly r2, r3
    load_zeta 2
    butterfly r4, r5
    load_zeta 3
    butterfly r6, r8
    butterfly r7, r9
    load_zeta 4
    butterfly r6, r7
    load_zeta 5
    butterfly r8, r9
    store_together
    add.w TABLE, TABLE, #24
    repeat_to_end 4b
    end_transform
    .ltorg
    .size mote_ml_dsa_ntt, . - mote_ml_dsa_ntt

/* Sums grow fourfold in two layers, and are reduced; after that 64-fold. */
    function mote_ml_dsa_ntt_inverse
    begin_transform
    ldr TABLE, =zetas_end
    set_end 1024
    .balign 8
1:  sub.w TABLE, TABLE, #24
    load_together
    load_zeta 5
    inverse_butterfly r2, r3
    load_zeta 4
    inverse_butterfly r4, r5
    load_zeta 3
    inverse_butterfly r2, r4
    inverse_butterfly r3, r5
    load_zeta 2
    inverse_butterfly r6, r7
    load_zeta 1
    inverse_butterfly r8, r9
    load_zeta 0
    inverse_butterfly r6, r8
    inverse_butterfly r7, r9
    reduce r2
    reduce r6
    store_together
    repeat_to_end 1b

    rewind
    set_end 16
2:  sub.w TABLE, TABLE, #28
    .balign 8
3:  load_apart 16
    inverse_three_layers
    store_apart 16
    repeat_to_end 3b
    repeat_blocks 2b

    rewind
    set_end 128
    sub.w TABLE, TABLE, #28
    .balign 8
4:  load_apart 128
    inverse_three_layers
    ldr ZETA, =41978 /* R^2 / 256 */
    .irp coefficient, r2, r3, r4, r5, r6, r7, r8, r9
    times_zeta \coefficient
    .endr
    store_apart 128
    repeat_to_end 4b
    end_transform
    .ltorg
    .size mote_ml_dsa_ntt_inverse, . - mote_ml_dsa_ntt_inverse

/* r3, a coefficient or none: sum += r3 y. */
.macro take
    cmp.w r3, Q
    bge.n 2f
    ldr.w r4, [r1], #4
    smull LOW, HIGH, r3, r4
    mul r4, LOW, INVERSE
    smlal LOW, HIGH, r4, Q
    ldr.w r4, [r0]
    add.w r4, r4, HIGH
    str.w r4, [r0], #4
    cmp r0, r5
    beq.n 3f
2:
.endm

/*
 * uint16_t mote_ml_dsa_accumulate(int32_t *sum, const int32_t *y, const uint8_t in[168], uint16_t from)
 *
 * Four coefficients out of three words, which are aligned.
 */
    function mote_ml_dsa_accumulate
    save_registers
    add.w r5, r0, #1024
    add.w r0, r0, r3, lsl #2
    add.w r1, r1, r3, lsl #2
    add.w r6, r2, #168
    load_q
    .balign 8
1:  ldm.w r2!, {r7, r8, r9}
    ubfx r3, r7, #0, #23
    take
    lsr.w r3, r7, #24
    orr.w r3, r3, r8, lsl #8
    bfc r3, #23, #9
    take
    lsr.w r3, r8, #16
    orr.w r3, r3, r9, lsl #16
    bfc r3, #23, #9
    take
    ubfx r3, r9, #8, #23
    take
    cmp r2, r6
    bne.n 1b
3:  sub.w r0, r0, r5
    add.w r0, r0, #1024
    lsr.w r0, r0, #2
    return
    .ltorg
    .size mote_ml_dsa_accumulate, . - mote_ml_dsa_accumulate

/* void mote_ml_dsa_subtract_product(int32_t sum[256], const int32_t a[256], const int32_t b[256]) */
    function mote_ml_dsa_subtract_product
    save_registers
    load_q
    add.w r9, r0, #1024
    .balign 8
1:  ldr.w r3, [r1], #4
    ldr.w r4, [r2], #4
    ldr.w r5, [r1], #4
    ldr.w r6, [r2], #4
    smull LOW, HIGH, r3, r4
    mul r3, LOW, INVERSE
    smlal LOW, HIGH, r3, Q
    ldr.w r7, [r0]
    ldr.w r8, [r0, #4]
    sub.w r7, r7, HIGH
    smull LOW, HIGH, r5, r6
    mul r5, LOW, INVERSE
    smlal LOW, HIGH, r5, Q
    sub.w r8, r8, HIGH
    stm.w r0!, {r7, r8}
    cmp r0, r9
    bne.n 1b
    return
    .ltorg
    .size mote_ml_dsa_subtract_product, . - mote_ml_dsa_subtract_product

/* 1753^brv(i) R modulo q: seven for three layers; seven for each block of the next three; three for each of the last two. */
    .section .rodata.mote_ml_dsa_factors, "a", %progbits
    .balign 4
zetas:
    .word 25847, -2608894, -518909, 237124, -777960, -876248, 466468, 1826347, 2725464, 1024112
    .word 2706023, 95776, 3077325, 3530437, 2353451, -1079900, 3585928, -1661693, -3592148, -2537516
    .word 3915439, -359251, -549488, -1119584, -3861115, -3043716, 3574422, -2867647, -2091905, 2619752
    .word -2108549, 3539968, -300467, 2348700, -539299, 3119733, -2118186, -3859737, -1699267, -1643818
    .word 3505694, -3821735, -2884855, -1399561, -3277672, 3507263, -2140649, -1600420, 3699596, 3111497
    .word 1757237, -19422, 811944, 531354, 954230, 3881043, 2680103, 4010497, 280005, 3900724
    .word -2556880, 2071892, -2797779, -3930395, 2091667, 3407706, -1528703, 2316500, 3817976, -3677745
    .word -3342478, 2244091, -3041255, -2446433, -3562462, -1452451, 266997, 2434439, 3475950, -1235728
    .word 3513181, 2176455, -3520352, -3759364, -1585221, -1197226, -3193378, -1257611, 900702, 1859098
    .word 1939314, 909542, 819034, -4083598, 495491, -1613174, -1000202, -43260, -522500, -3190144
    .word -655327, -3122442, -3157330, 2031748, 3207046, -3632928, -3556995, -525098, 126922, -768622
    .word -3595838, 3412210, 342297, 286988, -983419, -2437823, 4108315, 2147896, 3437287, -3342277
    .word 2715295, 1735879, 203044, -2967645, 2842341, 2691481, -3693493, -2590150, 1265009, -411027
    .word 4055324, 1247620, -2477047, 2486353, 1595974, -671102, -3767016, 1250494, -1228525, 2635921
    .word -3548272, -22981, -2994039, 1869119, -1308169, 1903435, -1050970, -381987, -1333058, 1237275
    .word 1349076, -3318210, -1430225, 1852771, -451100, 1312455, -1430430, 3306115, -1962642, -3343383
    .word -1279661, 1917081, 264944, -2546312, -1374803, 508951, 1500165, 777191, 3097992, 2235880
    .word 3406031, 44288, -542412, -2831860, -1100098, -1671176, -1846953, 904516, -2584293, -3724270
    .word 3958618, 594136, -3776993, -3724342, -2013608, 2432395, -8578, 2454455, -164721, 1653064
    .word 1957272, 3369112, -3249728, 185531, -1207385, 2389356, -3183426, 162844, -210977, 1616392
    .word 3014001, 759969, 810149, 1652634, -1316856, -3694233, -1799107, 189548, -3038916, 3523897
    .word -3553272, 3866901, 269760, 3159746, 2213111, -975884, -1851402, 1717735, 472078, -2409325
    .word -426683, 1723600, -177440, -1803090, 1910376, 1315589, -1667432, -1104333, 1341330, -260646
    .word -3833893, 1285669, -2939036, -2235985, -1584928, -420899, -2286327, -812732, 183443, -976891
    .word -1439742, 1612842, -3545687, -3019102, -554416, 3919660, -3881060, -48306, -1362209, -3628969
    .word 3937738, 1400424, 3839961, -846154, 1976782
zetas_end:

#endif
