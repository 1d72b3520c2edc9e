/* The byte stream: standard input and output. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "stream.h"

static uint8_t pending[1 << 16];
static size_t pending_len;
static int in_fd = -1, out_fd = -1;

int mb_stream_away(int fd)
{
    enum { FAR = 200, NEAR = 3 };
    const int moved = fcntl(fd, F_DUPFD_CLOEXEC, FAR);
    return moved >= 0 ? moved : fcntl(fd, F_DUPFD_CLOEXEC, NEAR);
}

/* All other readers of standard input get end of file at once. */
static bool empty_input(void)
{
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const bool good = nothing > STDERR_FILENO && dup2(nothing, STDIN_FILENO) >= 0;
    if (nothing > STDERR_FILENO)
        (void)close(nothing);
    return good;
}

bool mb_stream_init(void)
{
    if (out_fd >= 0)
        return true;
    /* Frames have descriptors of their own; whatever a library prints ends up on standard error. */
    in_fd = mb_stream_away(STDIN_FILENO);
    out_fd = mb_stream_away(STDOUT_FILENO);
    if (in_fd < 0 || out_fd < 0)
        return false;
    return (dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 || close(STDOUT_FILENO) == 0) &&
           (empty_input() || close(STDIN_FILENO) == 0);
}

size_t mb_port_read(uint8_t *buf, size_t cap)
{
    ssize_t got;
    do
        got = read(in_fd, buf, cap);
    while (got < 0 && errno == EINTR);
    return got > 0 ? (size_t)got : 0;
}

bool mb_port_flush(void)
{
    const uint8_t *at = pending;
    while (pending_len > 0) {
        ssize_t put = write(out_fd, at, pending_len);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        pending_len -= (size_t)put;
    }
    return true;
}

bool mb_port_write(const uint8_t *buf, size_t len)
{
    while (len > 0) {
        size_t n = sizeof pending - pending_len;
        if (n == 0) {
            if (!mb_port_flush())
                return false;
            continue;
        }
        if (n > len)
            n = len;
        memcpy(pending + pending_len, buf, n);
        pending_len += n;
        buf += n;
        len -= n;
    }
    return true;
}
