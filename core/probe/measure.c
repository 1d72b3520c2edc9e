#include "clocks.h"
#include "job.h"

typedef struct plan {
    uint32_t batch, warm, count;
    bool rejects; /* every iteration must reject its tag or padding */
#ifdef MB_PREEMPTIBLE
    bool reference;        /* the reference loop is timed beside each batch */
    const mb_turns *turns; /* NULL: the input stays the same */
#endif
} plan;

#ifdef MB_PREEMPTIBLE
#define RUN_OF(plan) ((plan)->turns != NULL ? (plan)->turns->run : mb_the_adapter.run)
#else
#define RUN_OF(plan) mb_the_adapter.run
#endif

/*
 * A run ends with its first rejection, so that a batch of more iterations would time one all the
 * same.
 */
static bool read_rejects(mb_item request, plan *p, mb_reply *reply)
{
    if (!mb_request_bool(request, MB_TEXT("reject"), &p->rejects, reply))
        return false;
    if (p->rejects && (p->batch != 1 || p->warm > 1))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, MB_TEXT("reject"),
                       MB_TEXT("only with a batch of 1 and at most 1 warm"));
    return true;
}

/* A failure whose status is not the one that is expected. */
static bool unexpected(const plan *p, mb_status status, mb_reply *reply)
{
    if (p->rejects && status == MB_OK)
        return mb_fail(reply, MB_KIND_WRONG_ANSWER, MB_TEXT("reject"),
                       MB_TEXT("accepted a tag or padding that must be rejected"));
    return mb_fail_status(reply, status);
}

static mb_status expected(const plan *p)
{
    return p->rejects ? MB_REJECTED : MB_OK;
}

static bool read_plan(mb_item request, plan *p, mb_reply *reply)
{
    const mb_buffers *buffers = mb_port_buffers();
    size_t most = (reply->writer.cap - MB_AROUND_BYTES) / MB_BATCH_BYTES;
    if (most > buffers->sample_cap)
        most = buffers->sample_cap;
    if (!mb_request_uint(request, MB_TEXT("batch"), 1, UINT32_MAX, &p->batch, reply) ||
        !mb_request_uint(request, MB_TEXT("count"), 1, UINT32_MAX, &p->count, reply) ||
        !mb_request_uint(request, MB_TEXT("warm"), 0, UINT32_MAX, &p->warm, reply))
        return false;
    if (p->count > most)
        return mb_fail(reply, MB_KIND_TOO_BIG, MB_TEXT("count"),
                       MB_TEXT("the readings do not fit a frame"));
#ifdef MB_PREEMPTIBLE
    if (!mb_request_bool(request, MB_TEXT("reference_loop"), &p->reference, reply))
        return false;
#endif
    return read_rejects(request, p, reply);
}

/* Output of one iteration from a fresh start; empty if it rejects. */
static bool prove(mb_work *work, const plan *p, uint32_t *crc, size_t *len, mb_reply *reply)
{
    mb_status status = mb_work_run(work, 1);
    if (status != expected(p))
        return unexpected(p, status, reply);
    if (p->rejects)
        work->job.out_len = 0;
    *crc = mb_work_crc(work);
    *len = work->job.out_len;
    return true;
}

/*
 * Duration of the request beside its batches: ticks before the first, and the reading at the end of
 * the last.
 */
typedef struct aside { uint64_t reading, before; } aside;

#ifdef MB_PREEMPTIBLE
/* Of the reference loop before a batch and the one after it: an interruption spoils only one. */
static uint64_t quicker(uint64_t before, uint64_t after)
{
    return before < after ? before : after;
}
#endif

static bool time_batches(mb_work *work, const plan *p, aside *beside, bool *counts_ok, bool *cpu_ok,
                         mb_reply *reply)
{
    uint64_t *sample = mb_port_buffers()->samples;
    mb_status status = p->warm > 0 ? mb_work_run(work, p->warm) : expected(p);
    *counts_ok = *cpu_ok = true;
    for (size_t i = 0; i < p->count && status == expected(p); i++) {
        mb_reading reading;
        status = mb_work_restart(work);
        if (status != MB_OK)
            return mb_fail_status(reply, status);
#ifdef MB_PREEMPTIBLE
        const uint64_t reference = p->reference ? mb_reference_loop() : 0;
#endif
        if (i == 0)
            beside->before = mb_clock_lap(&beside->reading);
        status = mb_time_batch(RUN_OF(p), &work->job, p->batch, &reading);
        *counts_ok = *counts_ok && reading.counts_ok;
        *cpu_ok = *cpu_ok && reading.cpu_ok;
        *sample++ = reading.ticks;
        *sample++ = reading.counts;
        *sample++ = reading.cpu;
#ifdef MB_PREEMPTIBLE
        *sample++ = reading.preempted;
        *sample++ = p->reference ? quicker(reference, mb_reference_loop()) : 0;
#endif
    }
    (void)mb_clock_lap(&beside->reading);
    return status == expected(p) || unexpected(p, status, reply);
}

