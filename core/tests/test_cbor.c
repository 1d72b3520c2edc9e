/* Encoded items from RFC 8949, Appendix A, written and read; and what must be refused. */
#include <string.h>

#include "cbor.h"
#include "check.h"

static uint8_t buf[256];
static mb_writer writer;

static mb_writer *fresh(void)
{
    writer = (mb_writer){.buf = buf, .cap = sizeof buf};
    return &writer;
}

static bool wrote(const char *bytes, size_t len)
{
    return !writer.full && writer.len == len && memcmp(buf, bytes, len) == 0;
}

#define WROTE(bytes) wrote(bytes, sizeof(bytes) - 1)
#define ITEM(bytes) \
    ((mb_item){(const uint8_t *)(bytes), (const uint8_t *)(bytes) + sizeof(bytes) - 1})
#define FORMED(bytes) mb_cbor_well_formed((const uint8_t *)(bytes), sizeof(bytes) - 1)

static void integers(void)
{
    static const struct {
        uint64_t value;
        size_t len;
        const char *bytes;
    } cases[] = {
        {0, 1, "\x00"},
        {1, 1, "\x01"},
        {10, 1, "\x0a"},
        {23, 1, "\x17"},
        {24, 2, "\x18\x18"},
        {100, 2, "\x18\x64"},
        {1000, 3, "\x19\x03\xe8"},
        {1000000, 5, "\x1a\x00\x0f\x42\x40"},
        {1000000000000, 9, "\x1b\x00\x00\x00\xe8\xd4\xa5\x10\x00"},
        {UINT64_MAX, 9, "\x1b\xff\xff\xff\xff\xff\xff\xff\xff"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint8_t *bytes = (const uint8_t *)cases[i].bytes;
        uint64_t value = 1234;
        mb_put_uint(fresh(), cases[i].value);
        CHECK(wrote(cases[i].bytes, cases[i].len));
        CHECK(mb_cbor_well_formed(bytes, cases[i].len));
        CHECK(mb_cbor_uint((mb_item){bytes, bytes + cases[i].len}, &value) &&
              value == cases[i].value);
        CHECK(!mb_cbor_well_formed(bytes, cases[i].len - 1));
        CHECK(!mb_cbor_uint((mb_item){bytes, bytes + cases[i].len - 1}, &value));
    }
}

static void others_written(void)
{
    mb_put_bool(fresh(), false);
    CHECK(WROTE("\xf4"));
    mb_put_bool(fresh(), true);
    CHECK(WROTE("\xf5"));
    mb_put_null(fresh());
    CHECK(WROTE("\xf6"));
    mb_put_float(fresh(), 100000.0);
    CHECK(WROTE("\xfa\x47\xc3\x50\x00"));
    mb_put_float(fresh(), 1.1);
    CHECK(WROTE("\xfb\x3f\xf1\x99\x99\x99\x99\x99\x9a"));
    mb_put_text(fresh(), "");
    CHECK(WROTE("\x60"));
    mb_put_text(fresh(), "IETF");
    CHECK(WROTE("\x64\x49\x45\x54\x46"));
    mb_put_bytes(fresh(), (const uint8_t *)"\x01\x02\x03\x04", 4);
    CHECK(WROTE("\x44\x01\x02\x03\x04"));
    mb_put_array(fresh(), 3);
    for (unsigned i = 1; i <= 3; i++)
        mb_put_uint(&writer, i);
    CHECK(WROTE("\x83\x01\x02\x03"));
    mb_map map = mb_map_open(fresh());
    mb_map_uint(&map, "a", 1);
    mb_key(&map, "b");
    mb_put_array(&writer, 2);
    mb_put_uint(&writer, 2);
    mb_put_uint(&writer, 3);
    mb_map_close(&map);
    CHECK(WROTE("\xa2\x61\x61\x01\x61\x62\x82\x02\x03"));
    writer = (mb_writer){.buf = buf, .cap = 3};
    mb_put_text(&writer, "IETF");
    CHECK(writer.full && writer.len <= 3);
    writer = (mb_writer){.cap = 5};
    mb_put_text(&writer, "IETF");
    CHECK(!writer.full && writer.len == 5);
}

static void lookups(void)
{
    const mb_item map = ITEM(
        "\xa5\x61\x61\x61\x41\x61\x62\x42\x01\x02\x61\x63\x82\x05\xf5\x61\x64\xf6\x61\x61\x00");
    mb_item item;
    const uint8_t *bytes;
    const char *text;
    size_t len;
    uint64_t value;
    bool flag = false;
    CHECK(mb_cbor_well_formed(map.at, (size_t)(map.end - map.at)));
    CHECK(mb_cbor_find(map, "a", &item) && mb_cbor_text(item, &text, &len) && len == 1 &&
          *text == 'A');
    CHECK(!mb_cbor_uint(item, &value) && !mb_cbor_bytes(item, &bytes, &len) &&
          !mb_cbor_bool(item, &flag));
    CHECK(mb_cbor_find(map, "b", &item) && mb_cbor_bytes(item, &bytes, &len) && len == 2 &&
          bytes[1] == 2);
    CHECK(mb_cbor_find(map, "c", &item) && !mb_cbor_is_map(item));
    mb_item element;
    CHECK(mb_cbor_element(item, 2, 0, &element) && mb_cbor_uint(element, &value) && value == 5);
    CHECK(mb_cbor_element(item, 2, 1, &element) && mb_cbor_bool(element, &flag) && flag);
    CHECK(!mb_cbor_element(item, 3, 0, &element) && !mb_cbor_element(item, 2, 2, &element));
    CHECK(mb_cbor_find(map, "d", &item) && mb_cbor_is_null(item));
    CHECK(!mb_cbor_find(map, "e", &item) && !mb_cbor_find(map, "", &item) &&
          !mb_cbor_find(element, "a", &item));
}

static void shapes(void)
{
    CHECK(FORMED("\x20"));                             /* -1 */
    CHECK(FORMED("\xf9\x3c\x00"));                     /* 1.0, 16 bits */
    CHECK(FORMED("\xf0") && FORMED("\xf8\xff"));       /* simple values */
    CHECK(FORMED("\xc1\x1a\x51\x4b\x67\xb0"));         /* a tag */
    CHECK(FORMED("\x83\x01\x82\x02\x03\x82\x04\x05")); /* [1, [2, 3], [4, 5]] */
    CHECK(FORMED("\x81\x81\x81\x81\x81\x80"));         /* as deep as is followed */
    CHECK(!FORMED("\x81\x81\x81\x81\x81\x81\x80"));    /* deeper */
    CHECK(!FORMED("") && !FORMED("\x00\x00"));         /* none, two */
    CHECK(!FORMED("\x1c") && !FORMED("\x1d") && !FORMED("\x1e") && !FORMED("\x1f")); /* reserved */
    /* Indefinite. */
    CHECK(!FORMED("\x9f\xff") && !FORMED("\xbf\xff") && !FORMED("\x7f\xff") && !FORMED("\x5f\xff"));
    /* A simple value in too long a form. */
    CHECK(!FORMED("\xf8\x18"));
    CHECK(!FORMED("\x61") && !FORMED("\x42\x01")); /* cut */
    CHECK(!FORMED("\x82\x01") && !FORMED("\xa1\x01") && !FORMED("\xc0"));
    CHECK(!FORMED("\x5b\xff\xff\xff\xff\xff\xff\xff\xff")); /* absurd lengths */
    CHECK(!FORMED("\x9b\xff\xff\xff\xff\xff\xff\xff\xff") &&
          !FORMED("\xbb\x80\x00\x00\x00\x00\x00\x00\x00"));
}

int main(void)
{
    check_begin();
    integers();
    others_written();
    lookups();
    shapes();
    return check_end();
}
