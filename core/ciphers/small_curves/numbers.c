/* Numbers of 256 bits and points in the least code. */
#include "numbers.h"

#include <string.h>

enum { WORDS = MOTE_WORDS, BITS = MOTE_WORD_BITS };

#define ONES ((mote_word) ~(mote_word)0)

#if !MOTE_ASSEMBLY_AVR && !MOTE_SMALL_THUMB
mote_word mote_small_add_row(mote_word r[WORDS], const mote_word a[WORDS], mote_word b)
{
    mote_two_words sum = 0;
    for (uint8_t i = 0; i < WORDS; i++) {
        sum = (sum >> BITS) + r[i] + (mote_two_words)a[i] * b;
        r[i] = (mote_word)sum;
    }
    return (mote_word)(sum >> BITS);
}
#endif

#if !MOTE_SMALL_THUMB
mote_word mote_small_sum(mote_number *r, const mote_number *a, const mote_number *b, mote_word flip,
                         mote_word mask)
{
    mote_word carry = flip & 1;
    for (uint8_t i = 0; i < WORDS; i++) {
        const mote_two_words sum =
            (mote_two_words)a->w[i] + (mote_word)((b->w[i] ^ flip) & mask) + carry;
        r->w[i] = (mote_word)sum;
        carry = (mote_word)(sum >> BITS);
    }
    return carry;
}
#endif

void mote_small_load(mote_number *r, const uint8_t bytes[32], uint8_t order)
{
    for (uint8_t i = 32; i-- > 0;) {
        mote_word *const word = &r->w[i / MOTE_WORD];
        *word = (mote_word)((mote_two_words)*word << 8 | bytes[i ^ order]);
    }
}

#ifdef __AVR__
void mote_small_load_flash(mote_number *r, const uint8_t MOTE_FLASH bytes[32])
{
    for (uint8_t i = 32; i-- > 0;) {
        mote_word *const word = &r->w[i / MOTE_WORD];
        *word = (mote_word)((mote_two_words)*word << 8 | bytes[i]);
    }
}
#endif

void mote_small_store(uint8_t bytes[32], const mote_number *a, uint8_t order)
{
    for (uint8_t i = 0; i < 32; i++)
        bytes[i ^ order] = (uint8_t)(a->w[i / MOTE_WORD] >> i % MOTE_WORD * 8);
}

void mote_small_set(mote_number *r, uint32_t value)
{
    for (uint8_t i = 0; i < WORDS; i++) {
        r->w[i] = (mote_word)value;
        value = BITS < 32 ? value >> BITS % 32 : 0;
    }
}

mote_word mote_small_is_zero(const mote_number *a)
{
    mote_word any = 0;
    for (uint8_t i = 0; i < WORDS; i++)
        any |= a->w[i];
    return (mote_word)((((mote_two_words)any - 1) >> BITS) & 1);
}

mote_word mote_small_is_below(const mote_number *a, const mote_number *b)
{
    mote_number unused;
    return mote_small_sum(&unused, a, b, ONES, ONES) ^ 1;
}

mote_word mote_small_bit(const mote_number *a, uint8_t at)
{
    return a->w[at / BITS] >> at % BITS & 1;
}

void mote_small_reduce(const mote_prime *prime, mote_number *r, const mote_number *a, mote_word top)
{
    const mote_word kept = mote_small_sum(r, a, &prime->p, ONES, ONES);
    (void)mote_small_sum(r, r, &prime->p, 0, (mote_word)(top + kept - 1));
}

/* r = 0 without a call of memset: a less itself. */
static void clear(mote_number *r, const mote_number *a)
{
    (void)mote_small_sum(r, a, a, ONES, ONES);
}

void mote_small_montgomery(const mote_prime *prime, mote_number *r, const mote_number *a,
                           const mote_number *b)
{
    mote_number product[2];
    mote_word *low = product[0].w;
    mote_word top = 0;
    clear(product, a);
    for (uint8_t i = 0; i < WORDS; i++, low++) {
        const mote_two_words carried = (mote_two_words)top + mote_small_add_row(low, a->w, b->w[i]);
        const mote_word factor = (mote_word)((mote_two_words)*low * prime->inverse);
        const mote_two_words sum = carried + mote_small_add_row(low, prime->p.w, factor);
        low[WORDS] = (mote_word)sum;
        top = (mote_word)(sum >> BITS);
    }
    mote_small_reduce(prime, r, &product[1], top);
}

