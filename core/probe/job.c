#include "job.h"

#include <string.h>

#include "bytes.h"
#include "wire.h"

enum { DEFAULT_TAG_BYTES = 16, FIRST_OUT_BYTES = 4096 };

static bool same(const char *name, const char *text, size_t len)
{
    return strlen(name) == len && memcmp(name, text, len) == 0;
}

bool mb_request_bool(mb_item request, mb_text key, bool *value, mb_reply *reply)
{
    mb_item item;
    *value = false;
    if (mb_cbor_find(request, key, &item) && !mb_cbor_bool(item, value))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, key, MB_TEXT("no boolean"));
    return true;
}

bool mb_request_uint(mb_item request, mb_text key, uint32_t low, uint32_t high, uint32_t *value,
                     mb_reply *reply)
{
    mb_item item;
    uint64_t wide;
    if (!mb_cbor_find(request, key, &item))
        return true;
    if (!mb_cbor_uint(item, &wide))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, key, MB_TEXT("no unsigned integer"));
    if (wide < low || wide > high)
        return mb_fail(reply, MB_KIND_BAD_REQUEST, key, MB_TEXT("out of range"));
    *value = (uint32_t)wide;
    return true;
}

static bool read_text(mb_item request, mb_text key, const char **text, size_t *len, mb_reply *reply)
{
    mb_item item;
    if (!mb_cbor_find(request, key, &item) || !mb_cbor_text(item, text, len))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, key, MB_TEXT("missing, or no text"));
    return true;
}

static bool read_scheme(mb_item request, mb_job *job, mb_reply *reply)
{
    const char *name;
    size_t len;
    if (!read_text(request, MB_TEXT("scheme"), &name, &len, reply))
        return false;
    const size_t count = mb_the_adapter.scheme_count();
    for (size_t i = 0; i < count; i++) {
        const mb_scheme *scheme = mb_the_adapter.scheme_at(i);
        /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): mb_fail is false */
        if (same(scheme->name, name, len)) {
            job->scheme = scheme;
            return true;
        }
    }
    return mb_fail(reply, MB_KIND_UNSUPPORTED, MB_TEXT("scheme"), MB_TEXT("not offered"));
}

static bool read_operation(mb_item request, mb_job *job, mb_reply *reply)
{
    const char *name;
    size_t len;
    if (!read_text(request, MB_TEXT("op"), &name, &len, reply))
        return false;
    /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): mb_fail is false */
    if (!mb_operation_find(name, len, &job->op))
        return mb_fail(reply, MB_KIND_UNSUPPORTED, MB_TEXT("op"), MB_TEXT("unknown"));
    return true;
}

/* Room in the aux buffer, handed out from its beginning in aligned pieces. */
typedef struct room {
    uint8_t *at;
    size_t left;
} room;

static size_t padded(size_t len)
{
    return (len + MB_ALIGNMENT - 1) / MB_ALIGNMENT * MB_ALIGNMENT;
}

static uint8_t *take(room *aux, size_t len)
{
    if (len > aux->left || padded(len) > aux->left)
        return NULL;
    uint8_t *piece = aux->at;
    aux->at += padded(len);
    aux->left -= padded(len);
    return piece;
}

static bool find_bytes(mb_item request, mb_text key, const uint8_t **data, size_t *len,
                       mb_reply *reply)
{
    mb_item item;
    *data = NULL;
    *len = 0;
    if (!mb_cbor_find(request, key, &item) || mb_cbor_bytes(item, data, len))
        return true;
    return mb_fail(reply, MB_KIND_BAD_REQUEST, key, MB_TEXT("no byte string"));
}

/* Small devices leave the bytes of a request where they are, unless they are to be aligned. */
enum { STAYS = MB_ALIGNMENT == 1 };

/*
 * Inputs that must be aligned: long ones are moved down within the request, short ones are copied.
 * The head of a long one and its key, of which each has three letters and more, are at least 7
 * bytes, and of no use any more.
 */
enum { LONG_BYTES = 256 };

static bool is_moved(size_t len)
{
    return !STAYS && len >= LONG_BYTES;
}

/* Bytes of `aux` for a copy. */
static size_t copied(size_t len)
{
    return STAYS || is_moved(len) ? 0 : padded(len);
}

/*
 * Bytes of the request, copied to where they are aligned; on small devices that is later, if at
 * all.
 */
