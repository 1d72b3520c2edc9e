/* Numbers modulo the order of Ed25519's base point. */
#include "ed25519_scalar.h"

#include <stddef.h>
#include <string.h>

#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"

enum { WORDS = MOTE_ED25519_WORDS, MORE = WORDS + 1, DOUBLE = 2 * WORDS };

/* L = 2^252 + 27742317777372353535851937790883648493, and the quotient 2^512 / L. */
static const uint16_t MOTE_FLASH order[MORE] = {
    0xd3ed, 0x5cf5, 0x631a, 0x5812, 0x9cd6, 0xa2f7, 0xf9de, 0x14de, 0, 0, 0, 0, 0, 0, 0, 0x1000, 0};
static const uint16_t MOTE_FLASH reciprocal[MORE] = {
    0x131b, 0x0a2c, 0xe5a3, 0xed9c, 0x29a7, 0x0863, 0x215d, 0x2106, 0xffeb,
    0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0x000f};

void mote_ed25519_scalar_load(mote_ed25519_scalar *r, const uint8_t bytes[32])
{
    for (uint8_t i = 0; i < WORDS; i++)
        r->w[i] = mote_load16le(bytes + 2 * i);
}

void mote_ed25519_scalar_store(uint8_t bytes[32], const mote_ed25519_scalar *a)
{
    for (uint8_t i = 0; i < WORDS; i++)
        mote_store16le(bytes + 2 * i, a->w[i]);
}

/* Adds a row to a product: `words` words of a, b times; gives what is carried. */
static uint16_t add_row(uint16_t *r, const uint16_t *a, uint8_t words, uint16_t b)
{
    uint32_t sum = 0;
    for (uint8_t i = 0; i < words; i++) {
        sum += (uint32_t)a[i] * b + r[i];
        r[i] = (uint16_t)sum;
        sum >>= 16;
    }
    return (uint16_t)sum;
}

/* a = a - L, or a where that would be negative. */
static void subtract_order(uint16_t a[MORE])
{
    uint16_t reduced[MORE];
    uint32_t difference = 0, mask;
    for (uint8_t i = 0; i < MORE; i++) {
        difference = (uint32_t)a[i] - order[i] - (difference >> 31);
        reduced[i] = (uint16_t)difference;
    }
    mask = mote_hidden(0 - (difference >> 31));
    for (uint8_t i = 0; i < MORE; i++)
        a[i] = (uint16_t)((a[i] & mask) | (reduced[i] & ~mask));
}

/*
 * x modulo L by Barrett's method (Handbook of Applied Cryptography, 14.42): the quotient of the
 * highest 17 words and the reciprocal is too small by 2 at most.
 */
static void reduce(mote_ed25519_scalar *r, const uint16_t x[DOUBLE])
{
    uint16_t product[2 * MORE] = {0}, remainder[MORE] = {0};
    for (uint8_t i = 0; i < MORE; i++)
        product[i + MORE] = add_row(product + i, x + WORDS - 1, MORE, reciprocal[i]);
    /* -quotient L + x, of which 17 words are enough. */
    for (uint8_t i = 0; i < MORE; i++)
        (void)add_row(remainder + i, product + MORE, (uint8_t)(MORE - i), order[i]);
    uint32_t difference = 0;
    for (uint8_t i = 0; i < MORE; i++) {
        difference = (uint32_t)x[i] - remainder[i] - (difference >> 31);
        remainder[i] = (uint16_t)difference;
    }
    subtract_order(remainder);
    subtract_order(remainder);
    memcpy(r->w, remainder, sizeof r->w);
    mote_wipe(product, sizeof product);
    mote_wipe(remainder, sizeof remainder);
}

void mote_ed25519_scalar_reduce(mote_ed25519_scalar *r, const uint8_t bytes[64])
{
    uint16_t x[DOUBLE];
    for (uint8_t i = 0; i < DOUBLE; i++)
        x[i] = mote_load16le(bytes + 2 * i);
    reduce(r, x);
    mote_wipe(x, sizeof x);
}

void mote_ed25519_scalar_multiply_add(mote_ed25519_scalar *r, const mote_ed25519_scalar *a,
                                      const mote_ed25519_scalar *b, const mote_ed25519_scalar *c)
{
    uint16_t x[DOUBLE] = {0};
    memcpy(x, c->w, sizeof c->w);
    for (uint8_t i = 0; i < WORDS; i++)
        x[i + WORDS] = add_row(x + i, a->w, WORDS, b->w[i]);
    reduce(r, x);
    mote_wipe(x, sizeof x);
}

void mote_ed25519_scalar_make_odd(mote_ed25519_scalar *a)
{
    const uint32_t mask = (a->w[0] & 1) - (uint32_t)1;
    uint32_t sum = 0;
    for (uint8_t i = 0; i < WORDS; i++) {
        sum += a->w[i] + (order[i] & mask);
        a->w[i] = (uint16_t)sum;
        sum >>= 16;
    }
}

