#include "console.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BUFFER = 4096 };

static struct {
    uint8_t out[BUFFER], in[BUFFER];
    size_t out_len, in_at, in_len;
} io;

void sim_console_flush(void)
{
    size_t at = 0;
    while (at < io.out_len) {
        const ssize_t sent = write(STDOUT_FILENO, io.out + at, io.out_len - at);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            exit(0);
        at += (size_t)sent;
    }
    io.out_len = 0;
}

void sim_console_send(uint8_t byte)
{
    io.out[io.out_len++] = byte;
    if (io.out_len == BUFFER)
        sim_console_flush();
}

int sim_console_receive(int milliseconds)
{
    if (io.in_at == io.in_len) {
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        sim_console_flush();
        if (milliseconds >= 0 && poll(&input, 1, milliseconds) <= 0)
            return SIM_NOTHING;
        ssize_t got;
        do
            got = read(STDIN_FILENO, io.in, BUFFER);
        while (got < 0 && errno == EINTR);
        if (got <= 0)
            return SIM_ENDED;
        io.in_at = 0;
        io.in_len = (size_t)got;
    }
    return io.in[io.in_at++];
}

bool sim_number(const char *text, uint64_t most, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && text[0] >= '0' && text[0] <= '9' && *end == '\0' && *value <= most;
}

uint8_t *sim_read_file(const char *path, size_t longest, size_t *len)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    uint8_t *bytes = malloc(longest);
    *len = bytes != NULL ? fread(bytes, 1, longest, file) : 0;
    if (bytes != NULL && (ferror(file) || !feof(file))) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}
