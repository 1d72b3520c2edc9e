/*
 * Where hot functions are in assembly. core/ciphers/<algorithm>/<name>_avr.S holds such functions for the AVR,
 * <name>_armv6m.S for ARMv6-M (Cortex-M0, -M0+); those of modes are in core/mote/modes. The C functions that they
 * replace stand between
 *
 *     #if !MOTE_ASSEMBLY
 *     #endif
 *
 * or name the architecture where only one has them, and the file in assembly between `#if MOTE_ASSEMBLY_AVR` or
 * `#if MOTE_ASSEMBLY_ARMV6M` and `#endif`. With -DMOTE_PORTABLE all is C; the tests compare the two.
 */
#ifndef MOTE_ASSEMBLY_H
#define MOTE_ASSEMBLY_H

#if defined(__AVR__) && !defined(MOTE_PORTABLE)
#define MOTE_ASSEMBLY_AVR 1
#else
#define MOTE_ASSEMBLY_AVR 0
#endif

#if defined(__ARM_ARCH_6M__) && defined(__ARMEL__) && !defined(MOTE_PORTABLE)
#define MOTE_ASSEMBLY_ARMV6M 1
#else
#define MOTE_ASSEMBLY_ARMV6M 0
#endif

#define MOTE_ASSEMBLY (MOTE_ASSEMBLY_AVR || MOTE_ASSEMBLY_ARMV6M)

#endif
