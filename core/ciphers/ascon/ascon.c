/*
 * Ascon-AEAD128, Ascon-Hash256, Ascon-XOF128, on words of 64 bits.
 *
 * NIST SP 800-232 (not Ascon v1.2: words are little-endian, initial values differ). The permutation
 * is written as in its section 3. No tables. RAM: 57 bytes of state for the AEAD, 41 for the hashes
 * (rounded up to 64-bit words). Time and memory addresses do not depend on secrets.
 *
 * ATmega2560: the permutation is in assembly there (ascon_avr.S, 1,350 bytes of flash, 19 of
 * stack); 16 bytes more of a message take Ascon-AEAD128 6,406 cycles, 8 bytes more take
 * Ascon-Hash256 8,748 (-Os). In C, avr-gcc 5.4 -O2, 17,254 and 24,723.
 *
 * Cortex-M0+ without wait states: in assembly too (ascon_armv6m.S, 684 bytes of flash, 44 of
 * stack): 1,415 cycles and 1,998, if messages are aligned to words. In C, gcc 12.2 -O2, 2,327 and
 * 3,169. There the state lies in memory like the message (ascon_in_place.h).
 *
 * Cortex-M3 and M4 without wait states: in assembly (ascon_armv7m.S, 2,748 bytes of flash, 60 of
 * stack): 588 cycles and 732, and in C, gcc 12.2 -O2, 1,070 and 1,427. There even and odd bits are
 * apart, as in ascon_bi32.c (ascon_blocks.h).
 */
#include "ascon_words.h"

#include "ascon_modes.h"

MOTE_IMPLEMENTATION(ascon) = {
    .name = "ascon", MOTE_AEADS(aeads), MOTE_HASHES(hashes), .constant_time = 1};
