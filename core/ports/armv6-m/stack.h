/* What lies between the static data of a program and the end of RAM: the adapter's state, then the stack. */
#ifndef MOTEBENCH_ARMV6_M_STACK_H
#define MOTEBENCH_ARMV6_M_STACK_H

#include <stddef.h>

/* The place of a state of `size` bytes; NULL if the stack would have less than MOTEBENCH_STACK: `lacks` bytes too few. */
void *mb_stack_init(size_t size, size_t *lacks);

#endif
