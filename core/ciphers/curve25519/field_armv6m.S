/* The field of field.h on ARMv6-M. */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M
#include "field_thumb.inc"
#endif
