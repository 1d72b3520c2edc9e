/*
 * Beginnings of the buffers of the POSIX port: at a line, at the start of a page unless a layout
 * says otherwise.
 */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "motebench/port.h"

enum { BUFFERS = 4, LINE = 64, PAGE = 4096 };

static bool offsets(const char *layout, size_t found[BUFFERS])
{
    if ((layout != NULL ? setenv("MOTEBENCH_LAYOUT", layout, 1) : unsetenv("MOTEBENCH_LAYOUT")) !=
            0 ||
        !mb_port_init(1000))
        return false;
    const mb_buffers *buffers = mb_port_buffers();
    const void *at[BUFFERS] = {buffers->aux, buffers->in, buffers->out, buffers->ctx};
    for (size_t i = 0; i < BUFFERS; i++)
        found[i] = (uintptr_t)at[i] % PAGE;
    /* The last byte of each is there. */
    buffers->in[buffers->data_cap + buffers->slack - 1] = 1;
    buffers->out[buffers->data_cap + buffers->slack - 1] = 1;
    buffers->aux[buffers->aux_cap - 1] = 1;
    ((uint8_t *)buffers->ctx)[999] = 1;
    return true;
}

int main(void)
{
    size_t plain[BUFFERS], first[BUFFERS], again[BUFFERS], other[BUFFERS];
    CHECK(offsets(NULL, plain) && offsets("0000000007", first) && offsets("0000000007", again) &&
          offsets("4294967295", other));
    size_t same = 0, differ = 0;
    for (size_t i = 0; i < BUFFERS; i++) {
        CHECK(plain[i] == 0);
        CHECK(first[i] % LINE == 0 && other[i] % LINE == 0);
        CHECK(first[i] == again[i]);
        same += first[i] == first[0];
        differ += first[i] != other[i];
    }
    CHECK(same < BUFFERS);
    CHECK(differ > 0);
    return check_end();
}
