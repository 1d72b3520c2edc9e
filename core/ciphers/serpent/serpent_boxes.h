/*
 * The S-boxes of Serpent (section 2 of its specification) and their inverses, on 32 inputs of four
 * bits at once: word i has bit i of each. The 14 to 18 logical operations of a box were found by a
 * search over such operations for this project.
 */
#ifndef MOTE_SERPENT_BOXES_H
#define MOTE_SERPENT_BOXES_H

#include <stdint.h>

#include "mote/modes.h"

typedef uint32_t state[4];

/*
 * Content of a register: on small machines a byte of each word, one after the other, because that
 * needs no memory.
 */
#if MOTE_SMALL
typedef uint8_t lane;
#else
typedef uint32_t lane;
#endif
/* NOLINTNEXTLINE(bugprone-sizeof-expression): on large machines it is 1 */
enum { LANES = sizeof(uint32_t) / sizeof(lane), NEXT = LANES };
#define ONES ((lane) - 1)

/* name(x): lane_name for all lanes. */
#define EACH_LANE(name)                     \
    static inline void name(state x)        \
    {                                       \
        lane *first = (lane *)(void *)x;    \
        for (uint8_t i = 0; i < LANES; i++) \
            lane_##name(first + i);         \
    }

static inline void lane_s0(lane *x)
{
    const lane x0 = x[0], x1 = x[NEXT], x2 = x[2 * NEXT], x3 = x[3 * NEXT];
    const lane t0 = x3 | x0, t1 = t0 ^ x2, t2 = t1 ^ x1, t3 = x1 ^ x0, t4 = x0 ^ ONES, t5 = t4 | x3,
               t6 = t3 & x3;
    const lane t7 = t6 | x2, t8 = x1 | x0, t9 = t8 & t7, t10 = t9 ^ t5, t11 = t10 ^ t8,
               t12 = t11 ^ t2;
    const lane t13 = t12 ^ t6, t14 = t10 & t2, t15 = t6 ^ x2, t16 = t14 ^ t15;
    x[0] = t13;
    x[NEXT] = t10;
    x[2 * NEXT] = t16;
    x[3 * NEXT] = t2;
}

EACH_LANE(s0)

static inline void lane_s1(lane *x)
{
    const lane x0 = x[0], x1 = x[NEXT], x2 = x[2 * NEXT], x3 = x[3 * NEXT];
    const lane t0 = x1 ^ x0, t1 = t0 & x3, t2 = t0 ^ x3, t3 = t0 & x1, t4 = t3 ^ ONES, t5 = t4 ^ x2,
               t6 = t5 ^ x3;
    const lane t7 = t1 ^ x0, t8 = t7 | t5, t9 = t8 ^ t2, t10 = t9 ^ ONES, t11 = t10 ^ t7,
               t12 = t11 ^ t5;
    const lane t13 = t12 | t10, t14 = t13 ^ t7;
    x[0] = t14;
    x[NEXT] = t9;
    x[2 * NEXT] = t6;
    x[3 * NEXT] = t12;
}

EACH_LANE(s1)

static inline void lane_s2(lane *x)
{
    const lane x0 = x[0], x1 = x[NEXT], x2 = x[2 * NEXT], x3 = x[3 * NEXT];
    const lane t0 = x2 & x0, t1 = t0 ^ x3, t2 = x2 ^ x1, t3 = t1 ^ t2, t4 = t3 ^ x0, t5 = t1 ^ ONES,
               t6 = t5 | x1;
    const lane t7 = t6 ^ t4, t8 = x3 | x0, t9 = t8 ^ x1, t10 = t9 | t4, t11 = t10 ^ t1,
               t12 = t9 | t7;
    const lane t13 = t12 ^ t7, t14 = t13 ^ t1;
    x[0] = t3;
    x[NEXT] = t11;
    x[2 * NEXT] = t14;
    x[3 * NEXT] = t7;
}

