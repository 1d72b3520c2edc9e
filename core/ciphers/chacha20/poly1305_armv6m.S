/* Poly1305 on ARMv6-M. */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M
#include "poly1305_thumb.inc"
#endif
