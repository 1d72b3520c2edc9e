/*
 * Stream ciphers.
 *
 * What is timed: one call for the whole input with key, nonce and first counter; all operations do the same.
 * libsodium keeps no state, so ENCRYPT and DECRYPT do not continue a message: each iteration begins at the block that
 * the message began with. Files are processed from counter to counter where the library takes one (not in Salsa20/12).
 */
#include "so.h"

enum { BLOCK = 64 };

/* The library ends the process when the counter of 32 bits would overflow. */
static mb_status xor_chacha20(const mb_job *job, const uint8_t *nonce, uint64_t counter, const uint8_t *in, size_t len,
                              uint8_t *out, uint32_t n)
{
    int bad = 0;
    if (counter + (len + BLOCK - 1) / BLOCK > (uint64_t)1 << 32)
        return mb_note(MB_UNSUPPORTED, "message is too long for the counter");
    for (uint32_t i = 0; i < n; i++)
        bad |= crypto_stream_chacha20_ietf_xor_ic(out, in, len, nonce, (uint32_t)counter, job->key);
    return so_check(bad);
}

static mb_status xor_salsa20(const mb_job *job, const uint8_t *nonce, uint64_t counter, const uint8_t *in, size_t len,
                             uint8_t *out, uint32_t n)
{
    int bad = 0;
    for (uint32_t i = 0; i < n; i++)
        bad |= crypto_stream_salsa20_xor_ic(out, in, len, nonce, counter, job->key);
    return so_check(bad);
}

static mb_status xor_salsa20_12(const mb_job *job, const uint8_t *nonce, uint64_t counter, const uint8_t *in,
                                size_t len, uint8_t *out, uint32_t n)
{
    int bad = 0;
    (void)counter;
    for (uint32_t i = 0; i < n; i++)
        bad |= crypto_stream_salsa2012_xor(out, in, len, nonce, job->key);
    return so_check(bad);
}

static const so_stream *stream_of(const mb_job *job)
{
    return job->scheme->param;
}

static const uint8_t *nonce_of(const mb_job *job)
{
    return job->nonce + (job->nonce_len - stream_of(job)->nonce_len);
}

static uint64_t counter_of(const mb_job *job)
{
    uint64_t counter = 0;
    for (size_t i = job->nonce_len - stream_of(job)->nonce_len; i > 0; i--)
        counter = counter << 8 | job->nonce[i - 1];
    return counter;
}

static mb_status stream_open(mb_job *job)
{
    mb_status status = mb_check_lengths(job, true);
    if (status == MB_OK && job->nonce_len != job->scheme->nonce_min && job->nonce_len != job->scheme->nonce_max)
        status = mb_note(MB_UNSUPPORTED, "nonce must have 12 or 16 bytes");
    if (status == MB_OK && job->out_cap < job->in_len + BLOCK)
        status = mb_note(MB_TOO_BIG, "output does not fit");
    return status;
}

static mb_status stream_start(mb_job *job)
{
    so_ctx *ctx = so_ctx_of(job);
    ctx->stream.buffer.len = 0;
    ctx->stream.counter = counter_of(job);
    return MB_OK;
}

static mb_status stream_run(mb_job *job, uint32_t n)
{
    const uint8_t *in = job->op == MB_ENCRYPT || job->op == MB_DECRYPT ? job->out : job->in;
    job->out_len = job->in_len;
    return stream_of(job)->xor(job, nonce_of(job), counter_of(job), in, job->in_len, job->out, n);
}

static mb_status process(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    so_ctx *ctx = so_ctx_of(job);
    mb_status status = stream_of(job)->xor(job, nonce_of(job), ctx->stream.counter, in, len, out, 1);
    ctx->stream.counter += len / BLOCK;
    return status;
}

static mb_status stream_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    return mb_block_buffer_update(&so_ctx_of(job)->stream.buffer, BLOCK, false, process, job, in, in_len, out, out_len);
}

static mb_status stream_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    const mb_block_buffer *buffer = &so_ctx_of(job)->stream.buffer;
    *out_len = buffer->len;
    return buffer->len > 0 ? process(job, buffer->bytes, buffer->len, out) : MB_OK;
}

const mb_kind so_stream_kind = {
    .open = stream_open,
    .start = stream_start,
    .run = stream_run,
    .update = stream_update,
    .final = stream_final,
};

const so_stream so_chacha20 = {&so_stream_kind, xor_chacha20, crypto_stream_chacha20_ietf_NONCEBYTES};
const so_stream so_salsa20 = {&so_stream_kind, xor_salsa20, crypto_stream_salsa20_NONCEBYTES};
const so_stream so_salsa20_12 = {&so_stream_kind, xor_salsa20_12, crypto_stream_salsa2012_NONCEBYTES};
