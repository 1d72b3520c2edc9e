/*
 * The `measure-turns` request: `measure` with inputs that take turns
 * (docs/reference/probe-protocol.md).
 *
 * Before each iteration that is timed, the next of some inputs is copied to where that of the job
 * is. Code that remembers its last input has to do its work then. Copying is part of the time:
 * motebench asks again with inputs that are all alike, which takes as much copying.
 */
#include "turns.h"

#include <string.h>

#include "job.h"
#include "shelf.h"

enum { MOST_TURNS = 64 };

/* Parts of a job that change. */
typedef struct turn {
    const uint8_t *key, *nonce, *aad, *in, *tag;
    size_t key_len, nonce_len, aad_len, in_len, tag_len;
} turn;

/* Those of the request under way. `own`: what the job itself has. */
static struct {
    turn turns[MOST_TURNS], own;
    size_t count, at;
    mb_shelf shelf;
} table;

/* The key is an input where it is set up; other jobs have theirs open already. */
static bool takes_key(const mb_job *job)
{
    return job->op == MB_KEY_SETUP || job->op == MB_ENCRYPT_NEW_KEY;
}

/* Bytes of the tag that follow the input. */
static size_t joined_bytes(const mb_job *job)
{
    return job->scheme->joined && job->op == MB_DECRYPT_MESSAGE ? job->tag_len : 0;
}

/* Copies what changes of a job to the shelf. `in`: its input, without a tag behind it. */
static bool keep(const mb_job *job, const uint8_t *in, turn *it)
{
    const size_t joined = joined_bytes(job);
    uint8_t *const whole = mb_shelf_take(&table.shelf, job->in_len + joined);
    *it = (turn){
        .key = job->key,
        .nonce = job->nonce,
        .aad = job->aad,
        .in = whole,
        .tag = job->tag,
        .key_len = takes_key(job) ? job->key_len : 0,
        .nonce_len = job->nonce_len,
        .aad_len = job->aad_len,
        .in_len = job->in_len + joined,
        .tag_len = job->tag_len};
    if (whole == NULL || !mb_shelf_copy(&table.shelf, &it->key, it->key_len) ||
        !mb_shelf_copy(&table.shelf, &it->nonce, it->nonce_len) ||
        !mb_shelf_copy(&table.shelf, &it->aad, it->aad_len) ||
        !mb_shelf_copy(&table.shelf, &it->tag, it->tag_len))
        return false;
    if (job->in_len > 0)
        memcpy(whole, in, job->in_len);
    if (joined > 0)
        memcpy(whole + job->in_len, job->tag, joined);
    return true;
}

/* The probe's own buffers, which an adapter must not write to. */
static void put(const uint8_t *place, const uint8_t *data, size_t len)
{
    if (len > 0)
        memcpy((void *)(uintptr_t)place, data, len);
}

static void give(mb_job *job, const turn *it)
{
    put(job->key, it->key, it->key_len);
    put(job->nonce, it->nonce, it->nonce_len);
    put(job->aad, it->aad, it->aad_len);
    put(job->in, it->in, it->in_len);
    put(job->tag, it->tag, it->tag_len);
    job->tag_len = it->tag_len;
}

static mb_status run(mb_job *job, uint32_t n)
{
    mb_status (*const once)(mb_job *, uint32_t) = mb_the_adapter.run;
    mb_status status;
    do {
        give(job, &table.turns[table.at]);
        table.at = table.at + 1 < table.count ? table.at + 1 : 0;
        status = once(job, 1);
    } while (--n > 0 && status == MB_OK);
    return status;
}

/* Room that the job has for a tag: signatures of one scheme may differ by some bytes. */
static size_t room(size_t len)
{
    return (len + MB_ALIGNMENT - 1) / MB_ALIGNMENT * MB_ALIGNMENT;
}

static bool begin(const mb_work *work, mb_reply *reply)
{
    const mb_job *const job = &work->job;
    if (!keep(job, work->input, &table.own))
        return mb_fail(reply, MB_KIND_TOO_BIG, "inputs", NULL);
    for (size_t i = 0; i < table.count; i++) {
        const turn *const it = &table.turns[i];
        if (it->key_len != table.own.key_len || it->nonce_len != table.own.nonce_len ||
            it->aad_len != table.own.aad_len || it->in_len != table.own.in_len ||
            it->tag_len > room(job->tag_len))
            return mb_fail(reply, MB_KIND_BAD_REQUEST, "inputs", "of other lengths than the job");
    }
    return true;
}

static void end(mb_work *work)
{
    give(&work->job, &table.own);
}

static const mb_turns TURNS = {begin, run, end};

/* Reads an input: the job is made as for `measure`, and nothing is done with it. */
static bool prepare(mb_item input, turn *it, mb_reply *reply)
{
    mb_work work = {.batches = 1};
    if (!mb_cbor_is_map(input))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, "inputs", "no map");
    if (!mb_work_read(input, MB_READ_ALL, NULL, &work, reply) || !mb_work_invert(&work, reply))
        return false;
    return keep(&work.job, work.input, it) || mb_fail(reply, MB_KIND_TOO_BIG, "inputs", NULL);
}

static bool prepare_all(mb_item inputs, size_t count, mb_reply *reply)
{
    mb_item input;
    for (size_t i = 0; i < count; i++) {
        if (!mb_cbor_element(inputs, count, i, &input))
            return mb_fail(reply, MB_KIND_BAD_REQUEST, "inputs", "not as many as turns says");
        if (!prepare(input, &table.turns[i], reply))
            return false;
    }
    table.count = count;
    table.at = 0;
    return true;
}

bool mb_handle_measure_turns(mb_item request, mb_reply *reply)
{
    mb_item inputs;
    uint32_t count = 0;
    if (!mb_request_uint(request, "turns", 1, MOST_TURNS, &count, reply))
        return false;
    if (count == 0 || !mb_cbor_find(request, "inputs", &inputs))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, "inputs", "missing, or turns is");
    if (!mb_shelf_reserve(&table.shelf))
        return mb_fail(reply, MB_KIND_TOO_BIG, "inputs", NULL);
    const bool good = prepare_all(inputs, count, reply) && mb_measure(request, &TURNS, reply);
    mb_shelf_release(&table.shelf);
    return good;
}