#ifdef MB_PREEMPTIBLE
static bool time_all(mb_work *work, const plan *p, aside *beside, bool *counts_ok, bool *cpu_ok,
                     mb_reply *reply)
{
    const bool good = time_batches(work, p, beside, counts_ok, cpu_ok, reply);
    if (p->turns != NULL)
        p->turns->end(work);
    return good;
}
#else
#define time_all time_batches
#endif

static void put_samples(mb_map *map, mb_text key, size_t which, size_t count)
{
    const uint64_t *samples = mb_port_buffers()->samples;
    mb_key(map, key);
    mb_put_array(map->writer, count);
    for (size_t i = 0; i < count; i++)
        mb_put_uint(map->writer, samples[MB_READINGS * i + which]);
}

/* Results in which two runs must agree. */
typedef struct proof {
    uint32_t crc;
    size_t len;
    bool counts_ok, cpu_ok;
} proof;

static bool measure(mb_work *work, const plan *p, aside *beside, proof *done, mb_reply *reply)
{
    uint32_t crc_before = 0;
    size_t len_before = 0;
    if (!prove(work, p, &crc_before, &len_before, reply) ||
        !time_all(work, p, beside, &done->counts_ok, &done->cpu_ok, reply) ||
        !prove(work, p, &done->crc, &done->len, reply))
        return false;
    if (!mb_work_is_random(work) && (done->crc != crc_before || done->len != len_before))
        return mb_fail(reply, MB_KIND_WRONG_ANSWER, NULL,
                       MB_TEXT("the output changed between the first batch and the last"));
    return true;
}

static void put_readings(const mb_work *work, const plan *p, aside *beside, const proof *done,
                         mb_reply *reply)
{
    mb_reply_keep(reply, mb_port_buffers()->samples);
    if (mb_work_is_random(work))
        mb_reply_keep(reply, work->job.out);
    mb_map *map = mb_reply_begin(reply);
    put_samples(map, MB_TEXT("ticks"), 0, p->count);
    if (done->counts_ok)
        put_samples(map, MB_TEXT("counts"), 1, p->count);
    if (done->cpu_ok)
        put_samples(map, MB_TEXT("cpu"), 2, p->count);
#ifdef MB_PREEMPTIBLE
    if (mb_port_buffers()->samples[3] != UINT64_MAX)
        put_samples(map, MB_TEXT("preempted"), 3, p->count);
    if (p->reference)
        put_samples(map, MB_TEXT("reference_loop"), 4, p->count);
#endif
    mb_map_uint(map, MB_TEXT("before"), beside->before);
    mb_map_uint(map, MB_TEXT("after"), mb_clock_lap(&beside->reading));
    mb_map_uint(map, MB_TEXT("crc"), done->crc);
    mb_map_uint(map, MB_TEXT("len"), done->len);
    const size_t room = reply->writer.cap - reply->writer.len;
    const size_t both = done->len + work->job.tag_out_len + MB_KEYS_BYTES;
    if (mb_work_is_random(work) && both <= room)
        mb_work_put(work, mb_key_of(work->job.op, MB_OUTPUT), map);
}

#ifdef MB_PREEMPTIBLE
bool mb_measure(mb_item request, const mb_turns *turns, mb_reply *reply)
#else
bool mb_handle_measure(mb_item request, mb_reply *reply)
#endif
{
    aside beside = {.reading = 0};
    (void)mb_clock_lap(&beside.reading);
    plan p = {.batch = 1, .count = 1};
    proof done = {.counts_ok = false};
    if (!read_plan(request, &p, reply))
        return false;
    mb_work work = {.batches = p.count};
    if (!mb_work_read(request, MB_READ_ALL, NULL, &work, reply) || !mb_work_invert(&work, reply) ||
        !mb_work_open(&work, reply))
        return false;
#ifdef MB_PREEMPTIBLE
    p.turns = turns;
    if (turns != NULL && !turns->begin(&work, reply))
        return mb_work_end(&work, false, reply);
#endif
    if (!mb_work_end(&work, measure(&work, &p, &beside, &done, reply), reply))
        return false;
    put_readings(&work, &p, &beside, &done, reply);
    return true;
}

#ifdef MB_PREEMPTIBLE
bool mb_handle_measure(mb_item request, mb_reply *reply)
{
    return mb_measure(request, NULL, reply);
}
#endif
