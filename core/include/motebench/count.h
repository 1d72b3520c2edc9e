/*
 * SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later
 *
 * What the counting plugin of an emulator and the probe under it share: a page that both have
 * mapped. The plugin makes it, and leaves it open at a fixed number of a file descriptor, which the
 * probe inherits.
 */
#ifndef MOTEBENCH_COUNT_H
#define MOTEBENCH_COUNT_H

#include <stdint.h>

enum { MB_COUNT_FD = 99, MB_COUNT_BYTES = 4096 };

/* Tells the page from any other file that happens to be open there. */
#define MB_COUNT_MAGIC UINT64_C(0x31636e746f6d626d)

/*
 * First two arguments of a system call that asks the plugin to confine the emulator: memory, clocks
 * and what is open.
 */
#define MB_COUNT_SANDBOX 0x6d6f7465

typedef struct mb_count_page {
    uint64_t magic;
    uint64_t instructions; /* that the emulated processor has begun so far */
} mb_count_page;

#endif
