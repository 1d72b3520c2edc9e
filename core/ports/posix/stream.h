#ifndef MOTEBENCH_POSIX_STREAM_H
#define MOTEBENCH_POSIX_STREAM_H

#include "motebench/port.h"

/* Put the frames' descriptor out of the reach of libraries that print; false if there is no standard output. */
bool mb_stream_init(void);

#endif
