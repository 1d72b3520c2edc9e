/* The `file` request. */
#ifndef MOTEBENCH_POSIX_FILE_H
#define MOTEBENCH_POSIX_FILE_H

#include "probe.h"

bool mb_handle_file(mb_item request, mb_reply *reply);

#endif
