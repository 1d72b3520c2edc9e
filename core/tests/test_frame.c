/* A receiver that is fed byte by byte, with everything that can go wrong on a line. */
#include <string.h>

#include "bytes.h"
#include "check.h"
#include "wire.h"

enum { CAP = 600 };

static uint8_t line[4 * CAP], room[CAP];
static size_t line_len;
static mb_receiver receiver;

static bool collect(const uint8_t *block, size_t len)
{
    memcpy(line + line_len, block, len);
    line_len += len;
    return true;
}

static bool refuse(const uint8_t *block, size_t len)
{
    (void)block;
    return len > 1;
}

static void send(const void *payload, size_t len)
{
    uint8_t copy[CAP + MB_CHECK_BYTES];
    memcpy(copy, payload, len);
    line_len = 0;
    CHECK(mb_frame_send(collect, copy, len));
}

/* Feed bytes; gives the number of frames that were accepted, the last of them is left in `room`. */
static unsigned feed(const uint8_t *bytes, size_t len, size_t *last_len)
{
    unsigned frames = 0;
    for (size_t i = 0; i < len; i++) {
        if (mb_receiver_take(&receiver, bytes[i])) {
            frames++;
            *last_len = receiver.payload_len;
        }
    }
    return frames;
}

static bool intact(void)
{
    size_t len = 0;
    static const uint8_t hello[] = {0xA1, 0x62, 'd', 'o', 0x65, 'h', 'e', 'l', 'l', 'o'};
    send(hello, sizeof hello);
    return feed(line, line_len, &len) == 1 && len == sizeof hello && memcmp(room, hello, len) == 0;
}

static void damage(void)
{
    uint8_t payload[300];
    size_t len;
    mb_fill(7, payload, sizeof payload);
    send(payload, sizeof payload);
    /*
     * Every single flipped bit is noticed. A flipped delimiter makes the frame part of the noise
     * before or after.
     */
    for (size_t bit = 0; bit < 8 * line_len; bit++) {
        uint8_t copy[sizeof line];
        memcpy(copy, line, line_len);
        copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
        size_t end = line_len;
        unsigned got = feed(copy, end, &len);
        bool first = bit / 8 == 0, last = bit / 8 == line_len - 1;
        if (!first && !last)
            CHECK(got == 0);
        size_t keep = line_len;
        (void)feed((const uint8_t *)"\0", 1, &len);
        CHECK(intact());
        line_len = keep;
        send(payload, sizeof payload);
    }
    for (size_t cut = 1; cut < line_len - 1; cut++) {
        CHECK(feed(line, cut, &len) == 0);
        CHECK(intact());
        send(payload, sizeof payload);
    }
}

int main(void)
{
    static uint8_t noise[5000], big[CAP];
    size_t len = 0;
    check_begin();
    mb_receiver_init(&receiver, room, sizeof room);
    CHECK(intact());
    CHECK(feed((const uint8_t *)"\0\0\0\0", 4, &len) == 0);
    CHECK(intact());

    /* Duplicated: two frames. Sharing a delimiter: still two. */
    send("\xA0", 1);
    CHECK(feed(line, line_len, &len) + feed(line, line_len, &len) == 2);
    CHECK(feed(line, line_len, &len) + feed(line + 1, line_len - 1, &len) == 2);

    for (uint32_t seed = 1; seed <= 200; seed++) {
        mb_fill(seed, noise, sizeof noise);
        CHECK(feed(noise, sizeof noise, &len) == 0);
        CHECK(intact());
    }
    damage();

    /* The longest payload that fits, and one byte more. */
    mb_fill(3, big, sizeof big);
    send(big, CAP - MB_CHECK_BYTES);
    CHECK(feed(line, line_len, &len) == 1 && len == CAP - MB_CHECK_BYTES &&
          memcmp(room, big, len) == 0);
    send(big, CAP - MB_CHECK_BYTES + 1);
    CHECK(feed(line, line_len, &len) == 0);
    CHECK(intact());

    /* A check alone is no message. */
    send("", 0);
    CHECK(feed(line, line_len, &len) == 0);
    CHECK(!mb_frame_send(refuse, big, 5));
    return check_end();
}
