/* Every request, right and wrong, answered on a port as small as a small device. */
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "bytes.h"
#include "check.h"
#include "small_port.h"

static uint8_t plain[SMALL_DATA], cipher[SMALL_DATA];
static mb_item reply, item;

/* Ciphertext of the fake cipher for the fill from seed 1 with the key of ask_job. */
static void expect(size_t len)
{
    mb_fill(1, plain, len);
    for (size_t i = 0; i < len; i++)
        cipher[i] = (uint8_t)(plain[i] ^ (uint8_t)(i % 16 + i));
}

static void no_requests(void)
{
    static const uint8_t array[] = {0x80}, empty[] = {0xA0},
                         text_id[] = {0xA1, 0x62, 'i', 'd', 0x61, 'x'};
    CHECK(mb_answer(array, sizeof array) == 0);
    CHECK(mb_answer(empty, sizeof empty) == 0);
    CHECK(mb_answer(text_id, sizeof text_id) == 0);
    CHECK(mb_answer(array, 0) == 0);
    (void)ask_begin(NULL);
    CHECK(ask_fails("bad-request", "do"));
    (void)ask_begin("dance");
    CHECK(ask_fails("unsupported", "do"));
    mb_map_uint(ask_begin(NULL), "do", 1);
    CHECK(ask_fails("bad-request", "do"));
}

static void hello(void)
{
    mb_map_uint(ask_begin("hello"), "proto", 2);
    CHECK(ask(&reply) && reply_uint(reply, "proto") == 2 &&
          reply_uint(reply, "max_frame") == SMALL_FRAME &&
          reply_uint(reply, "max_data") == SMALL_DATA);
    CHECK(mb_cbor_find(reply, "does", &item) && mb_cbor_element(item, 5, 4, &item));
    CHECK(mb_cbor_find(reply, "clock", &item) && reply_uint(item, "hz") == 1000 &&
          reply_uint(item, "resolution") == 1 && reply_has(item, "overhead"));
    CHECK(mb_cbor_find(reply, "counter", &item) && mb_cbor_is_map(item));
    CHECK(mb_cbor_find(reply, "cpu", &item) && mb_cbor_is_null(item));
}

static void list(void)
{
    uint64_t from = 0, pages = 0, entries = 0;
    while (from != UINT64_MAX && pages < 20) {
        mb_map_uint(ask_begin("list"), "from", from);
        if (!CHECK(ask(&reply) && mb_cbor_find(reply, "schemes", &item)))
            return;
        uint64_t next = reply_uint(reply, "next");
        const size_t on_page =
            (size_t)((next == UINT64_MAX ? mb_the_adapter.scheme_count() : next) - from);
        mb_item entry, name;
        CHECK(mb_cbor_element(item, on_page, on_page - 1, &entry) &&
              mb_cbor_find(entry, "name", &name));
        entries += on_page;
        pages++;
        from = next;
    }
    CHECK(entries == mb_the_adapter.scheme_count() && pages > 1);
    mb_map_uint(ask_begin("list"), "from", UINT64_MAX);
    CHECK(ask(&reply) && mb_cbor_find(reply, "schemes", &item) && !reply_has(reply, "next"));
    mb_map_text(ask_begin("list"), "from", "x");
    CHECK(ask_fails("bad-request", "from"));
}

static void compute(void)
{
    expect(100);
    const uint32_t crc = mb_crc32(0, cipher, 100);
    (void)ask_job("compute", "fake-ok", "encrypt", 100);
    CHECK(ask(&reply) && reply_bytes_are(reply, "out", cipher, 100) &&
          reply_uint(reply, "crc") == crc);
    mb_map_bytes(ask_job("compute", "fake-ok", "decrypt-message", UINT64_MAX), "data", cipher, 100);
    CHECK(ask(&reply) && reply_bytes_are(reply, "out", plain, 100) && !reply_has(reply, "tag"));
    ask_flag(ask_job("compute", "fake-ok", "encrypt-message", 100), "brief");
    CHECK(ask(&reply) && reply_uint(reply, "len") == 100 && !reply_has(reply, "out") &&
          reply_uint(reply, "crc") == crc);
    /* An output that does not fit a frame is answered by its length. */
    (void)ask_job("compute", "fake-ok", "encrypt", SMALL_DATA);
    CHECK(ask(&reply) && reply_uint(reply, "len") == SMALL_DATA && !reply_has(reply, "out"));
    (void)ask_job("compute", "fake-ok", "key-setup", UINT64_MAX);
    CHECK(ask(&reply) && reply_bytes_are(reply, "out", plain, 0) && reply_uint(reply, "crc") == 0);
    for (uint64_t len = 380; len < SMALL_FRAME; len++) {
        (void)ask_job("compute", "fake-aead", "encrypt-message", len);
        CHECK(ask(&reply) && reply_has(reply, "tag") &&
              reply_has(reply, "out") != reply_has(reply, "len"));
    }
}

