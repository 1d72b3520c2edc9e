/*
 * motebench's own implementations: what is timed.
 *
 * KEY_SETUP: set_key of the cipher, and what the mode derives from the key (GCM: the hash key; EAX: a subkey); HMAC: both
 * keyed hash states. ENCRYPT, DECRYPT: the mode's or the cipher's function in place; CCM: a whole message without its
 * tag. Messages: nonce, AAD, data, padding (PKCS#7 in support/) or tag. DIGEST, MAC: a whole message.
 */
#include "mote_adapter.h"

/* The job's state is one of these. */
typedef union any_job {
    mote_cipher_job cipher;
    mote_hash_job hash;
} any_job;

static mb_status init(void)
{
    const mote_implementation *impl = &MOTE_SYMBOL;
    size_t most = 0;
#define MOST(array, count, len)                                                                                    \
    for (uint8_t i = 0; i < (count); i++)                                                                              \
        most = (array)[i].len > most ? (array)[i].len : most;
    MOST(impl->blocks, impl->block_count, schedule_len)
    MOST(impl->streams, impl->stream_count, state_len)
    MOST(impl->aeads, impl->aead_count, state_len)
    for (uint8_t i = 0; i < impl->hash_count; i++) {
        const mote_hash *hash = &impl->hashes[i];
        const size_t len = hash->block_len > 0 ? mote_hmac_states_len(hash) : hash->state_len;
        most = len > most ? len : most;
    }
    return most <= MOTE_STATE_MAX ? MB_OK : MB_TOO_BIG;
}

static const char *version(void)
{
    return "1";
}

void mote_close(mb_job *job)
{
    mote_wipe(job->ctx, sizeof(any_job));
}

const mb_adapter mb_the_adapter = {
    .implementation = MOTE_NAME,
    .scheme_count = mote_scheme_count,
    .scheme_at = mote_scheme_at,
    .ctx_size = sizeof(any_job),
    .init = init,
    .version = version,
    .open = mb_kind_open,
    .start = mb_kind_start,
    .run = mb_kind_run,
    .update = mb_kind_update,
    .final = mb_kind_final,
    .close = mb_kind_close,
    .error = mb_kind_error,
};