EACH_LANE(s2)

static inline void lane_s3(lane *x)
{
    const lane x0 = x[0], x1 = x[NEXT], x2 = x[2 * NEXT], x3 = x[3 * NEXT];
    const lane t0 = x1 & x0, t1 = x3 | x0, t2 = x3 & x0, t3 = t1 ^ t0, t4 = t3 | x2, t5 = t4 ^ x1,
               t6 = t5 ^ t2;
    const lane t7 = x3 ^ x2, t8 = t7 | t0, t9 = t8 ^ t5, t10 = t6 & t1, t11 = t10 ^ t0,
               t12 = t11 ^ x2;
    const lane t13 = t12 | t9, t14 = t13 ^ t3, t15 = t14 ^ t12;
    x[0] = t15;
    x[NEXT] = t9;
    x[2 * NEXT] = t12;
    x[3 * NEXT] = t6;
}

EACH_LANE(s3)

static inline void lane_s4(lane *x)
{
    const lane x0 = x[0], x1 = x[NEXT], x2 = x[2 * NEXT], x3 = x[3 * NEXT];
    const lane t0 = x3 ^ x0, t1 = t0 & x3, t2 = t1 ^ x2, t3 = t2 | x1, t4 = t3 ^ t0, t5 = t4 & x1,
               t6 = t2 ^ ONES;
    const lane t7 = t5 ^ t6, t8 = t6 ^ x3, t9 = t4 | x3, t10 = t9 & t8, t11 = t10 ^ x1,
               t12 = t11 | t7;
    const lane t13 = t8 ^ t4, t14 = t12 ^ t13;
    x[0] = t7;
    x[NEXT] = t11;
    x[2 * NEXT] = t14;
    x[3 * NEXT] = t4;
}

EACH_LANE(s4)

static inline void lane_s5(lane *x)
{
    const lane x0 = x[0], x1 = x[NEXT], x2 = x[2 * NEXT], x3 = x[3 * NEXT];
    const lane t0 = x3 ^ ONES, t1 = x1 ^ x0, t2 = t1 | t0, t3 = t1 & x1, t4 = t3 ^ x2, t5 = t4 ^ t2,
               t6 = t5 & t0;
    const lane t7 = t6 ^ t1, t8 = t4 ^ x0, t9 = t8 & t5, t10 = t1 ^ t0, t11 = t9 ^ t10,
               t12 = t9 & t7;
    const lane t13 = t12 ^ t0, t14 = t13 ^ t8;
    x[0] = t5;
    x[NEXT] = t7;
    x[2 * NEXT] = t11;
    x[3 * NEXT] = t14;
}

EACH_LANE(s5)

static inline void lane_s6(lane *x)
{
    const lane x0 = x[0], x1 = x[NEXT], x2 = x[2 * NEXT], x3 = x[3 * NEXT];
    const lane t0 = x3 ^ x0, t1 = t0 | x1, t2 = x3 & x0, t3 = t2 ^ ONES, t4 = t3 ^ x2, t5 = t4 ^ x1,
               t6 = t5 & t1;
    const lane t7 = t6 ^ x3, t8 = t4 | x0, t9 = t7 ^ t8, t10 = t7 | x1, t11 = t10 ^ t0,
               t12 = t11 ^ x2;
    const lane t13 = t6 | t0, t14 = t13 ^ t8, t15 = t14 ^ x1;
    x[0] = t15;
    x[NEXT] = t5;
    x[2 * NEXT] = t9;
    x[3 * NEXT] = t12;
}

EACH_LANE(s6)

