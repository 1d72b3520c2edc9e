/*
 * Part of programs of this host that hold a user's code: takes from the process what such code does
 * not need, before anything of it runs, constructors included (.preinit_array; the builder links
 * this first, and refuses resolvers of symbols, which would run earlier).
 *
 * - Limits (setrlimit): 6 h of processor time, 2 GiB of address space, 1 MiB for a file that is
 *   written, no process, no core dump.
 * - Streams: the probe's are at other descriptors (stream.c).
 * - Under the counting plugin of QEMU: a filter of system calls around QEMU.
 * - Under valgrind (MB_MEMCHECK): the same filter, which allows memory that valgrind's translation
 *   of the code runs in; no limit of address space, and 64 MiB for valgrind's report.
 * - Linux on x86-64 and AArch64: a filter of system calls (seccomp(2)). Memory, clocks, reading and
 *   writing of what is open and the end of the process are allowed, anything else ends it with a
 *   word on standard error.
 *
 * The filter must not move the numbers. Clocks are read without a system call.
 * SECCOMP_FILTER_FLAG_SPEC_ALLOW: without it, kernels before 5.16 switch on mitigations against
 * speculation for whoever has a filter. The calls that the probe makes around a batch are the first
 * ones in the filter.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>

#include "motebench/count.h"
#endif

#include "orphan.h"
#include "posix.h"
#include "stream.h"

#define MIB ((rlim_t)1 << 20)

#ifdef MB_MEMCHECK
enum { UNDER_VALGRIND = 1, MOST_MIB = 64 };
#else
enum { UNDER_VALGRIND = 0, MOST_MIB = 1 };
#endif

static void limit(int resource, rlim_t most)
{
    struct rlimit there;
    if (getrlimit(resource, &there) != 0)
        return;
    if (there.rlim_max == RLIM_INFINITY || there.rlim_max > most)
        there.rlim_max = most;
    if (there.rlim_cur == RLIM_INFINITY || there.rlim_cur > most)
        there.rlim_cur = most;
    (void)setrlimit(resource, &there);
}

static void set_limits(void)
{
    limit(RLIMIT_CPU, 6 * 3600);
    if (!UNDER_VALGRIND)
        limit(RLIMIT_AS, 2048 * MIB);
    limit(RLIMIT_FSIZE, MOST_MIB * MIB);
    limit(RLIMIT_NPROC, 0);
    limit(RLIMIT_CORE, 0);
}

#if defined __linux__ && (defined __x86_64__ || defined __aarch64__)
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif
#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW (1ul << 2)
#endif

enum { REFUSED = 97, MOST = 256, EMPTY_PATH = 0x1000 };

/* Calls that are allowed whatever their arguments are; those around a batch first. */
static const unsigned short ALLOWED[] = {
    SYS_clock_gettime,
    SYS_getrusage,
    SYS_read,
    SYS_write,
    SYS_pread64,
    SYS_writev,
    SYS_lseek,
    SYS_fstat,
    SYS_munmap,
    SYS_mremap,
    SYS_brk,
    SYS_madvise,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_getpid,
    SYS_getppid,
    SYS_gettid,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_sysinfo,
    SYS_uname,
    SYS_getrandom,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_futex,
    SYS_restart_syscall,
    SYS_perf_event_open,
    SYS_exit,
    SYS_exit_group,
#ifdef MB_MEMCHECK /* of valgrind itself */
    SYS_rt_sigtimedwait,
#endif
};

static const struct {
    unsigned short number;
    char name[14];
} NAMES[] = {
#ifdef SYS_open
    {SYS_open, "open"},
    {SYS_fork, "fork"},
    {SYS_vfork, "vfork"},
    {SYS_unlink, "unlink"},
    {SYS_rename, "rename"},
    {SYS_mkdir, "mkdir"},
    {SYS_dup2, "dup2"},
    {SYS_alarm, "alarm"},
#endif
    {SYS_openat, "openat"},
    {SYS_clone, "clone"},
    {SYS_execve, "execve"},
    {SYS_kill, "kill"},
    {SYS_tkill, "tkill"},
    {SYS_tgkill, "tgkill"},
    {SYS_socket, "socket"},
    {SYS_ptrace, "ptrace"},
    {SYS_unlinkat, "unlinkat"},
    {SYS_mkdirat, "mkdirat"},
    {SYS_mmap, "mmap"},
    {SYS_mprotect, "mprotect"},
    {SYS_prctl, "prctl"},
    {SYS_dup, "dup"},
    {SYS_dup3, "dup3"},
    {SYS_pipe2, "pipe2"},
    {SYS_setitimer, "setitimer"},
    {SYS_rt_sigaction, "rt_sigaction"},
    {SYS_fcntl, "fcntl"},
    {SYS_clock_settime, "clock_settime"},
    {SYS_prlimit64, "prlimit64"},
    {SYS_newfstatat, "newfstatat"},
    {SYS_setpriority, "setpriority"},
#ifdef SYS_clone3
    {SYS_clone3, "clone3"},
#endif
};

static int words_fd = STDERR_FILENO;

static size_t append(char *text, size_t at, const char *more)
{
    const size_t len = strlen(more);
    memcpy(text + at, more, len);
    return at + len;
}

