/*
 * Drives the fuzz target without libFuzzer: valid requests, mutated by a generator that a seed
 * repeats.
 *
 *   fuzz [iterations] [seed]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cbor.h"
#include "check.h"
#include "wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { MOST = 700, ITERATIONS = 400000, WORDS_MAX = 64 };

static uint32_t state;

static uint32_t number(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (uint32_t)((uint64_t)state * below >> 32);
}

#define PICK(list) list[number((uint32_t)(sizeof(list) / sizeof(list)[0]))]

static const char *const DO[] = {
    "hello", "list", "compute", "measure", "memory", "file", "nothing"};
static const char *const SCHEMES[] = {
    "fake-ok", "fake-aead", "fake-hash", "fake-sign", "fake-kem", "fake-slow", "fake-error", "x"};
static const char *const OPS[] = {
    "key-setup",       "encrypt", "decrypt",     "encrypt-message", "decrypt-message",
    "encrypt-new-key", "digest",  "mac",         "keygen",          "sign",
    "verify",          "agree",   "encapsulate", "decapsulate",     "x"};
static const uint64_t NUMBERS[] = {
    0,         1,   2,    7,    16,    23,    24,         64,
    255,       256, 1024, 1025, 65535, 65536, UINT32_MAX, (uint64_t)UINT32_MAX + 1,
    UINT64_MAX};

/* A request that is mostly sensible. */
static size_t request(uint8_t *buf, size_t cap)
{
    static const char *const flags[] = {"inverse", "brief", "public"};
    static const char *const counts[] = {"batch", "count", "warm", "from", "tag_len"};
    static const char *const strings[] = {
        "nonce", "aad", "data", "tag", "context", "seed", "peer", "signature", "ciphertext"};
    static const uint8_t bytes[WORDS_MAX];
    mb_writer writer = {.buf = buf, .cap = cap};
    mb_map map = mb_map_open(&writer);
    mb_map_uint(&map, "id", PICK(NUMBERS));
    mb_map_text(&map, "do", PICK(DO));
    mb_map_text(&map, "scheme", PICK(SCHEMES));
    mb_map_text(&map, "op", PICK(OPS));
    mb_map_bytes(&map, "key", bytes, number(4) != 0 ? 16 : number(WORDS_MAX));
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++) {
        if (number(2) == 0)
            mb_map_bytes(&map, strings[i], bytes,
                         number(2) == 0 ? 16 * (1 + number(3)) : number(WORDS_MAX));
    }
    for (size_t i = 0; i < 5; i++) {
        if (number(3) == 0)
            mb_map_uint(&map, counts[i], number(2) == 0 ? number(9) : PICK(NUMBERS));
    }
    for (size_t i = 0; i < 3; i++) {
        if (number(3) == 0) {
            mb_key(&map, flags[i]);
            mb_put_bool(&writer, number(3) != 0);
        }
    }
    if (number(2) == 0) {
        mb_key(&map, "fill");
        mb_put_array(&writer, 2);
        mb_put_uint(&writer, 1 + number(3));
        mb_put_uint(&writer, number(4) != 0 ? number(1100) : PICK(NUMBERS));
    }
    mb_map_close(&map);
    return writer.len;
}

/* Damage: flip, overwrite, cut, drop, repeat. */
static size_t mutate(uint8_t *buf, size_t len, size_t cap)
{
    for (uint32_t times = number(5); times > 0 && len > 1; times--) {
        size_t at = number((uint32_t)len), n = 1 + number(8);
        switch (number(6)) {
        case 0:
            buf[at] ^= (uint8_t)(1u << number(8));
            break;
        case 1:
            buf[at] = (uint8_t)number(256);
            break;
        case 2:
            len = at + 1;
            break;
        case 3:
            n = n < len - at ? n : len - at;
            memmove(buf + at, buf + at + n, len - at - n);
            len -= n;
            break;
        case 4:
            n = n < len - at ? n : len - at;
            if (len + n <= cap) {
                memmove(buf + at + n, buf + at, len - at);
                len += n;
            }
            break;
        default:
            buf[at] = (uint8_t)(number(8) << 5 | (24 + number(8)));
            break;
        }
    }
    return len;
}

static uint8_t line[2 * MOST];
static size_t line_len;

static bool collect(const uint8_t *block, size_t len)
{
    memcpy(line + line_len, block, len);
    line_len += len;
    return true;
}

int main(int argc, char **argv)
{
    const unsigned long iterations = argc > 1 ? strtoul(argv[1], NULL, 10) : ITERATIONS;
    const unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    static uint8_t input[2 * MOST + 1];
    check_begin();
    state = seed != 0 ? (uint32_t)seed : 1;
    for (unsigned long i = 0; i < iterations; i++) {
        size_t len;
        if (number(4) != 0) {
            input[0] = 1;
            len = request(input + 1, MOST / 2);
            len = mutate(input + 1, len, MOST);
        } else {
            uint8_t payload[MOST / 2];
            line_len = 0;
            for (uint32_t frames = 1 + number(2); frames > 0; frames--)
                (void)mb_frame_send(collect, payload,
                                    request(payload, sizeof payload - MB_CHECK_BYTES));
            input[0] = 0;
            memcpy(input + 1, line, line_len);
            len = mutate(input + 1, line_len, sizeof input - 1);
        }
        (void)LLVMFuzzerTestOneInput(input, 1 + len);
        CHECK(true); /* survived; the target itself aborts on a wrong reply */
    }
    return check_end();
}
