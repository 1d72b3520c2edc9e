/*
 * Stream ciphers.
 *
 * Timed: one call for the whole input with key, nonce and first counter; all operations do
 * the same. libsodium keeps no state, so ENCRYPT and DECRYPT do not continue a message: each
 * iteration begins at the block that the message began with. Files are processed from counter to
 * counter where the library takes one (not in Salsa20/12).
 */
#include "libsodium_adapter.h"

enum { BLOCK = 64 };

/* The steps of one cipher: `call` encrypts from block `counter` on. */
#define STREAM(name, call)                                                                    \
    static inline mb_status name##_from(                                                      \
        mb_job *job, uint64_t counter, const uint8_t *in, size_t len, uint8_t *out)           \
    {                                                                                         \
        const uint8_t *nonce = ((const adapter_ctx *)job->ctx)->nonce;                        \
        (void)counter;                                                                        \
        return adapter_check(call);                                                           \
    }                                                                                         \
    static mb_status name##_bulk_once(mb_job *job)                                            \
    {                                                                                         \
        const adapter_ctx *ctx = job->ctx;                                                    \
        return name##_from(job, ctx->first, job->out, job->in_len, job->out);                 \
    }                                                                                         \
    static mb_status name##_message_once(mb_job *job)                                         \
    {                                                                                         \
        const adapter_ctx *ctx = job->ctx;                                                    \
        return name##_from(job, ctx->first, job->in, job->in_len, job->out);                  \
    }                                                                                         \
    static mb_status name##_process(mb_job *job, const uint8_t *in, size_t len, uint8_t *out) \
    {                                                                                         \
        adapter_ctx *ctx = job->ctx;                                                          \
        mb_status status = name##_from(job, ctx->counter, in, len, out);                      \
        ctx->counter += len / BLOCK;                                                          \
        return status;                                                                        \
    }                                                                                         \
    MB_REPEAT(name##_bulk, name##_bulk_once)                                                  \
    MB_REPEAT(name##_message, name##_message_once)

STREAM(chacha20,
       crypto_stream_chacha20_ietf_xor_ic(out, in, len, nonce, (uint32_t)counter, job->key))
STREAM(salsa20, crypto_stream_salsa20_xor_ic(out, in, len, nonce, counter, job->key))
STREAM(salsa20_12, crypto_stream_salsa2012_xor(out, in, len, nonce, job->key))

static mb_status no_key(mb_job *job)
{
    (void)job;
    return MB_OK;
}

static mb_status begin(mb_job *job, size_t len)
{
    adapter_ctx *ctx = job->ctx;
    (void)len;
    ctx->counter = ctx->first;
    return MB_OK;
}

static uint64_t counter_of(const mb_job *job, size_t bytes)
{
    uint64_t counter = 0;
    for (size_t i = bytes; i > 0; i--)
        counter = counter << 8 | job->nonce[i - 1];
    return counter;
}

static mb_status stream_open(mb_job *job)
{
    const adapter_stream *stream = job->scheme->param;
    adapter_ctx *ctx = job->ctx;
    mb_status status = mb_check_lengths(job, true);
    if (status == MB_OK && job->nonce_len != job->scheme->nonce_min &&
        job->nonce_len != job->scheme->nonce_max)
        status = mb_note(MB_UNSUPPORTED, "nonce must have 12 or 16 bytes");
    if (status == MB_OK && job->out_cap < job->in_len + BLOCK)
        status = mb_note(MB_TOO_BIG, "output does not fit");
    if (status != MB_OK)
        return status;
    ctx->nonce = job->nonce + (job->nonce_len - stream->nonce_len);
    ctx->first = counter_of(job, job->nonce_len - stream->nonce_len);
    /* The library ends the process when the counter of 32 bits would overflow. */
    if (stream == &adapter_chacha20 &&
        ctx->first + (job->total_len + BLOCK - 1) / BLOCK > (uint64_t)1 << 32)
        return mb_note(MB_UNSUPPORTED, "message is too long for the counter");
    ctx->how = (mb_steps){
        .set_key = no_key,
        .begin = begin,
        .encrypt = stream->process,
        .decrypt = stream->process,
        .block = BLOCK,
        .runs = {.encrypt = stream->bulk,
                 .decrypt = stream->bulk,
                 .encrypt_message = stream->message,
                 .encrypt_new_key = stream->message,
                 .decrypt_message = stream->message}};
    /* Each iteration begins anew: any length will do. */
    if (job->op == MB_ENCRYPT || job->op == MB_DECRYPT)
        ctx->how.block = 1;
    return mb_steps_open(job, &ctx->how);
}

const mb_kind adapter_stream_kind = {
    .open = stream_open,
    .start = mb_steps_start,
    .run = mb_drive_run,
    .update = mb_steps_update,
    .final = mb_steps_final,
};

#define ROW(name, nonce_len) \
    {&adapter_stream_kind, name##_process, nonce_len, name##_bulk, name##_message}
const adapter_stream adapter_chacha20 = ROW(chacha20, crypto_stream_chacha20_ietf_NONCEBYTES);
const adapter_stream adapter_salsa20 = ROW(salsa20, crypto_stream_salsa20_NONCEBYTES);
const adapter_stream adapter_salsa20_12 = ROW(salsa20_12, crypto_stream_salsa2012_NONCEBYTES);
