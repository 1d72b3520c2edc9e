/* The field of P-256 and the numbers modulo its order: SP 800-186, 3.2.1.3. */
#include "p256_field.h"

#include <string.h>

#include "mote/bytes.h"
#include "p256_product.h"

const uint32_t MOTE_FLASH mote_p256_p[8] = {
    0xffffffff, 0xffffffff, 0xffffffff, 0, 0, 0, 1, 0xffffffff};
const uint32_t MOTE_FLASH mote_p256_n[8] = {
    0xfc632551, 0xf3b9cac2, 0xa7179e84, 0xbce6faad, 0xffffffff, 0xffffffff, 0, 0xffffffff};
const uint32_t MOTE_FLASH mote_p256_one[8] = {
    1, 0, 0, 0xffffffff, 0xffffffff, 0xffffffff, 0xfffffffe, 0};
/* R^2 modulo p and modulo n. */
static const uint32_t MOTE_FLASH square_p[8] = {
    3, 0, 0xffffffff, 0xfffffffb, 0xfffffffe, 0xffffffff, 0xfffffffd, 4};
/* R^3 modulo p. */
static const uint32_t MOTE_FLASH cube_p[8] = {
    0x0000000a, 0xfffffffd, 0xfffffff7, 0xffffffed, 0xfffffffc, 0x00000005, 0x00000001, 0x00000018};
static const uint32_t MOTE_FLASH square_n[8] = {
    0xbe79eea2, 0x83244c95, 0x49bd6fa6, 0x4699799c, 0x2b6bec59, 0x2845b239, 0xf3d95620, 0x66e12d94};

static void copy_flash(uint32_t r[8], const uint32_t MOTE_FLASH *a)
{
    for (uint8_t i = 0; i < 8; i++)
        r[i] = a[i];
}

static uint32_t add_carry(uint32_t *sum, uint32_t a, uint32_t b, uint32_t carry)
{
    const uint64_t s = (uint64_t)a + b + carry;
    *sum = (uint32_t)s;
    return (uint32_t)(s >> 32);
}

static uint32_t subtract_borrow(uint32_t *difference, uint32_t a, uint32_t b, uint32_t borrow)
{
    const uint64_t d = (uint64_t)a - b - borrow;
    *difference = (uint32_t)d;
#ifdef __clang__ /* which makes a branch of the comparison that it sees in the other */
    return mote_hidden((uint32_t)(d >> 32)) >> 31;
#else
    return (uint32_t)(d >> 63);
#endif
}

/* r = a modulo m, of a below 2 m, whose word above the eight is `top`. */
static void reduce_once(uint32_t r[8], const uint32_t a[8], uint32_t top,
                        const uint32_t MOTE_FLASH *m)
{
    uint32_t borrow = 0, carry = 0, mask;
    for (uint8_t i = 0; i < 8; i++)
        borrow = subtract_borrow(&r[i], a[i], m[i], borrow);
    mask = top - borrow; /* all ones if a is below m */
    for (uint8_t i = 0; i < 8; i++)
        carry = add_carry(&r[i], r[i], m[i] & mask, carry);
}

static void add(uint32_t r[8], const uint32_t a[8], const uint32_t b[8],
                const uint32_t MOTE_FLASH *m)
{
    uint32_t carry = 0;
    for (uint8_t i = 0; i < 8; i++)
        carry = add_carry(&r[i], a[i], b[i], carry);
    reduce_once(r, r, carry, m);
}

#if !MOTE_P256_ASSEMBLY || !MOTE_P256_SCALAR_ASSEMBLY
/* t = t + a b, of eight words and two of carries; t[9] is written only. */
#if MOTE_P256_THUMB_ASSEMBLY
void mote_p256_add_row(uint32_t t[10], const uint32_t a[8], uint32_t b);
#else
static void mote_p256_add_row(uint32_t t[10], const uint32_t a[8], uint32_t b)
{
    uint64_t sum = 0;
    for (uint8_t i = 0; i < 8; i++) {
        sum = (sum >> 32) + t[i] + mote_product(a[i], b);
        t[i] = (uint32_t)sum;
    }
    sum = (sum >> 32) + t[8];
    t[8] = (uint32_t)sum;
    t[9] = (uint32_t)(sum >> 32);
}
#endif
#endif

