/*
 * ChaCha20 on ARMv7-M: blocks of chacha20_core.c. RFC 8439, section 2.3. No branch and no address depends on a secret.
 *
 * A rotation costs nothing if it waits until the word is an operand again. So b is kept turned left by 25 bits, d by 24:
 * a quarter round is eight instructions. Of words 8 to 15 six fit registers. Words 8 and 12 wait on the stack, and while
 * the fourth column and three diagonals are computed, words 10 and 15.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7M
#include "mote/armv7m.h"

#define A0 r0
#define A1 r1
#define A2 r2
#define A3 r3
#define B0 r4
#define B1 r5
#define B2 r6
#define B3 r7
#define C1 r8
#define D1 r9
#define C0_C2 r10
#define D2 r11
#define C3 r12
#define D0_D3 lr
/* On the stack. */
#define WORD8 0
#define WORD9 4
#define WORD10 8
#define WORD11 12
#define WORD12 16
#define WORD13 20
#define WORD14 24
#define WORD15 28
#define COUNT 32
#define FRAME 36
#define INPUT 36
#define IN 40
#define OUT 44
#define BLOCKS 48
#define ARGUMENTS 16

.macro quarter_round a, b, c, d
    add \a, \a, \b, ror #25
    eor \d, \a, \d, ror #24
    add \c, \c, \d, ror #16
    eor \b, \c, \b, ror #25
    add \a, \a, \b, ror #20
    eor \d, \a, \d, ror #16
    add \c, \c, \d, ror #24
    eor \b, \c, \b, ror #20
.endm

/* counts: the double round with which the count goes down, for the flags at its end. */
.macro double_round counts
    quarter_round A1, B1, C1, D1
    quarter_round A2, B2, C0_C2, D2
    quarter_round A3, B3, C3, D0_D3
    str.w C0_C2, [sp, #WORD10]
    str.w D0_D3, [sp, #WORD15]
    ldr.w C0_C2, [sp, #WORD8]
    ldr.w D0_D3, [sp, #WORD12]
    quarter_round A0, B0, C0_C2, D0_D3
    quarter_round A1, B2, C3, D0_D3
    quarter_round A2, B3, C0_C2, D1
    quarter_round A3, B0, C1, D2
    str.w C0_C2, [sp, #WORD8]
    str.w D0_D3, [sp, #WORD12]
    .if \counts
    ldr.w D0_D3, [sp, #COUNT]
    subs.w D0_D3, D0_D3, #1
    str.w D0_D3, [sp, #COUNT]
    .endif
    ldr.w C0_C2, [sp, #WORD10]
    ldr.w D0_D3, [sp, #WORD15]
    quarter_round A0, B1, C0_C2, D0_D3
.endm

/* Adds four words of what went in, at r8, to four others; then those of the message at r12, unless there is none. */
.macro finish w0, w1, w2, w3, turned, t0, t1, t2, t3
    ldm r8!, {\t0, \t1, \t2, \t3}
    add.w \w0, \t0, \w0, ror #\turned
    add.w \w1, \t1, \w1, ror #\turned
    add.w \w2, \t2, \w2, ror #\turned
    add.w \w3, \t3, \w3, ror #\turned
    write \w0, \w1, \w2, \w3, \t0, \t1, \t2, \t3
.endm

.macro write w0, w1, w2, w3, t0, t1, t2, t3
    beq.w 4f
    ldr.w \t0, [r12]
    ldr.w \t1, [r12, #4]
    ldr.w \t2, [r12, #8]
    ldr.w \t3, [r12, #12]
    add.w r12, r12, #16
    eor.w \w0, \w0, \t0
    eor.w \w1, \w1, \t1
    eor.w \w2, \w2, \t2
    eor.w \w3, \w3, \t3
4:  str.w \w0, [lr]
    str.w \w1, [lr, #4]
    str.w \w2, [lr, #8]
    str.w \w3, [lr, #12]
    add.w lr, lr, #16
.endm

/*
 * void mote_chacha20_blocks(uint32_t input[16], const uint8_t *in, uint8_t *out, size_t blocks); at least one block.
 * The block counter in `input` goes up by one for each.
 */
    function mote_chacha20_blocks
    save_registers
    push {r0-r3}
    sub sp, #FRAME
1:  mov r12, r0
    movs r0, #5
    str.w r0, [sp, #COUNT]
    ldr r8, [r12, #32]
    ldr r9, [r12, #48]
    ror r9, r9, #8
    str r8, [sp, #WORD8]
    str r9, [sp, #WORD12]
    ldm r12!, {A0, A1, A2, A3, B0, B1, B2, B3}
    ldr C1, [r12, #4]
    ldr C0_C2, [r12, #8]
    ldr D1, [r12, #20]
    ldr D2, [r12, #24]
    ldr D0_D3, [r12, #28]
    ldr C3, [r12, #12]
    .irp word, B0, B1, B2, B3
    ror.w \word, \word, #7
    .endr
    .irp word, D1, D2, D0_D3
    ror.w \word, \word, #8
    .endr

    .balign 8
2:  double_round 0
    double_round 1
    bne 2b

    str C1, [sp, #WORD9]
    str C0_C2, [sp, #WORD10]
    str C3, [sp, #WORD11]
    str D1, [sp, #WORD13]
    str D2, [sp, #WORD14]
    str D0_D3, [sp, #WORD15]
    ldr r8, [sp, #INPUT]
    ldr r12, [sp, #IN]
    ldr lr, [sp, #OUT]
    cmp r12, #0
    ldm r8!, {r9, r10}
    add.w A0, A0, r9
    add.w A1, A1, r10
    ldm r8!, {r9, r10}
    add.w A2, A2, r9
    add.w A3, A3, r10
    beq.w 3f
    ldr r9, [r12]
    ldr r10, [r12, #4]
    ldr r11, [r12, #8]
    eor.w A0, A0, r9
    ldr r9, [r12, #12]
    add.w r12, r12, #16
    eor.w A1, A1, r10
    eor.w A2, A2, r11
    eor.w A3, A3, r9
3:  str.w A0, [lr]
    str.w A1, [lr, #4]
    str.w A2, [lr, #8]
    str.w A3, [lr, #12]
    add.w lr, lr, #16
    finish B0, B1, B2, B3, 25, r0, r1, r2, r3
    ldm sp, {r4-r7}
    ldm r8!, {r0-r3}
    add r4, r0
    add r5, r1
    add r6, r2
    add r7, r3
    write r4, r5, r6, r7, r0, r1, r2, r3
    ldr r4, [sp, #WORD12]
    ldr r5, [sp, #WORD13]
    ldr r6, [sp, #WORD14]
    ldr r7, [sp, #WORD15]
    finish r4, r5, r6, r7, 24, r0, r1, r2, r3
    ldr r1, [r8, #-16]
    ldr r3, [sp, #BLOCKS]
    adds r1, #1
    str r1, [r8, #-16]
    sub.w r0, r8, #64
    str r12, [sp, #IN]
    str lr, [sp, #OUT]
    subs r3, #1
    str r3, [sp, #BLOCKS]
    bne 1b

    /* Nothing of the state stays on the stack. */
    .irp offset, 0, 4, 8, 12, 16, 20, 24, 28
    str r3, [sp, #\offset]
    .endr
    add sp, #FRAME + ARGUMENTS
    return

#endif
