/*
 * A firmware that needs nobody to talk to: it answers requests that were built in with it, to
 * itself, exactly as the probe does, and writes what came of them as lines of text.
 *
 * The requests are in a header that the builder of the firmware makes and names by -include:
 *
 * ALONE_TITLE    what this is, a string
 * ALONE_STEPS    STEP(words, crc, payload) STEP(...): what the step is, the CRC-32 that its output
 *                must have, and its request, a string of bytes
 */
#include "bytes.h"
#include "clocks.h"
#include "probe.h"
#include "wire.h"

static void say(mb_text text)
{
    for (; *text != '\0'; text++) {
        const uint8_t letter = (uint8_t)*text;
        (void)mb_port_write(&letter, 1);
    }
}

static void say_number(uint32_t number)
{
    uint8_t digits[10];
    size_t n = sizeof digits;
    do {
        digits[--n] = (uint8_t)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    (void)mb_port_write(digits + n, sizeof digits - n);
}

static void say_failure(mb_item reply)
{
    mb_item err, item;
    const char *words;
    size_t len;
    say(MB_TEXT("failed: "));
    if (mb_cbor_find(reply, MB_TEXT("err"), &err) && mb_cbor_find(err, MB_TEXT("text"), &item) &&
        mb_cbor_text(item, &words, &len))
        (void)mb_port_write((const uint8_t *)words, len);
}

/*
 * Writes what a reply says: whether the output is right, and the counts of the one batch without
 * the overhead.
 */
static void report(mb_item reply, uint32_t crc, uint32_t overhead)
{
    mb_item ok, item;
    uint64_t value;
    if (!mb_cbor_find(reply, MB_TEXT("ok"), &ok)) {
        say_failure(reply);
        return;
    }
    const bool right =
        mb_cbor_find(ok, MB_TEXT("crc"), &item) && mb_cbor_uint(item, &value) && value == crc;
    if (mb_cbor_find(ok, MB_TEXT("counts"), &item) && mb_cbor_element(item, 1, 0, &item) &&
        mb_cbor_uint(item, &value)) {
        say_number((uint32_t)value - overhead);
        say(MB_TEXT(" cycles, "));
    }
    say(right ? MB_TEXT("output right") : MB_TEXT("output WRONG"));
}

static void step(mb_text words, uint32_t crc, const uint8_t MOTE_FLASH *payload, uint16_t len,
                 uint32_t overhead)
{
    const mb_buffers *buffers = mb_port_buffers();
    uint8_t *request = buffers->frame_in;
    say(words);
    say(MB_TEXT(": "));
    if (len + MB_CHECK_BYTES > buffers->frame_cap) {
        say(MB_TEXT("failed: the request is longer than the memory"));
    } else {
        for (uint16_t i = 0; i < len; i++)
            request[i] = payload[i];
        const uint16_t check = mb_crc16(MB_CRC16_START, request, len);
        request[len] = (uint8_t)(check >> 8);
        request[len + 1] = (uint8_t)check;
        const size_t got = mb_answer(request, len);
        report((mb_item){buffers->frame_out, buffers->frame_out + got}, crc, overhead);
    }
    say(MB_TEXT("\n"));
}

int main(void)
{
    mb_clocks clocks;
    if (!mb_probe_init())
        return 1;
    const size_t lacks = mb_clocks_measure(&clocks);
    say(MB_TEXT(ALONE_TITLE "\n"));
    if (lacks > 0) {
        say(MB_TEXT("bytes of RAM that are missing: "));
        say_number((uint32_t)lacks);
        say(MB_TEXT("\n"));
    } else {
        const uint32_t overhead = (uint32_t)clocks.counter.overhead;
#define STEP(words, crc, payload)                                     \
    {                                                                 \
        static const uint8_t MOTE_FLASH bytes[] = payload;            \
        step(MB_TEXT(words), crc, bytes, sizeof bytes - 1, overhead); \
    }
        ALONE_STEPS
    }
    say(MB_TEXT("end\n"));
    mb_port_stop();
}
