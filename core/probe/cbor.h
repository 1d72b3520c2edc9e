/*
 * The part of CBOR (RFC 8949) that the protocol uses: definite lengths, 64-bit integers, shallow
 * nesting.
 *
 * Reading: check a whole item once with mb_cbor_well_formed, then look things up in it. Every
 * function is bounds-checked by itself all the same. Writing: shortest heads, definite lengths; the
 * caller gives the order of keys.
 */
#ifndef MOTEBENCH_CBOR_H
#define MOTEBENCH_CBOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "motebench/text.h"

/* Containers inside each other that are followed; deeper items are refused. */
#define MB_CBOR_DEPTH 6

/* An encoded item: its first byte, and the end of the buffer that it is in. */
typedef struct mb_item { const uint8_t *at, *end; } mb_item;

/* True if `buf` is exactly one well-formed item that this reader can follow. */
bool mb_cbor_well_formed(const uint8_t *buf, size_t len);

bool mb_cbor_is_map(mb_item item);
bool mb_cbor_is_null(mb_item item);

/*
 * The value of a text key; of equal keys the first counts. False if `map` is no map or has no such
 * key.
 */
bool mb_cbor_find(mb_item map, mb_text key, mb_item *value);

/*
 * The value of an item; false if it has another type. Byte and text strings point into the buffer.
 */
bool mb_cbor_uint(mb_item item, uint64_t *value);
bool mb_cbor_bool(mb_item item, bool *value);
bool mb_cbor_bytes(mb_item item, const uint8_t **data, size_t *len);
bool mb_cbor_text(mb_item item, const char **text, size_t *len);

/* True if `text` is these `len` characters. */
bool mb_text_is(mb_text text, const char *other, size_t len);

/* Element `i` of an array of `n`; false if it is no array of that length. */
bool mb_cbor_element(mb_item array, size_t n, size_t i, mb_item *element);

/*
 * Writer into a buffer of `cap` bytes; with `buf` NULL it counts only. `full` is set once something
 * did not fit.
 */
typedef struct mb_writer {
    uint8_t *buf;
    size_t cap, len;
    bool full;
} mb_writer;

void mb_put_uint(mb_writer *writer, uint64_t value);
void mb_put_bool(mb_writer *writer, bool value);
void mb_put_null(mb_writer *writer);
void mb_put_float(mb_writer *writer, double value); /* 32 bits where that loses nothing, else 64 */
void mb_put_text(mb_writer *writer, mb_text text);
void mb_put_words(mb_writer *writer, const char *words); /* a text that is in RAM */
/* The bytes may lie in the buffer, further on. */
void mb_put_bytes(mb_writer *writer, const uint8_t *data, size_t len);
void mb_put_array(mb_writer *writer, uint64_t n); /* n items must follow */

/* A map of up to 23 entries that counts them itself: open, (key, value)*, close. */
typedef struct mb_map {
    mb_writer *writer;
    size_t at;
    uint8_t n;
} mb_map;

mb_map mb_map_open(mb_writer *writer);
void mb_key(mb_map *map, mb_text key); /* the value must follow */
void mb_map_close(mb_map *map);

/* Key and value in one call. */
void mb_map_uint(mb_map *map, mb_text key, uint64_t value);
void mb_map_text(mb_map *map, mb_text key, mb_text value);
void mb_map_words(mb_map *map, mb_text key, const char *value);
void mb_map_bytes(mb_map *map, mb_text key, const uint8_t *data, size_t len);

#endif
