/*
 * Fetching, one cycle at a time, with memory that never waits: hazard3_frontend.v. A word is asked
 * for in a cycle and comes in the next; up to two wait in a queue, and up to three halfwords before
 * the decoder. One branch backwards is remembered and predicted as taken.
 */
#ifndef MOTEBENCH_HAZARD3_FRONTEND_H
#define MOTEBENCH_HAZARD3_FRONTEND_H

#include "core.h"

enum { HZ_LOWER = 1, HZ_UPPER = 2, HZ_BOTH = 3 };

/* Work of the front end before the decoder in a cycle in which the decoder uses `use` halfwords. */
static inline void hz_take(hz_frontend *f, unsigned use)
{
    const unsigned level = f->level - use;
    f->predicted = (uint8_t)(f->predicted >> use);
    f->level = (uint8_t)level;
    if (f->queued == 0 && !f->pending)
        return;
    const hz_fetched word = f->queued != 0 ? f->queue[0] : f->arriving;
    const bool whole = word.valid == HZ_BOTH;
    const bool room = level <= (whole ? 1u : 2u);
    if (room) {
        const unsigned flags = (word.valid & HZ_LOWER) != 0 ? word.predicted : word.predicted >> 1;
        f->predicted = (uint8_t)((f->predicted & ((1u << level) - 1)) | flags << level);
        f->level = (uint8_t)(level + (whole ? 2 : 1));
        if (f->queued != 0) {
            f->queue[0] = f->queue[1];
            f->queued--;
        } else {
            f->pending = false; /* what arrives does not go through the queue */
        }
    }
    if (f->pending)
        f->queue[f->queued++] = f->arriving;
}

/* Asks for the next word. */
static inline void hz_ask(hz_frontend *f)
{
    const bool here = f->known && (f->next ^ f->source) >> 2 == 0;
    const bool upper = (f->source & 2) != 0, crosses = f->source_wide && upper;
    const bool beyond = !f->source_wide && !upper && (f->next_valid & HZ_LOWER) == 0;
    const bool leads_away = (here && !crosses && !beyond) || f->overhangs;
    f->arriving.valid =
        (uint8_t)(f->next_valid & ~(leads_away && upper == f->source_wide ? HZ_UPPER : 0));
    f->arriving.predicted =
        (uint8_t)(here           ? upper            ? HZ_UPPER
                                   : f->source_wide ? HZ_BOTH
                                                    : HZ_LOWER
                  : f->overhangs ? HZ_LOWER
                                 : 0);
    f->next_valid = leads_away && (f->target & 2) != 0 ? HZ_UPPER : HZ_BOTH;
    f->next = leads_away ? f->target & ~3u : f->next + 4;
    f->overhangs = here && crosses;
}

/* A cycle in which the decoder uses this many halfwords. */
static inline void hz_cycle(hz_frontend *f, unsigned use)
{
    const bool asks = f->queued < 2 && !(f->queued != 0 && f->pending);
    hz_take(f, use);
    if (asks)
        hz_ask(f);
    f->pending = asks;
}

/* A cycle in which the core jumps: all that was fetched is dropped. */
static inline void hz_jump(hz_frontend *f, uint32_t to)
{
    f->queued = f->level = f->predicted = 0;
    f->pending = true;
    f->arriving = (hz_fetched){.valid = (to & 2) != 0 ? HZ_UPPER : HZ_BOTH};
    f->next_valid = HZ_BOTH;
    f->next = (to & ~3u) + 4;
    f->overhangs = false;
}

#endif
