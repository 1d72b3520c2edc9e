/*
 * Counter mode on ARMv7-M: the code of ctr.c with whole blocks of 16 bytes, where a cipher takes several of them. No branch
 * and no address depends on the counter.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7M
#include "mote/armv7m.h"

/* In mote_chain and mote_block_cipher; ctr.c checks them. */
#define CIPHER 0
#define SCHEDULE 4
#define IV 8
#define COUNTING 41
#define ENCRYPT_BLOCKS 24
/* On the stack: MOTE_BATCH blocks of key stream, how many bytes of it the next batch takes, and the first one. */
#define BATCH 8
#define LENGTH (16 * BATCH)
#define FIRST_LENGTH (LENGTH + 4)
#define FRAME (LENGTH + 12) /* keeps the stack aligned to 8 */

#define CHAIN r8
#define SOURCE r9
#define TARGET r10
#define BLOCKS r11

/* Ends a loop over the blocks between r0 and r12. */
.macro next_counter loop
    stm.w r0!, {r1, r2, r3, lr}
    cmp.w r0, r12
    bne.w \loop
.endm

/*
 * void mote_ctr_blocks(mote_chain *chain, const uint8_t *in, uint8_t *out, size_t blocks): at least one block. Of the
 * counter the last `counting` bytes count: 4, 8 or 16; of others 8.
 */
    function mote_ctr_blocks
    save_registers
    sub sp, #FRAME
    mov.w CHAIN, r0
    mov.w SOURCE, r1
    mov.w TARGET, r2
    mov.w BLOCKS, r3
    cmp.w r3, #BATCH
    it hi
    movhi.w r3, #BATCH
    lsl.w r12, r3, #4
    str.w r12, [sp, #FIRST_LENGTH]
    b.w 2f

    .balign 4
1:  mov.w r12, #LENGTH
    cmp.w BLOCKS, #BATCH
    it lo
    lsllo.w r12, BLOCKS, #4
2:  mov.w r0, sp
    str.w r12, [sp, #LENGTH]
    add.w r12, r0, r12
    ldrb.w r3, [CHAIN, #COUNTING]
    ldr.w r4, [CHAIN, #IV]
    ldr.w r5, [CHAIN, #IV + 4]
    ldr.w r6, [CHAIN, #IV + 8]
    ldr.w r7, [CHAIN, #IV + 12]
    cmp.w r3, #16
    rev.w r7, r7
    beq.w 6f
    cmp.w r3, #4
    mov.w r1, r4
    mov.w r2, r5
    bne.w 4f
    mov.w r3, r6
    .balign 4
3:  rev.w lr, r7
    add.w r7, r7, #1
    next_counter 3b
    b.w 8f

4:  rev.w r6, r6
    .balign 4
5:  rev.w r3, r6
    rev.w lr, r7
    adds.w r7, r7, #1
    adc.w r6, r6, #0
    next_counter 5b
    rev.w r6, r6
    b.w 8f

6:  rev.w r6, r6
    rev.w r5, r5
    rev.w r4, r4
    .balign 4
7:  rev.w r1, r4
    rev.w r2, r5
    rev.w r3, r6
    rev.w lr, r7
    adds.w r7, r7, #1
    adcs.w r6, r6, #0
    adcs.w r5, r5, #0
    adc.w r4, r4, #0
    next_counter 7b
    rev.w r6, r6
    rev.w r5, r5
    rev.w r4, r4

8:  rev.w r7, r7
    str.w r4, [CHAIN, #IV]
    str.w r5, [CHAIN, #IV + 4]
    str.w r6, [CHAIN, #IV + 8]
    str.w r7, [CHAIN, #IV + 12]
    ldr.w r12, [CHAIN, #CIPHER]
    ldr.w r0, [CHAIN, #SCHEDULE]
    ldr.w r3, [sp, #LENGTH]
    ldr.w r12, [r12, #ENCRYPT_BLOCKS]
    mov.w r1, sp
    mov.w r2, sp
    lsr.w r3, r3, #4
    blx r12

    ldr.w r1, [sp, #LENGTH]
    mov.w r0, sp
    sub.w BLOCKS, BLOCKS, r1, lsr #4
    add.w r1, r0, r1
    .balign 8
9:  ldr.w r3, [SOURCE, #4] /* not ldm: messages need no alignment */
    ldr.w r12, [SOURCE, #8]
    ldr.w lr, [SOURCE, #12]
    ldr.w r2, [SOURCE], #16
    ldm.w r0!, {r4-r7}
    eor.w r4, r4, r2
    eor.w r5, r5, r3
    eor.w r6, r6, r12
    eor.w r7, r7, lr
    str.w r5, [TARGET, #4]
    str.w r6, [TARGET, #8]
    str.w r7, [TARGET, #12]
    str.w r4, [TARGET], #16
    cmp.w r0, r1
    bne.w 9b
    cmp.w BLOCKS, #0
    bne.w 1b

    /* Key stream stays neither on the stack nor in registers. */
    ldr.w r5, [sp, #FIRST_LENGTH]
    mov.w r4, sp
    movs r0, #0
    movs r1, #0
    movs r2, #0
    movs r3, #0
    add.w r5, r4, r5
    mov.w r12, #0
    mov.w lr, #0
    .balign 4
10: stm.w r4!, {r0-r3}
    cmp.w r4, r5
    bne.w 10b
    add sp, #FRAME
    return
    .size mote_ctr_blocks, . - mote_ctr_blocks

#endif
