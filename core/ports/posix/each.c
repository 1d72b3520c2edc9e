/*
 * The `measure-each` request: many inputs, all prepared before the first is timed
 * (docs/reference/probe-protocol.md).
 *
 * `measure` computes an input before it times it, which brings the table entries of that input into
 * the caches. Here nothing is computed with an input before its turn, so an operation finds in the
 * caches what the inputs before it left there.
 */
#include "each.h"

#include <string.h>
#include <unistd.h>

#include "job.h"
#include "shelf.h"

#define MIB ((size_t)1 << 20)
#define LINE ((size_t)64)
#define MOST_INPUTS 1024u
#define SLACK ((size_t)8192) /* that hosts promise behind the input (motebench/adapter.h) */
#define LEAST_EVICTED (1 * MIB)
#define MOST_EVICTED (8 * MIB)

/* An input that is ready to be timed, and what came of it. */
typedef struct slot {
    mb_work work;
    bool rejects; /* it must reject its tag or padding */
    mb_status status;
    uint64_t ticks;
} slot;

/* Memory of one request, and what drives data out of the caches. */
typedef struct shelf {
    mb_shelf memory;
    const uint8_t *evicting; /* as long as fills the caches; NULL: caches are left alone */
    size_t evicting_len;
} shelf;

static uint8_t *take(shelf *s, size_t len)
{
    return mb_shelf_take(&s->memory, len);
}

static bool copy(shelf *s, const uint8_t **data, size_t len)
{
    return mb_shelf_copy(&s->memory, data, len);
}

/* Twice the second level, so that its lines go whatever it replaces first. */
static size_t evicted_bytes(void)
{
    size_t len = 0;
#ifdef _SC_LEVEL2_CACHE_SIZE
    const long level = sysconf(_SC_LEVEL2_CACHE_SIZE);
    len = level > 0 ? 2 * (size_t)level : 0;
#endif
    return len < LEAST_EVICTED ? LEAST_EVICTED : len > MOST_EVICTED ? MOST_EVICTED : len;
}

static bool reserve(shelf *s, bool evicts)
{
    *s = (shelf){.evicting = NULL};
    if (!mb_shelf_reserve(&s->memory))
        return false;
    if (evicts) {
        s->evicting_len = evicted_bytes();
        uint8_t *const filled = take(s, s->evicting_len);
        /* Pages that nobody wrote to are all one page of zeros. */
        if (filled != NULL)
            memset(filled, 1, s->evicting_len);
        s->evicting = filled;
    }
    return true;
}

static void evict(const shelf *s)
{
    const volatile uint8_t *const bytes = s->evicting;
    for (size_t i = 0; i < s->evicting_len; i += LINE)
        (void)bytes[i];
}

/* Moves a job that was read, and everything that belongs to it, out of the port's buffers. */
static bool settle(shelf *s, mb_work *work)
{
    mb_job *const job = &work->job;
    const bool joins = job->scheme->joined && job->op == MB_DECRYPT_MESSAGE;
    const size_t in_len = job->in_len;
    uint8_t *const in = take(s, in_len + mb_longer_bytes(job->scheme));
    uint8_t *const ctx = take(s, mb_ctx_size(job->scheme));
    uint8_t *const before = take(s, MB_GUARD);
    uint8_t *const out = take(s, in_len + SLACK + MB_GUARD);
    uint8_t *const second = take(s, job->tag_out_cap);
    /* Slots that are a power of two apart would all want the same sets of a cache. */
    if (in == NULL || ctx == NULL || before == NULL || out == NULL || second == NULL ||
        !copy(s, &job->key, job->key_len) || !copy(s, &job->nonce, job->nonce_len) ||
        !copy(s, &job->aad, job->aad_len) || !copy(s, &job->tag, job->tag_len) ||
        ((size_t)(s->memory.at - s->memory.begin) / LINE % 2 == 0 && take(s, LINE) == NULL))
        return false;
    if (in_len > 0)
        memcpy(in, work->input, in_len);
    if (joins && job->tag_len <= mb_longer_bytes(job->scheme) && job->tag_len > 0)
        memcpy(in + in_len, job->tag, job->tag_len);
    /* The pages are there before the clock is read. */
    const size_t written = mb_out_bytes(job, job->op);
    memset(out, 0, written < in_len + SLACK ? written : in_len + SLACK);
    memset(second, 0, job->tag_out_cap);
    work->input = in;
    job->ctx = ctx;
    job->out = out;
    job->out_cap = in_len + SLACK;
    if (job->tag_out_cap > 0 && job->tag_out != NULL)
        job->tag_out = second;
    job->in = work->in_place ? job->out : work->input;
#ifdef MB_GUARDED
    mb_work_guard(work);
#endif
    return true;
}

/* Of the first input; all must have the same, for an adapter may describe one scheme at a time. */
typedef struct common { mb_item scheme, op; } common;

