#include "job.h"
#include "probe.h"

/* Bytes kept free behind the entries: "next" with its number. */
#define NEXT_BYTES ((size_t)16)

static void put_range(mb_map *map, mb_text key, unsigned low, unsigned high)
{
    mb_key(map, key);
    mb_put_array(map->writer, 2);
    mb_put_uint(map->writer, low);
    mb_put_uint(map->writer, high);
}

static void put_entry(mb_writer *writer, const mb_scheme *scheme)
{
    unsigned ops = 0;
    for (unsigned op = 0; op < MB_NAMED; op++)
        ops += (scheme->operations & MB_CAN(op)) != 0;
    mb_map map = mb_map_open(writer);
    mb_map_words(&map, MB_TEXT("name"), scheme->name);
    mb_key(&map, MB_TEXT("ops"));
    mb_put_array(writer, ops);
    for (unsigned op = 0; op < MB_NAMED; op++) {
        if (scheme->operations & MB_CAN(op))
            mb_put_text(writer, mb_operation_name((mb_operation)op));
    }
    put_range(&map, MB_TEXT("key"), scheme->key_min, scheme->key_max);
    const bool kem = mb_is_kem(scheme);
    put_range(&map, kem ? MB_TEXT("pair") : MB_TEXT("nonce"), scheme->nonce_min, scheme->nonce_max);
    put_range(&map, kem ? MB_TEXT("outputs") : MB_TEXT("tag"), scheme->tag_min, scheme->tag_max);
    mb_map_uint(&map, MB_TEXT("block"), scheme->block);
    mb_key(&map, MB_TEXT("stream"));
    mb_put_bool(writer, scheme->can_stream != 0);
    if (mb_takes_seed(scheme)) {
        mb_key(&map, MB_TEXT("needs_seed"));
        mb_put_bool(writer, (scheme->operations & MB_NEEDS_SEED) == MB_NEEDS_SEED);
    }
    mb_map_close(&map);
}

bool mb_handle_list(mb_item request, mb_reply *reply)
{
    mb_writer *writer = &reply->writer;
    const size_t count = mb_the_adapter.scheme_count();
    mb_item item;
    uint64_t from = 0;
    if (mb_cbor_find(request, MB_TEXT("from"), &item) && !mb_cbor_uint(item, &from))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, MB_TEXT("from"), MB_TEXT("no unsigned integer"));
    if (from > count)
        from = count;
    mb_key(mb_reply_begin(reply), MB_TEXT("schemes"));
    /*
     * An array says its length first, so the entries that fit are counted before they are written.
     */
    mb_writer trial = {
        .cap = writer->cap > writer->len + NEXT_BYTES ? writer->cap - writer->len - NEXT_BYTES : 0};
    mb_put_array(&trial, count);
    size_t end = (size_t)from;
    while (end < count) {
        put_entry(&trial, mb_the_adapter.scheme_at(end));
        if (trial.full)
            break;
        end++;
    }
    if (end == from && end < count)
        return mb_fail(reply, MB_KIND_TOO_BIG, NULL, MB_TEXT("one scheme does not fit a frame"));
    mb_put_array(writer, end - from);
    for (size_t i = (size_t)from; i < end; i++)
        put_entry(writer, mb_the_adapter.scheme_at(i));
    if (end < count)
        mb_map_uint(&reply->ok, MB_TEXT("next"), end);
    return true;
}
