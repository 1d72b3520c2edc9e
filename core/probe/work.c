#include <string.h>

#include "bytes.h"
#include "job.h"

#ifdef MB_GUARDED
enum { GUARD_BYTE = 0xA7 };

static uint32_t given(const mb_job *job)
{
    uint32_t crc = mb_crc32(0, job->key, job->key_len);
    crc = mb_crc32(crc, job->nonce, job->nonce_len);
    crc = mb_crc32(crc, job->aad, job->aad_len);
    crc = mb_crc32(crc, job->tag, job->tag_len);
    /* Bulk data is processed in place. */
    return job->in == job->out ? crc : mb_crc32(crc, job->in, job->in_len);
}

void mb_work_guard(mb_work *work)
{
    mb_job *job = &work->job;
    const bool encrypts = job->op == MB_ENCRYPT_MESSAGE || job->op == MB_ENCRYPT_NEW_KEY;
    const bool decrypts = job->op == MB_DECRYPT_MESSAGE;
    /* Published code decrypts whole blocks: it may write as much as ciphertext and tag are long. */
    job->out_cap =
        encrypts || (decrypts && job->scheme->joined) ? job->in_len + job->scheme->tag_max
        : decrypts                                    ? job->in_len
                                                      : mb_out_bytes(job, job->op);
    memset(job->out - MB_GUARD, GUARD_BYTE, MB_GUARD);
    memset(job->out + job->out_cap, GUARD_BYTE, MB_GUARD);
    work->given = given(job);
}

static bool whole(const uint8_t *guard)
{
    for (size_t i = 0; i < MB_GUARD; i++) {
        if (guard[i] != GUARD_BYTE)
            return false;
    }
    return true;
}

/* On small devices the inputs are part of the request. */
static bool inputs_changed(const mb_work *work, size_t lacks)
{
    return lacks == MB_OVER_REQUEST && work->given != given(&work->job);
}

#define CHANGED_INPUT "the code changed its input: key, nonce, additional data or message"
#if MB_STREAMING
#define CHANGED MB_TEXT(CHANGED_INPUT)
#else /* the stack of a small device may jump over the paint */
#define CHANGED MB_TEXT(CHANGED_INPUT "; or its stack ran into it, and RAM is missing")
#endif

static bool guards_hold(const mb_work *work, bool good, mb_reply *reply)
{
    const mb_job *job = &work->job;
    const mb_text where =
        job->op == MB_DIGEST            ? MB_TEXT("the digest")
        : job->op == MB_DECRYPT_MESSAGE ? MB_TEXT("the decrypted message")
        : job->op == MB_KEYGEN          ? MB_TEXT("the private key")
        : job->op == MB_SIGN            ? MB_TEXT("the signature")
        : job->op == MB_VERIFY          ? MB_TEXT("the message in its signature")
        : job->op == MB_ENCAPSULATE     ? MB_TEXT("the ciphertext")
        : job->op == MB_DECAPSULATE     ? MB_TEXT("the secret")
                                        : MB_TEXT("ciphertext and tag");
    if (!whole(job->out - MB_GUARD))
        return mb_fail(reply, MB_KIND_WRONG_ANSWER, where,
                       MB_TEXT("the code wrote before the buffer"));
    if (!whole(job->out + job->out_cap))
        return mb_fail(reply, MB_KIND_WRONG_ANSWER, where,
                       MB_TEXT("the code wrote behind the buffer"));
    if (work->given != given(job))
        return mb_fail(reply, MB_KIND_WRONG_ANSWER, NULL, CHANGED);
    return good;
}
#else
static bool inputs_changed(const mb_work *work, size_t lacks)
{
    (void)work, (void)lacks;
    return false;
}

static bool guards_hold(const mb_work *work, bool good, mb_reply *reply)
{
    (void)work, (void)reply;
    return good;
}
#endif

bool mb_work_open(mb_work *work, mb_reply *reply)
{
    if (mb_port_buffers()->ctx_lacks > 0)
        return mb_fail_lacks(reply, MB_TEXT("bytes of RAM that are missing"),
                             mb_port_buffers()->ctx_lacks);
    memset(work->job.ctx, 0, mb_ctx_size(work->job.scheme));
    work->job.tag_out_len = work->second_len; /* the length wanted is known when the key is set */
    if (work->job.scheme->joined && work->job.op == MB_DECRYPT_MESSAGE) {
        if (work->job.tag_len != work->second_len)
            return mb_fail(reply, MB_KIND_UNSUPPORTED, MB_TEXT("tag"),
                           MB_TEXT("a length that the scheme does not take"));
        memcpy(mb_port_buffers()->in + work->job.in_len, work->job.tag, work->job.tag_len);
    }
    mb_status status = mb_the_adapter.open(&work->job);
    work->is_open = status == MB_OK;
    return work->is_open || mb_work_sound(work, mb_fail_status(reply, status), reply);
}

void mb_work_close(mb_work *work)
{
    if (work->is_open)
        mb_the_adapter.close(&work->job);
    work->is_open = false;
}