static bool read_bytes(mb_item request, mb_text key, room *aux, const uint8_t **data, size_t *len,
                       mb_reply *reply)
{
    const uint8_t *bytes;
    if (!find_bytes(request, key, &bytes, len, reply))
        return false;
    *data = bytes != NULL ? bytes : aux->at;
    if (bytes == NULL || mb_port_buffers()->place != NULL)
        return true;
    uint8_t *copy = take(aux, *len);
    if (copy == NULL)
        return mb_fail(reply, MB_KIND_TOO_BIG, key, NULL);
    memcpy(copy, bytes, *len);
    *data = copy;
    return true;
}

/*
 * The input and the additional data before they are where they belong: bytes of the request, or
 * seeds that are not 0.
 */
typedef struct source {
    const uint8_t *bytes;
    uint32_t seed, aad_seed;
    bool stays; /* the bytes are where they belong */
} source;

/* [seed, length] */
static bool read_fill(mb_item fill, mb_text key, uint32_t *seed, size_t *len, mb_reply *reply)
{
    mb_item seed_item, len_item;
    uint64_t first, second;
    if (!mb_cbor_element(fill, 2, 0, &seed_item) || !mb_cbor_uint(seed_item, &first) ||
        !mb_cbor_element(fill, 2, 1, &len_item) || !mb_cbor_uint(len_item, &second))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, key, MB_TEXT("not [seed, length]"));
    if (first == 0 || first > UINT32_MAX)
        return mb_fail(reply, MB_KIND_BAD_REQUEST, key,
                       MB_TEXT("the seed is not in 1..4294967295"));
    if (second > mb_port_buffers()->data_cap)
        return mb_fail(reply, MB_KIND_TOO_BIG, key, NULL);
    *seed = (uint32_t)first;
    *len = (size_t)second;
    return true;
}

static bool read_aad(mb_item request, source *from, room *aux, mb_job *job, mb_reply *reply)
{
    mb_item item;
    if (mb_cbor_find(request, MB_TEXT("aad_fill"), &item))
        return read_fill(item, MB_TEXT("aad_fill"), &from->aad_seed, &job->aad_len, reply);
    return read_bytes(request, MB_TEXT("aad"), aux, &job->aad, &job->aad_len, reply);
}

/* Additional data that are made here. */
static bool make_aad(const source *from, room *aux, mb_job *job, mb_reply *reply)
{
    uint8_t *made = take(aux, job->aad_len);
    if (made == NULL)
        return mb_fail(reply, MB_KIND_TOO_BIG, MB_TEXT("aad_fill"), NULL);
    mb_fill(from->aad_seed, made, job->aad_len);
    job->aad = made;
    return true;
}

static bool read_data(mb_item request, source *from, mb_job *job, mb_reply *reply)
{
    mb_item item;
    if (mb_cbor_find(request, MB_TEXT("fill"), &item))
        return read_fill(item, MB_TEXT("fill"), &from->seed, &job->in_len, reply);
    const mb_text key = mb_key_of(job->op, MB_INPUT);
    if (!find_bytes(request, key, &from->bytes, &job->in_len, reply))
        return false;
    if (job->in_len > mb_port_buffers()->data_cap)
        return mb_fail(reply, MB_KIND_TOO_BIG, key, NULL);
    return true;
}

static bool uses_nonce(mb_operation op)
{
    return op == MB_ENCRYPT || op == MB_DECRYPT || op == MB_ENCRYPT_MESSAGE ||
           op == MB_DECRYPT_MESSAGE || op == MB_ENCRYPT_NEW_KEY;
}

static bool within(size_t value, unsigned low, unsigned high)
{
    return value >= low && value <= high;
}

static bool outside(mb_text key, mb_reply *reply)
{
    return mb_fail(reply, MB_KIND_UNSUPPORTED, key,
                   MB_TEXT("a length that the scheme does not take"));
}

/* Nonce, context or seed. */
static bool beside_fits(const mb_job *job)
{
    const mb_scheme *scheme = job->scheme;
    if (MB_PUBLIC_KEY && (job->op == MB_KEYGEN || job->op == MB_ENCAPSULATE))
        return job->seed_len == 0 || mb_takes_seed(scheme);
    return !(uses_nonce(job->op) ||
             (MB_PUBLIC_KEY && (job->op == MB_SIGN || job->op == MB_VERIFY))) ||
           within(job->nonce_len, scheme->nonce_min, scheme->nonce_max);
}

static bool check_lengths(const mb_job *job, mb_reply *reply)
{
    const mb_scheme *scheme = job->scheme;
    if (job->op != MB_KEYGEN && job->op != MB_DIGEST &&
        !within(job->key_len, scheme->key_min, scheme->key_max))
        return outside(MB_TEXT("key"), reply);
    if (!beside_fits(job))
        return outside(mb_key_of(job->op, MB_BESIDE), reply);
    if ((job->op == MB_ENCRYPT || job->op == MB_DECRYPT) && scheme->block > 1 &&
        job->in_len % scheme->block != 0)
        return mb_fail(reply, MB_KIND_UNSUPPORTED, MB_TEXT("data"),
                       MB_TEXT("not a multiple of the block length"));
    return true;
}

