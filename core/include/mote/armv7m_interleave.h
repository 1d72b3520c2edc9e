/*
 * The bits of a double word on ARMv7-M: even ones in one register, odd ones in another, so that a
 * rotation of the double word is one of each register. For the assembler only.
 */
#ifndef MOTE_ARMV7M_INTERLEAVE_H
#define MOTE_ARMV7M_INTERLEAVE_H

/* Bits under the mask change places with those of `low` that are `by` places higher. */
.macro exchange low, high, by, mask, spare
    eor \spare, \high, \low, lsr #\by
    and \spare, \spare, #\mask
    eor \high, \high, \spare
    eor \low, \low, \spare, lsl #\by
.endm

.macro exchange_halves low, high, spare
    lsr \spare, \low, #16
    bfi \low, \high, #16, #16
    bfi \high, \spare, #0, #16
.endm

/*
 * Even bits of the word \high:\low to \low, odd ones to \high; and back. Of the six bits of a bit's
 * number the highest selects the register: it changes places with each other one in turn, which is
 * the rotation of all six.
 */
.macro interleave low, high, spare
    exchange_halves \low, \high, \spare
    exchange \low, \high, 8, 0x00ff00ff, \spare
    exchange \low, \high, 4, 0x0f0f0f0f, \spare
    exchange \low, \high, 2, 0x33333333, \spare
    exchange \low, \high, 1, 0x55555555, \spare
.endm

.macro join even, odd, spare
    exchange \even, \odd, 1, 0x55555555, \spare
    exchange \even, \odd, 2, 0x33333333, \spare
    exchange \even, \odd, 4, 0x0f0f0f0f, \spare
    exchange \even, \odd, 8, 0x00ff00ff, \spare
    exchange_halves \even, \odd, \spare
.endm

#endif
