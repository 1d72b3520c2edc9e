/* Encodings that ARMv7-M has not: Arm DDI 0553, section C2.3.2, load and store acquire and release.
 */
#include "../v7m/decode.h"
#include "v8m.h"

void cm8_decode_wide(cm7_op *op, uint32_t first, uint32_t second)
{
    static const uint16_t loads[3] = {CM7_OP_LDRB_I, CM7_OP_LDRH_I, CM7_OP_LDR_I};
    static const uint16_t stores[3] = {CM7_OP_STRB_I, CM7_OP_STRH_I, CM7_OP_STR_I};
    const uint32_t n = first & 15, t = second >> 12, size = second >> 4 & 3;
    const bool load = (first & 0x10) != 0, exclusive = (second & 0x40) != 0;
    if ((first & 0xffe0) != 0xe8c0 || (second & 0xf80) != 0xf80 || size == 3 || n == CM_PC ||
        t == CM_PC || ((load || !exclusive) && (second & 15) != 15))
        return;
    if (exclusive)
        cm7_set(op, load ? CM7_OP_LDREX : CM7_OP_STREX, t, n, second & 15, 0);
    else
        cm7_set(op, load ? loads[size] : stores[size], t, n, 0, 0);
    op->a = (uint8_t)(exclusive ? 1u << size : 0);
}
