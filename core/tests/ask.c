#include "ask.h"

#include <stdio.h>
#include <string.h>

enum { ID = 7, REQUEST_BYTES = 8192 };

static uint8_t request[REQUEST_BYTES];
static mb_writer writer;
static mb_map map;

mb_map *ask_begin(const char *what)
{
    writer = (mb_writer){.buf = request, .cap = sizeof request};
    map = mb_map_open(&writer);
    mb_map_uint(&map, "id", ID);
    if (what != NULL)
        mb_map_text(&map, "do", what);
    return &map;
}

mb_map *ask_job(const char *what, const char *scheme, const char *op, uint64_t len)
{
    uint8_t key[16];
    for (uint8_t i = 0; i < sizeof key; i++)
        key[i] = i;
    (void)ask_begin(what);
    mb_map_text(&map, "scheme", scheme);
    mb_map_text(&map, "op", op);
    mb_map_bytes(&map, "key", key, sizeof key);
    mb_map_bytes(&map, "nonce", key, 12);
    if (len != UINT64_MAX) {
        mb_key(&map, "fill");
        mb_put_array(&writer, 2);
        mb_put_uint(&writer, 1);
        mb_put_uint(&writer, len);
    }
    return &map;
}

void ask_flag(mb_map *to, const char *key)
{
    mb_key(to, key);
    mb_put_bool(to->writer, true);
}

static bool answered(const char *outcome, mb_item *inner)
{
    mb_item item;
    uint64_t id;
    mb_map_close(&map);
    size_t len = mb_answer(request, writer.len);
    mb_item root = {mb_port_buffers()->frame_out, mb_port_buffers()->frame_out + len};
    return !writer.full && mb_cbor_well_formed(root.at, len) && mb_cbor_find(root, "id", &item) &&
           mb_cbor_uint(item, &id) && id == ID && mb_cbor_find(root, outcome, inner) &&
           mb_cbor_is_map(*inner);
}

bool ask(mb_item *reply)
{
    return answered("ok", reply);
}

bool ask_fails(const char *kind, const char *words)
{
    mb_item err, item;
    const char *text;
    size_t len;
    char copy[256];
    if (!answered("err", &err) || !mb_cbor_find(err, "kind", &item) ||
        !mb_cbor_text(item, &text, &len))
        return false;
    bool right = len == strlen(kind) && memcmp(text, kind, len) == 0;
    if (!mb_cbor_find(err, "text", &item) || !mb_cbor_text(item, &text, &len) || len >= sizeof copy)
        return false;
    memcpy(copy, text, len);
    copy[len] = '\0';
    if (!right || strstr(copy, words) == NULL) {
        (void)fprintf(stderr, "the reply says: %s\n", copy);
        return false;
    }
    return true;
}

uint64_t reply_uint(mb_item reply, const char *key)
{
    mb_item item;
    uint64_t value;
    return mb_cbor_find(reply, key, &item) && mb_cbor_uint(item, &value) ? value : UINT64_MAX;
}

bool reply_bytes_are(mb_item reply, const char *key, const uint8_t *data, size_t len)
{
    mb_item item;
    const uint8_t *bytes;
    size_t got;
    return mb_cbor_find(reply, key, &item) && mb_cbor_bytes(item, &bytes, &got) && got == len &&
           memcmp(bytes, data, len) == 0;
}

bool reply_has(mb_item reply, const char *key)
{
    mb_item item;
    return mb_cbor_find(reply, key, &item);
}
