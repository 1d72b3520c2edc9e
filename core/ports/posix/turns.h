/* The `measure-turns` request. */
#ifndef MOTEBENCH_POSIX_TURNS_H
#define MOTEBENCH_POSIX_TURNS_H

#include "probe.h"

bool mb_handle_measure_turns(mb_item request, mb_reply *reply);

#endif
