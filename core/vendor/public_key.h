/*
 * The adapter of an implementation with public keys, of a library or our own (core/mote/public):
 * included last by a wrapper that defines MOTE_ADAPTER(symbol) on a line of its own, its schemes
 * (an array of mb_scheme, of which each row's `param` points to an mb_row) and the type of its
 * state, job_state. Messages are signed whole.
 *
 * Keys are decoded in `open`; what is timed is all that remains, hashing included.
 */
#include "support/the_adapter.h"

MB_SCHEMES(schemes)

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

MB_THE_ADAPTER(MOTE_NAME, scheme, .state_size = state_size, .idle = MB_IF_STREAMING(mb_drive_idle))
