#include "job.h"

#include <string.h>

#include "bytes.h"

enum { DEFAULT_TAG_BYTES = 16, FIRST_OUT_BYTES = 64 };

static const char *const OPERATION_NAMES[MB_OPERATION_COUNT] = {
    [MB_KEY_SETUP] = "key-setup",
    [MB_ENCRYPT] = "encrypt",
    [MB_DECRYPT] = "decrypt",
    [MB_ENCRYPT_MESSAGE] = "encrypt-message",
    [MB_DECRYPT_MESSAGE] = "decrypt-message",
    [MB_ENCRYPT_NEW_KEY] = "encrypt-new-key",
    [MB_DIGEST] = "digest",
    [MB_MAC] = "mac",
    [MB_KEYGEN] = "keygen",
    [MB_SIGN] = "sign",
    [MB_VERIFY] = "verify",
    [MB_AGREE] = "agree",
};

const char *mb_operation_name(mb_operation op)
{
    return OPERATION_NAMES[op];
}

static bool same(const char *name, const char *text, size_t len)
{
    return strlen(name) == len && memcmp(name, text, len) == 0;
}

bool mb_operation_find(const char *name, size_t len, mb_operation *op)
{
    for (unsigned i = 0; i < MB_OPERATION_COUNT; i++) {
        if (same(OPERATION_NAMES[i], name, len)) {
            *op = (mb_operation)i;
            return true;
        }
    }
    return false;
}

bool mb_request_bool(mb_item request, const char *key, bool *value, mb_reply *reply)
{
    mb_item item;
    *value = false;
    if (mb_cbor_find(request, key, &item) && !mb_cbor_bool(item, value))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, key, "no boolean");
    return true;
}

bool mb_request_uint(mb_item request, const char *key, uint64_t low, uint64_t high, uint64_t *value, mb_reply *reply)
{
    mb_item item;
    if (!mb_cbor_find(request, key, &item))
        return true;
    if (!mb_cbor_uint(item, value))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, key, "no unsigned integer");
    if (*value < low || *value > high)
        return mb_fail(reply, MB_KIND_BAD_REQUEST, key, "out of range");
    return true;
}

static bool read_text(mb_item request, const char *key, const char **text, size_t *len, mb_reply *reply)
{
    mb_item item;
    if (!mb_cbor_find(request, key, &item) || !mb_cbor_text(item, text, len))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, key, "missing, or no text");
    return true;
}

static bool read_scheme(mb_item request, mb_job *job, mb_reply *reply)
{
    const char *name;
    size_t len;
    if (!read_text(request, "scheme", &name, &len, reply))
        return false;
    const size_t count = mb_the_adapter.scheme_count();
    for (size_t i = 0; i < count; i++) {
        const mb_scheme *scheme = mb_the_adapter.scheme_at(i);
        if (same(scheme->name, name, len)) {
            job->scheme = scheme;
            return true;
        }
    }
    return mb_fail(reply, MB_KIND_UNSUPPORTED, "scheme", "not offered");
}

static bool read_operation(mb_item request, mb_job *job, mb_reply *reply)
{
    const char *name;
    size_t len;
    if (!read_text(request, "op", &name, &len, reply))
        return false;
    if (!mb_operation_find(name, len, &job->op))
        return mb_fail(reply, MB_KIND_UNSUPPORTED, "op", "unknown");
    return true;
}

/* Room in the aux buffer, handed out from its beginning in aligned pieces. */
typedef struct room {
    uint8_t *at;
    size_t left;
} room;

static uint8_t *take(room *aux, size_t len)
{
    size_t padded = (len + MB_ALIGNMENT - 1) / MB_ALIGNMENT * MB_ALIGNMENT;
    if (len > aux->left || padded > aux->left)
        return NULL;
    uint8_t *piece = aux->at;
    aux->at += padded;
    aux->left -= padded;
    return piece;
}

static bool read_bytes(mb_item request, const char *key, room *aux, const uint8_t **data, size_t *len, mb_reply *reply)
{
    mb_item item;
    const uint8_t *bytes;
    *data = aux->at;
    *len = 0;
    if (!mb_cbor_find(request, key, &item))
        return true;
    if (!mb_cbor_bytes(item, &bytes, len))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, key, "no byte string");
    uint8_t *copy = take(aux, *len);
    if (copy == NULL)
        return mb_fail(reply, MB_KIND_TOO_BIG, key, NULL);
    memcpy(copy, bytes, *len);
    *data = copy;
    return true;
}

/* [seed, length], with a length up to `cap`. */
static bool read_fill(mb_item fill, const char *key, size_t cap, uint32_t *seed, size_t *len, mb_reply *reply)
{
    mb_item seed_item, len_item;
    uint64_t first, second;
    if (!mb_cbor_element(fill, 2, 0, &seed_item) || !mb_cbor_uint(seed_item, &first) ||
        !mb_cbor_element(fill, 2, 1, &len_item) || !mb_cbor_uint(len_item, &second))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, key, "not [seed, length]");
    if (first == 0 || first > UINT32_MAX)
        return mb_fail(reply, MB_KIND_BAD_REQUEST, key, "the seed is not in 1..4294967295");
    if (second > cap)
        return mb_fail(reply, MB_KIND_TOO_BIG, key, NULL);
    *seed = (uint32_t)first;
    *len = (size_t)second;
    return true;
}

