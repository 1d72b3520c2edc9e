/*
 * Three layers of a number-theoretic transform at once, of eight values in r2 to r9: the same for
 * ML-KEM and ML-DSA on ARMv7E-M (after #include "mote/armv7m.h"). For the assembler only.
 *
 * The file that includes this defines before it the registers ZETA and TABLE, which points at seven
 * constants: one, two and four. Its macros `butterfly` and `inverse_butterfly` of two registers
 * multiply by ZETA.
 */
#ifndef MOTE_NTT_ARMV7M_H
#define MOTE_NTT_ARMV7M_H

.macro load_zeta number
    ldr.w ZETA, [TABLE, #4 * \number]
.endm

.macro three_layers
    load_zeta 0
    butterfly r2, r6
    butterfly r3, r7
    butterfly r4, r8
    butterfly r5, r9
    load_zeta 1
    butterfly r2, r4
    butterfly r3, r5
    load_zeta 2
    butterfly r6, r8
    butterfly r7, r9
    load_zeta 3
    butterfly r2, r3
    load_zeta 4
    butterfly r4, r5
    load_zeta 5
    butterfly r6, r7
    load_zeta 6
    butterfly r8, r9
.endm

/* The same backwards: the constants from the other end. */
.macro inverse_layer_1
    load_zeta 6
    inverse_butterfly r2, r3
    load_zeta 5
    inverse_butterfly r4, r5
    load_zeta 4
    inverse_butterfly r6, r7
    load_zeta 3
    inverse_butterfly r8, r9
.endm

.macro inverse_layer_2
    load_zeta 2
    inverse_butterfly r2, r4
    inverse_butterfly r3, r5
    load_zeta 1
    inverse_butterfly r6, r8
    inverse_butterfly r7, r9
.endm

.macro inverse_layer_3
    load_zeta 0
    inverse_butterfly r2, r6
    inverse_butterfly r3, r7
    inverse_butterfly r4, r8
    inverse_butterfly r5, r9
.endm

/* Eight words \by bytes apart, from an address. */
.macro load_eight address, by
    ldr.w r2, [\address]
    ldr.w r3, [\address, #\by]
    ldr.w r4, [\address, #2 * \by]
    ldr.w r5, [\address, #3 * \by]
    ldr.w r6, [\address, #4 * \by]
    ldr.w r7, [\address, #5 * \by]
    ldr.w r8, [\address, #6 * \by]
    ldr.w r9, [\address, #7 * \by]
.endm

/* The address goes on with the next word, too. */
.macro store_eight address, by
    str.w r3, [\address, #\by]
    str.w r4, [\address, #2 * \by]
    str.w r5, [\address, #3 * \by]
    str.w r6, [\address, #4 * \by]
    str.w r7, [\address, #5 * \by]
    str.w r8, [\address, #6 * \by]
    str.w r9, [\address, #7 * \by]
    str.w r2, [\address], #4
.endm

#endif
