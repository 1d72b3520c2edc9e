/* RAM between the static data of a program and its end: request, job, then the stack from above. */
#ifndef MOTEBENCH_SMALL_MEMORY_H
#define MOTEBENCH_SMALL_MEMORY_H

#include "motebench/port.h"

/* Sets the buffers up. */
void mb_memory_init(mb_buffers *buffers);

#endif
