/* What lies between the static data of a program and the end of RAM: the adapter's state, then the stack. */
#ifndef MOTEBENCH_ARMV6_M_STACK_H
#define MOTEBENCH_ARMV6_M_STACK_H

#include "motebench/port.h"

/*
 * Finds a place for a state of `size` bytes, or notes how many are missing, so that the stack has MOTEBENCH_STACK; and
 * looks after the stack from then on.
 */
void mb_stack_init(size_t size, mb_buffers *buffers);

#endif
