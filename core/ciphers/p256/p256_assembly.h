/* Functions of P-256 in assembly: see mote/assembly.h. For the assembler, too. */
#ifndef MOTE_P256_ASSEMBLY_H
#define MOTE_P256_ASSEMBLY_H

#include "mote/assembly.h"

/* The field and look-ups: ARMv7E-M, which has UMAAL. */
#if MOTE_ASSEMBLY_ARMV7EM
#define MOTE_P256_ASSEMBLY 1
#else
#define MOTE_P256_ASSEMBLY 0
#endif

/* Sums, products and points: ARMv6-M, and ARMv7-M whose long product takes a varying time. */
#if MOTE_ASSEMBLY_ARMV6M || (MOTE_ASSEMBLY_ARMV7M && !MOTE_P256_ASSEMBLY)
#define MOTE_P256_THUMB_ASSEMBLY 1
#else
#define MOTE_P256_THUMB_ASSEMBLY 0
#endif

/* Numbers modulo p: these cores, AVR and RISC-V. */
#define MOTE_P256_FIELD_ASSEMBLY \
    (MOTE_P256_ASSEMBLY || MOTE_P256_THUMB_ASSEMBLY || MOTE_ASSEMBLY_AVR || MOTE_ASSEMBLY_RISCV32)

/* Products modulo the order of the curve. */
#define MOTE_P256_SCALAR_ASSEMBLY MOTE_P256_ASSEMBLY

#endif
