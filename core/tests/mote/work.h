/*
 * Shared by the tests of motebench's own implementations: memory with guards around it, and
 * repeatable bytes.
 */
#ifndef MOTEBENCH_TESTS_WORK_H
#define MOTEBENCH_TESTS_WORK_H

#include "check.h"
#include "mote/cipher.h"

/*
 * All implementations, NULL behind the last; `symbols` are what MOTE_IMPLEMENTATION calls them. The
 * build writes both.
 */
extern const mote_implementation *const implementations[];
extern const char *const symbols[];

/*
 * `len` bytes, `offset` bytes behind an address aligned to 16, of arbitrary content, with guards on
 * both sides.
 */
typedef struct guarded {
    uint8_t *at;
    size_t len, offset;
} guarded;

guarded guarded_new(size_t len, size_t offset);
/* True if nothing around it was written. */
bool guarded_whole(const guarded *memory);
void guarded_free(guarded *memory);

/* A number below `below`, the same ones in every run. */
size_t number(size_t below);
/* Repeatable bytes. */
void fill(uint8_t *out, size_t len);

/*
 * The next piece of a message of which `left` bytes are left: a random multiple of `unit`,
 * sometimes nothing.
 */
size_t piece(size_t left, size_t unit);

/*
 * Lengths to test: all up to four blocks, and some that fill batches; step(at) gives the next,
 * SIZE_MAX at the end.
 */
size_t next_len(size_t len, size_t block_len);

/* Says which implementation and scheme the checks that follow are of, if one fails. */
void about(const mote_implementation *implementation, const char *name, const char *mode);
/* CHECK that says it. */
#define EXPECT(condition) ((void)(CHECK(condition) || (complain(), 0)))
void complain(void);

bool all_zero(const uint8_t *bytes, size_t len);

#endif
