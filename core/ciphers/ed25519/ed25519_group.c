/*
 * The group of Ed25519. Sums are those of Hisil, Wong, Carter and Dawson (Twisted Edwards Curves
 * Revisited, 2008, 3.1 and 3.3), which hold for any two points of this curve: there is no special
 * case. Doubling has all of its signs changed, which saves a subtraction.
 */
#include "ed25519_group.h"

#include <string.h>

#include "ed25519_tables.h"
#include "mote/bytes.h"
#include "mote/cipher.h"

enum {
    WORDS = MOTE_F25519_WORDS,
    WIDTH = 5, /* of digits */
    ODD = 8,   /* multiples of a point, 1, 3 to 15, for such digits */
};

/* An addend: Y + X, Y - X, 2 d T and 2 Z. A flat one has Z = 1. */
typedef struct addend {
    mote_ed25519_flat flat;
    mote_f25519 z2;
} addend;

static const uint32_t MOTE_FLASH d_of_curve[WORDS] = {
    0x135978a3, 0x75eb4dca, 0x4141d8ab, 0x00700a4d, 0x7779e898, 0x8cc74079, 0x2b6ffe73, 0x52036cee};

/* r = 2 a, which may be r; a needs no T; r gets one if `t`. */
static void twice(mote_ed25519_point *r, const mote_ed25519_point *a, bool t)
{
    mote_f25519 e, f, g, h;
    mote_f25519_add(&e, &a->x, &a->y);
    mote_f25519_square(&f, &a->x, 1);
    mote_f25519_square(&g, &a->y, 1);
    mote_f25519_square(&e, &e, 1);
    mote_f25519_add(&h, &f, &g);
    mote_f25519_subtract(&g, &g, &f);
    mote_f25519_square(&f, &a->z, 1);
    mote_f25519_subtract(&e, &e, &h);
    mote_f25519_add(&f, &f, &f);
    mote_f25519_subtract(&f, &f, &g);
    mote_f25519_multiply(&r->x, &e, &f);
    mote_f25519_multiply(&r->y, &g, &h);
    mote_f25519_multiply(&r->z, &f, &g);
    if (t)
        mote_f25519_multiply(&r->t, &e, &h);
}

/*
 * r = r + a, or r - a if `negative`; `z2` is 2 Z of a, NULL where Z is 1. r has a T; afterwards if
 * `t`.
 */
static void add(mote_ed25519_point *r, const mote_ed25519_flat *a, const mote_f25519 *z2,
                bool negative, bool t)
{
    mote_f25519 e, f, g, h;
    mote_f25519_subtract(&e, &r->y, &r->x);
    mote_f25519_add(&h, &r->y, &r->x);
    mote_f25519_multiply(&e, &e, negative ? &a->sum : &a->difference);
    mote_f25519_multiply(&h, &h, negative ? &a->difference : &a->sum);
    mote_f25519_multiply(&f, &r->t, &a->t);
    if (z2 == NULL) {
        mote_f25519_add(&g, &r->z, &r->z);
    } else {
        mote_f25519_multiply(&g, &r->z, z2);
    }
    mote_f25519_subtract(&r->x, &h, &e);
    mote_f25519_add(&h, &h, &e);
    mote_f25519_subtract(&r->z, &g, &f);
    mote_f25519_add(&g, &g, &f);
    /* F and G of a negative addend are exchanged. */
    const mote_f25519 *const low = negative ? &g : &r->z, *const high = negative ? &r->z : &g;
    mote_f25519_multiply(&r->y, high, &h);
    mote_f25519_multiply(&f, &r->x, low);
    if (t)
        mote_f25519_multiply(&r->t, &r->x, &h);
    mote_f25519_multiply(&r->z, low, high);
    r->x = f;
}

static void set_neutral(mote_ed25519_point *r)
{
    memset(r, 0, sizeof *r);
    r->y.w[0] = 1;
    r->z.w[0] = 1;
}

/* Entry `index` of a table; every entry is read. */
static void look_up(mote_ed25519_flat *r, const uint32_t MOTE_FLASH *table, uint8_t index)
{
    enum { NEXT = MOTE_ED25519_FLAT };
    uint32_t mask[ODD];
    for (uint8_t i = 0; i < ODD; i++)
        mask[i] = mote_hidden(0 - ((((uint32_t)i ^ index) - 1) >> 31)); /* if i = index */
    for (uint8_t k = 0; k < NEXT; k++, table++)
        r->words[k] =
            (table[0] & mask[0]) | (table[NEXT] & mask[1]) | (table[2 * NEXT] & mask[2]) |
            (table[3 * NEXT] & mask[3]) | (table[4 * NEXT] & mask[4]) |
            (table[5 * NEXT] & mask[5]) | (table[6 * NEXT] & mask[6]) | (table[7 * NEXT] & mask[7]);
}

