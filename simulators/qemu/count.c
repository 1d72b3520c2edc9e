/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A plugin of QEMU's user emulation that counts instructions and shows the count to what runs, in a
 * page of memory (motebench/count.h). It is a part of no other program of motebench: QEMU loads it.
 *
 * What of QEMU's interface is used is declared here, as its documentation has it ("QEMU TCG
 * Plugins"): Debian's packages come without the header. The functions have been the same since QEMU
 * 4.2.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "motebench/count.h"
#include "sandbox.h"

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id,
                                           void (*translated)(plugin_id, struct qemu_plugin_tb *));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t at);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *instruction,
                                            void (*executed)(unsigned int cpu, void *data),
                                            int flags, void *data);
void qemu_plugin_register_vcpu_syscall_cb(
    plugin_id id, void (*called)(plugin_id, unsigned int cpu, int64_t number, uint64_t, uint64_t,
                                 uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t));

enum { NO_REGISTERS = 0 }; /* the callback touches none of the emulated processor's */

/* The version of the interface that QEMU is asked for: see CMakeLists.txt. */
EXPORT extern int qemu_plugin_version;
int qemu_plugin_version = MOTEBENCH_PLUGIN_API;

static mb_count_page *page;

/* A probe has one thread: nothing counts at the same time. */
static void executed(unsigned int cpu, void *data)
{
    (void)cpu;
    (void)data;
    page->instructions++;
}

static void translated(plugin_id id, struct qemu_plugin_tb *block)
{
    (void)id;
    const size_t count = qemu_plugin_tb_n_insns(block);
    for (size_t i = 0; i < count; i++)
        qemu_plugin_register_vcpu_insn_exec_cb(
            qemu_plugin_tb_get_insn(block, i), executed, NO_REGISTERS, NULL);
}

/* Before QEMU makes the call. */
static void called(plugin_id id, unsigned int cpu, int64_t number, uint64_t first, uint64_t second,
                   uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    (void)id, (void)cpu, (void)number, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
    if (first == MB_COUNT_SANDBOX && second == MB_COUNT_SANDBOX && !mb_confine()) {
        perror("motebench-count: the system refuses the sandbox");
        _exit(1);
    }
}

static int failed(const char *what)
{
    perror(what);
    return 1;
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
    (void)info;
    (void)argc;
    (void)argv;
    const int file = memfd_create("motebench-count", 0);
    if (file < 0 || ftruncate(file, MB_COUNT_BYTES) != 0)
        return failed("motebench-count: memfd");
    if (dup2(file, MB_COUNT_FD) < 0)
        return failed("motebench-count: dup2");
    (void)close(file);
    page = mmap(NULL, MB_COUNT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, MB_COUNT_FD, 0);
    if (page == MAP_FAILED)
        return failed("motebench-count: mmap");
    page->magic = MB_COUNT_MAGIC;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    return 0;
}
