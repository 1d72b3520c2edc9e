/* What lies between the static data of a program and the end of RAM: the adapter's state, then the stack. */
#ifndef MOTEBENCH_AVR_STACK_H
#define MOTEBENCH_AVR_STACK_H

#include <stddef.h>

/* The place of a state of `size` bytes. NULL if that would leave less than MOTEBENCH_STACK bytes for the stack: `lacks`. */
void *mb_stack_init(size_t size, size_t *lacks);

#endif
