/*
 * Inverses modulo p and n: divsteps (Bernstein and Yang, "Fast constant-time gcd computation and
 * modular inversion", TCHES 2019(3)), with delta beginning at 1/2, as Pieter Wuille found, so that
 * 590 steps are enough for 256 bits. Numbers have nine limbs of 30 bits, of which the highest has a
 * sign; 30 steps are done on the lowest limbs, and then to all of both numbers.
 */
#include "p256_field.h"

#include <string.h>

#include "mote/bytes.h"
#include "p256_product.h"

enum { LIMBS = 9, BITS = 30, BATCHES = 20 };
#define LOW 0x3fffffff

typedef struct limbs { int32_t at[LIMBS]; } limbs;
/* 2^30 times the effect of 30 steps: f becomes u f + v g, g becomes q f + r g. */
typedef struct steps { int32_t u, v, q, r; } steps;

/* The low 30 bits of 30 i and further of a number of eight words. */
static void to_limbs(limbs *r, const uint32_t a[8])
{
    for (uint8_t i = 0; i < LIMBS; i++) {
        const uint8_t word = (uint8_t)(BITS * i / 32), shift = (uint8_t)(BITS * i % 32);
        uint32_t bits = a[word] >> shift;
        if (shift > 2 && word < 7)
            bits |= a[word + 1] << (32 - shift);
        r->at[i] = (int32_t)(bits & LOW);
    }
}

static void from_limbs(uint32_t r[8], const limbs *a)
{
    for (uint8_t i = 0; i < 8; i++) {
        const uint8_t limb = (uint8_t)(32 * i / BITS), shift = (uint8_t)(32 * i % BITS);
        r[i] = (uint32_t)a->at[limb] >> shift | (uint32_t)a->at[limb + 1] << (BITS - shift);
    }
}

/* d, e and the modulus; f and g. */
typedef struct state { limbs modulo[3], numbers[2]; } state;

#if MOTE_P256_ASSEMBLY || MOTE_P256_THUMB_ASSEMBLY
int32_t mote_p256_do_steps(steps *t, int32_t delta, uint32_t f, uint32_t g);
void mote_p256_step_numbers(limbs f_g[2], const steps *t);
void mote_p256_step_modulo(limbs d_e_m[3], const steps *t, uint32_t inverse);
#else
static int32_t mote_p256_do_steps(steps *t, int32_t delta, uint32_t f, uint32_t g)
{
    uint32_t u = 1, v = 0, q = 0, r = 1;
    for (uint8_t i = 0; i < BITS; i++) {
        uint32_t swap = (uint32_t)(delta >> 31); /* delta is -delta - 1/2 of the paper */
        const uint32_t odd = 0 - (g & 1);
        g += ((f ^ swap) - swap) & odd;
        q += ((u ^ swap) - swap) & odd;
        r += ((v ^ swap) - swap) & odd;
        swap &= odd;
        delta = (int32_t)((uint32_t)delta ^ swap) - 1;
        f += g & swap;
        u += q & swap;
        v += r & swap;
        g >>= 1;
        u <<= 1;
        v <<= 1;
    }
    *t = (steps){(int32_t)u, (int32_t)v, (int32_t)q, (int32_t)r};
    return delta;
}

/* a x + b y */
static inline int64_t combine(int32_t a, int32_t x, int32_t b, int32_t y)
{
    return mote_signed_product(a, x) + mote_signed_product(b, y);
}

static void mote_p256_step_numbers(limbs f_g[2], const steps *t)
{
    limbs *f = &f_g[0], *g = &f_g[1];
    int64_t cf = 0, cg = 0;
    for (uint8_t i = 0; i < LIMBS; i++) {
        const int32_t fi = f->at[i], gi = g->at[i];
        cf += combine(t->u, fi, t->v, gi);
        cg += combine(t->q, fi, t->r, gi);
        if (i > 0) {
            f->at[i - 1] = (int32_t)cf & LOW;
            g->at[i - 1] = (int32_t)cg & LOW;
        }
        cf >>= BITS;
        cg >>= BITS;
    }
    f->at[LIMBS - 1] = (int32_t)cf;
    g->at[LIMBS - 1] = (int32_t)cg;
}

