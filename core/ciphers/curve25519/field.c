/*
 * The field of Curve25519 in portable C. Products are made row by row: a product of two words and
 * two more words fit 64 bits.
 */
#include "field.h"

#include <stddef.h>

#include "mote/bytes.h"

enum { WORDS = MOTE_F25519_WORDS };

#if !MOTE_F25519_ASSEMBLY
/* Adds 19 times what is above the lowest 255 bits: `high` 2^256 and the top bit of r. */
static void fold(mote_f25519 *r, uint32_t high)
{
    uint64_t sum = 19 * (high << 1 | r->w[WORDS - 1] >> 31);
    r->w[WORDS - 1] &= 0x7fffffff;
    for (size_t i = 0; i < WORDS; i++) {
        sum += r->w[i];
        r->w[i] = (uint32_t)sum;
        sum >>= 32;
    }
}

void mote_f25519_add(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < WORDS; i++) {
        sum += (uint64_t)a->w[i] + b->w[i];
        r->w[i] = (uint32_t)sum;
        sum >>= 32;
    }
    fold(r, (uint32_t)sum);
}

/* a + 4 p - b, which is positive. */
void mote_f25519_subtract(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b)
{
    int64_t sum = -76;
    for (size_t i = 0; i < WORDS; i++) {
        sum += (int64_t)a->w[i] - b->w[i];
        r->w[i] = (uint32_t)sum;
        sum >>= 32;
    }
    fold(r, (uint32_t)(sum + 2));
}

/* The lower half of a product and 38 times the upper one. */
static void reduce(mote_f25519 *r, const uint32_t product[2 * WORDS])
{
    uint64_t sum = 0;
    for (size_t i = 0; i < WORDS; i++) {
        sum += (uint64_t)product[WORDS + i] * 38 + product[i];
        r->w[i] = (uint32_t)sum;
        sum >>= 32;
    }
    fold(r, (uint32_t)sum);
}

void mote_f25519_multiply(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b)
{
    uint32_t product[2 * WORDS] = {0};
    for (size_t i = 0; i < WORDS; i++) {
        uint64_t sum = 0;
        for (size_t j = 0; j < WORDS; j++) {
            sum += (uint64_t)a->w[i] * b->w[j] + product[i + j];
            product[i + j] = (uint32_t)sum;
            sum >>= 32;
        }
        product[i + WORDS] = (uint32_t)sum;
    }
    reduce(r, product);
}

static void square(mote_f25519 *r, const mote_f25519 *a)
{
    uint32_t product[2 * WORDS] = {0};
    uint64_t sum;
    uint32_t top = 0;
    for (size_t i = 0; i < WORDS; i++) {
        sum = 0;
        for (size_t j = i + 1; j < WORDS; j++) {
            sum += (uint64_t)a->w[i] * a->w[j] + product[i + j];
            product[i + j] = (uint32_t)sum;
            sum >>= 32;
        }
        product[i + WORDS] = (uint32_t)sum;
    }
    /* Twice these, and the squares of words. */
    sum = 0;
    for (size_t i = 0; i < WORDS; i++) {
        const uint64_t word = (uint64_t)a->w[i] * a->w[i];
        const uint32_t low = product[2 * i], high = product[2 * i + 1];
        sum += (uint32_t)word + (uint64_t)(low << 1 | top);
        product[2 * i] = (uint32_t)sum;
        sum = (sum >> 32) + (word >> 32) + (high << 1 | low >> 31);
        product[2 * i + 1] = (uint32_t)sum;
        sum >>= 32;
        top = high >> 31;
    }
    reduce(r, product);
}

void mote_f25519_square(mote_f25519 *r, const mote_f25519 *a, uint8_t times)
{
    square(r, a);
    while (--times > 0)
        square(r, r);
}

void mote_f25519_multiply_add(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < WORDS; i++) {
        sum += (uint64_t)a->w[i] * 121665 + b->w[i];
        r->w[i] = (uint32_t)sum;
        sum >>= 32;
    }
    fold(r, (uint32_t)sum);
}
#endif