static inline void lane_s7(lane *x)
{
    const lane x0 = x[0], x1 = x[NEXT], x2 = x[2 * NEXT], x3 = x[3 * NEXT];
    const lane t0 = x2 ^ x1, t1 = t0 & x3, t2 = t1 | x2, t3 = t2 ^ x0, t4 = t3 | x3, t5 = t3 | t0,
               t6 = t5 ^ x2;
    const lane t7 = t6 | x3, t8 = t7 ^ t3, t9 = t6 ^ x3, t10 = t9 & x0, t11 = t10 ^ t0,
               t12 = t9 & t4;
    const lane t13 = t12 ^ t11, t14 = t13 ^ x0, t15 = t14 | t2, t16 = t9 ^ ONES, t17 = t15 ^ t16;
    x[0] = t17;
    x[NEXT] = t8;
    x[2 * NEXT] = t14;
    x[3 * NEXT] = t11;
}

EACH_LANE(s7)

static inline void lane_inverse_s0(lane *x)
{
    const lane x0 = x[0], x1 = x[NEXT], x2 = x[2 * NEXT], x3 = x[3 * NEXT];
    const lane t0 = x1 ^ ONES, t1 = t0 ^ x0, t2 = t1 & t0, t3 = t2 ^ x2, t4 = t3 ^ x3, t5 = t4 & t1,
               t6 = t5 ^ x1;
    const lane t7 = t6 | t3, t8 = t7 ^ t1, t9 = t8 ^ t4, t10 = t1 | x3, t11 = t10 ^ x0,
               t12 = t11 ^ t8;
    const lane t13 = t12 | t9, t14 = t13 ^ t3;
    x[0] = t12;
    x[NEXT] = t14;
    x[2 * NEXT] = t4;
    x[3 * NEXT] = t9;
}

EACH_LANE(inverse_s0)

static inline void lane_inverse_s1(lane *x)
{
    const lane x0 = x[0], x1 = x[NEXT], x2 = x[2 * NEXT], x3 = x[3 * NEXT];
    const lane t0 = x2 ^ x1, t1 = x3 | x1, t2 = t1 ^ x0, t3 = t2 ^ t0, t4 = t2 ^ x3, t5 = t4 | x2,
               t6 = t5 ^ t0;
    const lane t7 = t6 | t3, t8 = t7 ^ t4, t9 = t8 ^ ONES, t10 = t9 | t3, t11 = t10 ^ t6,
               t12 = t10 ^ t2;
    const lane t13 = t4 & x1, t14 = t12 ^ t13;
    x[0] = t11;
    x[NEXT] = t8;
    x[2 * NEXT] = t14;
    x[3 * NEXT] = t3;
}

EACH_LANE(inverse_s1)

static inline void lane_inverse_s2(lane *x)
{
    const lane x0 = x[0], x1 = x[NEXT], x2 = x[2 * NEXT], x3 = x[3 * NEXT];
    const lane t0 = x2 ^ x1, t1 = x3 ^ x0, t2 = t0 ^ x3, t3 = t2 | x1, t4 = t3 ^ t1, t5 = t2 & x3,
               t6 = t5 ^ x1;
    const lane t7 = t6 & t1, t8 = t7 ^ t2, t9 = t6 ^ ONES, t10 = t9 ^ t8, t11 = t10 ^ x0,
               t12 = t11 & t4;
    const lane t13 = t12 ^ t9;
    x[0] = t4;
    x[NEXT] = t8;
    x[2 * NEXT] = t11;
    x[3 * NEXT] = t13;
}

EACH_LANE(inverse_s2)

static inline void lane_inverse_s3(lane *x)
{
    const lane x0 = x[0], x1 = x[NEXT], x2 = x[2 * NEXT], x3 = x[3 * NEXT];
    const lane t0 = x2 ^ x1, t1 = x3 ^ x2, t2 = t0 & x1, t3 = t2 ^ x0, t4 = t3 | x3, t5 = t4 ^ t0,
               t6 = t4 | t0;
    const lane t7 = t6 ^ t3, t8 = t7 ^ t1, t9 = t8 ^ t4, t10 = t9 | t5, t11 = t3 & x0,
               t12 = t10 ^ t11;
    const lane t13 = t3 & x1, t14 = t13 ^ t12, t15 = t14 ^ t9;
    x[0] = t5;
    x[NEXT] = t12;
    x[2 * NEXT] = t8;
    x[3 * NEXT] = t15;
}

