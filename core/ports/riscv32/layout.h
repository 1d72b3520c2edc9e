/* RAM of a RISC-V microcontroller, as core/ports/small/memory.c asks for it. */
#ifndef MOTEBENCH_RISCV32_LAYOUT_H
#define MOTEBENCH_RISCV32_LAYOUT_H

#include <stdint.h>

extern uint8_t mb_free[], mb_stack_top[], mb_data_begin[], mb_bss_end[]; /* by the linker */
#define MB_FREE mb_free
#define MB_RAM_END ((uintptr_t)mb_stack_top)
#define MB_STATIC_BYTES ((uintptr_t)(mb_bss_end - mb_data_begin))

typedef uint32_t mb_paint;

/*
 * Bytes of stack: that requests are read with, from the end of RAM; those of a small cipher, once a
 * job is placed.
 */
#ifdef __riscv_32e
enum { MB_READING = 512, MB_WORKING = 192 };
#else
enum { MB_READING = 1024, MB_WORKING = 256 };
#endif

static inline uintptr_t mb_stack_pointer(void)
{
    uintptr_t at;
    __asm__ volatile("mv %0, sp" : "=r"(at));
    return at;
}

#endif
