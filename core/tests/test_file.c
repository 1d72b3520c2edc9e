/*
 * Whole files on the POSIX port: results, what is left behind, and every way for a disk to
 * disappoint.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask.h"
#include "bytes.h"
#include "check.h"

enum { LEN = 200001 };

static char folder[64], in[96], out[96], back[96];
static uint8_t plain[LEN], cipher[LEN], got[LEN + 1];
static mb_item reply, item;

static bool save(const char *path, const uint8_t *data, size_t len)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    bool good = fwrite(data, 1, len, file) == len;
    return fclose(file) == 0 && good;
}

static bool holds(const char *path, const uint8_t *data, size_t len)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    size_t n = fread(got, 1, sizeof got, file);
    return fclose(file) == 0 && n == len && memcmp(got, data, len) == 0;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static mb_map *ask_file(const char *op, const char *scheme, const char *from, const char *to)
{
    mb_map *map = ask_job("file", scheme, op, UINT64_MAX);
    mb_map_text(map, "in", from);
    if (to != NULL)
        mb_map_text(map, "out", to);
    return map;
}

static void there_and_back(void)
{
    static const uint64_t chunks[] = {1, 17, 4096, LEN - 1, LEN, LEN + 1, 1 << 20};
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
        mb_map *map = ask_file("encrypt-file", "fake-ok", in, out);
        mb_map_uint(map, "chunk", chunks[i]);
        if (i % 2 == 0) {
            ask_flag(map, "cold");
            ask_flag(map, "sync");
        }
        CHECK(ask(&reply) && reply_uint(reply, "read") == LEN &&
              reply_uint(reply, "written") == LEN);
        CHECK(reply_uint(reply, "elapsed") > 0 && reply_uint(reply, "elapsed") < UINT64_MAX);
        CHECK(reply_uint(reply, "user") < UINT64_MAX && reply_uint(reply, "system") < UINT64_MAX);
        CHECK(reply_uint(reply, "peak") > 4096 && !reply_has(reply, "result"));
        CHECK(holds(out, cipher, LEN));
        mb_map_uint(ask_file("decrypt-file", "fake-ok", out, back), "chunk", chunks[i]);
        CHECK(ask(&reply) && holds(back, plain, LEN));
    }
    (void)ask_file("copy-file", "no scheme", in, back);
    CHECK(ask(&reply) && reply_uint(reply, "written") == LEN && holds(back, plain, LEN));
}

static void results(void)
{
    uint8_t tag[16], public[16];
    const uint8_t *bytes;
    size_t len;
    (void)ask_file("encrypt-file", "fake-aead", in, out);
    CHECK(ask(&reply) && mb_cbor_find(reply, "result", &item) &&
          mb_cbor_bytes(item, &bytes, &len) && len == 16);
    memcpy(tag, bytes, 16);
    mb_map_bytes(ask_file("decrypt-file", "fake-aead", out, back), "tag", tag, 16);
    CHECK(ask(&reply) && !reply_has(reply, "rejected") && holds(back, plain, LEN));
    tag[0] ^= 1;
    mb_map_bytes(ask_file("decrypt-file", "fake-aead", out, back), "tag", tag, 16);
    CHECK(ask(&reply) && reply_has(reply, "rejected") && !reply_has(reply, "elapsed") &&
          !exists(back));

    (void)ask_file("digest-file", "fake-hash", in, NULL);
    CHECK(ask(&reply) && mb_cbor_find(reply, "result", &item) &&
          mb_cbor_bytes(item, &bytes, &len) && len == 16);
    CHECK(reply_uint(reply, "written") == 0);
    (void)ask_file("sign-file", "fake-sign", in, NULL);
    CHECK(ask(&reply) && mb_cbor_find(reply, "result", &item) &&
          mb_cbor_bytes(item, &bytes, &len) && len == 16);
    memcpy(tag, bytes, 16);
    for (uint8_t i = 0; i < 16; i++)
        public[i] = (uint8_t)~i;
    for (unsigned wrong = 0; wrong < 2; wrong++) {
        mb_map *map = ask_begin("file");
        mb_map_text(map, "scheme", "fake-sign");
        mb_map_text(map, "op", "verify-file");
        mb_map_bytes(map, "key", public, 16);
        tag[5] ^= (uint8_t)wrong;
        mb_map_bytes(map, "signature", tag, 16);
        mb_map_text(map, "in", in);
        CHECK(ask(&reply) && reply_has(reply, "rejected") == (wrong == 1));
    }
}

static void refusals(void)
{
    (void)ask_file("encrypt-file", "fake-ok", in, in);
    CHECK(ask_fails("bad-request", "same file") && holds(in, plain, LEN));
    (void)ask_file("encrypt-file", "fake-ok", folder, out);
    CHECK(ask_fails("bad-request", "in: not a regular file"));
    (void)ask_file("encrypt-file", "fake-ok", "/nowhere/at/all", out);
    CHECK(ask_fails("error", "in: No such file"));
    (void)ask_file("encrypt-file", "fake-ok", in, "/nowhere/at/all");
    CHECK(ask_fails("error", "out: No such file"));
    (void)ask_file("encrypt-file", "fake-ok", in, NULL);
    CHECK(ask_fails("bad-request", "out"));
    (void)ask_file("encrypt-file", "fake-ok", "", out);
    CHECK(ask_fails("bad-request", "in"));
    (void)ask_file("encrypt", "fake-ok", in, out);
    CHECK(ask_fails("unsupported", "op"));
    (void)ask_file("digest-file", "fake-ok", in, out);
    CHECK(ask_fails("unsupported", "op"));
    mb_map_uint(ask_file("encrypt-file", "fake-ok", in, out), "chunk", 0);
    CHECK(ask_fails("bad-request", "chunk"));
    mb_map_bytes(ask_begin("file"), "op", plain, 3);
    CHECK(ask_fails("bad-request", "op"));
}

static void full_disks(void)
{
    const struct rlimit small = {.rlim_cur = 100000, .rlim_max = RLIM_INFINITY};
    struct rlimit before;
    (void)ask_file("encrypt-file", "fake-ok", in, "/dev/full");
    CHECK(ask_fails("error", "out: No space left") && exists("/dev/full"));
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0 && setrlimit(RLIMIT_FSIZE, &small) == 0);
    mb_map_uint(ask_file("encrypt-file", "fake-ok", in, out), "chunk", LEN);
    CHECK(ask_fails("error", "out: File too large") && !exists(out));
    (void)ask_file("copy-file", "", in, out);
    CHECK(ask_fails("error", "out: File too large") && !exists(out));
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    (void)ask_file("encrypt-file", "fake-error", in, out);
    CHECK(ask_fails("error", "asked to fail") && !exists(out));
}

static void memory(void)
{
    (void)ask_job("memory", "fake-ok", "encrypt-message", 5000);
    CHECK(ask(&reply) && reply_uint(reply, "floor") > 4096 &&
          reply_uint(reply, "peak") >= reply_uint(reply, "floor") &&
          reply_uint(reply, "peak") < UINT64_MAX);
}

int main(void)
{
    check_begin();
    CHECK(unsetenv("MOTEBENCH_FAKE_AFTER") == 0);
    CHECK(mb_probe_init());
    (void)snprintf(folder, sizeof folder, "motebench-test-XXXXXX");
    if (!CHECK(mkdtemp(folder) != NULL))
        return check_end();
    (void)snprintf(in, sizeof in, "%s/in", folder);
    (void)snprintf(out, sizeof out, "%s/out", folder);
    (void)snprintf(back, sizeof back, "%s/back", folder);
    mb_fill(5, plain, LEN);
    for (size_t i = 0; i < LEN; i++)
        cipher[i] = (uint8_t)(plain[i] ^ (uint8_t)(i % 16 + i));
    CHECK(save(in, plain, LEN));
    memory();
    there_and_back();
    results();
    refusals();
    full_disks();
    /* An empty file is a file. */
    CHECK(save(in, plain, 0));
    (void)ask_file("encrypt-file", "fake-ok", in, out);
    CHECK(ask(&reply) && reply_uint(reply, "read") == 0 && holds(out, plain, 0));
    (void)unlink(in);
    (void)unlink(out);
    (void)unlink(back);
    CHECK(rmdir(folder) == 0);
    return check_end();
}