static void inverse(void)
{
    expect(64);
    ask_flag(ask_job("compute", "fake-ok", "decrypt", 64), "inverse");
    CHECK(ask(&reply) && reply_bytes_are(reply, "out", plain, 64));
    ask_flag(ask_job("compute", "fake-aead", "decrypt-message", 64), "inverse");
    CHECK(ask(&reply) && reply_bytes_are(reply, "out", plain, 64));
    ask_flag(ask_job("compute", "fake-ok", "encrypt", 64), "inverse");
    CHECK(ask_fails("bad-request", "inverse"));
    mb_map_uint(ask_job("compute", "fake-ok", "decrypt", 64), "inverse", 1);
    CHECK(ask_fails("bad-request", "inverse"));
}

static void tags(void)
{
    uint8_t tag[16];
    const uint8_t *bytes;
    size_t len;
    mb_map *map = ask_job("compute", "fake-aead", "encrypt-message", 40);
    mb_map_bytes(map, "aad", plain, 5);
    CHECK(ask(&reply) && mb_cbor_find(reply, "tag", &item) && mb_cbor_bytes(item, &bytes, &len) &&
          len == 16);
    memcpy(tag, bytes, 16);
    expect(40);
    const uint32_t crc = mb_crc32(mb_crc32(0, cipher, 40), tag, 16);
    CHECK(reply_uint(reply, "crc") == crc);
    mb_map_uint(ask_job("compute", "fake-aead", "encrypt-message", 40), "tag_len", 12);
    CHECK(ask(&reply) && mb_cbor_find(reply, "tag", &item) && mb_cbor_bytes(item, &bytes, &len) &&
          len == 12);
    for (unsigned wrong = 0; wrong < 2; wrong++) {
        map = ask_job("compute", "fake-aead", "decrypt-message", UINT64_MAX);
        mb_map_bytes(map, "data", cipher, 40);
        mb_map_bytes(map, "aad", plain, 5);
        tag[3] ^= (uint8_t)wrong;
        mb_map_bytes(map, "tag", tag, 16);
        CHECK(ask(&reply));
        CHECK(reply_has(reply, "rejected") == (wrong == 1) &&
              reply_has(reply, "out") == (wrong == 0));
        CHECK(reply_has(reply, "crc") == (wrong == 0));
    }
    mb_map_uint(ask_job("compute", "fake-aead", "encrypt-message", 40), "tag_len", 17);
    CHECK(ask_fails("unsupported", "tag_len"));
    mb_map_uint(ask_job("compute", "fake-aead", "encrypt-message", 40), "tag_len", UINT64_MAX);
    CHECK(ask_fails("bad-request", "tag_len"));
}

