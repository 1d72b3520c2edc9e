/* Numbers and points of P-256 on ARMv7-M, without its long multiplication. */
#include "p256_assembly.h"

#if MOTE_P256_THUMB_ASSEMBLY
#include "p256_thumb.inc"
#endif
