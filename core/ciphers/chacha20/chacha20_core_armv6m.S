/*
 * ChaCha20 on ARMv6-M: a block of chacha20_core.c. RFC 8439, section 2.3. No branch and no address depends on a secret.
 *
 * The four amounts to rotate by take four of the eight registers that can compute, the words of a quarter round the
 * others. Words 0 to 3, 8 and 9 wait in registers, the other ten on the stack. Word 15 stays where it is between the
 * last column and the first diagonal, word 4 between the last diagonal and the first column.
 *
 * Of an amount to rotate by the lowest five bits count: that in TURN16 also counts double rounds, by 32.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M
#include "mote/armv6m.h"

#define A r0
#define B r1
#define C r2
#define D r3
#define TURN16 r4 /* to the right */
#define TURN20 r5
#define TURN24 r6
#define TURN25 r7

#define W0 r8
#define W1 r9
#define W2 r10
#define W3 r11
#define W8 r12
#define W9 lr
/* On the stack. */
#define W4 0
#define W5 4
#define W6 8
#define W7 12
#define W10 16
#define W11 20
#define W12 24
#define W13 28
#define W14 32
#define W15 36
#define INPUT 40
#define STREAM 44

.macro load to, offset
    ldr \to, [sp, #\offset]
.endm

.macro store from, offset
    str \from, [sp, #\offset]
.endm

.macro quarter_round
    adds A, B
    eors D, A
    rors D, TURN16
    adds C, D
    eors B, C
    rors B, TURN20
    adds A, B
    eors D, A
    rors D, TURN24
    adds C, D
    eors B, C
    rors B, TURN25
.endm

/* void mote_chacha20_block(const uint32_t input[16], uint8_t stream[CHACHA20_BLOCK]); both aligned to words */
    function mote_chacha20_block
    save_registers
    sub sp, #48
    store r0, INPUT
    store r1, STREAM
    ldm r0!, {r1, r2, r3, r4}
    mov W0, r1
    mov W1, r2
    mov W2, r3
    mov W3, r4
    mov r1, sp
    ldm r0!, {r2, r3, r4, r5}
    stm r1!, {r2, r3, r4, r5}
    ldm r0!, {r2, r3, r4, r5}
    mov W8, r2
    mov W9, r3
    stm r1!, {r4, r5}
    ldm r0!, {r2, r3, r4, r5}
    stm r1!, {r2, r3, r4, r5}
    load B, W4
    movs TURN16, #9 * 16
    lsls TURN16, #1
    adds TURN16, #16
    movs TURN20, #20
    movs TURN24, #24
    movs TURN25, #25

1:  mov A, W0
    mov C, W8
    load D, W12
    quarter_round
    mov W0, A
    store B, W4
    mov W8, C
    store D, W12
    mov A, W1
    load B, W5
    mov C, W9
    load D, W13
    quarter_round
    mov W1, A
    store B, W5
    mov W9, C
    store D, W13
    mov A, W2
    load B, W6
    load C, W10
    load D, W14
    quarter_round
    mov W2, A
    store B, W6
    store C, W10
    store D, W14
    mov A, W3
    load B, W7
    load C, W11
    load D, W15
    quarter_round
    mov W3, A
    store B, W7
    store C, W11
    mov A, W0
    load B, W5
    load C, W10
    quarter_round
    mov W0, A
    store B, W5
    store C, W10
    store D, W15
    mov A, W1
    load B, W6
    load C, W11
    load D, W12
    quarter_round
    mov W1, A
    store B, W6
    store C, W11
    store D, W12
    mov A, W2
    load B, W7
    mov C, W8
    load D, W13
    quarter_round
    mov W2, A
    store B, W7
    mov W8, C
    store D, W13
    mov A, W3
    load B, W4
    mov C, W9
    load D, W14
    quarter_round
    mov W3, A
    mov W9, C
    store D, W14
    subs TURN16, #32
    bmi 2f
    b 1b

2:  store B, W4
    load r6, INPUT
    load r7, STREAM
    ldm r6!, {r0, r1, r2, r3}
    add r0, W0
    add r1, W1
    add r2, W2
    add r3, W3
    stm r7!, {r0, r1, r2, r3}
    mov r5, sp
    ldm r6!, {r0, r1, r2, r3}
    ldm r5!, {r4}
    adds r0, r4
    ldm r5!, {r4}
    adds r1, r4
    ldm r5!, {r4}
    adds r2, r4
    ldm r5!, {r4}
    adds r3, r4
    stm r7!, {r0, r1, r2, r3}
    ldm r6!, {r0, r1, r2, r3}
    add r0, W8
    add r1, W9
    ldm r5!, {r4}
    adds r2, r4
    ldm r5!, {r4}
    adds r3, r4
    stm r7!, {r0, r1, r2, r3}
    ldm r6!, {r0, r1, r2, r3}
    ldm r5!, {r4}
    adds r0, r4
    ldm r5!, {r4}
    adds r1, r4
    ldm r5!, {r4}
    adds r2, r4
    ldm r5!, {r4}
    adds r3, r4
    stm r7!, {r0, r1, r2, r3}
    /* Nothing of the state stays on the stack. */
    movs r1, #0
    movs r2, #0
    movs r3, #0
    movs r4, #0
    movs r5, #0
    mov r0, sp
    stm r0!, {r1, r2, r3, r4, r5}
    stm r0!, {r1, r2, r3, r4, r5}
    mov r12, r1
    add sp, #48
    return

#endif