#if !MOTE_P256_FIELD_ASSEMBLY
void mote_p256_multiply(uint32_t r[8], const uint32_t a[8], const uint32_t b[8])
{
    uint32_t t[10] = {0};
    for (uint8_t i = 0; i < 8; i++) {
        /*
         * -1 / p is 1 modulo 2^32, so the multiple of p that makes the lowest word 0 is that word,
         * m. m p = m (2^256 - 2^224 + 2^192 + 2^96 - 1), and all moves down by a word.
         */
        mote_p256_add_row(t, a, b[i]);
        const uint32_t m = t[0];
        uint64_t sum = (uint64_t)t[3] + m;
        t[0] = t[1];
        t[1] = t[2];
        t[2] = (uint32_t)sum;
        sum = (sum >> 32) + t[4];
        t[3] = (uint32_t)sum;
        sum = (sum >> 32) + t[5];
        t[4] = (uint32_t)sum;
        sum = (sum >> 32) + t[6] + m;
        t[5] = (uint32_t)sum;
        sum = (sum >> 32) + t[7] + (((uint64_t)m << 32) - m);
        t[6] = (uint32_t)sum;
        sum = (sum >> 32) + t[8];
        t[7] = (uint32_t)sum;
        t[8] = t[9] + (uint32_t)(sum >> 32);
    }
    reduce_once(r, t, t[8], mote_p256_p);
}

void mote_p256_square(uint32_t r[8], const uint32_t a[8])
{
    mote_p256_multiply(r, a, a);
}

void mote_p256_add(uint32_t r[8], const uint32_t a[8], const uint32_t b[8])
{
    add(r, a, b, mote_p256_p);
}

void mote_p256_subtract(uint32_t r[8], const uint32_t a[8], const uint32_t b[8])
{
    uint32_t borrow = 0, carry = 0, mask;
    for (uint8_t i = 0; i < 8; i++)
        borrow = subtract_borrow(&r[i], a[i], b[i], borrow);
    mask = 0 - borrow;
    for (uint8_t i = 0; i < 8; i++)
        carry = add_carry(&r[i], r[i], mote_p256_p[i] & mask, carry);
}
#endif

#if !MOTE_P256_FIELD_ASSEMBLY
void mote_p256_halve(uint32_t r[8], const uint32_t a[8])
{
    const uint32_t odd = 0 - (a[0] & 1);
    uint32_t carry = 0;
    for (uint8_t i = 0; i < 8; i++)
        carry = add_carry(&r[i], a[i], mote_p256_p[i] & odd, carry);
    for (uint8_t i = 0; i < 7; i++)
        r[i] = r[i] >> 1 | r[i + 1] << 31;
    r[7] = r[7] >> 1 | carry << 31;
}
#endif

#if !MOTE_P256_ASSEMBLY
void mote_p256_negate_if(uint32_t r[8], uint32_t mask)
{
    uint32_t carry = mask & 1;
    for (uint8_t i = 0; i < 8; i++)
        carry = add_carry(&r[i], r[i] ^ mask, mote_p256_p[i] & mask, carry);
}
#endif

/* a^(2^times), with its factor; `times` is not 0. */
static void square_times(uint32_t r[8], const uint32_t a[8], uint8_t times)
{
    mote_p256_square(r, a);
    while (--times > 0)
        mote_p256_square(r, r);
}

void mote_p256_invert(uint32_t r[8], const uint32_t a[8])
{
    uint32_t cube[8];
    copy_flash(cube, cube_p);
    mote_p256_inverse(r, a, mote_p256_p, 0x3fffffff);
    mote_p256_multiply(r, r, cube);
}