/*
 * The lower half of a product and 38 times the upper one; then what is above 255 bits is added 19
 * times.
 */
static void multiply_25519(const mote_prime *prime, mote_number *r, const mote_number *a,
                           const mote_number *b)
{
    mote_number product[2];
    mote_word *const word = product[0].w;
    clear(product, a);
    for (uint8_t i = 0; i < WORDS; i++)
        word[WORDS + i] = mote_small_add_row(word + i, a->w, b->w[i]);
    const mote_word high = mote_small_add_row(word, product[1].w, 38);
    mote_two_words sum = 19 * (high << 1 | word[WORDS - 1] >> (BITS - 1));
    word[WORDS - 1] &= ONES >> 1;
    for (uint8_t i = 0; i < WORDS; i++) {
        sum += word[i];
        word[i] = (mote_word)sum;
        sum >>= BITS;
    }
    mote_small_reduce(prime, r, product, 0);
}

void mote_small_set_25519(mote_prime *prime)
{
    memset(&prime->p, 0xff, sizeof prime->p);
    prime->p.w[0] = (mote_word)(ONES - 18);
    prime->p.w[WORDS - 1] = ONES >> 1;
    prime->multiply = multiply_25519;
}

void mote_small_power(const mote_prime *prime, mote_number *r, const mote_number *a, uint8_t less,
                      uint8_t shift)
{
    mote_number exponent = prime->p;
    exponent.w[0] = (mote_word)(exponent.w[0] - less);
    *r = *a;
    for (uint8_t i = (uint8_t)(254 + mote_small_bit(&exponent, 255)); i-- > shift;) {
        prime->multiply(prime, r, r, r);
        if (mote_small_bit(&exponent, i))
            prime->multiply(prime, r, r, a);
    }
}

void mote_small_run(const mote_prime *prime, mote_number *v, const uint16_t MOTE_FLASH *program)
{
    for (uint16_t step; (step = *program) != 0; program++) {
        mote_number *const r = &v[step >> 8 & 15];
        const mote_number *const a = &v[step >> 4 & 15], *const b = &v[step & 15];
        const uint8_t operation = (uint8_t)(step >> 12);
        if (operation == 1) {
            prime->multiply(prime, r, a, b);
        } else if (operation == 2) {
            mote_small_reduce(prime, r, r, mote_small_sum(r, a, b, 0, ONES));
        } else {
            const mote_word kept = mote_small_sum(r, a, b, ONES, ONES);
            (void)mote_small_sum(r, r, &prime->p, 0, (mote_word)(kept - 1));
        }
    }
}

void mote_small_swap(mote_word *a, mote_word *b, uint8_t words, mote_word bit)
{
    const mote_word mask = (mote_word)(0 - bit);
    while (words-- > 0) {
        const mote_word difference = (*a ^ *b) & mask;
        *a++ ^= difference;
        *b++ ^= difference;
    }
}

void mote_small_times(const mote_curve *curve, mote_number v[MOTE_REGISTERS], const mote_number *k,
                      const mote_point *a, uint8_t count)
{
    mote_point *const sum = (mote_point *)v, *const addend = sum + 1;
    mote_point copy;
    *sum = curve->neutral;
    for (uint16_t bit = 256; bit-- > 0;) {
        *addend = *sum;
        mote_small_run(&curve->prime, v, curve->add);
        for (uint8_t i = 0; i < count; i++) {
            *addend = curve->neutral;
            copy = a[i];
            mote_small_swap(addend->at[0].w, copy.at[0].w, 4 * WORDS,
                            mote_small_bit(&k[i], (uint8_t)bit));
            mote_small_run(&curve->prime, v, curve->add);
        }
    }
}
