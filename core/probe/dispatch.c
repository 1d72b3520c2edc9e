#include "bytes.h"
#include "probe.h"
#include "wire.h"

static const char MOTE_FLASH HELLO[] = "hello", LIST[] = "list", COMPUTE[] = "compute",
                             MEASURE[] = "measure", MEMORY[] = "memory";

static const mb_handler MOTE_FLASH HANDLERS[] = {
    {HELLO, mb_handle_hello},     {LIST, mb_handle_list},     {COMPUTE, mb_handle_compute},
    {MEASURE, mb_handle_measure}, {MEMORY, mb_handle_memory},
};
enum { HANDLER_COUNT = sizeof HANDLERS / sizeof HANDLERS[0] };

const mb_handler MOTE_FLASH *mb_handler_at(size_t i)
{
    return i < HANDLER_COUNT ? &HANDLERS[i] : mb_port_handler(i - HANDLER_COUNT);
}

static bool handle(mb_item request, mb_reply *reply)
{
    const mb_handler MOTE_FLASH *handler;
    mb_item item;
    const char *name;
    size_t len;
    if (!mb_cbor_find(request, MB_TEXT("do"), &item) || !mb_cbor_text(item, &name, &len))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, MB_TEXT("do"), MB_TEXT("missing, or no text"));
    for (size_t i = 0; (handler = mb_handler_at(i)) != NULL; i++) {
        if (mb_text_is(handler->name, name, len))
            return handler->handle(request, reply);
    }
    return mb_fail(reply, MB_KIND_UNSUPPORTED, MB_TEXT("do"),
                   MB_TEXT("this probe does not know the request"));
}

enum { SUM_BYTES = 9 }; /* of key and value */

/*
 * Proves what this replies to, and that nothing of it changed on the way. The head of the map is
 * not settled yet.
 */
static void put_sum(mb_map *root, uint32_t sum)
{
    mb_writer *writer = root->writer;
    writer->cap += SUM_BYTES;
    mb_map_uint(root, MB_TEXT("sum"), mb_crc32(sum, writer->buf + 1, writer->len - 1));
}

size_t mb_answer(const uint8_t *payload, size_t len)
{
    const mb_buffers *buffers = mb_port_buffers();
    mb_item request = {payload, payload + len};
    mb_item item;
    if (!mb_cbor_well_formed(payload, len) || !mb_cbor_find(request, MB_TEXT("id"), &item))
        return 0;
    const uint32_t sum = mb_crc32(0, payload, len);
    mb_reply reply = {.writer = {.buf = buffers->frame_out,
                                 .cap = buffers->frame_cap - MB_CHECK_BYTES - SUM_BYTES}};
    if (!mb_cbor_uint(item, &reply.id))
        return 0;
    bool good = handle(request, &reply);
    if (good)
        mb_map_close(&reply.ok);
    if (good && reply.writer.full)
        good = mb_fail(&reply, MB_KIND_TOO_BIG, NULL, MB_TEXT("the reply does not fit a frame"));
    if (!good)
        mb_reply_fail(&reply);
    put_sum(&reply.root, sum);
    mb_map_close(&reply.root);
    return reply.writer.len;
}
