/* The `measure-each` request. */
#ifndef MOTEBENCH_POSIX_EACH_H
#define MOTEBENCH_POSIX_EACH_H

#include "probe.h"

bool mb_handle_measure_each(mb_item request, mb_reply *reply);

#endif
