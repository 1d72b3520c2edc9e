/* A row of a product modulo p or n on ARMv6-M. */
#include "p256_assembly.h"

#if MOTE_P256_ROW_ASSEMBLY
#include "mote/thumb.h"

#include "p256_row.inc"
#endif