static bool read_aad(mb_item request, room *aux, mb_job *job, mb_reply *reply)
{
    mb_item item;
    uint32_t seed;
    if (!mb_cbor_find(request, "aad_fill", &item))
        return read_bytes(request, "aad", aux, &job->aad, &job->aad_len, reply);
    if (!read_fill(item, "aad_fill", aux->left, &seed, &job->aad_len, reply))
        return false;
    uint8_t *made = take(aux, job->aad_len);
    if (made == NULL)
        return mb_fail(reply, MB_KIND_TOO_BIG, "aad_fill", NULL);
    mb_fill(seed, made, job->aad_len);
    job->aad = made;
    return true;
}

static bool read_data(mb_item request, mb_job *job, mb_reply *reply)
{
    const mb_buffers *buffers = mb_port_buffers();
    mb_item item;
    const uint8_t *data;
    job->in = buffers->in;
    if (mb_cbor_find(request, "fill", &item)) {
        uint32_t seed;
        if (!read_fill(item, "fill", buffers->data_cap, &seed, &job->in_len, reply))
            return false;
        mb_fill(seed, buffers->in, job->in_len);
        return true;
    }
    if (!mb_cbor_find(request, "data", &item))
        return true;
    if (!mb_cbor_bytes(item, &data, &job->in_len))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, "data", "no byte string");
    if (job->in_len > buffers->data_cap)
        return mb_fail(reply, MB_KIND_TOO_BIG, "data", NULL);
    memcpy(buffers->in, data, job->in_len);
    return true;
}

static bool uses_nonce(mb_operation op)
{
    return op == MB_ENCRYPT || op == MB_DECRYPT || op == MB_ENCRYPT_MESSAGE || op == MB_DECRYPT_MESSAGE ||
           op == MB_ENCRYPT_NEW_KEY;
}

static bool within(size_t value, unsigned low, unsigned high)
{
    return value >= low && value <= high;
}

static bool check_lengths(const mb_job *job, mb_reply *reply)
{
    const mb_scheme *scheme = job->scheme;
    if (job->op != MB_KEYGEN && job->op != MB_DIGEST && !within(job->key_len, scheme->key_min, scheme->key_max))
        return mb_fail(reply, MB_KIND_UNSUPPORTED, "key", "a length that the scheme does not take");
    if (uses_nonce(job->op) && !within(job->nonce_len, scheme->nonce_min, scheme->nonce_max))
        return mb_fail(reply, MB_KIND_UNSUPPORTED, "nonce", "a length that the scheme does not take");
    if ((job->op == MB_ENCRYPT || job->op == MB_DECRYPT) && scheme->block > 1 && job->in_len % scheme->block != 0)
        return mb_fail(reply, MB_KIND_UNSUPPORTED, "data", "not a multiple of the block length");
    return true;
}

/* The tag length wanted from encryption. */
static bool read_tag_len(mb_item request, mb_work *work, room *aux, mb_reply *reply)
{
    const mb_scheme *scheme = work->job.scheme;
    uint64_t len = DEFAULT_TAG_BYTES;
    mb_item item;
    if (!mb_request_uint(request, "tag_len", 0, UINT16_MAX, &len, reply))
        return false;
    if (!uses_nonce(work->job.op) || scheme->tag_max == 0)
        return true;
    if (!within((size_t)len, scheme->tag_min, scheme->tag_max)) {
        if (mb_cbor_find(request, "tag_len", &item))
            return mb_fail(reply, MB_KIND_UNSUPPORTED, "tag_len", "a length that the scheme does not take");
        len = len < scheme->tag_min ? scheme->tag_min : scheme->tag_max;
    }
    work->tag_len = (size_t)len;
    work->job.tag_out_cap = scheme->tag_max;
    work->job.tag_out = take(aux, scheme->tag_max);
    if (work->job.tag_out == NULL)
        return mb_fail(reply, MB_KIND_TOO_BIG, "tag_len", NULL);
    memset(work->job.tag_out, 0, scheme->tag_max);
    return true;
}