EACH_LANE(inverse_s3)

static inline void lane_inverse_s4(lane *x)
{
    const lane x0 = x[0], x1 = x[NEXT], x2 = x[2 * NEXT], x3 = x[3 * NEXT];
    const lane t0 = x3 ^ x2, t1 = x0 ^ ONES, t2 = x1 | x0, t3 = t1 | x2, t4 = t2 ^ t0, t5 = t4 & t3,
               t6 = t5 ^ x1;
    const lane t7 = t6 & x3, t8 = t4 ^ x0, t9 = t7 ^ t8, t10 = t1 ^ x3, t11 = t10 | t6,
               t12 = t11 ^ t8;
    const lane t13 = t12 & t9, t14 = t4 ^ ONES, t15 = t13 ^ t14;
    x[0] = t12;
    x[NEXT] = t6;
    x[2 * NEXT] = t15;
    x[3 * NEXT] = t9;
}

EACH_LANE(inverse_s4)

static inline void lane_inverse_s5(lane *x)
{
    const lane x0 = x[0], x1 = x[NEXT], x2 = x[2 * NEXT], x3 = x[3 * NEXT];
    const lane t0 = x3 | x0, t1 = x1 ^ x0, t2 = x2 ^ ONES, t3 = t1 ^ t0, t4 = t3 ^ t2, t5 = t2 & x0,
               t6 = t5 | t4;
    const lane t7 = t6 ^ x3, t8 = t7 | x1, t9 = t8 ^ t4, t10 = t9 ^ t1, t11 = t7 & x0,
               t12 = t11 ^ t9;
    const lane t13 = t12 | t10, t14 = t13 ^ t3, t15 = t14 ^ x2;
    x[0] = t10;
    x[NEXT] = t12;
    x[2 * NEXT] = t15;
    x[3 * NEXT] = t7;
}

EACH_LANE(inverse_s5)

static inline void lane_inverse_s6(lane *x)
{
    const lane x0 = x[0], x1 = x[NEXT], x2 = x[2 * NEXT], x3 = x[3 * NEXT];
    const lane t0 = x0 ^ ONES, t1 = x2 ^ x0, t2 = t1 ^ x1, t3 = t0 | x2, t4 = t3 ^ x3, t5 = t4 ^ t2,
               t6 = t5 & t2;
    const lane t7 = t6 ^ x2, t8 = t7 | x1, t9 = t8 ^ t4, t10 = t9 | x1, t11 = t10 ^ t7,
               t12 = t0 & x3;
    const lane t13 = t12 ^ t10, t14 = t13 ^ t2;
    x[0] = t11;
    x[NEXT] = t5;
    x[2 * NEXT] = t14;
    x[3 * NEXT] = t9;
}

EACH_LANE(inverse_s6)

static inline void lane_inverse_s7(lane *x)
{
    const lane x0 = x[0], x1 = x[NEXT], x2 = x[2 * NEXT], x3 = x[3 * NEXT];
    const lane t0 = x1 & x0, t1 = t0 | x2, t2 = x2 & x0, t3 = x1 | x0, t4 = t3 & x3, t5 = t4 ^ t1,
               t6 = t4 ^ x1;
    const lane t7 = t5 ^ ONES, t8 = t7 & x3, t9 = t8 | t6, t10 = t9 ^ t2, t11 = t7 ^ x3,
               t12 = t11 | t6;
    const lane t13 = t12 ^ x0, t14 = t13 | x3, t15 = t14 ^ x2, t16 = t15 ^ t6;
    x[0] = t16;
    x[NEXT] = t13;
    x[2 * NEXT] = t10;
    x[3 * NEXT] = t5;
}

EACH_LANE(inverse_s7)

#endif
