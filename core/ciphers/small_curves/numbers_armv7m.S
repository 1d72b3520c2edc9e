/* Sums and rows of numbers.h on ARMv7-M. */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7M
#include "numbers_thumb.inc"
#endif
