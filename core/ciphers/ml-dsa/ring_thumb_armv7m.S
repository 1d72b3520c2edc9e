/* Arithmetic of ML-DSA on ARMv7-M without DSP instructions. */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7M && !MOTE_ASSEMBLY_ARMV7EM
#include "ring_thumb.inc"
#endif
