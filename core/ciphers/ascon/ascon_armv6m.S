/*
 * The permutation of Ascon on ARMv6-M: that of ascon.c. NIST SP 800-232, section 3. No branch and no address depends on
 * a secret.
 *
 * The ten halves of the state stay in registers. Those that can compute have one half of every word: the S-boxes of
 * that half, then of the other, then words turn one by one. Halves are treated alike, so that a round may begin with
 * either.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M
#include "mote/armv6m.h"

/* Between rounds: one half of the words in r0 to r4, the other in r8 to r12. On the stack: constant, words. */

/* SP 800-232, figure 3, on the half in r0 to r4. */
.macro substitute
    eors r0, r4
    eors r4, r3
    eors r2, r1
    movs r5, r0
    bics r5, r4
    movs r6, r4
    bics r6, r3
    movs r7, r1
    bics r7, r0
    eors r4, r7
    movs r7, r2
    bics r7, r1
    eors r0, r7
    movs r7, r3
    bics r7, r2
    eors r1, r7
    eors r2, r6
    eors r3, r5
    eors r1, r0
    eors r0, r4
    eors r3, r2
    mvns r2, r2
.endm

/* The other half to r0 to r4, this one to lr, r8, r9, r10 and r11. */
.macro change_halves
    mov lr, r0
    mov r0, r8
    mov r8, r1
    mov r1, r9
    mov r9, r2
    mov r2, r10
    mov r10, r3
    mov r3, r11
    mov r11, r4
    mov r4, r12
.endm

/*
 * Bits that a half of a word gets of itself and of the other half when the word turns right by
 * \n bits.
 */
.macro own to, half, n
    .if \n < 32
    lsrs \to, \half, #\n
    .else
    lsls \to, \half, #64 - \n
    .endif
.endm

.macro other to, half, n
    .if \n < 32
    lsls \to, \half, #32 - \n
    .else
    lsrs \to, \half, #\n - 32
    .endif
.endm

/* A word plus itself turned by \n and by \m: one half stays in its register, the other goes from \from to \to. */
.macro diffuse half, from, to, n, m
    mov r5, \from
    own r7, r5, \n
    own r6, r5, \m
    eors r7, r6
    other r6, \half, \n
    eors r7, r6
    other r6, \half, \m
    eors r7, r6
    eors r7, r5
    mov \to, r7
    own r7, \half, \n
    own r6, \half, \m
    eors r7, r6
    eors \half, r7
    other r6, r5, \n
    eors \half, r6
    other r5, r5, \m
    eors \half, r5
.endm

.macro diffuse_all
    diffuse r4, r11, r12, 7, 41
    diffuse r3, r10, r11, 10, 17
    diffuse r2, r9, r10, 1, 6
    diffuse r1, r8, r9, 61, 39
    diffuse r0, lr, r8, 19, 28
.endm

/* void mote_ascon_permute(uint64_t words[5], uint8_t rounds); an even number of them */
    function mote_ascon_permute
    save_registers
    mov r7, r0
    movs r5, #12
    subs r5, r1
    movs r6, #15
    muls r5, r6
    movs r6, #0xf0
    subs r6, r5
    push {r6, r7}
    ldm r7!, {r0, r1, r2, r3}
    mov r8, r1
    mov r9, r3
    movs r1, r2
    ldm r7!, {r2, r3, r4, r5}
    mov r10, r3
    mov r11, r5
    movs r3, r4
    ldm r7!, {r4, r5}
    mov r12, r5

1:  ldr r5, [sp]
    eors r2, r5
    substitute
    change_halves
    substitute
    diffuse_all
    substitute
    change_halves
    ldr r5, [sp]
    subs r5, #15
    eors r2, r5
    subs r5, #15
    str r5, [sp]
    substitute
    diffuse_all
    ldr r5, [sp]
    cmp r5, #0x3c
    beq 2f
    b 1b

2:  ldr r7, [sp, #4]
    mov r5, r8
    stm r7!, {r0, r5}
    mov r5, r9
    stm r7!, {r1, r5}
    mov r5, r10
    stm r7!, {r2, r5}
    mov r5, r11
    stm r7!, {r3, r5}
    mov r5, r12
    stm r7!, {r4, r5}
    add sp, #8
    return

#endif
