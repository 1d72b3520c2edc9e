; The vectors, and what comes before main. Initial values of data, and zeroes, are libgcc's.

#include "chip.h"
#define NAMED(number) __vector_##number
#define NAMED_(number) NAMED(number)
#define HANDLER NAMED_(MB_RECEIVED)         /* the USART has received a byte */

    .section .vectors, "ax", @progbits
    .global __vectors
__vectors:
    jmp __init
    .rept MB_RECEIVED - 1
    jmp __bad_interrupt
    .endr
    jmp HANDLER
    .rept MB_VECTORS - MB_RECEIVED - 1
    jmp __bad_interrupt
    .endr

    .section .init0, "ax", @progbits
    .weak __init
__init:

    .section .init2, "ax", @progbits
    clr r1
    out 0x3f, r1
    ldi r28, lo8(__stack)
    ldi r29, hi8(__stack)
    out 0x3d, r28
    out 0x3e, r29

    .section .init9, "ax", @progbits
    call main
    jmp _exit

    .text
    .global __bad_interrupt
__bad_interrupt:
    jmp __vectors

    .weak _exit
    .weak HANDLER
    .set HANDLER, __bad_interrupt
_exit:
    cli
    rjmp _exit