bool mb_work_read(mb_item request, mb_reads reads, const mb_operation *op, mb_work *work, mb_reply *reply)
{
    const mb_buffers *buffers = mb_port_buffers();
    mb_job *job = &work->job;
    room aux = {buffers->aux, buffers->aux_cap};
    memset(work, 0, sizeof *work);
    job->in = buffers->in;
    job->out = buffers->out;
    job->out_cap = buffers->data_cap + buffers->slack;
    job->ctx = buffers->ctx;
    if (!read_scheme(request, job, reply) ||
        !read_bytes(request, "key", &aux, &job->key, &job->key_len, reply))
        return false;
    if (reads == MB_READ_KEY)
        return true;
    if (op != NULL)
        job->op = *op;
    else if (!read_operation(request, job, reply))
        return false;
    if ((job->scheme->operations & MB_CAN(job->op)) == 0)
        return mb_fail(reply, MB_KIND_UNSUPPORTED, "op", "not offered for this scheme");
    if (!read_bytes(request, "nonce", &aux, &job->nonce, &job->nonce_len, reply) ||
        !read_aad(request, &aux, job, reply) ||
        !read_bytes(request, "tag", &aux, &job->tag, &job->tag_len, reply) ||
        !read_tag_len(request, work, &aux, reply))
        return false;
    if (reads == MB_READ_ALL && !read_data(request, job, reply))
        return false;
    job->total_len = job->in_len;
    work->in_place = job->op == MB_ENCRYPT || job->op == MB_DECRYPT;
    if (!check_lengths(job, reply))
        return false;
    if (work->in_place)
        job->in = buffers->out;
    /* Pages that the probe itself touches must not count as the library's memory. */
    if (reads == MB_READ_ALL)
        memset(buffers->out, 0, job->in_len + FIRST_OUT_BYTES);
    return true;
}

bool mb_work_open(mb_work *work, mb_reply *reply)
{
    if (mb_port_buffers()->ctx_lacks > 0)
        return mb_fail_lacks(reply, mb_port_buffers()->ctx_lacks);
    memset(work->job.ctx, 0, mb_ctx_size());
    work->job.tag_out_len = work->tag_len; /* the length wanted is known when the key is set */
    mb_status status = mb_the_adapter.open(&work->job);
    if (status != MB_OK)
        return mb_fail_status(reply, status);
    work->is_open = true;
    return true;
}

void mb_work_close(mb_work *work)
{
    if (work->is_open)
        mb_the_adapter.close(&work->job);
    work->is_open = false;
}

mb_status mb_work_restart(mb_work *work)
{
    mb_job *job = &work->job;
    if (work->in_place)
        memcpy(job->out, mb_port_buffers()->in, job->in_len);
    job->out_len = 0;
    job->tag_out_len = work->tag_len;
    return mb_the_adapter.start(job);
}

mb_status mb_work_run(mb_work *work, uint32_t n)
{
    mb_status status = mb_work_restart(work);
    if (status == MB_OK)
        status = mb_the_adapter.run(&work->job, n);
    if (status == MB_OK &&
        (work->job.out_len > work->job.out_cap || work->job.tag_out_len > work->job.tag_out_cap))
        return MB_ERROR;
    return status;
}

bool mb_work_has_tag(const mb_work *work)
{
    return work->job.tag_out != NULL && (work->job.op == MB_ENCRYPT_MESSAGE || work->job.op == MB_ENCRYPT_NEW_KEY);
}

uint32_t mb_work_crc(const mb_work *work)
{
    uint32_t crc = mb_crc32(0, work->job.out, work->job.out_len);
    return mb_work_has_tag(work) ? mb_crc32(crc, work->job.tag_out, work->job.tag_out_len) : crc;
}

bool mb_work_is_random(const mb_work *work)
{
    return work->job.op == MB_KEYGEN || work->job.op == MB_SIGN;
}

bool mb_work_invert(mb_item request, mb_work *work, mb_reply *reply)
{
    const mb_buffers *buffers = mb_port_buffers();
    bool inverse;
    if (!mb_request_bool(request, "inverse", &inverse, reply))
        return false;
    if (!inverse)
        return true;
    if (work->job.op != MB_DECRYPT && work->job.op != MB_DECRYPT_MESSAGE)
        return mb_fail(reply, MB_KIND_BAD_REQUEST, "inverse", "only for decrypt and decrypt-message");
    mb_work opposite = *work;
    opposite.job.op = work->job.op == MB_DECRYPT ? MB_ENCRYPT : MB_ENCRYPT_MESSAGE;
    opposite.job.tag_len = 0;
    if ((work->job.scheme->operations & MB_CAN(opposite.job.op)) == 0)
        return mb_fail(reply, MB_KIND_UNSUPPORTED, "inverse", "the opposite operation is not offered");
    if (!mb_work_open(&opposite, reply))
        return false;
    mb_status status = mb_work_run(&opposite, 1);
    if (status != MB_OK)
        mb_fail_status(reply, status);
    mb_work_close(&opposite);
    if (status != MB_OK)
        return false;
    memcpy(buffers->in, opposite.job.out, opposite.job.out_len);
    work->job.in_len = opposite.job.out_len;
    work->job.total_len = work->job.in_len;
    if (work->job.tag_out != NULL) {
        work->job.tag = work->job.tag_out;
        work->job.tag_len = opposite.job.tag_out_len;
        work->job.tag_out = NULL;
    }
    return true;
}
