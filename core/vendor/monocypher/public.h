/*
 * What Monocypher's wrappers share. The library claims constant time for all that handles secrets.
 */
#include <monocypher.h>
#include <string.h>

#include "motebench/adapter.h"
#include "support/driver.h"
#include "support/kind.h"
#include "vendor/pick.h"

/* A board has no source of randomness: it makes no keys. */
#ifdef MOTE_PICKED
#define MONO_KEYGEN 0
#else
#define MONO_KEYGEN MB_CAN(MB_KEYGEN)
#include <sys/random.h>
#endif

enum { LENGTH = 32 };

#ifndef MOTE_PICKED
/* A new private key. The library leaves randomness to its user; a key is 32 bytes of it. */
static inline mb_status draw(mb_job *job)
{
    job->out_len = LENGTH;
    return getrandom(job->out, LENGTH, 0) == LENGTH
               ? MB_OK
               : mb_note(MB_ERROR, "the system has no randomness");
}
#endif
