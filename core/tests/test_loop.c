/* The whole way of a request: bytes on the line, noise between them, frames back. */
#include <string.h>

#include "check.h"
#include "probe.h"
#include "small_port.h"
#include "wire.h"

static uint8_t line[4096], payload[SMALL_FRAME];
static size_t line_len;

static bool collect(const uint8_t *block, size_t len)
{
    memcpy(line + line_len, block, len);
    line_len += len;
    return true;
}

static void send(const char *what, uint64_t id)
{
    uint8_t buf[64 + MB_CHECK_BYTES];
    mb_writer writer = {.buf = buf, .cap = 64};
    mb_map map = mb_map_open(&writer);
    mb_map_uint(&map, "id", id);
    mb_map_text(&map, "do", what);
    mb_map_close(&map);
    CHECK(mb_frame_send(collect, buf, writer.len));
}

/*
 * Run the probe over the line; checks that exactly the ids from first to last were answered, in
 * order.
 */
static void answers(uint64_t first, uint64_t last)
{
    mb_receiver receiver;
    size_t len;
    uint64_t next = first;
    small_port_feed(line, line_len);
    CHECK(mb_probe_run() == 0);
    const uint8_t *bytes = small_port_written(&len);
    mb_receiver_init(&receiver, payload, sizeof payload);
    for (size_t i = 0; i < len; i++) {
        if (!mb_receiver_take(&receiver, bytes[i]))
            continue;
        mb_item root = {payload, payload + receiver.payload_len}, item;
        uint64_t id;
        CHECK(mb_cbor_find(root, "id", &item) && mb_cbor_uint(item, &id) && id == next);
        next++;
    }
    CHECK(next == last + 1);
    line_len = 0;
}

int main(void)
{
    static const uint8_t noise[] = {9, 8, 0, 0, 3, 1, 0, 77};
    uint8_t huge[SMALL_FRAME + 1 + MB_CHECK_BYTES];
    check_begin();
    CHECK(mb_probe_init());
    answers(1, 0); /* an empty stream: no answer, and a good end */

    send("hello", 1);
    send("list", 2);
    send("nothing", 3);
    answers(1, 3);

    CHECK(collect(noise, sizeof noise));
    send("hello", 4);
    memset(huge, 1, sizeof huge);
    CHECK(mb_frame_send(collect, huge, SMALL_FRAME + 1)); /* longer than max_frame */
    CHECK(mb_frame_send(collect, huge, 20));              /* an integer, and more behind it */
    send("hello", 5);
    size_t before = line_len;
    send("hello", 99);
    line[before + 4] ^= 4; /* damaged */
    send("hello", 6);
    answers(4, 6);

    send("hello", 7);
    small_port_deaf(true);
    small_port_feed(line, line_len);
    CHECK(mb_probe_run() == 1);
    return check_end();
}
