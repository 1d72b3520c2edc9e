/* Counter blocks on ARMv7-M: what ctr.c does for each block. No branch and no address depends on the counter. */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7M
#include "mote/armv7m.h"

/*
 * void mote_ctr_counters(uint8_t *stream, uint8_t iv[16], size_t blocks, uint32_t counting): so many counter blocks, at
 * least one, and the next one in iv. The last `counting` bytes count: 4, 8 or 16; of others 8.
 */
    function mote_ctr_counters
    save_registers
    ldr.w r4, [r1]
    ldr.w r5, [r1, #4]
    ldr.w r6, [r1, #8]
    ldr.w r7, [r1, #12]
    /* 1 where a carry goes on: to the third word in r10, to the second in r11. */
    cmp.w r3, #4
    ite eq
    moveq.w r10, #0
    movne.w r10, #1
    lsr.w r11, r3, #4

    .balign 4
1:  str.w r4, [r0]
    str.w r5, [r0, #4]
    str.w r6, [r0, #8]
    str.w r7, [r0, #12]
    add.w r0, r0, #16
    rev.w r7, r7
    rev.w r6, r6
    rev.w r5, r5
    rev.w r4, r4
    adds.w r7, r7, #1
    mov.w r8, #0
    adc.w r8, r8, #0
    and.w r8, r8, r10
    adds.w r6, r6, r8
    mov.w r8, #0
    adc.w r8, r8, #0
    and.w r8, r8, r11
    adds.w r5, r5, r8
    adc.w r4, r4, #0
    rev.w r7, r7
    rev.w r6, r6
    rev.w r5, r5
    rev.w r4, r4
    subs.w r2, r2, #1
    bne.w 1b

    str.w r4, [r1]
    str.w r5, [r1, #4]
    str.w r6, [r1, #8]
    str.w r7, [r1, #12]
    return
    .size mote_ctr_counters, . - mote_ctr_counters

#endif
