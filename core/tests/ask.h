/* Requests for tests: build one, have it answered, look at the reply. */
#ifndef MOTEBENCH_ASK_H
#define MOTEBENCH_ASK_H

#include "probe.h"

/* Begin a request {"id": 7, "do": what, ...}; add to the map, then ask. */
mb_map *ask_begin(const char *what);

/*
 * A job's keys: scheme, op, a key of 16 bytes 0, 1, 2, ..., a nonce of 12 bytes and `len` bytes of
 * fill from seed 1.
 */
mb_map *ask_job(const char *what, const char *scheme, const char *op, uint64_t len);

/* "inverse", "brief", "public", "cold" or "sync": true */
void ask_flag(mb_map *map, const char *key);

/*
 * Have it answered. True if the reply is well-formed, has the id, and an "ok" of which `reply` is
 * the map.
 */
bool ask(mb_item *reply);

/* Have it answered: is it an error of that kind whose text contains `words`? */
bool ask_fails(const char *kind, const char *words);

/* Value of a key in a reply; all ones, or false, if there is none. */
uint64_t reply_uint(mb_item reply, const char *key);
bool reply_bytes_are(mb_item reply, const char *key, const uint8_t *data, size_t len);
bool reply_has(mb_item reply, const char *key);

#endif