/* The comb's point for the bits of this column in the words of k: -1 where a bit is 0. */
static void take_comb(mote_ed25519_flat *r, const mote_ed25519_scalar *k, uint8_t comb,
                      uint8_t column)
{
    const uint16_t *word = k->w + comb;
    const uint8_t bits = (uint8_t)((word[0] >> column & 1) | (word[4] >> column & 1) << 1 |
                                   (word[8] >> column & 1) << 2);
    const uint8_t negative = (word[12] >> column & 1) ^ 1;
    mote_f25519 t = {{0}};
    look_up(r, mote_ed25519_combs[comb], (uint8_t)((bits ^ (0 - negative)) & 7));
    mote_f25519_subtract(&t, &t, &r->t);
    mote_f25519_select(&r->t, &r->t, &t, negative);
    for (uint8_t i = 0; i < WORDS; i++) {
        const uint32_t swap =
            (r->sum.w[i] ^ r->difference.w[i]) & mote_hidden(0 - (uint32_t)negative);
        r->sum.w[i] ^= swap;
        r->difference.w[i] ^= swap;
    }
}

void mote_ed25519_base_times(mote_ed25519_point *r, mote_ed25519_scalar *k)
{
    enum { COMBS = MOTE_ED25519_COMBS, COLUMNS = 16 };
    mote_ed25519_flat addend;
    /* k = 2 half - (2^256 - 1): every bit is 1 or -1. */
    mote_ed25519_scalar_make_odd(k);
    for (uint8_t i = 0; i < MOTE_ED25519_WORDS; i++)
        k->w[i] =
            (uint16_t)(k->w[i] >> 1 | (i < MOTE_ED25519_WORDS - 1 ? k->w[i + 1] << 15 : 0x8000));
    set_neutral(r);
    for (uint8_t column = COLUMNS; column-- > 0;) {
        if (column != COLUMNS - 1)
            twice(r, r, true);
        for (uint8_t comb = COMBS; comb-- > 0;) {
            take_comb(&addend, k, comb, column);
            add(r, &addend, NULL, false, comb > 0);
        }
    }
    mote_wipe(&addend, sizeof addend);
}

/* The odd multiples of a point that has a T. */
static void make_odd(addend odd[ODD], const mote_ed25519_point *a)
{
    mote_ed25519_point sum = *a, two;
    mote_f25519 d2;
    for (uint8_t i = 0; i < WORDS; i++)
        d2.w[i] = d_of_curve[i];
    mote_f25519_add(&d2, &d2, &d2);
    twice(&two, a, true);
    for (uint8_t i = 0; i < ODD; i++) {
        addend *const r = &odd[i];
        mote_f25519_add(&r->flat.sum, &sum.y, &sum.x);
        mote_f25519_subtract(&r->flat.difference, &sum.y, &sum.x);
        mote_f25519_multiply(&r->flat.t, &sum.t, &d2);
        mote_f25519_add(&r->z2, &sum.z, &sum.z);
        if (i < ODD - 1) {
            sum = two;
            add(&sum, &r->flat, &r->z2, false, true);
        }
    }
}

/* The digits of the four scalars; c may be as long as k, and the others not. */
typedef struct digits { int8_t c[254], d[162], low[129], high[129]; } digits;

/* A part of a sum: a scalar's digits, and the multiples of its point. */
typedef struct part {
    const int8_t *digits;
    uint16_t len;
    bool negative;
    const addend *odd;
    const uint32_t MOTE_FLASH *flat; /* those of the base point; NULL: of another one */
} part;

static void add_digit(mote_ed25519_point *r, const part *p, int8_t digit, bool t)
{
    const bool negative = p->negative != (digit < 0);
    const uint8_t index = (uint8_t)((digit < 0 ? -digit : digit) / 2);
    mote_ed25519_flat flat;
    if (p->flat == NULL) {
        add(r, &p->odd[index].flat, &p->odd[index].z2, negative, t);
        return;
    }
    for (uint8_t i = 0; i < MOTE_ED25519_FLAT; i++)
        flat.words[i] = p->flat[MOTE_ED25519_FLAT * index + i];
    add(r, &flat, NULL, negative, t);
}

static uint8_t digits_at(const part *parts, uint8_t count, uint16_t at)
{
    uint8_t any = 0;
    for (uint8_t i = 0; i < count; i++)
        any = (uint8_t)(any + (at < parts[i].len && parts[i].digits[at] != 0));
    return any;
}

