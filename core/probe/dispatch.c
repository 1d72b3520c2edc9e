#include <string.h>

#include "bytes.h"
#include "probe.h"
#include "wire.h"

static const mb_handler HANDLERS[] = {
    {"hello", mb_handle_hello},     {"list", mb_handle_list},     {"compute", mb_handle_compute},
    {"measure", mb_handle_measure}, {"memory", mb_handle_memory},
};
static const size_t HANDLER_COUNT = sizeof HANDLERS / sizeof HANDLERS[0];

const mb_handler *mb_handler_at(size_t i)
{
    return i < HANDLER_COUNT ? &HANDLERS[i] : mb_port_handler(i - HANDLER_COUNT);
}

static const mb_handler *find_handler(const char *name, size_t len)
{
    const mb_handler *handler;
    for (size_t i = 0; (handler = mb_handler_at(i)) != NULL; i++) {
        if (strlen(handler->name) == len && memcmp(handler->name, name, len) == 0)
            return handler;
    }
    return NULL;
}

static bool handle(mb_item request, mb_reply *reply)
{
    mb_item item;
    const char *name;
    size_t len;
    if (!mb_cbor_find(request, "do", &item) || !mb_cbor_text(item, &name, &len))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, "do", "missing, or no text");
    const mb_handler *handler = find_handler(name, len);
    if (handler == NULL)
        return mb_fail(reply, MB_KIND_UNSUPPORTED, "do", "this probe does not know the request");
    return handler->handle(request, reply);
}

enum { SUM_BYTES = 9 }; /* of key and value */

/* Proves what this replies to, and that nothing of it changed on the way. The head of the map is not settled yet. */
static void put_sum(mb_map *root, uint32_t sum)
{
    mb_writer *writer = root->writer;
    writer->cap += SUM_BYTES;
    mb_map_uint(root, "sum", mb_crc32(sum, writer->buf + 1, writer->len - 1));
}

/* {"id": ..., and then "ok" or "err" */
static mb_map begin(mb_writer *writer, uint64_t id, const char *outcome)
{
    writer->len = 0;
    writer->full = false;
    mb_map root = mb_map_open(writer);
    mb_map_uint(&root, "id", id);
    mb_key(&root, outcome);
    return root;
}

size_t mb_answer(const uint8_t *payload, size_t len)
{
    const mb_buffers *buffers = mb_port_buffers();
    mb_item request = {payload, payload + len};
    mb_item item;
    uint64_t id;
    if (!mb_cbor_well_formed(payload, len) || !mb_cbor_find(request, "id", &item) || !mb_cbor_uint(item, &id))
        return 0;
    const uint32_t sum = mb_crc32(0, payload, len);
    mb_reply reply = {.writer = {.buf = buffers->frame_out, .cap = buffers->frame_cap - MB_CHECK_BYTES - SUM_BYTES}};
    mb_map root = begin(&reply.writer, id, "ok");
    reply.ok = mb_map_open(&reply.writer);
    bool good = handle(request, &reply);
    mb_map_close(&reply.ok);
    if (good && reply.writer.full)
        good = mb_fail(&reply, MB_KIND_TOO_BIG, NULL, "the reply does not fit a frame");
    if (!good) {
        root = begin(&reply.writer, id, "err");
        mb_map err = mb_map_open(&reply.writer);
        mb_map_text(&err, "kind", reply.kind);
        /* The longest words that still fit the smallest frame. */
        size_t room = reply.writer.cap - reply.writer.len;
        if (room < sizeof reply.text + 8)
            reply.text[room < 9 ? 0 : room - 9] = '\0';
        mb_map_text(&err, "text", reply.text);
        mb_map_close(&err);
    }
    put_sum(&root, sum);
    mb_map_close(&root);
    return reply.writer.len;
}
