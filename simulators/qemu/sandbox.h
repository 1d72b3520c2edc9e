/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The sandbox around QEMU, while it emulates a program with user code.
 */
#ifndef MOTEBENCH_QEMU_SANDBOX_H
#define MOTEBENCH_QEMU_SANDBOX_H

#include <stdbool.h>

/* From now on a filter of system calls confines this process, all of its threads. false if the
 * system has none. */
bool mb_confine(void);

#endif
