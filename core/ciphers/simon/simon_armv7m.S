/*
 * SIMON-64/128 on ARMv7-M: blocks of simon.c. No branch and no address depends on a secret. An
 * operand turns by any amount for nothing. Four rounds are written out.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7M
#include "mote/armv7m.h"

#define KEYS r0
#define X r3
#define Y r4
#define SPARE r5
#define END lr

/* y changes. Both words that are combined have turned by 1 bit less. */
.macro round y, x, key
    and.w SPARE, \x, \x, ror #25
    eor.w \y, \y, \x, ror #30
    eor.w \y, \y, \key
    eor.w \y, \y, SPARE, ror #31
.endm

/* void mote_simon_encrypt_64(const void *schedule, const uint8_t *in, uint8_t *out) */
    function mote_simon_encrypt_64
    push {r4-r9, lr}
    ldr Y, [r1]
    ldr X, [r1, #4]
    add END, KEYS, #4 * 44
    .balign 4
1:  ldm KEYS!, {r6-r9}
    round Y, X, r6
    round X, Y, r7
    round Y, X, r8
    round X, Y, r9
    cmp KEYS, END
    bne 1b
    str Y, [r2]
    str X, [r2, #4]
    pop {r4-r9, pc}

/* void mote_simon_decrypt_64(const void *schedule, const uint8_t *in, uint8_t *out) */
    function mote_simon_decrypt_64
    push {r4-r9, lr}
    ldr Y, [r1]
    ldr X, [r1, #4]
    mov END, KEYS
    add KEYS, #4 * 44
    .balign 4
1:  ldmdb KEYS!, {r6-r9}
    round X, Y, r9
    round Y, X, r8
    round X, Y, r7
    round Y, X, r6
    cmp KEYS, END
    bne 1b
    str Y, [r2]
    str X, [r2, #4]
    pop {r4-r9, pc}

#endif