/*
 * The same modulo m: a multiple of m is added that makes the low 30 bits 0. Both numbers are above
 * -2 m and below m, before and after. `inverse` is 1 / m modulo 2^30.
 */
static void mote_p256_step_modulo(limbs d_e_m[3], const steps *t, uint32_t inverse)
{
    limbs *d = &d_e_m[0], *e = &d_e_m[1];
    const limbs *m = &d_e_m[2];
    const int32_t sd = d->at[LIMBS - 1] >> 31, se = e->at[LIMBS - 1] >> 31;
    int32_t md = (t->u & sd) + (t->v & se), me = (t->q & sd) + (t->r & se);
    int64_t cd = 0, ce = 0;
    for (uint8_t i = 0; i < LIMBS; i++) {
        const int32_t di = d->at[i], ei = e->at[i];
        cd += combine(t->u, di, t->v, ei);
        ce += combine(t->q, di, t->r, ei);
        if (i == 0) {
            md -= (int32_t)((inverse * (uint32_t)cd + (uint32_t)md) & LOW);
            me -= (int32_t)((inverse * (uint32_t)ce + (uint32_t)me) & LOW);
        }
        cd += mote_signed_product(m->at[i], md);
        ce += mote_signed_product(m->at[i], me);
        if (i > 0) {
            d->at[i - 1] = (int32_t)cd & LOW;
            e->at[i - 1] = (int32_t)ce & LOW;
        }
        cd >>= BITS;
        ce >>= BITS;
    }
    d->at[LIMBS - 1] = (int32_t)cd;
    e->at[LIMBS - 1] = (int32_t)ce;
}

#endif

/* a = sign a + m where mask is all ones, with limbs of 30 bits again; sign is 1 or -1. */
static void normalize(limbs *a, uint32_t negate, const limbs *m, uint32_t mask)
{
    int32_t carry = 0;
    negate = mote_hidden(negate);
    mask = mote_hidden(mask);
    for (uint8_t i = 0; i < LIMBS; i++) {
        carry += (int32_t)(((uint32_t)a->at[i] ^ negate) - negate) + (m->at[i] & (int32_t)mask);
        a->at[i] = i < LIMBS - 1 ? carry & LOW : carry;
        carry >>= BITS;
    }
}

void mote_p256_inverse(uint32_t r[8], const uint32_t a[8], const uint32_t MOTE_FLASH *modulus,
                       uint32_t inverse)
{
    state s;
    uint32_t words[8];
    steps t;
    int32_t delta = -1;
    for (uint8_t i = 0; i < 8; i++)
        words[i] = modulus[i];
    to_limbs(&s.modulo[2], words);
    to_limbs(&s.numbers[1], a);
    s.numbers[0] = s.modulo[2];
    for (uint8_t i = 0; i < LIMBS; i++)
        s.modulo[0].at[i] = s.modulo[1].at[i] = 0;
    s.modulo[1].at[0] = 1;
    for (uint8_t i = 0; i < BATCHES; i++) {
        delta = mote_p256_do_steps(
            &t, delta, (uint32_t)s.numbers[0].at[0] | (uint32_t)s.numbers[0].at[1] << BITS,
            (uint32_t)s.numbers[1].at[0] | (uint32_t)s.numbers[1].at[1] << BITS);
        mote_p256_step_modulo(s.modulo, &t, inverse);
        mote_p256_step_numbers(s.numbers, &t);
    }
    /* f is 1 or -1 now (m if a is 0), and d is f / a. */
    normalize(&s.modulo[0], 0, &s.modulo[2], (uint32_t)(s.modulo[0].at[LIMBS - 1] >> 31));
    normalize(&s.modulo[0], (uint32_t)(s.numbers[0].at[LIMBS - 1] >> 31), &s.modulo[2], 0);
    normalize(&s.modulo[0], 0, &s.modulo[2], (uint32_t)(s.modulo[0].at[LIMBS - 1] >> 31));
    from_limbs(r, &s.modulo[0]);
}
