/*
 * Arithmetic of ML-DSA for ARMv6-M: ring.h says how products fit 32 bits. Follows the procedure call standard (AAPCS).
 *
 * A butterfly takes 32 cycles without wait states, and its loop fits the 64 bytes of cache of a SAMD21.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M

#include "mote/armv6m.h"

q       .req r8  /* 8380417 */
half    .req lr  /* 2^22 */
stop    .req r9
zetas   .req r10
length  .req r11 /* bytes between the two of a butterfly */
end     .req r12

/* r5 to r7: the factor r5 with its multiples 2^8 and 2^16 modulo q. r2 to r4 are lost. */
.macro multiples
    mov r4, half
    mov r7, q
    lsls r6, r5, #8
    adds r3, r6, r4
    asrs r3, #23
    muls r3, r7
    subs r6, r3
    lsls r2, r6, #8
    adds r3, r2, r4
    asrs r3, #23
    muls r3, r7
    subs r7, r2, r3
.endm

/* r2, reduced; r3 and r4 are lost. */
.macro reduce
    mov r4, q
    asrs r3, r2, #23
    muls r3, r4
    subs r2, r3
.endm

/* r2 = r2 times the factor, reduced; r3 and r4 are lost. */
.macro multiply
    sxtb r3, r2
    subs r2, r3
    asrs r2, #8
    sxtb r4, r2
    subs r2, r4
    asrs r2, #8
    muls r3, r5
    muls r4, r6
    muls r2, r7
    adds r2, r3
    adds r2, r4
    reduce
.endm

/* Of both transforms, after save_registers: constants; r1 and `end` from r0. r2 is lost. */
.macro constants
    ldr r2, =8380417
    mov q, r2
    movs r2, #1
    lsls r2, #22
    mov half, r2
    lsrs r2, #12
    adds r2, r0, r2
    mov end, r2
    mov r1, r0
.endm

/* The next block: r0 and r1, its two halves. */
.macro halves
    mov r0, r1
    add r1, length
    mov stop, r1
.endm

/* r1: the beginning of the array again; r2 is lost. */
.macro rewind
    mov r1, end
    movs r2, #1
    lsls r2, #10
    subs r1, r2
.endm

function mote_ml_dsa_ntt
    save_registers
    constants
    ldr r2, =mote_ml_dsa_zetas + 4
    mov zetas, r2
    movs r2, #1
    lsls r2, #9
    mov length, r2
1:  halves
    mov r2, zetas
    ldm r2!, {r5}
    mov zetas, r2
    multiples
    .balign 8
2:  ldr r2, [r1]
    reduce
    multiply
    ldr r3, [r0]
    subs r4, r3, r2
    adds r3, r2
    stm r1!, {r4}
    stm r0!, {r3}
    cmp r0, stop
    bne 2b
    cmp r1, end
    bne 1b
    rewind
    mov r2, length
    lsrs r2, #1
    mov length, r2
    cmp r2, #2
    bne 1b
    return

    .balign 4
    .ltorg

function mote_ml_dsa_ntt_inverse
    save_registers
    constants
    ldr r2, =mote_ml_dsa_zetas + 1024
    mov zetas, r2
    movs r2, #4
    mov length, r2
1:  halves
    mov r2, zetas
    subs r2, #4
    mov zetas, r2
    ldr r5, [r2]
    rsbs r5, r5, #0
    multiples
    .balign 8
2:  ldr r3, [r1]
    ldr r2, [r0]
    adds r4, r2, r3
    stm r0!, {r4}
    subs r2, r3
    reduce
    multiply
    stm r1!, {r2}
    cmp r0, stop
    bne 2b
    cmp r1, end
    bne 1b
    rewind
    mov r2, length
    lsls r2, #1
    mov length, r2
    cmp r2, #64 /* sums have doubled four times */
    bne 4f
    mov r0, r1
3:  ldr r2, [r0]
    reduce
    stm r0!, {r2}
    cmp r0, end
    bne 3b
    b 1b
4:  lsrs r2, #10
    beq 1b
    ldr r5, =-32736 /* 1/256 */
    multiples
    .balign 8
5:  ldr r2, [r1]
    reduce
    multiply
    stm r1!, {r2}
    cmp r1, end
    bne 5b
    return

    .balign 4
    .ltorg

/*
 * r0 sum, r1 y, r2 in, r3 from; returns the next one. In the loop: r3 x, r4 y and its multiples, r5 the product so far,
 * r6 spare, r7 q.
 */
function mote_ml_dsa_accumulate
    save_registers
    movs r4, #1
    lsls r5, r4, #22
    mov half, r5
    lsls r4, #10
    adds r4, r0, r4
    mov end, r4
    mov r4, r2
    adds r4, #24
    mov stop, r4
    mov zetas, r0
    lsls r3, #2
    adds r0, r3
    adds r1, r3
    ldr r7, =8380417
    b 2f
    .balign 8
1:  ldrb r3, [r2, #2]
    lsls r3, #25
    lsrs r3, #9
    ldrb r4, [r2, #1]
    lsls r4, #8
    orrs r3, r4
    ldrb r4, [r2]
    orrs r3, r4
    adds r2, #3
    cmp r3, r7
    bge 2f
    ldm r1!, {r4}
    mov r6, half
    adds r5, r4, r6
    asrs r5, #23
    muls r5, r7
    subs r4, r5
    sxtb r5, r3
    subs r3, r5
    asrs r3, #8
    muls r5, r4
    lsls r4, #8
    adds r6, r4
    asrs r6, #23
    muls r6, r7
    subs r4, r6
    sxtb r6, r3
    subs r3, r6
    asrs r3, #8
    muls r6, r4
    adds r5, r6
    mov r6, half
    lsls r4, #8
    adds r6, r4
    asrs r6, #23
    muls r6, r7
    subs r4, r6
    muls r3, r4
    adds r3, r5
    asrs r5, r3, #23
    muls r5, r7
    subs r3, r5
    ldr r5, [r0]
    adds r3, r5
    stm r0!, {r3}
    cmp r0, end
    beq 3f
2:  cmp r2, stop
    bne 1b
3:  mov r1, zetas
    subs r0, r1
    lsrs r0, #2
    return

    .balign 4
    .ltorg

/* r0 to, r1 from, r2 n > 0: in threes, then one by one. */
.macro moved name, operation
function \name
    push {r4-r7, lr}
    lsls r2, #2
    adds r2, r0, r2
    mov end, r2
    subs r2, #8
    mov lr, r2
    b 2f
    .balign 8
1:  ldm r1!, {r3, r4, r5}
    ldm r0!, {r2, r6, r7}
    subs r0, #12
    \operation r2, r2, r3
    \operation r6, r6, r4
    \operation r7, r7, r5
    stm r0!, {r2, r6, r7}
2:  cmp r0, lr
    blo 1b
3:  cmp r0, end
    beq 4f
    ldm r1!, {r3}
    ldr r2, [r0]
    \operation r2, r2, r3
    stm r0!, {r2}
    b 3b
4:  pop {r4-r7, pc}
.endm

moved mote_ml_dsa_add, adds
moved mote_ml_dsa_subtract, subs

#endif
