/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A filter of system calls (seccomp(2)) around QEMU and the program in it: memory, clocks, reading
 * and writing of what is open, and the end of the process. Any other call ends the process with
 * SIGSYS. The program could write to memory of QEMU, since both are one process; the filter holds
 * all the same.
 */
#define _GNU_SOURCE
#include "sandbox.h"

#if defined __x86_64__ || defined __aarch64__
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

enum { MOST = 256, EMPTY_PATH = 0x1000 };

/* membarrier, futex, and what a thread does when it begins: QEMU's own thread. */
static const unsigned short ALLOWED[] = {
    SYS_read,          SYS_write,           SYS_pread64,         SYS_writev,
    SYS_lseek,         SYS_fstat,           SYS_munmap,          SYS_mremap,
    SYS_brk,           SYS_madvise,         SYS_rt_sigprocmask,  SYS_rt_sigreturn,
    SYS_rt_sigsuspend, SYS_sigaltstack,     SYS_getpid,          SYS_getppid,
    SYS_gettid,        SYS_clock_gettime,   SYS_clock_getres,    SYS_clock_nanosleep,
    SYS_nanosleep,     SYS_gettimeofday,    SYS_getrusage,       SYS_sysinfo,
    SYS_uname,         SYS_getrandom,       SYS_sched_yield,     SYS_sched_getaffinity,
    SYS_futex,         SYS_membarrier,      SYS_restart_syscall, SYS_exit,
    SYS_exit_group,    SYS_set_robust_list,
#ifdef SYS_rseq
    SYS_rseq,
#endif
};

static struct sock_filter filter[MOST];
static unsigned short length;

static void emit(uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
    if (length < MOST)
        filter[length++] = (struct sock_filter){code, yes, no, k};
}

static void give(uint32_t action)
{
    emit(BPF_RET | BPF_K, action, 0, 0);
}

/* The call is allowed if the low half of an argument compares as said with `k`, else
 * `otherwise`. */
static void allow_if(uint32_t call, unsigned argument, uint16_t compare, uint32_t k, bool holds,
                     uint32_t otherwise)
{
    emit(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
    emit(BPF_LD | BPF_W | BPF_ABS,
         (uint32_t)(offsetof(struct seccomp_data, args) + sizeof(uint64_t) * argument), 0, 0);
    emit((uint16_t)(BPF_JMP | compare | BPF_K), k, holds ? 0 : 1, holds ? 1 : 0);
    give(SECCOMP_RET_ALLOW);
    give(otherwise);
}

static void make_filter(void)
{
    emit(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
    emit(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    give(SECCOMP_RET_KILL_PROCESS);
    emit(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
    for (size_t i = 0; i < sizeof ALLOWED / sizeof ALLOWED[0]; i++) {
        emit(BPF_JMP | BPF_JEQ | BPF_K, ALLOWED[i], 0, 1);
        give(SECCOMP_RET_ALLOW);
    }
    allow_if(SYS_mmap, 2, BPF_JSET, PROT_EXEC, false, SECCOMP_RET_KILL_PROCESS);
    allow_if(SYS_mprotect, 2, BPF_JSET, PROT_EXEC, false, SECCOMP_RET_KILL_PROCESS);
    /* The end of the process that started QEMU comes as SIGUSR1: not to be ignored. */
    allow_if(SYS_rt_sigaction, 0, BPF_JEQ, 10, false, SECCOMP_RET_KILL_PROCESS);
    allow_if(SYS_tgkill, 0, BPF_JEQ, (uint32_t)getpid(), true, SECCOMP_RET_KILL_PROCESS);
    allow_if(SYS_kill, 0, BPF_JEQ, (uint32_t)getpid(), true, SECCOMP_RET_KILL_PROCESS);
    allow_if(SYS_newfstatat, 3, BPF_JSET, EMPTY_PATH, true, SECCOMP_RET_KILL_PROCESS);
    allow_if(SYS_statx, 2, BPF_JSET, EMPTY_PATH, true, SECCOMP_RET_KILL_PROCESS);
    allow_if(SYS_close, 0, BPF_JGT, STDERR_FILENO, false, SECCOMP_RET_ERRNO | EPERM);
    emit(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 1);
    give(SECCOMP_RET_ERRNO | ENOTTY);
    /* What probes ask for at their start, and do without. */
    emit(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1);
    give(SECCOMP_RET_ERRNO | ENOSYS);
    give(SECCOMP_RET_KILL_PROCESS);
}

bool mb_confine(void)
{
    make_filter();
    const struct sock_fprog program = {.len = length, .filter = filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}
#else
#include <errno.h>

bool mb_confine(void)
{
    errno = ENOSYS;
    return false;
}
#endif
