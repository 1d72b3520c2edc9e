/*
 * Hash functions.
 *
 * What is timed, DIGEST: the library's one call for a message that is in memory, which sets its state up as well.
 */
#include "so.h"

#define DIGEST(name, init_call, update_call, final_call, whole_call)                      \
    static int name##_init(so_ctx *ctx)                                                          \
    {                                                                                            \
        return init_call;                                                                        \
    }                                                                                            \
    static int name##_update(so_ctx *ctx, const uint8_t *in, size_t len)                         \
    {                                                                                            \
        return update_call;                                                                      \
    }                                                                                            \
    static int name##_final(so_ctx *ctx, uint8_t *out)                                           \
    {                                                                                            \
        return final_call;                                                                       \
    }                                                                                            \
    static int name##_whole(uint8_t *out, const uint8_t *in, size_t len, uint32_t n)             \
    {                                                                                            \
        int bad = 0;                                                                             \
        for (uint32_t i = 0; i < n; i++)                                                         \
            bad |= whole_call;                                                                   \
        return bad;                                                                              \
    }

enum { BLAKE2B_BYTES = crypto_generichash_blake2b_BYTES_MAX };

DIGEST(sha256, crypto_hash_sha256_init(&ctx->sha256), crypto_hash_sha256_update(&ctx->sha256, in, len),
       crypto_hash_sha256_final(&ctx->sha256, out), crypto_hash_sha256(out, in, len))
DIGEST(sha512, crypto_hash_sha512_init(&ctx->sha512), crypto_hash_sha512_update(&ctx->sha512, in, len),
       crypto_hash_sha512_final(&ctx->sha512, out), crypto_hash_sha512(out, in, len))
DIGEST(blake2b, crypto_generichash_blake2b_init(&ctx->blake2b, NULL, 0, BLAKE2B_BYTES),
       crypto_generichash_blake2b_update(&ctx->blake2b, in, len),
       crypto_generichash_blake2b_final(&ctx->blake2b, out, BLAKE2B_BYTES),
       crypto_generichash_blake2b(out, BLAKE2B_BYTES, in, len, NULL, 0))

static const so_digest *digest_of(const mb_job *job)
{
    return job->scheme->param;
}

static mb_status digest_open(mb_job *job)
{
    return job->out_cap >= digest_of(job)->out_len ? MB_OK : mb_note(MB_TOO_BIG, "output does not fit");
}

static mb_status digest_start(mb_job *job)
{
    return so_check(digest_of(job)->init(so_ctx_of(job)));
}

static mb_status digest_run(mb_job *job, uint32_t n)
{
    job->out_len = digest_of(job)->out_len;
    return so_check(digest_of(job)->whole(job->out, job->in, job->in_len, n));
}

static mb_status digest_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    (void)out, (void)out_len;
    return so_check(digest_of(job)->update(so_ctx_of(job), in, in_len));
}

static mb_status digest_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    *out_len = digest_of(job)->out_len;
    return so_check(digest_of(job)->final(so_ctx_of(job), out));
}

const mb_kind so_digest_kind = {
    .open = digest_open,
    .start = digest_start,
    .run = digest_run,
    .update = digest_update,
    .final = digest_final,
};

#define ROW(name, len) {&so_digest_kind, len, name##_init, name##_update, name##_final, name##_whole}
const so_digest so_sha256 = ROW(sha256, crypto_hash_sha256_BYTES);
const so_digest so_sha512 = ROW(sha512, crypto_hash_sha512_BYTES);
const so_digest so_blake2b = ROW(blake2b, BLAKE2B_BYTES);
