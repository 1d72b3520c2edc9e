/* Rows of numbers.h on an AVR: 15 cycles a byte. */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

.macro add_product
    ld r22, X+
    mul r22, r20
    add r0, r24
    adc r1, r21
    ld r22, Z
    add r0, r22
    adc r1, r21
    st Z+, r0
    mov r24, r1
.endm

/* r25:r24 = r, r23:r22 = a, r20 = b; r24 = what is carried. */
    .section .text.mote_small_add_row, "ax", @progbits
    .global mote_small_add_row
    .type mote_small_add_row, @function
mote_small_add_row:
    movw r26, r22
    movw r30, r24
    clr r21
    clr r24
    ldi r18, 8
1:
    .rept 4
    add_product
    .endr
    dec r18
    brne 1b
    clr r1
    ret
    .size mote_small_add_row, . - mote_small_add_row

#endif
