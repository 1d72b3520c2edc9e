/*
 * motebench-launch: runs one program and says what that very process cost.
 *
 *   motebench-launch [-d INPUT] [-s OUTPUT] -- PROGRAM [ARGUMENT...]
 *
 * -d drops the file INPUT from the page cache before the clock starts; -s flushes the file OUTPUT
 * to its device when the program has ended, before the clock stops. The program reads nothing and
 * writes to our standard error. One line goes to standard output:
 *
 *   elapsed=NS user=NS system=NS peak=BYTES status=WAIT_STATUS
 *
 * Elapsed is from just before the process is made until it has ended (and its output is flushed);
 * user and system time and peak resident memory are the kernel's account of the process (wait4).
 * Exit status: 0 if the line was written, 2 for wrong arguments, 125 if a file could not be dropped
 * or flushed, 126 if the program could not be started.
 *
 * Why a program of its own: on Linux the peak of a process begins with that of whatever called
 * execve for it (the kernel's exec_mmap carries the high-water mark of the old address space over,
 * after fork as well as after vfork), so that no child of a Python interpreter ever seems to need
 * less than the interpreter. This one is linked statically where that is possible and needs well
 * under 1 MiB.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WRONG_ARGUMENTS = 2, FILE_FAILED = 125, NOT_STARTED = 126 };

static int failed(int status, const char *what, int error)
{
    (void)fprintf(stderr, "%s: %s\n", what, strerror(error));
    return status;
}

static uint64_t now(void)
{
    struct timespec t = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t nanoseconds(struct timeval t)
{
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

/* 0, or the error. */
static int drop_from_cache(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    /*
     * Only clean pages can be dropped; a file system without fsync for readers has none to write.
     */
    (void)fsync(fd);
    int error = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    (void)close(fd);
    return error;
}

/* 0, or the error. Missing output is no error: a failed program may leave none. */
static int flush_to_device(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? 0 : errno;
    int error = fsync(fd) == 0 ? 0 : errno;
    (void)close(fd);
    return error == EINVAL ? 0 : error; /* a device, not a file */
}

/* Written by the child, which shares our memory until it has become the program. */
static volatile int start_error;

/* NOLINTBEGIN(*vfork, *Vfork, bugprone-unsafe-functions): the child makes system calls only. */
static pid_t start(char **argv)
{
    pid_t pid = vfork();
    if (pid == 0) {
        /* Nobody is left to stop the program once we are gone. */
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
            (void)execv(argv[0], argv);
        start_error = errno;
        _exit(NOT_STARTED);
    }
    if (pid < 0)
        start_error = errno;
    return pid;
}
/* NOLINTEND(*vfork, *Vfork, bugprone-unsafe-functions) */

static int run(char **argv, const char *output)
{
    struct rusage usage;
    int status = 0, flush_error = 0;
    const uint64_t begin = now();
    const pid_t pid = start(argv);
    if (pid < 0)
        return failed(NOT_STARTED, argv[0], start_error);
    while (wait4(pid, &status, 0, &usage) < 0) {
        if (errno != EINTR)
            return failed(NOT_STARTED, argv[0], errno);
    }
    if (output != NULL)
        flush_error = flush_to_device(output);
    const uint64_t end = now();
    if (start_error != 0)
        return failed(NOT_STARTED, argv[0], start_error);
    if (flush_error != 0)
        return failed(FILE_FAILED, output, flush_error);
    (void)printf("elapsed=%" PRIu64 " user=%" PRIu64 " system=%" PRIu64 " peak=%" PRIu64
                 " status=%d\n",
                 end - begin, nanoseconds(usage.ru_utime), nanoseconds(usage.ru_stime),
                 (uint64_t)usage.ru_maxrss * 1024u, status);
    return fflush(stdout) == 0 ? 0 : failed(FILE_FAILED, "standard output", errno);
}

int main(int argc, char **argv)
{
    const char *input = NULL, *output = NULL;
    int at = 1;
    for (; at + 1 < argc && strcmp(argv[at], "--") != 0; at += 2) {
        if (strcmp(argv[at], "-d") == 0)
            input = argv[at + 1];
        else if (strcmp(argv[at], "-s") == 0)
            output = argv[at + 1];
        else
            break;
    }
    if (at + 1 >= argc || strcmp(argv[at], "--") != 0) {
        (void)fputs("usage: motebench-launch [-d INPUT] [-s OUTPUT] -- PROGRAM [ARGUMENT...]\n",
                    stderr);
        return WRONG_ARGUMENTS;
    }
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (input != NULL) {
        int error = drop_from_cache(input);
        if (error != 0)
            return failed(FILE_FAILED, input, error);
    }
    return run(argv + at + 1, output);
}