static void signatures(void)
{
    uint8_t public[16], signature[16];
    const uint8_t *bytes;
    size_t len;
    (void)ask_job("compute", "fake-sign", "sign", 33);
    CHECK(ask(&reply) && mb_cbor_find(reply, "signature", &item) &&
          mb_cbor_bytes(item, &bytes, &len) && len == 16);
    memcpy(signature, bytes, 16);
    ask_flag(ask_job("compute", "fake-sign", "whatever", UINT64_MAX), "public");
    CHECK(ask(&reply) && mb_cbor_find(reply, "public", &item) &&
          mb_cbor_bytes(item, &bytes, &len) && len == 16);
    memcpy(public, bytes, 16);
    for (unsigned wrong = 0; wrong < 2; wrong++) {
        mb_map *map = ask_begin(wrong ? "measure" : "compute");
        mb_map_text(map, "scheme", "fake-sign");
        mb_map_text(map, "op", "verify");
        mb_map_bytes(map, "key", public, 16);
        mb_fill(1, plain, 33);
        mb_map_bytes(map, "data", plain, 33);
        signature[0] ^= (uint8_t)wrong;
        mb_map_bytes(map, "tag", public, 16); /* the key of other operations, ignored */
        mb_map_bytes(map, "signature", signature, 16);
        if (wrong)
            CHECK(ask_fails("wrong-answer", "rejected"));
        else
            CHECK(ask(&reply) && reply_bytes_are(reply, "out", plain, 0));
    }
    ask_flag(ask_job("compute", "fake-ok", "sign", UINT64_MAX), "public");
    CHECK(ask_fails("unsupported", ""));
    mb_map_uint(ask_job("measure", "fake-sign", "keygen", UINT64_MAX), "count", 2);
    CHECK(ask(&reply) && reply_uint(reply, "len") == 16 && reply_has(reply, "private") &&
          !reply_has(reply, "public"));
    mb_map_bytes(ask_job("compute", "fake-sign", "sign", 33), "context", plain, 1);
    CHECK(ask_fails("unsupported", "context"));
    mb_map_bytes(ask_job("compute", "fake-sign", "keygen", UINT64_MAX), "seed", plain, 16);
    CHECK(ask_fails("unsupported", "seed"));
}

static mb_map *ask_kem(const char *what, const char *op, const uint8_t *key, size_t len)
{
    mb_map *map = ask_begin(what);
    mb_map_text(map, "scheme", "fake-kem");
    mb_map_text(map, "op", op);
    if (len > 0)
        mb_map_bytes(map, "key", key, len);
    return map;
}

/* Copies what the reply holds under a key, `len` bytes; false if it has another length. */
static bool take(const char *key, uint8_t *to, size_t len)
{
    const uint8_t *bytes;
    size_t got;
    if (!mb_cbor_find(reply, key, &item) || !mb_cbor_bytes(item, &bytes, &got) || got != len)
        return false;
    memcpy(to, bytes, len);
    return true;
}

static void kem(void)
{
    uint8_t seed[16], private[40], public[24], ciphertext[32], secret[12], other[12];
    mb_fill(3, seed, sizeof seed);
    mb_map_bytes(ask_kem("compute", "keygen", NULL, 0), "seed", seed, 16);
    CHECK(ask(&reply) && take("private", private, 40) && take("public", public, 24));
    CHECK(memcmp(private, seed, 16) == 0 && memcmp(private + 16, public, 24) == 0);
    CHECK(reply_uint(reply, "crc") == mb_crc32(mb_crc32(0, private, 40), public, 24));
    ask_flag(ask_kem("compute", "whatever", private, 40), "public");
    CHECK(ask(&reply) && reply_bytes_are(reply, "public", public, 24) &&
          !reply_has(reply, "private"));

    mb_map_bytes(ask_kem("compute", "encapsulate", public, 24), "seed", seed, 16);
    CHECK(ask(&reply) && take("ciphertext", ciphertext, 32) && take("secret", secret, 12) &&
          !reply_has(reply, "out"));
    CHECK(reply_uint(reply, "crc") == mb_crc32(mb_crc32(0, ciphertext, 32), secret, 12));
    mb_map_bytes(ask_kem("compute", "decapsulate", private, 40), "ciphertext", ciphertext, 32);
    CHECK(ask(&reply) && reply_bytes_are(reply, "secret", secret, 12) &&
          !reply_has(reply, "ciphertext"));
    ciphertext[31] ^= 1; /* another secret, and no rejection */
    mb_map_bytes(ask_kem("compute", "decapsulate", private, 40), "ciphertext", ciphertext, 32);
    CHECK(ask(&reply) && take("secret", other, 12) && memcmp(other, secret, 12) != 0);

    /*
     * Of a random result `measure` has both outputs; one from a seed must come out the same each
     * time.
     */
    mb_map_uint(ask_kem("measure", "encapsulate", public, 24), "batch", 3);
    CHECK(ask(&reply) && take("ciphertext", ciphertext, 32) && take("secret", secret, 12));
    mb_map_bytes(ask_kem("compute", "decapsulate", private, 40), "ciphertext", ciphertext, 32);
    CHECK(ask(&reply) && reply_bytes_are(reply, "secret", secret, 12));
    (void)ask_kem("measure", "keygen", NULL, 0);
    CHECK(ask(&reply) && take("private", private, 40) && take("public", public, 24) &&
          reply_uint(reply, "len") == 40);
    mb_map_bytes(ask_kem("measure", "keygen", NULL, 0), "seed", seed, 16);
    CHECK(ask(&reply) && !reply_has(reply, "private") && !reply_has(reply, "public"));

    mb_map_bytes(ask_kem("compute", "encapsulate", public, 24), "seed", seed, 15);
    CHECK(ask_fails("unsupported", ""));
    mb_map_bytes(ask_kem("compute", "encapsulate", public, 23), "seed", seed, 16);
    CHECK(ask_fails("unsupported", "key"));
    mb_map_bytes(ask_kem("compute", "decapsulate", private, 40), "data", ciphertext, 32);
    CHECK(ask_fails("unsupported", ""));
}