static bool same_text(mb_item input, mb_text key, mb_item first)
{
    mb_item item;
    const char *one, *two;
    size_t len, other;
    return mb_cbor_is_map(input) && mb_cbor_find(input, key, &item) &&
           mb_cbor_text(item, &one, &len) && mb_cbor_text(first, &two, &other) && len == other &&
           memcmp(one, two, len) == 0;
}

static bool prepare(shelf *s, mb_item input, const common *first, slot *it, mb_reply *reply)
{
    *it = (slot){.status = MB_ERROR};
    mb_work *const work = &it->work;
    if (!same_text(input, "scheme", first->scheme) || !same_text(input, "op", first->op))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, "inputs", "not of one scheme and operation");
    if (!mb_request_bool(input, "reject", &it->rejects, reply) ||
        !mb_work_read(input, MB_READ_ALL, NULL, work, reply) || !mb_work_invert(work, reply))
        return false;
    if (!settle(s, work))
        return mb_fail(reply, MB_KIND_TOO_BIG, "inputs", NULL);
    if (!mb_work_open(work, reply))
        return false;
    const mb_status status = mb_work_restart(work);
    return status == MB_OK || mb_fail_status(reply, status);
}

/* Nothing but the operations, one after another. */
static void time_each(const shelf *s, slot *slots, size_t count)
{
    mb_status (*const volatile run)(mb_job *, uint32_t) = mb_the_adapter.run;
    for (size_t i = 0; i < count; i++) {
        if (s->evicting != NULL)
            evict(s);
        const uint64_t begin = mb_port_clock();
        slots[i].status = run(&slots[i].work.job, 1);
        slots[i].ticks = mb_port_elapsed(begin, mb_port_clock());
    }
}

/* The timed output must be right, and so must a second output of the same input. */
static bool prove(slot *it, mb_reply *reply)
{
    mb_work *const work = &it->work;
    const mb_status expected = it->rejects ? MB_REJECTED : MB_OK;
    uint32_t crc[2] = {0, 0};
    for (size_t i = 0; i < 2; i++) {
        const mb_status status = i == 0 ? mb_work_checked(work, it->status) : mb_work_run(work, 1);
        if (status != expected)
            return it->rejects && status == MB_OK
                       ? mb_fail(reply, MB_KIND_WRONG_ANSWER, "reject",
                                 "accepted a tag or padding that must be rejected")
                       : mb_fail_status(reply, status);
        crc[i] = it->rejects ? 0 : mb_work_crc(work);
    }
    return crc[0] == crc[1] || mb_work_is_random(work) ||
           mb_fail(reply, MB_KIND_WRONG_ANSWER, NULL,
                   "the same input gave another output when it was computed again");
}

/* Prepares all inputs, times them, and proves them; `ready` of them have to be closed. */
static bool measure(mb_item inputs, size_t count, shelf *s, slot *slots, size_t *ready,
                    mb_reply *reply)
{
    common first;
    mb_item input;
    for (size_t i = 0; i < count; i++) {
        if (!mb_cbor_element(inputs, count, i, &input) ||
            (i == 0 && (!mb_cbor_find(input, "scheme", &first.scheme) ||
                        !mb_cbor_find(input, "op", &first.op))))
            return mb_fail(reply, MB_KIND_BAD_REQUEST, "inputs", "not as many jobs as count says");
        *ready = i + 1;
        if (!prepare(s, input, &first, &slots[i], reply))
            return false;
    }
    time_each(s, slots, count);
    for (size_t i = 0; i < count; i++) {
        if (!prove(&slots[i], reply) || !mb_work_sound(&slots[i].work, true, reply))
            return false;
    }
    return true;
}

bool mb_handle_measure_each(mb_item request, mb_reply *reply)
{
    mb_item inputs;
    uint32_t count = 0;
    bool evicts;
    shelf s;
    if (!mb_request_uint(request, "count", 1, MOST_INPUTS, &count, reply) ||
        !mb_request_bool(request, "evict", &evicts, reply))
        return false;
    if (count == 0 || !mb_cbor_find(request, "inputs", &inputs))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, "inputs", "missing, or no count");
    if (!reserve(&s, evicts))
        return mb_fail(reply, MB_KIND_TOO_BIG, "inputs", NULL);
    slot *const slots = (void *)take(&s, count * sizeof *slots);
    size_t ready = 0;
    const bool good = measure(inputs, count, &s, slots, &ready, reply);
    for (size_t i = 0; i < ready; i++)
        mb_work_close(&slots[i].work);
    if (good) {
        mb_map *const map = mb_reply_begin(reply);
        mb_key(map, "ticks");
        mb_put_array(map->writer, count);
        for (size_t i = 0; i < count; i++)
            mb_put_uint(map->writer, slots[i].ticks);
    }
    mb_shelf_release(&s.memory);
    return good;
}