/* Bytes of the second output of a KEM. */
static size_t second_bytes(const mb_job *job)
{
    return job->op == MB_KEYGEN        ? job->scheme->public_bytes
           : job->op == MB_ENCAPSULATE ? job->scheme->secret_bytes
                                       : 0;
}

/*
 * The length wanted of the second output, which is a tag but for KEMs; `tag_out_cap` is that of the
 * longest, 0: none.
 */
static bool read_second_len(mb_item request, mb_work *work, mb_reply *reply)
{
    const mb_scheme *scheme = work->job.scheme;
    uint32_t len = DEFAULT_TAG_BYTES;
    mb_item item;
    if (!mb_request_uint(request, MB_TEXT("tag_len"), 0, UINT16_MAX, &len, reply))
        return false;
    if (mb_is_kem(scheme))
        work->second_len = work->job.tag_out_cap = second_bytes(&work->job);
    if (!uses_nonce(work->job.op) || scheme->tag_max == 0)
        return true;
    if (!within((size_t)len, scheme->tag_min, scheme->tag_max)) {
        if (mb_cbor_find(request, MB_TEXT("tag_len"), &item))
            return outside(MB_TEXT("tag_len"), reply);
        len = len < scheme->tag_min ? scheme->tag_min : scheme->tag_max;
    }
    work->second_len = (size_t)len;
    work->job.tag_out_cap = scheme->tag_max;
    return true;
}

/*
 * Small devices: has the port make room behind the request for what this job needs, and not more.
 */
static bool place(mb_item request, mb_operation op, source *from, mb_work *work, mb_reply *reply)
{
    const mb_buffers *buffers = mb_port_buffers();
    mb_job *job = &work->job;
    job->out_cap = buffers->data_cap + buffers->slack;
    if (buffers->place == NULL)
        return true;
    /* A tag that belongs behind the input needs room there. */
    const bool joins = job->scheme->joined && op == MB_DECRYPT_MESSAGE;
    from->stays =
        (STAYS || is_moved(job->in_len)) && from->bytes != NULL && !work->inverse && !joins;
    job->out_cap = mb_out_bytes(job, op);
    const size_t copies = copied(job->key_len) + copied(job->nonce_len) + copied(job->tag_len) +
                          (from->aad_seed == 0 ? copied(job->aad_len) : padded(job->aad_len));
    /* What may differ each time is in the reply to `measure`. */
    const size_t sent =
        mb_work_is_random(work) ? job->out_cap + job->tag_out_cap + MB_KEYS_BYTES : 0;
    const mb_needs needs = {
        .in = from->stays
                  ? 0
                  : job->in_len + (work->inverse || joins ? mb_longer_bytes(job->scheme) : 0),
        .out = job->out_cap + 2 * MB_GUARD,
        .aux = padded(job->tag_out_cap) + copies,
        .samples = work->batches,
        .reply = work->batches > 0 ? MB_AROUND_BYTES + MB_BATCH_BYTES * work->batches + sent
                                   : MB_SHORT_REPLY,
        .ctx = mb_ctx_size(job->scheme),
    };
    const size_t lacks = buffers->place(request.end, &needs);
    return lacks == 0 || mb_fail_lacks(reply, MB_TEXT("bytes of RAM that are missing"), lacks);
}

static bool move(room *aux, const uint8_t **data, size_t len)
{
    uint8_t *const copy = take(aux, len);
    if (copy != NULL && len > 0)
        memcpy(copy, *data, len);
    *data = copy;
    return copy != NULL;
}

/* Aligns what is part of the request. */
static bool align_one(room *aux, const uint8_t **data, size_t len)
{
    if (!is_moved(len))
        return move(aux, data, len);
    uint8_t *at = mb_port_buffers()->frame_in;
    at += *data - at;
    at -= (uintptr_t)at % MB_ALIGNMENT;
    memmove(at, *data, len);
    *data = at;
    return true;
}

/* The request has its check again, by which the port sees whether the stack ran into it. */
static void seal(mb_item request)
{
    uint8_t *const frame = mb_port_buffers()->frame_in;
    const size_t len = (size_t)(request.end - frame);
    const uint16_t check = mb_crc16(MB_CRC16_START, frame, len);
    frame[len] = (uint8_t)(check >> 8);
    frame[len + 1] = (uint8_t)check;
}

