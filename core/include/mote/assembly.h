/*
 * Machines whose hot functions are in assembly. core/ciphers/<algorithm>/<name>_avr.S holds such
 * functions for the AVR, <name>_armv6m.S for ARMv6-M (Cortex-M0, -M0+), <name>_armv7m.S for ARMv7-M
 * (Cortex-M3, -M4) and a Cortex-M33, <name>_riscv32.S for RISC-V with rotations and bits of
 * cryptography (Hazard3); those of modes are in core/mote/modes. The C functions that they replace
 * stand between
 *
 *     #if !MOTE_ASSEMBLY && !MOTE_ASSEMBLY_ARMV7M
 *     #endif
 *
 * or name the architectures that have them, and the file in assembly between `#if
 * MOTE_ASSEMBLY_AVR`, `#if MOTE_ASSEMBLY_ARMV6M`, `#if MOTE_ASSEMBLY_ARMV7M` or `#if
 * MOTE_ASSEMBLY_RISCV32` and `#endif`. With -DMOTE_PORTABLE all is C; the tests compare the two.
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

#if (defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__) ||          \
     (defined(__ARM_ARCH_8M_MAIN__) && defined(__ARM_FEATURE_DSP))) && \
    defined(__ARMEL__) && !defined(MOTE_PORTABLE)
#define MOTE_ASSEMBLY_ARMV7M 1
#else
#define MOTE_ASSEMBLY_ARMV7M 0
#endif

/*
 * The Cortex-M4 has products that take one cycle, with two additions (UMAAL). Products of 64 bits
 * on a Cortex-M3 take longer for some operands.
 */
#if MOTE_ASSEMBLY_ARMV7M && defined(__ARM_FEATURE_DSP)
#define MOTE_ASSEMBLY_ARMV7EM 1
#else
#define MOTE_ASSEMBLY_ARMV7EM 0
#endif

/* Zba adds a shifted index, Zbb rotates, Zbkb joins bytes and halves and separates bits. */
#if defined(__riscv_zba) && defined(__riscv_zbb) && defined(__riscv_zbkb) && \
    defined(__riscv_mul) && __riscv_xlen == 32 && !defined(MOTE_PORTABLE)
#define MOTE_ASSEMBLY_RISCV32 1
#else
#define MOTE_ASSEMBLY_RISCV32 0
#endif

/* Functions that both of the first two have. */
#define MOTE_ASSEMBLY (MOTE_ASSEMBLY_AVR || MOTE_ASSEMBLY_ARMV6M)

#endif
