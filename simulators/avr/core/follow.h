/*
 * Shared by the rules for secrets: the state that they read and change. Those of instructions on
 * registers and flags alone are in follow_registers.c, all others in watch.c.
 */
#ifndef MOTEBENCH_SIM_AVR_FOLLOW_H
#define MOTEBENCH_SIM_AVR_FOLLOW_H

#include "internal.h"
#include "watch.h"

enum {
    BYTE = 0xff,
    BRANCH_CYCLES = 1, /* more, if a branch is taken */
    MAPPED_CYCLES = 1, /* more, if a load of AVRxt reaches the flash */
    SUM_FLAGS = AV_C | AV_Z | AV_N | AV_V | AV_S | AV_H,
    WORD_FLAGS = AV_C | AV_Z | AV_N | AV_V | AV_S,
    STEP_FLAGS = AV_Z | AV_N | AV_V | AV_S, /* of INC and DEC, and of logic */
    PRODUCT_FLAGS = AV_C | AV_Z,
    NOT_SIMPLE = 0x100
};

/* The state that rules read and change. */
typedef struct av_state {
    av_core *core;
    av_watch *watch;
    const av_op *op;
    sh_word carry;
    bool zero;
} av_state;

static inline sh_word av_plain(uint32_t value)
{
    return (sh_word){value, 0};
}

static inline sh_word av_reg(const av_state *s, unsigned reg)
{
    return (sh_word){s->core->r[reg], s->watch->secret[reg]};
}

static inline sh_word av_word(const av_state *s, unsigned reg)
{
    return (sh_word){av_pair(&s->core->r[reg]),
                     s->watch->secret[reg] | (uint32_t)s->watch->secret[reg + 1] << 8};
}

/* The reason of a register, if it holds a secret. */
static inline sh_why av_why(const av_state *s, unsigned reg)
{
    return s->watch->secret[reg] != 0 ? s->watch->why[reg] : (sh_why)0;
}

static inline sh_why av_why_both(const av_state *s, unsigned a, unsigned b)
{
    return sh_merge(s->watch->shadow, av_why(s, a), av_why(s, b));
}

static inline sh_why av_why_flags(const av_state *s, unsigned flags)
{
    return (s->watch->flags & flags) != 0 ? s->watch->flags_why : (sh_why)0;
}

static inline void av_set_secret(const av_state *s, unsigned reg, uint32_t secret, sh_why why)
{
    av_watch *const w = s->watch;
    w->secret[reg] = (uint8_t)secret;
    w->bounded &= ~(1u << reg);
    if ((secret & BYTE) != 0)
        w->why[reg] = sh_pass(w->shadow, why);
}

static inline void av_set_word(const av_state *s, unsigned reg, uint32_t secret, sh_why why)
{
    av_set_secret(s, reg, secret & BYTE, why);
    av_set_secret(s, reg + 1, secret >> 8 & BYTE, why);
}

/* Of the flags in `which`, those in `secret` are secret now, and the others are not. */
static inline void av_set_flags(const av_state *s, unsigned which, unsigned secret, sh_why why)
{
    av_watch *const w = s->watch;
    w->flags &= (uint8_t)~which;
    if (secret != 0)
        w->flags_why = sh_merge(w->shadow, sh_pass(w->shadow, why), av_why_flags(s, BYTE));
    w->flags |= (uint8_t)secret;
}

static inline uint32_t av_least(const av_state *s, unsigned reg)
{
    const bool bounded = (s->watch->bounded >> reg & 1) != 0;
    return bounded ? s->watch->least[reg] : sh_least(av_reg(s, reg));
}

static inline uint32_t av_most(const av_state *s, unsigned reg)
{
    const bool bounded = (s->watch->bounded >> reg & 1) != 0;
    return bounded ? s->watch->most[reg] : sh_most(av_reg(s, reg));
}

/* Instructions on registers and flags alone. False: it is none. */
bool av_follow_registers(const av_state *s);

/* The secret flags of a pair plus a number below 2^16 and a carry; its secret bits change. The
 * upper half is bounded, for the addresses that are made of it. */
unsigned av_follow_pair(const av_state *s, unsigned pair, uint32_t number, uint32_t carry);

#endif