static void listed_kem(void)
{
    mb_map_uint(ask_begin("list"), "from", 4);
    mb_item entry, value;
    uint64_t number;
    CHECK(ask(&reply) && mb_cbor_find(reply, "schemes", &item));
    const uint64_t next = reply_uint(reply, "next");
    const size_t on_page =
        (size_t)((next == UINT64_MAX ? mb_the_adapter.scheme_count() : next) - 4);
    CHECK(mb_cbor_element(item, on_page, 0, &entry) && !reply_has(entry, "nonce") &&
          !reply_has(entry, "tag"));
    CHECK(mb_cbor_find(entry, "pair", &value) && mb_cbor_element(value, 2, 0, &item) &&
          mb_cbor_uint(item, &number) && number == 24);
    CHECK(mb_cbor_find(entry, "outputs", &value) && mb_cbor_element(value, 2, 1, &item) &&
          mb_cbor_uint(item, &number) && number == 12);
    bool needs = true;
    CHECK(mb_cbor_find(entry, "needs_seed", &value) && mb_cbor_bool(value, &needs) && !needs);
}

static void measure(void)
{
    mb_map *map = ask_job("measure", "fake-ok", "encrypt", 48);
    mb_map_uint(map, "batch", 3);
    mb_map_uint(map, "count", SMALL_SAMPLES);
    mb_map_uint(map, "warm", 5);
    expect(48);
    CHECK(ask(&reply) && reply_uint(reply, "crc") == mb_crc32(0, cipher, 48) &&
          reply_uint(reply, "len") == 48);
    CHECK(!reply_has(reply, "out") && !reply_has(reply, "cpu"));
    for (size_t i = 0; i < SMALL_SAMPLES; i++) {
        mb_item ticks, counts;
        uint64_t value;
        /* The test clock counts its readings: the wall clock's pair is the inner one. */
        CHECK(mb_cbor_find(reply, "ticks", &item) &&
              mb_cbor_element(item, SMALL_SAMPLES, i, &ticks) && mb_cbor_uint(ticks, &value) &&
              value == 1);
        CHECK(mb_cbor_find(reply, "counts", &item) &&
              mb_cbor_element(item, SMALL_SAMPLES, i, &counts) && mb_cbor_uint(counts, &value) &&
              value == 3);
        CHECK(mb_cbor_find(reply, "preempted", &item) &&
              mb_cbor_element(item, SMALL_SAMPLES, i, &counts) && mb_cbor_uint(counts, &value) &&
              value == 5);
    }
    CHECK(!reply_has(reply, "reference_loop"));
    ask_flag(ask_job("measure", "fake-aead", "decrypt-message", 48), "inverse");
    CHECK(ask(&reply) && reply_uint(reply, "crc") == mb_crc32(0, plain, 48));
    mb_map_uint(ask_job("measure", "fake-ok", "encrypt", 48), "count", SMALL_SAMPLES + 1);
    CHECK(ask_fails("too-big", "count"));
    mb_map_uint(ask_job("measure", "fake-ok", "encrypt", 48), "batch", 0);
    CHECK(ask_fails("bad-request", "batch"));
    mb_map_text(ask_job("measure", "fake-ok", "encrypt", 48), "warm", "some");
    CHECK(ask_fails("bad-request", "warm"));
    (void)ask_job("measure", "fake-error", "encrypt", 48);
    CHECK(ask_fails("error", "asked to fail"));
    (void)ask_job("measure", "fake-flaky-crc", "encrypt", 48);
    CHECK(ask_fails("wrong-answer", "changed"));
    mb_map_uint(ask_job("measure", "fake-wrong", "encrypt", 48), "batch", 100);
    CHECK(ask_fails("wrong-answer", "changed"));
    mb_map_bytes(ask_job("measure", "fake-aead", "decrypt-message", 48), "tag", plain, 16);
    CHECK(ask_fails("wrong-answer", "rejected"));
}

