/* Byte stuffing against known pairs, and back. */
#include <string.h>

#include "bytes.h"
#include "check.h"
#include "wire.h"

static uint8_t sent[2048];
static size_t sent_len;

static bool collect(const uint8_t *block, size_t len)
{
    memcpy(sent + sent_len, block, len);
    sent_len += len;
    return true;
}

static bool refuse(const uint8_t *block, size_t len)
{
    (void)block;
    (void)len;
    return false;
}

static bool encode(const uint8_t *data, size_t len)
{
    sent_len = 0;
    return mb_cobs_send(collect, data, len);
}

static bool decode(const uint8_t *data, size_t len, uint8_t *out, size_t cap, size_t *out_len)
{
    mb_cobs_decoder decoder = {.buf = out, .cap = cap};
    mb_cobs_reset(&decoder);
    for (size_t i = 0; i < len; i++)
        mb_cobs_take(&decoder, data[i]);
    *out_len = decoder.len;
    return mb_cobs_done(&decoder);
}

static void pair(const char *plain, size_t plain_len, const char *stuffed, size_t stuffed_len)
{
    uint8_t back[64];
    size_t len;
    CHECK(encode((const uint8_t *)plain, plain_len));
    CHECK(sent_len == stuffed_len && memcmp(sent, stuffed, stuffed_len) == 0);
    CHECK(decode((const uint8_t *)stuffed, stuffed_len, back, sizeof back, &len));
    CHECK(len == plain_len && memcmp(back, plain, plain_len) == 0);
}

#define PAIR(plain, stuffed) pair(plain, sizeof(plain) - 1, stuffed, sizeof(stuffed) - 1)

static void round_trips(void)
{
    uint8_t data[800], back[800];
    size_t len;
    for (size_t n = 0; n <= sizeof data; n++) {
        mb_fill((uint32_t)n + 1, data, n);
        /* Every third length without a zero, so that full blocks of 254 occur. */
        for (size_t i = 0; i < n && n % 3 == 0; i++)
            data[i] |= 1;
        bool good =
            encode(data, n) && sent_len <= n + n / 254 + 1 && memchr(sent, 0, sent_len) == NULL;
        CHECK(good && decode(sent, sent_len, back, n, &len) && len == n &&
              memcmp(data, back, n) == 0);
        if (n > 0)
            CHECK(!decode(sent, sent_len, back, n - 1, &len));
        CHECK(!decode(sent, sent_len - 1, back, sizeof back, &len) || len != n);
    }
}

static void full_blocks(void)
{
    uint8_t data[255];
    memset(data, 7, sizeof data);
    CHECK(encode(data, 254) && sent_len == 255 && sent[0] == 0xFF);
    CHECK(encode(data, 255) && sent_len == 257 && sent[0] == 0xFF && sent[255] == 2 &&
          sent[256] == 7);
    data[254] = 0;
    CHECK(encode(data, 255) && sent_len == 257 && sent[255] == 1 && sent[256] == 1);
}

int main(void)
{
    size_t len;
    check_begin();
    /*
     * Examples in the manner of Cheshire and Baker 1999, section 3: a zero ends a block, the code
     * is its distance.
     */
    PAIR("", "\x01");
    PAIR("\0", "\x01\x01");
    PAIR("\0\0", "\x01\x01\x01");
    PAIR("\x45", "\x02\x45");
    PAIR("\x11\x22\0\x33", "\x03\x11\x22\x02\x33");
    PAIR("\x11\x22\x33\x44", "\x05\x11\x22\x33\x44");
    PAIR("\x11\0\0\0", "\x02\x11\x01\x01\x01");
    PAIR("\x45\0\0\x2C\x4C\x79\0\0\x40\x06\x4F\x37",
         "\x02\x45\x01\x04\x2C\x4C\x79\x01\x05\x40\x06\x4F\x37");
    full_blocks();
    round_trips();
    CHECK(!mb_cobs_send(refuse, (const uint8_t *)"\0", 1));
    CHECK(!decode(NULL, 0, sent, sizeof sent, &len)); /* nothing at all is no frame */
    return check_end();
}
