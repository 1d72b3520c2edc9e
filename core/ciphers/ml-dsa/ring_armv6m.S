/* Arithmetic of ML-DSA on ARMv6-M. */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M
#include "ring_thumb.inc"
#endif
