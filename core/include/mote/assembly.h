/*
 * Where hot functions are in assembly. core/ciphers/<algorithm>/<name>_avr.S holds such functions for the AVR; the C
 * functions that they replace stand between
 *
 *     #if !MOTE_ASSEMBLY
 *     #endif
 *
 * and the file in assembly between `#if MOTE_ASSEMBLY` and `#endif`. With -DMOTE_PORTABLE all is C; the tests compare
 * the two.
 */
#ifndef MOTE_ASSEMBLY_H
#define MOTE_ASSEMBLY_H

#if defined(__AVR__) && !defined(MOTE_PORTABLE)
#define MOTE_ASSEMBLY 1
#else
#define MOTE_ASSEMBLY 0
#endif

#endif
