/*
 * motebench's own implementations: what is timed.
 *
 * KEY_SETUP: set_key of the cipher, and what the mode derives from the key (GCM: the hash key; EAX: a subkey); HMAC: both
 * keyed hash states. ENCRYPT, DECRYPT: the mode's or the cipher's function in place; CCM: a whole message without its
 * tag. Messages: nonce, AAD, data, padding (PKCS#7 in support/) or tag. DIGEST, MAC: a whole message.
 */
#include "mote_adapter.h"

extern const mote_implementation MOTE_SYMBOL;
const mote_implementation *const mote_the_implementation = &MOTE_SYMBOL;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Bytes for the job of the largest scheme that is built in. */
static size_t state_size(void)
{
    const mote_implementation *impl = &MOTE_SYMBOL;
    size_t cipher = 0, hash = 0;
    for (uint8_t i = 0; i < impl->block_count && (MOTE_KINDS & MOTE_KIND_BLOCKS); i++)
        cipher = larger(cipher, impl->blocks[i].schedule_len);
    for (uint8_t i = 0; i < impl->stream_count && (MOTE_KINDS & MOTE_KIND_STREAMS); i++)
        cipher = larger(cipher, impl->streams[i].state_len);
    for (uint8_t i = 0; i < impl->aead_count && (MOTE_KINDS & MOTE_KIND_AEADS); i++)
        cipher = larger(cipher, impl->aeads[i].state_len);
    for (uint8_t i = 0; i < impl->hash_count && (MOTE_KINDS & (MOTE_KIND_HASHES | MOTE_KIND_HMAC)); i++) {
        const bool keyed = (MOTE_KINDS & MOTE_KIND_HMAC) && impl->hashes[i].block_len > 0;
        hash = larger(hash, keyed ? mote_hmac_states_len(&impl->hashes[i]) : impl->hashes[i].state_len);
    }
    return larger(cipher > 0 ? sizeof(mote_cipher_job) + cipher : 0, hash > 0 ? sizeof(mote_hash_job) + hash : 0);
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
    mote_wipe(job->ctx, state_size());
}

const mb_adapter mb_the_adapter = {
    .implementation = MOTE_NAME,
    .scheme_count = mote_scheme_count,
    .scheme_at = mote_scheme_at,
    .state_size = state_size,
    .init = init,
    .version = version,
    .open = open_checked,
    .start = mb_kind_start,
    .run = run_checked,
    .update = mb_kind_update,
    .final = mb_kind_final,
    .close = mb_kind_close,
    .error = mb_kind_error,
};
