/* GHASH on ARMv6-M. */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M
#include "ghash_thumb.inc"
#endif
