#ifndef MOTEBENCH_POSIX_STREAM_H
#define MOTEBENCH_POSIX_STREAM_H

#include "motebench/port.h"

/*
 * Put the descriptors of the frames out of the reach of libraries that print and read; false if
 * there is no standard input or output. Once is enough.
 */
bool mb_stream_init(void);

/* A copy of the descriptor far behind those that programs use; -1 if there is none. */
int mb_stream_away(int fd);

#endif
