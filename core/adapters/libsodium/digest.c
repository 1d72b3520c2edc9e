/*
 * Hash functions.
 *
 * Timed for DIGEST: the library's one call for a message that is in memory, which sets its
 * state up as well.
 */
#include "libsodium_adapter.h"

#define DIGEST(name, init_call, update_call, final_call, whole_call)           \
    static mb_status name##_begin(mb_job *job)                                 \
    {                                                                          \
        adapter_state *s = adapter_state_of(job);                              \
        return adapter_check(init_call);                                       \
    }                                                                          \
    static mb_status name##_update(mb_job *job, const uint8_t *in, size_t len) \
    {                                                                          \
        adapter_state *s = adapter_state_of(job);                              \
        return adapter_check(update_call);                                     \
    }                                                                          \
    static mb_status name##_finish(mb_job *job, uint8_t *out)                  \
    {                                                                          \
        adapter_state *s = adapter_state_of(job);                              \
        return adapter_check(final_call);                                      \
    }                                                                          \
    static mb_status name##_whole(mb_job *job)                                 \
    {                                                                          \
        return adapter_check(whole_call);                                      \
    }                                                                          \
    MB_REPEAT(name##_all, name##_whole)

enum { BLAKE2B_BYTES = crypto_generichash_blake2b_BYTES_MAX };

DIGEST(sha256, crypto_hash_sha256_init(&s->sha256), crypto_hash_sha256_update(&s->sha256, in, len),
       crypto_hash_sha256_final(&s->sha256, out),
       crypto_hash_sha256(job->out, job->message, job->message_len))
DIGEST(sha512, crypto_hash_sha512_init(&s->sha512), crypto_hash_sha512_update(&s->sha512, in, len),
       crypto_hash_sha512_final(&s->sha512, out),
       crypto_hash_sha512(job->out, job->message, job->message_len))
DIGEST(blake2b, crypto_generichash_blake2b_init(&s->blake2b, NULL, 0, BLAKE2B_BYTES),
       crypto_generichash_blake2b_update(&s->blake2b, in, len),
       crypto_generichash_blake2b_final(&s->blake2b, out, BLAKE2B_BYTES),
       crypto_generichash_blake2b(job->out, BLAKE2B_BYTES, job->message, job->message_len, NULL, 0))

static mb_status digest_open(mb_job *job)
{
    const adapter_digest *digest = job->scheme->param;
    return mb_hash_open(job, &digest->how);
}

const mb_kind adapter_digest_kind = {
    .open = digest_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
};

#define ROW(name)                                                                \
    {                                                                            \
        &adapter_digest_kind,                                                    \
        {                                                                        \
            .whole = name##_all, .begin = name##_begin, .update = name##_update, \
            .finish = name##_finish                                              \
        }                                                                        \
    }
const adapter_digest adapter_sha256 = ROW(sha256);
const adapter_digest adapter_sha512 = ROW(sha512);
const adapter_digest adapter_blake2b = ROW(blake2b);
