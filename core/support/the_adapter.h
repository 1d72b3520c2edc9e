/*
 * mb_the_adapter of C adapters whose schemes have kinds: the end of such an adapter.
 *
 *     the_adapter.h -> driver.h, kind.h -> motebench/adapter.h
 */
#ifndef MOTEBENCH_SUPPORT_THE_ADAPTER_H
#define MOTEBENCH_SUPPORT_THE_ADAPTER_H

#include "support/driver.h"
#include "support/kind.h"

/* Defines the functions scheme_count and scheme_at of a table, an array of mb_scheme. */
#define MB_SCHEMES(table)                                                   \
    static size_t scheme_count(void)                                        \
    {                                                                       \
        return sizeof(table) / sizeof((table)[0]);                          \
    }                                                                       \
    static const mb_scheme *scheme_at(size_t i)                             \
    {                                                                       \
        return i < sizeof(table) / sizeof((table)[0]) ? &(table)[i] : NULL; \
    }

/* Fields after a default override it. */
#define MB_DEFAULTS _Pragma("GCC diagnostic ignored \"-Woverride-init\"")

/*
 * Defines mb_the_adapter, at the end of a file with the functions `init` and `version`. `schemes`:
 * how the functions begin that count the schemes and give one, schemes_count and schemes_at. Then
 * come the size of the state (ctx_size or state_size), and what this adapter does in its own way.
 */
#define MB_THE_ADAPTER(name, schemes, ...)         \
    MB_DEFAULTS                                    \
    const mb_adapter mb_the_adapter = {            \
        .implementation = (name),                  \
        .scheme_count = schemes##_count,           \
        .scheme_at = schemes##_at,                 \
        .init = init,                              \
        .version = version,                        \
        .open = mb_kind_open,                      \
        .start = mb_kind_start,                    \
        .run = mb_kind_run,                        \
        .update = MB_IF_STREAMING(mb_kind_update), \
        .final = MB_IF_STREAMING(mb_kind_final),   \
        .close = mb_kind_close,                    \
        .public_key = mb_kind_public_key,          \
        .error = mb_kind_error,                    \
        .idle = mb_drive_idle,                     \
        __VA_ARGS__};

#endif
