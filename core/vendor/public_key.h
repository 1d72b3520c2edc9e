/*
 * The adapter of an implementation with public keys, of a library or our own (core/mote/public):
 * included last by a wrapper that defines MOTE_ADAPTER(symbol) on a line of its own, its schemes
 * (an array of mb_scheme, of which each row's `param` points to an mb_row) and the type of its
 * state, job_state. Messages are signed whole.
 *
 * Keys are decoded in `open`; what is timed is all that remains, hashing included.
 */
#include "support/driver.h"
#include "support/kind.h"

#define SCHEME_COUNT (sizeof schemes / sizeof schemes[0])

static size_t scheme_count(void)
{
    return SCHEME_COUNT;
}

static const mb_scheme *scheme_at(size_t i)
{
    return i < SCHEME_COUNT ? &schemes[i] : NULL;
}

static size_t state_size(const mb_scheme *scheme)
{
    (void)scheme;
    return sizeof(job_state);
}

static mb_status init(void)
{
    return MB_OK;
}

static const char *version(void)
{
#ifdef MOTE_LIBRARY_VERSION
    return MOTE_LIBRARY_VERSION;
#else
    return "motebench " MB_VERSION;
#endif
}

const mb_adapter mb_the_adapter = {
    .implementation = MOTE_NAME,
    .scheme_count = scheme_count,
    .scheme_at = scheme_at,
    .state_size = state_size,
    .init = init,
    .version = version,
    .open = mb_kind_open,
    .start = mb_kind_start,
    .run = mb_kind_run,
    .update = MB_IF_STREAMING(mb_kind_update),
    .final = MB_IF_STREAMING(mb_kind_final),
    .close = mb_kind_close,
    .public_key = mb_kind_public_key,
    .error = mb_kind_error,
    .idle = MB_IF_STREAMING(mb_drive_idle),
};
