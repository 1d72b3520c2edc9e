/* Brute force against the rules of secrets, for every core: the way that a program took, and what
 * was found. */
#ifndef MOTEBENCH_SIMULATOR_BRUTE_H
#define MOTEBENCH_SIMULATOR_BRUTE_H

#include <string.h>

#include "shadow/shadow.h"

enum { LONGEST_WAY = 32 };

/* A run: where it went, and how long it took. */
typedef struct way {
    uint32_t pc[LONGEST_WAY + 1];
    unsigned steps;
    uint64_t cycles;
} way;

static inline bool same_way(const way *a, const way *b)
{
    return a->steps == b->steps && memcmp(a->pc, b->pc, (a->steps + 1) * sizeof a->pc[0]) == 0;
}

/* The first finding of a kind; NULL if there is none. */
static inline const sh_finding *first_of(const sh_shadow *shadow, sh_kind kind)
{
    for (size_t i = 0; i < SH_FINDINGS; i++)
        if (shadow->findings[i].count != 0 && shadow->findings[i].kind == kind)
            return &shadow->findings[i];
    return NULL;
}

/* Does a secret reach time? */
static inline bool any_waits(const sh_shadow *shadow)
{
    for (size_t i = 0; i < SH_FINDINGS; i++)
        if (shadow->findings[i].count != 0 && shadow->findings[i].waits)
            return true;
    return false;
}

#endif
