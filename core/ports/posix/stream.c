/* The byte stream: standard input and output. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "stream.h"

static uint8_t pending[1 << 16];
static size_t pending_len;
static int out_fd = STDOUT_FILENO;

bool mb_stream_init(void)
{
    /* Frames go to a descriptor of their own; whatever a library prints ends up on standard error. */
    out_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    return out_fd >= 0 && (dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 || close(STDOUT_FILENO) == 0);
}

size_t mb_port_read(uint8_t *buf, size_t cap)
{
    ssize_t got;
    do
        got = read(STDIN_FILENO, buf, cap);
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