bool mb_work_sound(const mb_work *work, bool good, mb_reply *reply)
{
    const mb_buffers *buffers = mb_port_buffers();
    const size_t lacks = buffers->overrun != NULL ? buffers->overrun() : 0;
    if (lacks == 0 || inputs_changed(work, lacks))
        return guards_hold(work, good, reply);
    return mb_fail_lacks(
        reply, MB_TEXT("the stack ran over its end; bytes of RAM that are missing at least"),
        lacks);
}

bool mb_work_end(mb_work *work, bool good, mb_reply *reply)
{
    good = mb_work_sound(work, good, reply);
    mb_work_close(work);
    return good;
}

mb_status mb_work_restart(mb_work *work)
{
    mb_job *job = &work->job;
    if (work->in_place)
        memcpy(job->out, work->input, job->in_len);
    job->out_len = 0;
    job->tag_out_len = work->second_len;
    return mb_the_adapter.start(job);
}

/* Cuts the tag off the output that it follows. */
static mb_status split(mb_job *job)
{
    if (job->out_len != job->in_len + job->tag_out_len)
        return MB_ERROR;
    job->out_len = job->in_len;
    memcpy(job->tag_out, job->out + job->out_len, job->tag_out_len);
    return MB_OK;
}

mb_status mb_work_run(mb_work *work, uint32_t n)
{
    const mb_status status = mb_work_restart(work);
    return status == MB_OK ? mb_work_checked(work, mb_the_adapter.run(&work->job, n)) : status;
}

mb_status mb_work_checked(mb_work *work, mb_status status)
{
    if (status == MB_OK &&
        (work->job.out_len > work->job.out_cap || work->job.tag_out_len > work->job.tag_out_cap))
        return MB_ERROR;
    return status == MB_OK && work->job.scheme->joined && mb_work_has_second(work)
               ? split(&work->job)
               : status;
}

bool mb_work_has_second(const mb_work *work)
{
    const mb_operation op = work->job.op;
    return work->job.tag_out != NULL && op != MB_ENCRYPT && op != MB_DECRYPT &&
           op != MB_DECRYPT_MESSAGE;
}

void mb_work_put(const mb_work *work, mb_text key, mb_map *map)
{
    const mb_job *job = &work->job;
    if (key != NULL)
        mb_map_bytes(map, key, job->out, job->out_len);
    if (mb_work_has_second(work))
        mb_map_bytes(map, mb_key_of(job->op, MB_SECOND), job->tag_out, job->tag_out_len);
}

uint32_t mb_work_crc(const mb_work *work)
{
    uint32_t crc = mb_crc32(0, work->job.out, work->job.out_len);
    return mb_work_has_second(work) ? mb_crc32(crc, work->job.tag_out, work->job.tag_out_len) : crc;
}

bool mb_work_is_random(const mb_work *work)
{
    const mb_job *job = &work->job;
    return MB_PUBLIC_KEY &&
           (job->op == MB_SIGN ||
            ((job->op == MB_KEYGEN || job->op == MB_ENCAPSULATE) && job->seed_len == 0));
}

/* Does the opposite operation; the result is in the job. */
static bool run_opposite(mb_work *work, mb_reply *reply)
{
    mb_job *job = &work->job;
    const mb_operation op = job->op;
    const size_t tag_len = job->tag_len;
    job->tag_len = 0;
    job->op = op == MB_DECRYPT ? MB_ENCRYPT : MB_ENCRYPT_MESSAGE;
#ifdef MB_GUARDED
    mb_work_guard(work);
#endif
    bool good = (job->scheme->operations & MB_CAN(job->op)) != 0 ||
                mb_fail(reply, MB_KIND_UNSUPPORTED, MB_TEXT("inverse"),
                        MB_TEXT("the opposite operation is not offered"));
    if (good && mb_work_open(work, reply)) {
        mb_status status = mb_work_run(work, 1);
        good = mb_work_end(work, status == MB_OK || mb_fail_status(reply, status), reply);
    } else {
        good = false;
    }
    job->op = op;
    job->tag_len = tag_len;
    return good;
}

bool mb_work_invert(mb_work *work, mb_reply *reply)
{
    const mb_buffers *buffers = mb_port_buffers();
    mb_job *job = &work->job;
    if (!work->inverse)
        return true;
    if (job->op != MB_DECRYPT && job->op != MB_DECRYPT_MESSAGE)
        return mb_fail(reply, MB_KIND_BAD_REQUEST, MB_TEXT("inverse"),
                       MB_TEXT("only for decrypt and decrypt-message"));
    if (!run_opposite(work, reply))
        return false;
    memcpy(buffers->in, job->out, job->out_len);
    job->in_len = job->out_len;
    job->total_len = job->in_len;
    if (job->tag_out != NULL) {
        job->tag = job->tag_out;
        job->tag_len = job->tag_out_len;
        job->tag_out = NULL;
    }
#ifdef MB_GUARDED
    mb_work_guard(work);
#endif
    return true;
}