/*
 * The reference loop is timed before and after each batch, where the request asks for it, and the
 * quicker of the two is reported.
 */
static void reference_loop(void)
{
    mb_map *map = ask_job("measure", "fake-ok", "encrypt", 48);
    mb_map_uint(map, "count", SMALL_SAMPLES);
    ask_flag(map, "reference_loop");
    CHECK(ask(&reply));
    for (size_t i = 0; i < SMALL_SAMPLES; i++) {
        mb_item ticks, loops;
        uint64_t value;
        CHECK(mb_cbor_find(reply, "ticks", &item) &&
              mb_cbor_element(item, SMALL_SAMPLES, i, &ticks) && mb_cbor_uint(ticks, &value) &&
              value == 1);
        CHECK(mb_cbor_find(reply, "reference_loop", &item) &&
              mb_cbor_element(item, SMALL_SAMPLES, i, &loops) && mb_cbor_uint(loops, &value) &&
              value == 1);
    }
    mb_map_uint(ask_job("measure", "fake-ok", "encrypt", 48), "reference_loop", 1);
    CHECK(ask_fails("bad-request", "reference_loop"));
}

static bool about(const char *key, uint64_t ticks)
{
    const uint64_t found = reply_uint(reply, key);
    return found >= ticks && found < ticks + 20;
}

/*
 * Operations of 500 ticks: a batch of one is a third of the request, and the reply says where in
 * it.
 */
static void beside_the_batches(void)
{
    CHECK(setenv("MOTEBENCH_FAKE_SLEEP_US", "500000", 1) == 0);
    (void)ask_job("measure", "fake-slow", "encrypt", 48);
    CHECK(ask(&reply) && about("before", 500) && about("after", 500));
    mb_item ticks;
    uint64_t value;
    CHECK(mb_cbor_find(reply, "ticks", &item) && mb_cbor_element(item, 1, 0, &ticks) &&
          mb_cbor_uint(ticks, &value));
    CHECK(value >= 500 && value < 520);
    mb_map *map = ask_job("measure", "fake-slow", "encrypt", 48);
    mb_map_uint(map, "batch", 4);
    mb_map_uint(map, "count", 2);
    mb_map_uint(map, "warm", 3);
    CHECK(ask(&reply) && about("before", 4 * 500) && about("after", 500));
    /* The input of a decryption is made first. */
    ask_flag(ask_job("measure", "fake-slow", "decrypt", 48), "inverse");
    CHECK(ask(&reply) && about("before", 2 * 500) && about("after", 500));
    CHECK(unsetenv("MOTEBENCH_FAKE_SLEEP_US") == 0);
}

/* A decryption of a tag that is right (`wrong` 0) or not, which has to be rejected. */
static mb_map *ask_rejection(const uint8_t *right, unsigned wrong, bool reject)
{
    uint8_t tag[16];
    memcpy(tag, right, sizeof tag);
    tag[15] ^= (uint8_t)wrong;
    mb_map *map = ask_job("measure", "fake-aead", "decrypt-message", UINT64_MAX);
    mb_map_bytes(map, "data", cipher, 40);
    mb_map_bytes(map, "tag", tag, sizeof tag);
    if (reject)
        ask_flag(map, "reject");
    return map;
}

