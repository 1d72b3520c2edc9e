/*
 * The probe under hostile bytes. The first byte of an input says how the rest arrives: as payloads
 * of well-framed requests, or raw on the line. Built as a libFuzzer target where the compiler has
 * it; fuzz_main.c drives it anywhere.
 */
#include <stdlib.h>
#include <string.h>

#include "probe.h"
#include "small_port.h"
#include "wire.h"

/*
 * The fake under another name, so that its iterations can be bounded: 2^32 of them are a valid
 * request.
 */
extern const mb_adapter mb_fake_adapter;
enum { MOST_ITERATIONS = 64 };

static mb_status run(mb_job *job, uint32_t n)
{
    return n > MOST_ITERATIONS ? MB_TOO_BIG : mb_fake_adapter.run(job, n);
}

static size_t scheme_count(void)
{
    return mb_fake_adapter.scheme_count();
}
static const mb_scheme *scheme_at(size_t i)
{
    return mb_fake_adapter.scheme_at(i);
}
static mb_status init(void)
{
    return mb_fake_adapter.init();
}
static const char *version(void)
{
    return mb_fake_adapter.version();
}
static const char *error(void)
{
    return mb_fake_adapter.error();
}
static mb_status open_job(mb_job *job)
{
    return mb_fake_adapter.open(job);
}
static mb_status start(mb_job *job)
{
    return mb_fake_adapter.start(job);
}
static void close_job(mb_job *job)
{
    mb_fake_adapter.close(job);
}
static mb_status public_key(mb_job *job)
{
    return mb_fake_adapter.public_key(job);
}

const mb_adapter mb_the_adapter = {
    .implementation = "fake",
    .scheme_count = scheme_count,
    .scheme_at = scheme_at,
    .ctx_size = 256,
    .init = init,
    .version = version,
    .open = open_job,
    .start = start,
    .run = run,
    .close = close_job,
    .public_key = public_key,
    .error = error,
};

static void must(bool condition)
{
    if (!condition)
        abort();
}

/*
 * Every reply must be what the protocol allows: one map of "id" and either "ok" or "err" with a
 * known kind.
 */
static void check_reply(const uint8_t *reply, size_t len)
{
    static const char *const kinds[] = {
        "bad-request", "unsupported", "too-big", "error", "wrong-answer"};
    const mb_item root = {reply, reply + len};
    mb_item item, kind = root;
    const char *text;
    size_t text_len;
    bool known = false;
    must(len <= SMALL_FRAME - MB_CHECK_BYTES && mb_cbor_well_formed(reply, len) &&
         mb_cbor_find(root, "id", &item));
    if (mb_cbor_find(root, "ok", &item)) {
        must(mb_cbor_is_map(item) && !mb_cbor_find(root, "err", &item));
        return;
    }
    must(mb_cbor_find(root, "err", &item) && mb_cbor_find(item, "kind", &kind));
    must(mb_cbor_text(kind, &text, &text_len));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        known = known || (strlen(kinds[i]) == text_len && memcmp(kinds[i], text, text_len) == 0);
    must(known);
}

static void answer(const uint8_t *payload, size_t len)
{
    size_t reply_len = mb_answer(payload, len);
    if (reply_len > 0)
        check_reply(mb_port_buffers()->frame_out, reply_len);
}

static void set_up(void)
{
    static bool done;
    if (done)
        return;
    /* Neither crash, hang nor sleep: what misbehaves here must be the probe. */
    must(setenv("MOTEBENCH_FAKE_AFTER", "1000000000", 1) == 0 &&
         setenv("MOTEBENCH_FAKE_SLEEP_US", "0", 1) == 0);
    must(mb_probe_init());
    done = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static mb_receiver receiver;
    const mb_buffers *buffers;
    set_up();
    buffers = mb_port_buffers();
    if (len == 0)
        return 0;
    if (data[0] % 4 != 0) {
        /* A copy of exactly that length, so that a read beyond it is seen. */
        uint8_t *payload = malloc(len);
        must(payload != NULL);
        memcpy(payload, data + 1, len - 1);
        answer(payload, len - 1);
        free(payload);
        return 0;
    }
    mb_receiver_init(&receiver, buffers->frame_in, buffers->frame_cap);
    for (size_t i = 1; i < len; i++) {
        if (mb_receiver_take(&receiver, data[i]))
            answer(buffers->frame_in, receiver.payload_len);
    }
    return 0;
}