bool mote_ed25519_scalar_is_canonical(const mote_ed25519_scalar *a)
{
    uint8_t i = WORDS - 1;
    while (i > 0 && a->w[i] == order[i])
        i--;
    return a->w[i] < order[i];
}

uint16_t mote_ed25519_scalar_bits(const mote_ed25519_scalar *a)
{
    uint8_t words = WORDS;
    uint16_t bits;
    while (words > 0 && a->w[words - 1] == 0)
        words--;
    if (words == 0)
        return 0;
    bits = (uint16_t)(16 * words);
    for (uint16_t top = a->w[words - 1]; top < 0x8000; top = (uint16_t)(top << 1))
        bits--;
    return bits;
}

/* r = r - 2^shift a modulo 2^256: 1 if that borrows. */
static bool subtract_shifted(mote_ed25519_scalar *r, const mote_ed25519_scalar *a, uint16_t shift)
{
    const uint8_t words = (uint8_t)(shift / 16);
    const uint16_t factor = (uint16_t)(1u << shift % 16);
    uint32_t product = 0, difference = 0;
    for (uint8_t i = words; i < WORDS; i++) {
        product = (product >> 16) + (uint32_t)a->w[i - words] * factor;
        difference = (uint32_t)r->w[i] - (product & 0xffff) - (difference >> 31);
        r->w[i] = (uint16_t)difference;
    }
    return difference >> 31 != 0;
}

static void negate(mote_ed25519_scalar *a)
{
    uint32_t sum = 1;
    for (uint8_t i = 0; i < WORDS; i++) {
        sum += (uint16_t)~a->w[i];
        a->w[i] = (uint16_t)sum;
        sum >>= 16;
    }
}

/* A number of Euclid's algorithm: value = factor k modulo 8 L; a factor may be negative. */
typedef struct remainder {
    mote_ed25519_scalar value, factor;
    uint16_t bits; /* of the value */
} remainder;

/* Takes from a the multiple of b by a power of 2 that is nearest in size. */
static void take(remainder *a, const remainder *b)
{
    const uint16_t shift = (uint16_t)(a->bits - b->bits);
    const bool negative = subtract_shifted(&a->value, &b->value, shift);
    (void)subtract_shifted(&a->factor, &b->factor, shift);
    if (negative) {
        negate(&a->value);
        negate(&a->factor);
    }
    a->bits = mote_ed25519_scalar_bits(&a->value);
}

/*
 * Euclid's algorithm on 8 L and k, halfway. Two remainders in a row have factors of which one is
 * odd, because these have no common divisor.
 */
void mote_ed25519_scalar_halve(mote_ed25519_scalar *c, mote_ed25519_scalar *d, bool *negative,
                               const mote_ed25519_scalar *k)
{
    enum { HALF = 127, LONGEST = 160 };
    remainder pair[2], *a = &pair[0], *b = &pair[1], *swap;
    memset(pair, 0, sizeof pair);
    for (uint8_t i = WORDS; i-- > 0;)
        a->value.w[i] = (uint16_t)(order[i] << 3 | (i > 0 ? order[i - 1] >> 13 : 0));
    a->bits = 256;
    b->value = *k;
    b->factor.w[0] = 1;
    b->bits = mote_ed25519_scalar_bits(k);
    while (b->bits > HALF || (b->factor.w[0] & 1) == 0) {
        take(a, b);
        if (a->bits < b->bits) {
            swap = a;
            a = b;
            b = swap;
        }
    }
    *c = b->value;
    *d = b->factor;
    *negative = d->w[WORDS - 1] >> 15 != 0;
    if (*negative)
        negate(d);
    if (mote_ed25519_scalar_bits(d) > LONGEST) {
        *c = *k;
        memset(d, 0, sizeof *d);
        d->w[0] = 1;
        *negative = false;
    }
}

void mote_ed25519_scalar_digits(int8_t *digits, uint16_t len, const mote_ed25519_scalar *k,
                                uint8_t width)
{
    uint8_t carry = 0;
    memset(digits, 0, len);
    for (uint16_t i = 0; i < len;) {
        const uint8_t word = (uint8_t)(i / 16);
        const uint32_t two = k->w[word] | (uint32_t)(word < WORDS - 1 ? k->w[word + 1] : 0) << 16;
        uint16_t bits = (uint16_t)(two >> i % 16);
        if ((bits & 1) == carry) {
            i++;
            continue;
        }
        bits = (uint16_t)((bits & ((1u << width) - 1)) + carry);
        carry = (uint8_t)(bits >> (width - 1) & 1);
        digits[i] = (int8_t)((int)bits - ((int)carry << width));
        i = (uint16_t)(i + width);
    }
}