void mote_f25519_select(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b, uint32_t bit)
{
    const uint32_t mask = 0 - bit;
    for (size_t i = 0; i < WORDS; i++)
        r->w[i] = a->w[i] ^ ((a->w[i] ^ b->w[i]) & mask);
}

/* a^(2^250 - 1); a^11 to `eleventh`. */
static void power(mote_f25519 *r, mote_f25519 *eleventh, const mote_f25519 *a)
{
    mote_f25519 ten, fifty, t;
    mote_f25519_square(&t, a, 1);
    mote_f25519_square(&ten, &t, 2);
    mote_f25519_multiply(&ten, &ten, a); /* 9 */
    mote_f25519_multiply(eleventh, &ten, &t);
    mote_f25519_square(&t, eleventh, 1);
    mote_f25519_multiply(&t, &t, &ten); /* 2^5 - 1 */
    mote_f25519_square(&ten, &t, 5);
    mote_f25519_multiply(&ten, &ten, &t);
    mote_f25519_square(&t, &ten, 10);
    mote_f25519_multiply(&t, &t, &ten); /* 2^20 - 1 */
    mote_f25519_square(&fifty, &t, 20);
    mote_f25519_multiply(&t, &fifty, &t);
    mote_f25519_square(&t, &t, 10);
    mote_f25519_multiply(&fifty, &t, &ten);
    mote_f25519_square(&t, &fifty, 50);
    mote_f25519_multiply(&t, &t, &fifty); /* 2^100 - 1 */
    mote_f25519_square(&ten, &t, 100);
    mote_f25519_multiply(&t, &ten, &t);
    mote_f25519_square(&t, &t, 50);
    mote_f25519_multiply(r, &t, &fifty);
}

/* a^(p - 2): p - 2 = 2^255 - 21. */
void mote_f25519_invert(mote_f25519 *r, const mote_f25519 *a)
{
    mote_f25519 eleventh;
    power(r, &eleventh, a);
    mote_f25519_square(r, r, 5);
    mote_f25519_multiply(r, r, &eleventh);
}

/* (p - 5) / 8 = 2^252 - 3. `r` is not `a`. */
void mote_f25519_root_power(mote_f25519 *r, const mote_f25519 *a)
{
    mote_f25519 eleventh;
    power(r, &eleventh, a);
    mote_f25519_square(r, r, 2);
    mote_f25519_multiply(r, r, a);
}

void mote_f25519_load(mote_f25519 *r, const uint8_t bytes[32])
{
    for (size_t i = 0; i < WORDS; i++)
        r->w[i] = mote_load32le(bytes + 4 * i);
    r->w[WORDS - 1] &= 0x7fffffff;
}

void mote_f25519_store(uint8_t bytes[32], mote_f25519 *a)
{
    uint64_t sum;
    /*
     * Two times: what is above 255 bits, times 19, is added. The first may carry into bit 255, and
     * then what remains is below 19. The second begins with 19 more, so that bit 255 says whether
     * the number was p or more.
     */
    sum = 19 * (a->w[WORDS - 1] >> 31);
    a->w[WORDS - 1] &= 0x7fffffff;
    for (size_t i = 0; i < WORDS; i++) {
        sum += a->w[i];
        a->w[i] = (uint32_t)sum;
        sum >>= 32;
    }
    sum = 19;
    for (size_t i = 0; i < WORDS; i++)
        sum = (sum + a->w[i]) >> (i < WORDS - 1 ? 32 : 31);
    /* 0 or 1, of 32 bits: the time of a product of 64 bits depends on it on a Cortex-M3. */
    sum = (uint32_t)sum * UINT32_C(19);
    for (size_t i = 0; i < WORDS; i++) {
        sum += a->w[i];
        mote_store32le(bytes + 4 * i, i < WORDS - 1 ? (uint32_t)sum : (uint32_t)sum & 0x7fffffff);
        sum >>= 32;
    }
}
