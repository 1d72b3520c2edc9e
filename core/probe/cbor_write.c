#include <string.h>

#include "cbor.h"

enum { UINT = 0, BYTES = 2, TEXT = 3, ARRAY = 4 };
enum {
    EMPTY_MAP = 0xA0,
    FALSE_BYTE = 0xF4,
    TRUE_BYTE = 0xF5,
    NULL_BYTE = 0xF6,
    FLOAT32 = 0xFA,
    FLOAT64 = 0xFB
};

static void put(mb_writer *writer, const void *data, size_t len)
{
    if (writer->full || len > writer->cap - writer->len) {
        writer->full = true;
        return;
    }
    if (writer->buf != NULL && len > 0)
        memmove(writer->buf + writer->len, data, len);
    writer->len += len;
}

static void put_byte(mb_writer *writer, uint8_t byte)
{
    put(writer, &byte, 1);
}

/* A first byte and `n` bytes of `value`, big-endian. */
static void put_wide(mb_writer *writer, uint8_t first, uint64_t value, unsigned n)
{
    uint8_t bytes[9] = {first};
    for (unsigned i = 0; i < n; i++)
        bytes[n - i] = (uint8_t)(value >> (8 * i));
    put(writer, bytes, 1 + (size_t)n);
}

static void put_head(mb_writer *writer, unsigned type, uint64_t value)
{
    uint8_t first = (uint8_t)(type << 5);
    if (value < 24)
        put_byte(writer, (uint8_t)(first | value));
    else if (value <= UINT8_MAX)
        put_wide(writer, first | 24, value, 1);
    else if (value <= UINT16_MAX)
        put_wide(writer, first | 25, value, 2);
    else if (value <= UINT32_MAX)
        put_wide(writer, first | 26, value, 4);
    else
        put_wide(writer, first | 27, value, 8);
}

void mb_put_uint(mb_writer *writer, uint64_t value)
{
    put_head(writer, UINT, value);
}

void mb_put_bool(mb_writer *writer, bool value)
{
    put_byte(writer, value ? TRUE_BYTE : FALSE_BYTE);
}

void mb_put_null(mb_writer *writer)
{
    put_byte(writer, NULL_BYTE);
}

void mb_put_float(mb_writer *writer, double value)
{
    float narrow = (float)value;
    double back = (double)narrow;
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): -0.0 and NaN stay what they are */
    if (memcmp(&back, &value, sizeof back) == 0) {
        uint32_t bits;
        memcpy(&bits, &narrow, sizeof bits);
        put_wide(writer, FLOAT32, bits, 4);
    } else {
        uint64_t bits = 0;
        memcpy(&bits, &value, sizeof value);
        put_wide(writer, FLOAT64, bits, 8);
    }
}

void mb_put_text(mb_writer *writer, mb_text text)
{
    size_t len = 0;
    while (text[len] != '\0')
        len++;
    put_head(writer, TEXT, len);
    for (; len > 0; len--)
        put_byte(writer, (uint8_t)*text++);
}

void mb_put_words(mb_writer *writer, const char *words)
{
    size_t len = strlen(words);
    put_head(writer, TEXT, len);
    put(writer, words, len);
}

void mb_put_bytes(mb_writer *writer, const uint8_t *data, size_t len)
{
    put_head(writer, BYTES, len);
    put(writer, data, len);
}

void mb_put_array(mb_writer *writer, uint64_t n)
{
    put_head(writer, ARRAY, n);
}

mb_map mb_map_open(mb_writer *writer)
{
    mb_map map = {writer, writer->len, 0};
    put_byte(writer, EMPTY_MAP);
    return map;
}

void mb_key(mb_map *map, mb_text key)
{
    if (map->n == 23) {
        map->writer->full = true;
        return;
    }
    map->n++;
    mb_put_text(map->writer, key);
}

void mb_map_close(mb_map *map)
{
    if (!map->writer->full && map->writer->buf != NULL)
        map->writer->buf[map->at] = (uint8_t)(EMPTY_MAP | map->n);
}

void mb_map_uint(mb_map *map, mb_text key, uint64_t value)
{
    mb_key(map, key);
    mb_put_uint(map->writer, value);
}

void mb_map_text(mb_map *map, mb_text key, mb_text value)
{
    mb_key(map, key);
    mb_put_text(map->writer, value);
}

void mb_map_words(mb_map *map, mb_text key, const char *value)
{
    mb_key(map, key);
    mb_put_words(map->writer, value);
}

void mb_map_bytes(mb_map *map, mb_text key, const uint8_t *data, size_t len)
{
    mb_key(map, key);
    mb_put_bytes(map->writer, data, len);
}