/* The sum of all parts, by doubling and adding. */
static void add_parts(mote_ed25519_point *r, const part *parts, uint8_t count)
{
    bool empty = true;
    set_neutral(r);
    for (uint16_t at = sizeof((const digits *)NULL)->c; at-- > 0;) {
        uint8_t left = digits_at(parts, count, at);
        if (!empty)
            twice(r, r, left > 0);
        for (uint8_t i = 0; left > 0; i++) {
            if (at < parts[i].len && parts[i].digits[at] != 0) {
                left--;
                add_digit(r, &parts[i], parts[i].digits[at], left > 0);
                empty = false;
            }
        }
    }
}

/*
 * s B - k a - r is 0 if and only if d (s B - k a - r) is, since d has no divisor in common with the
 * order of the group, 8 L. With c = d k modulo 8 L that is (d s) B - c a - d r, where c, d and the
 * halves of d s are half as long as s and k (Antipa and others, Accelerated Verification of ECDSA
 * Signatures, 2005).
 */
bool mote_ed25519_is_sum(const mote_ed25519_scalar *s, const mote_ed25519_point *r,
                         const mote_ed25519_scalar *k, const mote_ed25519_point *a)
{
    enum { HALF = MOTE_ED25519_WORDS / 2 };
    addend odd[2][ODD];
    digits of;
    mote_ed25519_point sum;
    mote_ed25519_scalar c, d, half;
    bool negative;
    make_odd(odd[0], a);
    make_odd(odd[1], r);
    mote_ed25519_scalar_halve(&c, &d, &negative, k);
    mote_ed25519_scalar_digits(of.c, sizeof of.c, &c, WIDTH);
    mote_ed25519_scalar_digits(of.d, sizeof of.d, &d, WIDTH);
    memset(&c, 0, sizeof c);
    memset(&half, 0, sizeof half);
    mote_ed25519_scalar_multiply_add(&d, &d, s, &c);
    memcpy(c.w, d.w, sizeof d.w / 2);
    memcpy(half.w, d.w + HALF, sizeof d.w / 2);
    mote_ed25519_scalar_digits(of.low, sizeof of.low, &c, WIDTH);
    mote_ed25519_scalar_digits(of.high, sizeof of.high, &half, WIDTH);
    const part parts[] = {
        {.digits = of.c, .len = sizeof of.c, .negative = !negative, .odd = odd[0]},
        {.digits = of.d, .len = sizeof of.d, .negative = true, .odd = odd[1]},
        {.digits = of.low, .len = sizeof of.low, .flat = mote_ed25519_odd[0]},
        {.digits = of.high, .len = sizeof of.high, .flat = mote_ed25519_odd[1]}};
    add_parts(&sum, parts, sizeof parts / sizeof parts[0]);
    mote_f25519_subtract(&sum.y, &sum.y, &sum.z);
    return mote_f25519_is_zero(&sum.x) && mote_f25519_is_zero(&sum.y);
}

void mote_ed25519_encode(uint8_t bytes[32], mote_ed25519_point *a)
{
    uint8_t x[32];
    mote_f25519_invert(&a->z, &a->z);
    mote_f25519_multiply(&a->x, &a->x, &a->z);
    mote_f25519_multiply(&a->y, &a->y, &a->z);
    mote_f25519_store(x, &a->x);
    mote_f25519_store(bytes, &a->y);
    bytes[31] = (uint8_t)(bytes[31] | x[0] << 7);
}

bool mote_ed25519_decode(mote_ed25519_point *r, const uint8_t bytes[32])
{
    const uint8_t sign = bytes[31] >> 7;
    mote_f25519 u, v;
    uint8_t stored[32];
    set_neutral(r);
    mote_f25519_load(&r->y, bytes);
    u = r->y;
    mote_f25519_store(stored, &u);
    stored[31] = (uint8_t)(stored[31] | sign << 7);
    if (memcmp(stored, bytes, sizeof stored) != 0)
        return false;
    /* x^2 = (y^2 - 1) / (d y^2 + 1) */
    mote_f25519_square(&u, &r->y, 1);
    for (uint8_t i = 0; i < WORDS; i++)
        v.w[i] = d_of_curve[i];
    mote_f25519_multiply(&v, &v, &u);
    mote_f25519_subtract(&u, &u, &r->z);
    mote_f25519_add(&v, &v, &r->z);
    if (mote_f25519_root(&r->x, &u, &v) == 0)
        return false;
    v = r->x;
    mote_f25519_store(stored, &v);
    if ((stored[0] & 1) != sign) {
        if (mote_f25519_is_zero(&r->x))
            return false;
        memset(&v, 0, sizeof v);
        mote_f25519_subtract(&r->x, &v, &r->x);
    }
    mote_f25519_multiply(&r->t, &r->x, &r->y);
    return true;
}
