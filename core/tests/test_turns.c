/* Inputs that take turns: each is used, all must be right, and the job's own comes back. */
#include <string.h>

#include "ask.h"
#include "bytes.h"
#include "check.h"

enum { KEY = 16, LEN = 40, COUNT = 5, BATCH = 7 };

static mb_item reply, item;

/* Input of each turn: its data are those of fill from `seed`, its key begins with `salt`. */
typedef struct other {
    uint32_t seed, len;
    uint8_t salt;
    bool inverse, forged;
} other;

static void put_input(mb_writer *writer, const char *scheme, const char *op, other what)
{
    uint8_t key[KEY];
    for (uint8_t i = 0; i < KEY; i++)
        key[i] = i;
    key[0] = what.salt;
    mb_map map = mb_map_open(writer);
    mb_map_text(&map, "scheme", scheme);
    mb_map_text(&map, "op", op);
    mb_map_bytes(&map, "key", key, sizeof key);
    mb_map_bytes(&map, "nonce", key, 12);
    mb_key(&map, "fill");
    mb_put_array(writer, 2);
    mb_put_uint(writer, what.seed);
    mb_put_uint(writer, what.len);
    if (what.forged)
        mb_map_bytes(&map, "tag", key, sizeof key);
    if (what.inverse)
        ask_flag(&map, "inverse");
    mb_map_close(&map);
}

/* A request whose turns are all alike but for their seeds. */
static mb_map *ask_turns(const char *scheme, const char *op, uint64_t count, other what)
{
    mb_map *const map = ask_job("measure-turns", scheme, op, LEN);
    if (what.inverse)
        ask_flag(map, "inverse");
    mb_map_uint(map, "batch", BATCH);
    mb_map_uint(map, "count", 2);
    mb_map_uint(map, "turns", count);
    mb_key(map, "inputs");
    mb_put_array(map->writer, count);
    for (uint64_t i = 0; i < count; i++, what.seed++)
        put_input(map->writer, scheme, op, what);
    return map;
}

static bool two_readings(void)
{
    return ask(&reply) && mb_cbor_find(reply, "ticks", &item) && mb_cbor_element(item, 2, 1, &item);
}

static void every_operation_takes_turns(void)
{
    static const char *const operations[] = {
        "key-setup", "encrypt", "encrypt-message", "encrypt-new-key"};
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        (void)ask_turns("fake-aead", operations[i], COUNT, (other){.seed = 2, .len = LEN});
        CHECK(two_readings());
    }
    (void)ask_turns("fake-hash", "digest", COUNT, (other){.seed = 2, .len = LEN});
    CHECK(two_readings());
    (void)ask_turns("fake-sign", "sign", COUNT, (other){.seed = 2, .len = LEN});
    CHECK(two_readings());
}

/* The output that is checked is that of the job: its own input is put back. */
static void the_own_input_returns(void)
{
    static const char *const operations[] = {"encrypt", "encrypt-message", "encrypt-new-key"};
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        (void)ask_job("measure", "fake-aead", operations[i], LEN);
        CHECK(ask(&reply));
        const uint64_t crc = reply_uint(reply, "crc");
        (void)ask_turns("fake-aead", operations[i], COUNT,
                        (other){.seed = 9, .len = LEN, .salt = 77});
        CHECK(two_readings() && reply_uint(reply, "crc") == crc);
    }
}

/* Other ciphertexts have other tags: the fake would reject them under the tag of the job. */
static void each_input_is_used(void)
{
    (void)ask_turns("fake-aead", "decrypt-message", COUNT,
                    (other){.seed = 2, .len = LEN, .inverse = true});
    CHECK(two_readings());
    (void)ask_turns("fake-aead", "decrypt-message", COUNT,
                    (other){.seed = 2, .len = LEN, .inverse = true, .forged = true});
    CHECK(two_readings()); /* the probe makes the tag itself */
    mb_map *const map = ask_job("measure-turns", "fake-aead", "decrypt-message", LEN);
    ask_flag(map, "inverse");
    mb_map_uint(map, "batch", 2);
    mb_map_uint(map, "turns", 2);
    mb_key(map, "inputs");
    mb_put_array(map->writer, 2);
    put_input(map->writer, "fake-aead", "decrypt-message",
              (other){.seed = 2, .len = LEN, .inverse = true});
    put_input(map->writer, "fake-aead", "decrypt-message",
              (other){.seed = 3, .len = LEN, .forged = true});
    CHECK(ask_fails("wrong-answer", "rejected"));
}

static void wrong_requests(void)
{
    const other right = {.seed = 2, .len = LEN};
    (void)ask_job("measure-turns", "fake-aead", "encrypt", LEN);
    CHECK(ask_fails("bad-request", "inputs"));
    mb_map_uint(ask_job("measure-turns", "fake-aead", "encrypt", LEN), "turns", 65);
    CHECK(ask_fails("bad-request", "turns"));
    mb_map_uint(ask_job("measure-turns", "fake-aead", "encrypt", LEN), "turns", 3);
    CHECK(ask_fails("bad-request", "inputs"));
    mb_map *map = ask_job("measure-turns", "fake-aead", "encrypt", LEN);
    mb_map_uint(map, "turns", 3);
    mb_key(map, "inputs");
    mb_put_array(map->writer, 2);
    put_input(map->writer, "fake-aead", "encrypt", right);
    put_input(map->writer, "fake-aead", "encrypt", right);
    CHECK(ask_fails("bad-request", "not as many"));
    map = ask_job("measure-turns", "fake-aead", "encrypt", LEN);
    mb_map_uint(map, "turns", 1);
    mb_key(map, "inputs");
    mb_put_array(map->writer, 1);
    mb_put_uint(map->writer, 1);
    CHECK(ask_fails("bad-request", "inputs"));
    (void)ask_turns("fake-aead", "encrypt", 2, (other){.seed = 2, .len = LEN + 1});
    CHECK(ask_fails("bad-request", "lengths"));
    (void)ask_turns("fake-error", "encrypt", 2, right);
    CHECK(ask_fails("error", "asked to fail"));
}

int main(void)
{
    check_begin();
    if (!CHECK(mb_probe_init()))
        return check_end();
    every_operation_takes_turns();
    the_own_input_returns();
    each_input_is_used();
    wrong_requests();
    return check_end();
}
