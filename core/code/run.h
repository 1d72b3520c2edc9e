/*
 * Runner of the operations of user code: the driver, or with code that may end its process,
 * hosted.c.
 */
#ifndef MOTEBENCH_CODE_RUN_H
#define MOTEBENCH_CODE_RUN_H

#include "motebench/adapter.h"
#include "support/driver.h"

#ifdef MB_CODE_ENDS /* hosted.c */
mb_status mb_code_run(mb_job *job, uint32_t n);
#define MB_CODE_RUN mb_code_run
#else
#define MB_CODE_RUN mb_drive_run
#endif

#endif
