/* Many inputs, each timed once: all are prepared first, each is right, and a wrong one fails. */
#include <string.h>

#include "ask.h"
#include "bytes.h"
#include "check.h"

enum { KEY = 16, LEN = 40, COUNT = 5 };

static mb_item reply, item;
static uint8_t data[LEN];

/* A job of the fake; `salt` makes its key another one. */
static void put_job(mb_writer *writer, const char *scheme, const char *op, uint8_t salt,
                    bool inverse)
{
    uint8_t key[KEY];
    for (uint8_t i = 0; i < KEY; i++)
        key[i] = (uint8_t)(i + salt);
    mb_map map = mb_map_open(writer);
    mb_map_text(&map, "scheme", scheme);
    mb_map_text(&map, "op", op);
    mb_map_bytes(&map, "key", key, sizeof key);
    mb_map_bytes(&map, "nonce", key, 12);
    mb_map_bytes(&map, "data", data, sizeof data);
    if (inverse)
        ask_flag(&map, "inverse");
    mb_map_close(&map);
}

static mb_map *ask_each(const char *scheme, const char *op, uint64_t count, bool inverse)
{
    mb_map *const map = ask_begin("measure-each");
    mb_map_uint(map, "count", count);
    mb_key(map, "inputs");
    mb_put_array(map->writer, count);
    for (uint64_t i = 0; i < count; i++)
        put_job(map->writer, scheme, op, (uint8_t)i, inverse);
    return map;
}

static bool ticks_of(size_t count)
{
    return ask(&reply) && mb_cbor_find(reply, "ticks", &item) &&
           mb_cbor_element(item, count, count - 1, &item);
}

static void each_is_timed_once(void)
{
    static const char *const operations[] = {
        "key-setup", "encrypt", "encrypt-message", "encrypt-new-key"};
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        (void)ask_each("fake-aead", operations[i], COUNT, false);
        CHECK(ticks_of(COUNT));
        ask_flag(ask_each("fake-aead", operations[i], COUNT, false), "evict");
        CHECK(ticks_of(COUNT));
    }
    (void)ask_each("fake-aead", "decrypt-message", COUNT, true);
    CHECK(ticks_of(COUNT));
    (void)ask_each("fake-ok", "decrypt", 1, true);
    CHECK(ticks_of(1));
    (void)ask_each("fake-hash", "digest", COUNT, false);
    CHECK(ticks_of(COUNT));
}

static void what_is_rejected_must_be(void)
{
    mb_map *map = ask_begin("measure-each");
    mb_map_uint(map, "count", 2);
    mb_key(map, "inputs");
    mb_put_array(map->writer, 2);
    for (uint8_t i = 0; i < 2; i++) {
        mb_map job = mb_map_open(map->writer);
        mb_map_text(&job, "scheme", "fake-aead");
        mb_map_text(&job, "op", "decrypt-message");
        mb_map_bytes(&job, "key", data, KEY);
        mb_map_bytes(&job, "nonce", data, 12);
        mb_map_bytes(&job, "data", data, sizeof data);
        mb_map_bytes(&job, "tag", data + i, KEY);
        ask_flag(&job, "reject");
        mb_map_close(&job);
    }
    CHECK(ticks_of(2));
    map = ask_begin("measure-each");
    mb_map_uint(map, "count", 1);
    mb_key(map, "inputs");
    mb_put_array(map->writer, 1);
    mb_map job = mb_map_open(map->writer);
    mb_map_text(&job, "scheme", "fake-ok");
    mb_map_text(&job, "op", "decrypt-message");
    mb_map_bytes(&job, "key", data, KEY);
    mb_map_bytes(&job, "data", data, sizeof data);
    ask_flag(&job, "reject");
    mb_map_close(&job);
    CHECK(ask_fails("wrong-answer", "accepted"));
}

static void wrong_requests(void)
{
    (void)ask_begin("measure-each");
    CHECK(ask_fails("bad-request", "inputs"));
    mb_map_uint(ask_begin("measure-each"), "count", 100000);
    CHECK(ask_fails("bad-request", "count"));
    mb_map_uint(ask_begin("measure-each"), "count", 3);
    CHECK(ask_fails("bad-request", "inputs"));
    mb_map *map = ask_begin("measure-each");
    mb_map_uint(map, "count", 2);
    mb_key(map, "inputs");
    mb_put_array(map->writer, 2);
    put_job(map->writer, "fake-aead", "encrypt", 0, false);
    put_job(map->writer, "fake-ok", "encrypt", 0, false);
    CHECK(ask_fails("bad-request", "one scheme"));
    map = ask_begin("measure-each");
    mb_map_uint(map, "count", 1);
    mb_key(map, "inputs");
    mb_put_array(map->writer, 1);
    mb_put_uint(map->writer, 1);
    CHECK(ask_fails("bad-request", "inputs"));
    (void)ask_each("fake-ok", "sign", 1, false);
    CHECK(ask_fails("unsupported", "op"));
}

static void wrong_results(void)
{
    (void)ask_each("fake-error", "encrypt", COUNT, false);
    CHECK(ask_fails("error", "asked to fail"));
    (void)ask_each("fake-flaky-crc", "encrypt", COUNT, false);
    CHECK(ask_fails("wrong-answer", "computed again"));
}

int main(void)
{
    check_begin();
    mb_fill(1, data, sizeof data);
    if (!CHECK(mb_probe_init()))
        return check_end();
    each_is_timed_once();
    what_is_rejected_must_be();
    wrong_requests();
    wrong_results();
    return check_end();
}
