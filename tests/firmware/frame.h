/*
 * The frame of an adapter for tests of boards: what each of them needs and none differs in. A file
 * defines its schemes and `run`, then says FRAME once.
 */
#ifndef FRAME_H
#define FRAME_H

#include <stddef.h>

#include "motebench/adapter.h"

static mb_status frame_good(mb_job *job)
{
    (void)job;
    return MB_OK;
}

static mb_status frame_init(void)
{
    return MB_OK;
}

static void frame_close(mb_job *job)
{
    (void)job;
}

/* An adapter of that name with the schemes of an array; further members may follow. */
#define FRAME(called, schemes, ...)                  \
    static size_t frame_count(void)                  \
    {                                                \
        return sizeof(schemes) / sizeof(schemes)[0]; \
    }                                                \
    static const mb_scheme *frame_at(size_t i)       \
    {                                                \
        return &(schemes)[i];                        \
    }                                                \
    static const char *frame_version(void)           \
    {                                                \
        return called;                               \
    }                                                \
    const mb_adapter mb_the_adapter = {              \
        .implementation = (called),                  \
        .scheme_count = frame_count,                 \
        .scheme_at = frame_at,                       \
        .init = frame_init,                          \
        .version = frame_version,                    \
        .open = frame_good,                          \
        .start = frame_good,                         \
        .run = run,                                  \
        .close = frame_close,                        \
        __VA_ARGS__}

#endif
