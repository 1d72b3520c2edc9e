/*
 * HMAC with keys of any length (the library's crypto_auth takes 32 bytes only).
 *
 * Timed for KEY_SETUP: _init, which hashes the padded key both ways. MAC: a copy of the state
 * that _init left, _update and _final: _final uses the state up, and with a copy the key need not
 * be hashed again.
 */
#include "libsodium_adapter.h"

#define HMAC(hash)                                                                               \
    static mb_status hash##_set_key(mb_job *job)                                                 \
    {                                                                                            \
        adapter_state *s = adapter_state_of(job);                                                \
        return adapter_check(                                                                    \
            crypto_auth_hmac##hash##_init(&s->hmac_##hash.keyed, job->key, job->key_len));       \
    }                                                                                            \
    static mb_status hash##_begin(mb_job *job)                                                   \
    {                                                                                            \
        adapter_state *s = adapter_state_of(job);                                                \
        s->hmac_##hash.message = s->hmac_##hash.keyed;                                           \
        return MB_OK;                                                                            \
    }                                                                                            \
    static mb_status hash##_update(mb_job *job, const uint8_t *in, size_t len)                   \
    {                                                                                            \
        adapter_state *s = adapter_state_of(job);                                                \
        return adapter_check(crypto_auth_hmac##hash##_update(&s->hmac_##hash.message, in, len)); \
    }                                                                                            \
    static mb_status hash##_finish(mb_job *job, uint8_t *out)                                    \
    {                                                                                            \
        adapter_state *s = adapter_state_of(job);                                                \
        return adapter_check(crypto_auth_hmac##hash##_final(&s->hmac_##hash.message, out));      \
    }                                                                                            \
    MB_REPEAT(hash##_set_keys, hash##_set_key)                                                   \
    MB_HASH_WHOLE(hash##_all, hash##_begin, hash##_update, hash##_finish)

HMAC(sha256)
HMAC(sha512)

static mb_status mac_open(mb_job *job)
{
    const adapter_digest *mac = job->scheme->param;
    return mb_mac_open(job, &mac->how);
}

const mb_kind adapter_mac_kind = {
    .open = mac_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
};

#define ROW(hash)                                                                        \
    {                                                                                    \
        &adapter_mac_kind,                                                               \
        {                                                                                \
            .set_key = hash##_set_key, .set_keys = hash##_set_keys, .whole = hash##_all, \
            .begin = hash##_begin, .update = hash##_update, .finish = hash##_finish      \
        }                                                                                \
    }
const adapter_digest adapter_hmac_sha256 = ROW(sha256);
const adapter_digest adapter_hmac_sha512 = ROW(sha512);