static void rejections(void)
{
    uint8_t tag[16];
    const uint8_t *bytes;
    size_t len;
    (void)ask_job("compute", "fake-aead", "encrypt-message", 40);
    CHECK(ask(&reply) && mb_cbor_find(reply, "tag", &item) && mb_cbor_bytes(item, &bytes, &len) &&
          len == 16);
    memcpy(tag, bytes, 16);
    expect(40);
    mb_map_uint(ask_rejection(tag, 1, true), "count", 2);
    CHECK(ask(&reply) && reply_uint(reply, "len") == 0 && reply_uint(reply, "crc") == 0 &&
          reply_has(reply, "ticks"));
    mb_map_uint(ask_rejection(tag, 1, true), "warm", 1);
    CHECK(ask(&reply) && reply_has(reply, "ticks"));
    (void)ask_rejection(tag, 0, false);
    CHECK(ask(&reply) && reply_uint(reply, "len") == 40);
    (void)ask_rejection(tag, 0, true);
    CHECK(ask_fails("wrong-answer", "accepted"));
    (void)ask_rejection(tag, 1, false);
    CHECK(ask_fails("wrong-answer", "rejected"));
    mb_map_uint(ask_rejection(tag, 1, true), "batch", 2);
    CHECK(ask_fails("bad-request", "reject"));
    mb_map_uint(ask_rejection(tag, 1, true), "warm", 2);
    CHECK(ask_fails("bad-request", "reject"));
    mb_map_uint(ask_rejection(tag, 1, false), "reject", 1);
    CHECK(ask_fails("bad-request", "reject"));
    ask_flag(ask_job("measure", "fake-error", "encrypt", 48), "reject");
    CHECK(ask_fails("error", "asked to fail"));
}

static void bad_jobs(void)
{
    mb_map *map;
    (void)ask_job("compute", "fake-nothing", "encrypt", 1);
    CHECK(ask_fails("unsupported", "scheme"));
    (void)ask_job("compute", "fake-ok", "digest", 1);
    CHECK(ask_fails("unsupported", "op"));
    (void)ask_job("compute", "fake-ok", "juggle", 1);
    CHECK(ask_fails("unsupported", "op"));
    (void)ask_begin("compute");
    CHECK(ask_fails("bad-request", "scheme"));
    mb_map_text(ask_begin("compute"), "scheme", "fake-ok");
    CHECK(ask_fails("bad-request", "op"));
    map = ask_begin("memory");
    mb_map_text(map, "scheme", "fake-ok");
    mb_map_text(map, "op", "encrypt");
    mb_map_bytes(map, "key", plain, 15);
    CHECK(ask_fails("unsupported", "key"));
    mb_map_bytes(ask_job("compute", "fake-ok", "encrypt", 1), "key", plain, 15);
    CHECK(ask(&reply)); /* of two equal keys the first counts */
    mb_map_text(ask_job("compute", "fake-aead", "encrypt", UINT64_MAX), "aad", "text");
    CHECK(ask_fails("bad-request", "aad"));
    mb_map_bytes(ask_job("compute", "fake-aead", "encrypt", UINT64_MAX), "aad", plain,
                 SMALL_AUX - 100);
    CHECK(ask_fails("too-big", "aad"));
    mb_map_uint(ask_job("compute", "fake-ok", "encrypt", UINT64_MAX), "data", 5);
    CHECK(ask_fails("bad-request", "data"));
    mb_map_uint(ask_job("compute", "fake-ok", "encrypt", UINT64_MAX), "fill", 5);
    CHECK(ask_fails("bad-request", "fill"));
    (void)ask_job("compute", "fake-ok", "encrypt", SMALL_DATA + 1);
    CHECK(ask_fails("too-big", "fill"));
    map = ask_job("compute", "fake-ok", "encrypt", UINT64_MAX);
    mb_key(map, "fill");
    mb_put_array(map->writer, 2);
    mb_put_uint(map->writer, 0);
    mb_put_uint(map->writer, 10);
    CHECK(ask_fails("bad-request", "seed"));
}

int main(void)
{
    check_begin();
    CHECK(unsetenv("MOTEBENCH_FAKE_AFTER") == 0);
    CHECK(mb_probe_init());
    no_requests();
    hello();
    list();
    compute();
    inverse();
    tags();
    signatures();
    kem();
    listed_kem();
    measure();
    reference_loop();
    beside_the_batches();
    rejections();
    bad_jobs();
    (void)ask_job("memory", "fake-ok", "encrypt", 10);
    CHECK(ask(&reply) && reply_uint(reply, "stack") == 100);
    return check_end();
}
