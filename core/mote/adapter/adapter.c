/*
 * motebench's own implementations: what is timed.
 *
 * KEY_SETUP: set_key of the cipher, and what the mode derives from the key (GCM and GMAC: the hash
 * key; EAX and CMAC: a subkey); HMAC: both keyed hash states. ENCRYPT, DECRYPT: the mode's or the
 * cipher's function in place; CCM: a whole message without its tag. Messages: nonce, AAD, data,
 * padding (PKCS#7 in support/) or tag. DIGEST, MAC: a whole message.
 */
#include "mote_adapter.h"
#include "support/the_adapter.h"

extern const mote_implementation MOTE_SYMBOL;
const mote_implementation *const mote_the_implementation = &MOTE_SYMBOL;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Bytes for a job of one scheme. */
static size_t bytes_of(const mote_row *row)
{
    if (row->hash != NULL) {
        const bool keyed = (MOTE_KINDS & MOTE_KIND_HMAC) && row->kind == &mote_hmac_kind;
        return sizeof(mote_hash_job) +
               (keyed ? mote_hmac_states_len(row->hash) : row->hash->state_len);
    }
    if ((MOTE_KINDS & MOTE_KIND_CMAC) && row->kind == &mote_cmac_kind)
        return sizeof(mote_cmac_job) + row->block->schedule_len;
    if ((MOTE_KINDS & MOTE_KIND_GMAC) && row->kind == &mote_gmac_kind)
        return sizeof(mote_gmac_job) + row->block->schedule_len;
    if (row->block != NULL)
        return sizeof(mote_cipher_job) + row->block->schedule_len;
    return sizeof(mote_cipher_job) +
           (row->stream != NULL ? row->stream->state_len : row->aead->state_len);
}

static size_t state_size(const mb_scheme *scheme)
{
    size_t most = 0;
    if (scheme != NULL)
        return bytes_of(scheme->param);
    for (size_t i = 0; (scheme = mote_scheme_at(i)) != NULL; i++)
        most = larger(most, bytes_of(scheme->param));
    return most;
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

#ifdef MOTE_LIBRARY_VERSION
static int failed;

void mote_library_check(int failure)
{
    if (failure)
        failed = 1;
}

static mb_status checked(mb_status status)
{
    const int was = failed;
    failed = 0;
    return was && status == MB_OK ? mb_note(MB_ERROR, "the library reported an error") : status;
}

static mb_status open_checked(mb_job *job)
{
    return checked(mb_kind_open(job));
}

static mb_status run_checked(mb_job *job, uint32_t n)
{
    return checked(mb_kind_run(job, n));
}
#else
#define open_checked mb_kind_open
#define run_checked mb_kind_run
#endif

void mote_close(mb_job *job)
{
    mote_wipe(job->ctx, state_size(job->scheme));
}

MB_THE_ADAPTER(MOTE_NAME, mote_scheme, .state_size = state_size, .open = open_checked,
               .run = run_checked, .public_key = NULL)