/*
 * Small devices that want alignment: what the request brought is aligned. Nothing else of the
 * request is read afterwards.
 */
static bool align(mb_item request, source *from, room *aux, mb_job *job)
{
    if (STAYS)
        return true;
    if (!align_one(aux, &job->key, job->key_len) || !align_one(aux, &job->nonce, job->nonce_len) ||
        !align_one(aux, &job->tag, job->tag_len) ||
        !(from->aad_seed != 0 || align_one(aux, &job->aad, job->aad_len)) ||
        !(!from->stays || align_one(aux, &from->bytes, job->in_len)))
        return false;
    seal(request);
    return true;
}

/* Puts the input and the rest of the job into their places. */
static bool settle(mb_item request, source *from, room *aux, mb_work *work, mb_reply *reply)
{
    const mb_buffers *buffers = mb_port_buffers();
    mb_job *job = &work->job;
    /*
     * Where memory is the port's own, what is before the output is nobody's: the layout stays what
     * it is without guards.
     */
    job->out = buffers->place != NULL ? buffers->out + MB_GUARD : buffers->out;
    job->ctx = buffers->ctx;
    if (buffers->place != NULL) {
        *aux = (room){buffers->aux, buffers->aux_cap};
        if (!align(request, from, aux, job))
            return mb_fail(reply, MB_KIND_TOO_BIG, NULL, NULL);
    }
    if (from->aad_seed != 0 && !make_aad(from, aux, job, reply))
        return false;
    if (job->tag_out_cap > 0) {
        job->tag_out = take(aux, job->tag_out_cap);
        if (job->tag_out == NULL)
            return mb_fail(reply, MB_KIND_TOO_BIG, mb_key_of(job->op, MB_SECOND), NULL);
        memset(job->tag_out, 0, job->tag_out_cap);
    }
    work->input = from->stays ? from->bytes : buffers->in;
    if (from->seed != 0)
        mb_fill(from->seed, buffers->in, job->in_len);
    else if (from->bytes != NULL && !from->stays)
        memcpy(buffers->in, from->bytes, job->in_len);
    job->in = work->in_place ? job->out : work->input;
    return true;
}

static bool read_job(mb_item request, mb_reads reads, const mb_operation *op, source *from,
                     room *aux, mb_work *work, mb_reply *reply)
{
    mb_job *job = &work->job;
    if (op != NULL)
        job->op = *op;
    else if (!read_operation(request, job, reply))
        return false;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): mb_fail is false */
    if ((job->scheme->operations & MB_CAN(job->op)) == 0)
        return mb_fail(reply, MB_KIND_UNSUPPORTED, MB_TEXT("op"),
                       MB_TEXT("not offered for this scheme"));
    if (!read_bytes(request, mb_key_of(job->op, MB_BESIDE), aux, &job->nonce, &job->nonce_len,
                    reply) ||
        !read_aad(request, from, aux, job, reply) ||
        !read_bytes(request, mb_key_of(job->op, MB_CHECKED), aux, &job->tag, &job->tag_len,
                    reply) ||
        !read_second_len(request, work, reply))
        return false;
    if (reads == MB_READ_ALL && !read_data(request, from, job, reply))
        return false;
    job->total_len = job->in_len;
    work->in_place = job->op == MB_ENCRYPT || job->op == MB_DECRYPT;
    return check_lengths(job, reply);
}

bool mb_work_read(mb_item request, mb_reads reads, const mb_operation *op, mb_work *work,
                  mb_reply *reply)
{
    const mb_buffers *buffers = mb_port_buffers();
    source from = {.seed = 0};
    room aux = {buffers->aux, buffers->aux_cap};
    *work = (mb_work){.batches = work->batches};
    if (!read_scheme(request, &work->job, reply) ||
        !mb_request_bool(request, MB_TEXT("inverse"), &work->inverse, reply) ||
        !read_bytes(request, MB_TEXT("key"), &aux, &work->job.key, &work->job.key_len, reply) ||
        (reads != MB_READ_KEY && !read_job(request, reads, op, &from, &aux, work, reply)) ||
        !place(request, reads == MB_READ_KEY ? MB_OPERATION_COUNT : work->job.op, &from, work,
               reply) ||
        !settle(request, &from, &aux, work, reply))
        return false;
    /* Pages that the probe itself touches must not count as the library's memory. */
    if (reads == MB_READ_ALL && buffers->place == NULL)
        memset(buffers->out, 0, work->job.in_len + FIRST_OUT_BYTES);
#ifdef MB_GUARDED
    if (reads == MB_READ_ALL)
        mb_work_guard(work);
#endif
    return true;
}
