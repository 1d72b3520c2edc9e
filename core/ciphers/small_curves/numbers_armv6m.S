/* Sums and rows of numbers.h on ARMv6-M. */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M
#include "numbers_thumb.inc"
#endif
