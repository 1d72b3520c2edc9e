/*
 * Ascon-AEAD128, Ascon-Hash256, Ascon-XOF128, on words of 64 bits.
 *
 * NIST SP 800-232 (not Ascon v1.2: words are little-endian, initial values differ). The
 * permutation is written as in its section 3. No tables. Time and memory addresses do not depend
 * on secrets.
 *
 * The permutation is in assembly on an AVR, on ARMv6-M, where the state lies in memory like the
 * message (ascon_in_place.h), and on ARMv7-M, where even and odd bits are apart, as in ascon_bi32.c
 * (ascon_blocks.h).
 */
#include "ascon_words.h"

#include "ascon_modes.h"

MOTE_IMPLEMENTATION(ascon) = {
    .name = "ascon", MOTE_AEADS(aeads), MOTE_HASHES(hashes), .constant_time = 1};