/* The call that the filter stopped. Only functions that a signal handler may call. */
static void refused(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    char text[128], digits[] = "call 0000";
    const int call = info->si_syscall;
    const char *name = digits;
    for (int i = 0, rest = call; i < 4; i++, rest /= 10)
        digits[sizeof digits - 2 - (size_t)i] = (char)('0' + rest % 10);
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (NAMES[i].number == call)
            name = NAMES[i].name;
    }
    size_t len = append(text, 0, "the code asked the system for ");
    len = append(text, len, name);
    len = append(text, len, ", which the sandbox refuses\n");
    (void)!write(words_fd, text, len);
    _exit(REFUSED);
}

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

/* The next `count` instructions are for this call only. */
static void only(uint32_t call, uint8_t count)
{
    emit(BPF_JMP | BPF_JEQ | BPF_K, call, 0, count);
}

/*
 * Low half of an argument: what the calls below have there is no longer. The machines are
 * little-endian.
 */
static void load(unsigned argument)
{
    emit(BPF_LD | BPF_W | BPF_ABS,
         (uint32_t)(offsetof(struct seccomp_data, args) + sizeof(uint64_t) * argument), 0, 0);
}

/* Allowed if the argument compares as said with `k`, else `otherwise`. */
static void allow_if(uint32_t call, unsigned argument, uint16_t compare, uint32_t k, bool holds,
                     uint32_t otherwise)
{
    only(call, 4);
    load(argument);
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
        only(ALLOWED[i], 1);
        give(SECCOMP_RET_ALLOW);
    }
    /* Memory that can be run would be another way to the clocks. */
    const uint32_t runs = UNDER_VALGRIND ? 0 : PROT_EXEC;
    allow_if(SYS_mmap, 2, BPF_JSET, runs, false, SECCOMP_RET_TRAP);
    allow_if(SYS_mprotect, 2, BPF_JSET, runs, false, SECCOMP_RET_TRAP);
    /*
     * The code must not handle the signals of the filter, and of the end of the process that
     * started the probe.
     */
    only(SYS_rt_sigaction, 5);
    load(0);
    emit(BPF_JMP | BPF_JEQ | BPF_K, SIGSYS, 2, 0);
    emit(BPF_JMP | BPF_JEQ | BPF_K, SIGUSR1, 1, 0);
    give(SECCOMP_RET_ALLOW);
    give(SECCOMP_RET_TRAP);
    allow_if(SYS_tgkill, 0, BPF_JEQ, (uint32_t)getpid(), true, SECCOMP_RET_TRAP);
#ifdef MB_MEMCHECK /* valgrind ends itself by the signal of the code, without a core dump */
    allow_if(SYS_prlimit64, 1, BPF_JEQ, RLIMIT_CORE, true, SECCOMP_RET_TRAP);
    allow_if(SYS_kill, 0, BPF_JEQ, (uint32_t)getpid(), true, SECCOMP_RET_TRAP);
    allow_if(SYS_tkill, 0, BPF_JEQ, (uint32_t)getpid(), true, SECCOMP_RET_TRAP);
#endif
    allow_if(SYS_newfstatat, 3, BPF_JSET, EMPTY_PATH, true, SECCOMP_RET_TRAP);
    /*
     * musl's fstat asks so whether a descriptor is open (mb_count_open looks for the emulator's).
     */
    allow_if(SYS_fcntl, 1, BPF_JEQ, F_GETFD, true, SECCOMP_RET_TRAP);
    /* What is open is the probe's, but for the three streams. */
    allow_if(SYS_close, 0, BPF_JGT, STDERR_FILENO, false, SECCOMP_RET_ERRNO | EPERM);
    only(SYS_ioctl, 1);
    give(SECCOMP_RET_ERRNO | ENOTTY);
    give(SECCOMP_RET_TRAP);
}

static void set_filter(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = refused;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    make_filter();
    const struct sock_fprog program = {.len = length, .filter = filter};
    if (sigaction(SIGSYS, &action, NULL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return;
#ifdef MB_MEMCHECK /* valgrind knows the older call alone */
    (void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
#else
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) !=
        0)
        (void)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0ul, &program);
#endif
}

static void set_words(void)
{
    const int moved = mb_stream_away(STDERR_FILENO);
    if (moved >= 0)
        words_fd = moved;
}
#else
static void set_filter(void) {}

static void set_words(void) {}
#endif

/*
 * Under QEMU's user emulation only a filter around QEMU itself holds: the plugin sets it when it
 * sees this call, which is none of the system's, or ends QEMU (simulators/qemu/sandbox.c).
 */
static bool ask_emulator(void)
{
#ifdef __linux__
    mb_clock count;
    if (!mb_count_open(&count))
        return false;
    (void)prctl(MB_COUNT_SANDBOX, MB_COUNT_SANDBOX, 0, 0, 0);
    return true;
#else
    return false;
#endif
}

/*
 * motebench sees from outside whether there is a filter (proc_pid_status(5)). Without one the code
 * still runs, with a note.
 */
static void begin(void)
{
    uint64_t unused;
    set_limits();
    set_words();
    mb_end_with_parent();
    (void)mb_stream_init();
    (void)mb_peak_resident(&unused); /* opens what it reads */
    if (!ask_emulator())
        set_filter();
}

/* A static program with musl has constructors only: this is the first one. */
#ifndef MB_FIRST_SECTION
#define MB_FIRST_SECTION ".preinit_array"
#endif

__attribute__((section(MB_FIRST_SECTION), used)) static void (*mb_sandbox_first)(void) = begin;
