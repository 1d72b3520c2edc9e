/*
 * A flash accelerator between an ARMv7-M core and its flash, as the STM32L4 and STM32WL have it: a
 * cache of code and one of data, each of lines that are read part by part, and a read ahead of the
 * code. Which rule is documented and which is assumed: docs/explain/cortexm.md.
 */
#ifndef MOTEBENCH_CORTEXM_V7M_ACCELERATOR_H
#define MOTEBENCH_CORTEXM_V7M_ACCELERATOR_H

#include <stdbool.h>
#include <stdint.h>

enum { CM7_CACHE_LINES = 64 /* at most */, CM7_CACHE_PARTS = 8 };

/* The shape of a cache: `lines` of 2^parts_shift reads of the flash, in `sets`; 1: every line can
 * be anywhere. */
typedef struct cm7_cache_shape { uint8_t lines, sets, parts_shift; } cm7_cache_shape;

/* A cache. The line that was not used for longest makes room. */
typedef struct cm7_cache {
    cm7_cache_shape shape;
    bool on;
    /* for each line of the flash: where it is, plus one; 0: nowhere */
    uint8_t *places;
    uint32_t tags[CM7_CACHE_LINES];
    uint8_t parts[CM7_CACHE_LINES]; /* those that were read */
    uint64_t used[CM7_CACHE_LINES]; /* when, in uses of this cache; 0: empty */
    uint64_t uses;
} cm7_cache;

/* The array of the flash, and the code that was read from it. A line is the number of a read: its
 * address over its size. */
typedef struct cm7_array {
    /* of the last read: its first cycle, and the first at which another one can begin */
    uint64_t start, free;
    uint32_t line;  /* of the last fetch, or the one that has taken its place */
    uint64_t ready; /* the cycle at which that one is there */
    uint32_t ahead; /* read ahead, or CM7_NO_READ */
    /* its first cycle; others come before it as long as this lies ahead */
    uint64_t ahead_start;
    uint32_t missed; /* waited for, and to be copied into the cache; or CM7_NO_READ */
    /* the last cycle of the data phase of the last fetch; if the bus `connects`, of the last
     * transfer */
    uint64_t fetched;
} cm7_array;

enum { CM7_NO_READ = UINT32_MAX };

/* Moment at which the line behind the one that is fetched from is read. */
typedef enum cm7_ahead {
    CM7_WITH_FIRST, /* when its first word is fetched */
    /* the same, but it takes the place of the line before as soon as the last word of that is
     * fetched, not when it is asked for itself */
    CM7_MOVES_ON,
    /* a cycle after its last word is fetched; at once if the core waited for it */
    CM7_BEHIND_LAST,
    /* as CM7_WITH_FIRST, but a pause of fetching loses it, and a read behind one takes longer */
    CM7_LOST_IN_PAUSE,
    CM7_AHEAD_RULES
} cm7_ahead;

/* Properties of such a rule. */
typedef struct cm7_ahead_properties {
    bool ends;  /* has to know of the last word of a line when it is fetched */
    bool every; /* of every word */
    /* a branch that waits to be executed asks for its target as long */
    bool target_early;
    /* a transfer behind a cycle without one takes a cycle more, in which the bus connects: a matrix
     * of buses whose flash has no default master, with code and data on one of them */
    bool connects;
} cm7_ahead_properties;

extern const cm7_ahead_properties cm7_ahead_properties_of[CM7_AHEAD_RULES];

typedef struct cm7_accelerator {
    uint8_t wait, read_shift; /* wait states of a read; the logarithm of its bytes */
    bool reads_ahead;
    cm7_ahead rule; /* when it does */
    cm7_cache code, data;
    cm7_array array, before; /* now, and as if the last fetch had not been */
    uint32_t data_line;      /* of data: read last */
    /* of the last fetch: its address phase, when its word can be decoded */
    uint64_t asked, came;
    bool waited;      /* that was a miss */
    uint64_t *misses; /* counts those of both caches */
} cm7_accelerator;

/* One for a flash of `flash_bytes`; NULL: no memory. Free with cm7_accelerator_free. */
cm7_accelerator *cm7_accelerator_new(uint32_t flash_bytes, uint8_t read_shift, cm7_cache_shape code,
                                     cm7_cache_shape data, uint64_t *misses);
void cm7_accelerator_free(cm7_accelerator *is);

/* Nothing is in this cache any more. */
void cm7_cache_empty(cm7_cache *cache);

/* Both empty, and nothing was read: as after a reset. */
void cm7_accelerator_reset(cm7_accelerator *is);

/* More cycles until the word of code at `address`, an offset in flash, which would be decoded at
 * `at`. To be asked of the first word of each line that is fetched, and of those that its rule has
 * to know of. */
unsigned cm7_accelerated_fetch(cm7_accelerator *is, uint32_t address, uint64_t at);

/* A branch whose target could be decoded at `at`: the core gives up the fetch that it waits for;
 * the array ends its read. */
void cm7_accelerated_branch(cm7_accelerator *is, uint64_t at);

/* More cycles of a load from `address`, an offset in flash, by an instruction that is executed at
 * `now`. */
unsigned cm7_accelerated_data(cm7_accelerator *is, uint32_t address, uint64_t now);

#endif