/* (p + 1) / 4 = 2^254 - 2^222 + 2^190 + 2^94. */
void mote_p256_root(uint32_t r[8], const uint32_t a[8])
{
    uint32_t b[8];
    memcpy(r, a, sizeof b);
    for (uint8_t ones = 1; ones <= 16; ones *= 2) { /* 2^(2 ones) - 1 of 2^ones - 1 */
        square_times(b, r, ones);
        mote_p256_multiply(r, r, b);
    }
    square_times(r, r, 32);
    mote_p256_multiply(r, r, a);
    square_times(r, r, 96);
    mote_p256_multiply(r, r, a);
    square_times(r, r, 94);
}

void mote_p256_to_montgomery(uint32_t r[8], const uint32_t a[8])
{
    uint32_t square[8];
    copy_flash(square, square_p);
    mote_p256_multiply(r, a, square);
}

void mote_p256_from_montgomery(uint32_t r[8], const uint32_t a[8])
{
    const uint32_t one[8] = {1};
    mote_p256_multiply(r, a, one);
}

#if !MOTE_P256_SCALAR_ASSEMBLY
void mote_p256_scalar_multiply(uint32_t r[8], const uint32_t a[8], const uint32_t b[8])
{
    uint32_t t[10] = {0}, n[8];
    copy_flash(n, mote_p256_n);
    for (uint8_t i = 0; i < 8; i++) {
        mote_p256_add_row(t, a, b[i]);
        const uint32_t top = t[9];
        mote_p256_add_row(t, n, (uint32_t)mote_product(t[0], 0xee00bc4f)); /* -1 / n modulo 2^32 */
        t[9] += top;
        memmove(t, t + 1, 9 * sizeof t[0]);
        t[9] = 0;
    }
    reduce_once(r, t, t[8], mote_p256_n);
}
#endif

void mote_p256_scalar_to_montgomery(uint32_t r[8], const uint32_t a[8])
{
    uint32_t square[8];
    copy_flash(square, square_n);
    mote_p256_scalar_multiply(r, a, square);
}

void mote_p256_scalar_add(uint32_t r[8], const uint32_t a[8], const uint32_t b[8])
{
    add(r, a, b, mote_p256_n);
}

void mote_p256_scalar_negate(uint32_t r[8], const uint32_t a[8])
{
    uint32_t borrow = 0;
    for (uint8_t i = 0; i < 8; i++)
        borrow = subtract_borrow(&r[i], mote_p256_n[i], a[i], borrow);
}

void mote_p256_scalar_reduce(uint32_t r[8], const uint32_t a[8])
{
    reduce_once(r, a, 0, mote_p256_n);
}

void mote_p256_scalar_invert(uint32_t r[8], const uint32_t a[8])
{
    mote_p256_inverse(r, a, mote_p256_n, 0x11ff43b1);
}

uint32_t mote_p256_is_zero(const uint32_t a[8])
{
    uint32_t any = 0;
    for (uint8_t i = 0; i < 8; i++)
        any |= a[i];
    return (mote_hidden(any | (0 - any)) >> 31) - 1;
}

uint32_t mote_p256_is_below(const uint32_t a[8], const uint32_t MOTE_FLASH *modulus)
{
    uint32_t borrow = 0, unused;
    for (uint8_t i = 0; i < 8; i++)
        borrow = subtract_borrow(&unused, a[i], modulus[i], borrow);
    return 0 - borrow;
}

void mote_p256_select(uint32_t r[8], const uint32_t a[8], uint32_t mask)
{
    for (uint8_t i = 0; i < 8; i++)
        r[i] ^= (r[i] ^ a[i]) & mask;
}

void mote_p256_load(uint32_t r[8], const uint8_t in[32])
{
    for (uint8_t i = 0; i < 8; i++)
        r[i] = mote_load32be(in + 28 - 4 * i);
}

void mote_p256_store(uint8_t out[32], const uint32_t a[8])
{
    for (uint8_t i = 0; i < 8; i++)
        mote_store32be(out + 28 - 4 * i, a[i]);
}
