/*
 * ML-DSA verification in little memory (FIPS 204, algorithms 3, 5 and 8): two polynomials of 1 KiB,
 * two states of SHA-3.
 *
 * Row by row: the matrix comes out of SHAKE128 24 bytes at a time and is multiplied at once; the
 * polynomials of z are unpacked and transformed again for each row; the challenge is 64 bytes of
 * flags, and its product with t1 is a few dozen additions of t1, moved, which no transform is
 * faster than; the hint is read in the signature; the high bits of a row are hashed as they come.
 * All of it is public, so time may depend on it.
 *
 * A Cortex-M4 has the memory for all rows, k polynomials: it transforms each polynomial of z once,
 * and multiplies transforms of the challenge and of t1.
 */
#include "mote/ml_dsa.h"

#include <stdbool.h>
#include <string.h>

#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/sha3.h"
#include "ring.h"

#define Q MOTE_ML_DSA_Q
enum { N = MOTE_ML_DSA_N, SEED = 32, CRH = 64, DROPPED = 13, T1_BYTES = 320 };

const mote_ml_dsa mote_ml_dsa_44 = {
    .key_len = 1312,
    .signature_len = 2420,
    .k = 4,
    .l = 4,
    .tau = 39,
    .beta = 78,
    .omega = 80,
    .z_bits = 18,
    .challenge_len = 32,
    .levels = 44};
const mote_ml_dsa mote_ml_dsa_65 = {
    .key_len = 1952,
    .signature_len = 3309,
    .k = 6,
    .l = 5,
    .tau = 49,
    .beta = 196,
    .omega = 55,
    .z_bits = 20,
    .challenge_len = 48,
    .levels = 16};
const mote_ml_dsa mote_ml_dsa_87 = {
    .key_len = 2592,
    .signature_len = 4627,
    .k = 8,
    .l = 7,
    .tau = 60,
    .beta = 120,
    .omega = 75,
    .z_bits = 20,
    .challenge_len = 64,
    .levels = 16};

/* True if all rows are summed up at once. */
#define WHOLE MOTE_ASSEMBLY_ARMV7EM

/* A polynomial with coefficients of -1, 0 and 1; its transform, if WHOLE. */
#if WHOLE
typedef struct challenge { int32_t coefficients[N]; } challenge;
#else
typedef struct challenge { uint8_t nonzero[N / 8], negative[N / 8]; } challenge;
#endif

typedef union row {
    int32_t sum[N];
    uint8_t digest[CRH]; /* of the first row: before and after all sums */
} row;

typedef struct work {
    row *rows; /* one; all if WHOLE */
    union {
        int32_t factor[N];
        uint64_t hash[MOTE_ML_DSA_HASH_STATE / 8]; /* before all factors */
        uint8_t encoded[N];                        /* after those of a row */
    };
    mote_sha3 commitment, stream;
    challenge c;
} work;

static void shake256(mote_sha3 *s)
{
    mote_sha3_start(s, MOTE_SHAKE256_RATE);
}

static void squeeze(mote_sha3 *s, uint8_t *out, size_t len)
{
    mote_sha3_end(s, MOTE_SHAKE_SUFFIX);
    mote_sha3_squeeze(s, out, len);
}

/* Algorithms 3 and 5: what stands before the message, and of HashML-DSA the message's digest. */
static void absorb_message(work *w, const mote_ml_dsa_message *m)
{
    mote_sha3 *s = &w->stream;
    uint8_t head[11] = {m->hash != NULL, m->context_len};
    mote_sha3_absorb(s, head, 2);
    mote_sha3_absorb(s, m->context, m->context_len);
    if (m->hash == NULL) {
        mote_sha3_absorb(s, m->message, m->message_len);
        return;
    }
    static const uint8_t identifier[] = {
        0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02};
    memcpy(head, identifier, sizeof identifier);
    head[10] = m->hash_identifier;
    mote_sha3_absorb(s, head, sizeof head);
    m->hash->start(w->hash);
    m->hash->update(w->hash, m->message, m->message_len);
    m->hash->finish(w->hash, w->rows->digest);
    mote_sha3_absorb(s, w->rows->digest, m->hash->digest_len);
}

/* Algorithm 8, lines 6 and 7; mu is the beginning of what the commitment's hash takes. */
static __attribute__((noinline)) void
begin(work *w, const mote_ml_dsa *set, const uint8_t *key, const mote_ml_dsa_message *message)
{
    shake256(&w->stream);
    mote_sha3_absorb(&w->stream, key, set->key_len);
    squeeze(&w->stream, w->rows->digest, CRH);
    shake256(&w->stream);
    mote_sha3_absorb(&w->stream, w->rows->digest, CRH);
    absorb_message(w, message);
    squeeze(&w->stream, w->rows->digest, CRH);
    shake256(&w->commitment);
    mote_sha3_absorb(&w->commitment, w->rows->digest, CRH);
}

#if WHOLE
static void copy_coefficient(challenge *c, uint8_t to, uint8_t from)
{
    c->coefficients[to] = c->coefficients[from];
}

static void set_one(challenge *c, uint8_t i, bool negative)
{
    c->coefficients[i] = negative ? -1 : 1;
}
#else
static bool is_set(const uint8_t *flags, uint8_t i)
{
    return flags[i >> 3] >> (i & 7) & 1;
}

static void set_flag(uint8_t *flags, uint8_t i, bool on)
{
    const uint8_t bit = (uint8_t)(1u << (i & 7));
    flags[i >> 3] = (uint8_t)(on ? flags[i >> 3] | bit : flags[i >> 3] & ~bit);
}

static void copy_coefficient(challenge *c, uint8_t to, uint8_t from)
{
    set_flag(c->nonzero, to, is_set(c->nonzero, from));
    set_flag(c->negative, to, is_set(c->negative, from));
}

static void set_one(challenge *c, uint8_t i, bool negative)
{
    set_flag(c->nonzero, i, true);
    set_flag(c->negative, i, negative);
}
#endif

/* Algorithm 29. */
static __attribute__((noinline)) void
sample_challenge(work *w, const mote_ml_dsa *set, const uint8_t *seed)
{
    uint8_t signs[8], j;
    mote_wipe_words(&w->c, sizeof w->c); /* zeros, fast */
    shake256(&w->stream);
    mote_sha3_absorb(&w->stream, seed, set->challenge_len);
    squeeze(&w->stream, signs, sizeof signs);
    for (uint8_t n = 0; n < set->tau; n++) {
        const uint8_t i = (uint8_t)(N - set->tau + n);
        do
            mote_sha3_squeeze(&w->stream, &j, 1);
        while (j > i);
        copy_coefficient(&w->c, i, j);
        set_one(&w->c, j, signs[n >> 3] >> (n & 7) & 1);
    }
#if WHOLE
    mote_ml_dsa_ntt(w->c.coefficients);
#endif
}

/*
 * Algorithm 21 without its output: whether positions rise within each row, their counts do not
 * fall, and the rest is 0.
 */
static bool hint_is_valid(const mote_ml_dsa *set, const uint8_t *hint)
{
    uint8_t at = 0;
    for (uint8_t i = 0; i < set->k; i++) {
        const uint8_t end = hint[set->omega + i];
        if (end < at || end > set->omega)
            return false;
        for (uint8_t n = at; n < end; n++) {
            if (n > at && hint[n] <= hint[n - 1])
                return false;
        }
        at = end;
    }
    for (; at < set->omega; at++) {
        if (hint[at] != 0)
            return false;
    }
    return true;
}

static uint32_t load32(const uint8_t *p)
{
#if WHOLE
    uint32_t word;
    memcpy(&word, p, sizeof word); /* one instruction */
    return word;
#else
    return mote_load32le(p);
#endif
}

/*
 * A polynomial of z (algorithm 19), which has 32 z_bits bytes: false if a coefficient is too large
 * (algorithm 8, line 13).
 */
static bool unpack_z(int32_t *to, const mote_ml_dsa *set, const uint8_t *in)
{
    const uint8_t bits = set->z_bits;
    const int32_t gamma = INT32_C(1) << (bits - 1), most = gamma - set->beta;
    const uint32_t mask = (UINT32_C(1) << bits) - 1;
    uint8_t shift = 0; /* even, and with the bits of a coefficient at most 24 */
    bool fits = true;
    for (uint16_t i = 0; i < N; i++) {
        const int32_t z = gamma - (int32_t)(load32(in) >> shift & mask);
        shift = (uint8_t)(shift + bits);
        in += shift >> 3;
        shift &= 7;
        if (z <= -most || z >= most)
            fits = false;
        *to++ = z;
    }
    return fits;
}

/* A polynomial of t1 (algorithm 18), times 2^13. */
static void unpack_t1(int32_t *to, const uint8_t *in)
{
    for (uint8_t i = 0; i < N / 4; i++, in += 5, to += 4) {
        const uint32_t low = load32(in), high = load32(in + 1);
        to[0] = (int32_t)((low & 0x3ff) << DROPPED);
        to[1] = (int32_t)((low >> 10 & 0x3ff) << DROPPED);
        to[2] = (int32_t)((high >> 12 & 0x3ff) << DROPPED);
        to[3] = (int32_t)((high >> 22) << DROPPED);
    }
}

/* sum += an element of the matrix (algorithm 30) times `factor`. */
static __attribute__((noinline)) void
add_element(work *w, int32_t *sum, const uint8_t *seed, uint8_t line, uint8_t column)
{
    _Alignas(4) uint8_t some[MOTE_ML_DSA_SAMPLED];
    uint16_t n = 0;
    mote_sha3_start(&w->stream, MOTE_SHAKE128_RATE);
    mote_sha3_absorb(&w->stream, seed, SEED);
    some[0] = column;
    some[1] = line;
    mote_sha3_absorb(&w->stream, some, 2);
    mote_sha3_end(&w->stream, MOTE_SHAKE_SUFFIX);
    while (n < N) {
        mote_sha3_squeeze(&w->stream, some, MOTE_ML_DSA_SAMPLED);
        n = mote_ml_dsa_accumulate(sum, w->factor, some, n);
    }
}

#if !WHOLE
/* sum -= c times `factor`. */
static void subtract_product(work *w)
{
    int32_t *const sum = w->rows->sum;
    for (uint16_t i = 0; i < N; i++) {
        if (!is_set(w->c.nonzero, (uint8_t)i))
            continue;
        const bool negative = is_set(w->c.negative, (uint8_t)i);
        (negative ? mote_ml_dsa_add : mote_ml_dsa_subtract)(sum + i, w->factor, (uint16_t)(N - i));
        if (i > 0) /* x^256 is -1 */
            (negative ? mote_ml_dsa_subtract : mote_ml_dsa_add)(sum, w->factor + (N - i), i);
    }
}
#endif

/* The high bits of x in 0 to q - 1, corrected if there is a hint (algorithms 36 and 40). */
static inline __attribute__((always_inline)) uint8_t high_bits(int32_t x, uint8_t levels, bool hint)
{
    const int32_t width = levels == 44 ? (Q - 1) / 44 : (Q - 1) / 16; /* 2 gamma2 */
    /* x / width, rounded: exact for all x below q, as the tests see. */
    const int32_t some = (x + 127) >> 7;
    int32_t high = levels == 44 ? (some * 11275 + (INT32_C(1) << 23)) >> 24
                                : (some * 1025 + (INT32_C(1) << 21)) >> 22;
    const int32_t low = x - high * width;
    if (high == levels) /* then low is negative */
        high = 0;
    if (hint)
        high = low > 0 ? (high == levels - 1 ? 0 : high + 1) : high == 0 ? levels - 1 : high - 1;
    return (uint8_t)high;
}

/* From 0 to q - 1. */
static inline __attribute__((always_inline)) int32_t canonical(int32_t x)
{
    x = mote_ml_dsa_reduced(x);
    return x + (x < 0 ? Q : x >= Q ? -Q : 0);
}

/*
 * Encodes the high bits of a row (algorithm 28) into the hash; `hint`: its positions, `hints` of
 * them. A byte holds one coefficient first, in the end four or two.
 */
static void absorb_row(work *w, const mote_ml_dsa *set, const int32_t *sum, const uint8_t *hint,
                       uint8_t hints)
{
    uint8_t *const high = w->encoded;
    uint8_t *out = high;
    const uint8_t levels = set->levels;
    if (levels == 44) {
        for (uint16_t i = 0; i < N; i++)
            high[i] = high_bits(canonical(sum[i]), 44, false);
    } else {
        for (uint16_t i = 0; i < N; i++)
            high[i] = high_bits(canonical(sum[i]), 16, false);
    }
    for (; hints > 0; hints--, hint++)
        high[*hint] = high_bits(canonical(sum[*hint]), levels, true);
    for (const uint8_t *in = high; in < high + N; in += 4) {
        const uint32_t some = in[0] | (uint32_t)in[2] << (levels == 44 ? 12 : 8);
        const uint32_t more = in[1] | (uint32_t)in[3] << (levels == 44 ? 12 : 8);
        const uint32_t value = some | more << (levels == 44 ? 6 : 4);
        *out++ = (uint8_t)value;
        *out++ = (uint8_t)(value >> 8);
        if (levels == 44)
            *out++ = (uint8_t)(value >> 16);
    }
    mote_sha3_absorb(&w->commitment, high, (size_t)(out - high));
}

/*
 * sum += the column's elements times z's polynomial: of one line, or all if WHOLE. False if z is
 * too large.
 */
static bool add_column(work *w, const mote_ml_dsa *set, const uint8_t *key, const uint8_t *z,
                       uint8_t line, uint8_t column)
{
    if (!unpack_z(w->factor, set, z + column * (size_t)(N / 8 * set->z_bits)))
        return false;
    mote_ml_dsa_ntt(w->factor);
    for (uint8_t i = 0; i < (WHOLE ? set->k : 1); i++)
        add_element(w, w->rows[i].sum, key, (uint8_t)(line + i), column);
    return true;
}

/* A row of w'1 (algorithm 8, lines 9 and 10) out of the sum of its elements. */
static void finish_row(work *w, int32_t *sum, const uint8_t *t1)
{
#if WHOLE
    unpack_t1(w->factor, t1);
    mote_ml_dsa_ntt(w->factor);
    mote_ml_dsa_subtract_product(sum, w->factor, w->c.coefficients);
    mote_ml_dsa_ntt_inverse(sum);
#else
    mote_ml_dsa_ntt_inverse(sum);
    unpack_t1(w->factor, t1);
    subtract_product(w);
#endif
}

static __attribute__((noinline)) uint8_t verify(work *w, const mote_ml_dsa *set, const uint8_t *key,
                                                const mote_ml_dsa_message *message,
                                                const uint8_t *signature)
{
    uint8_t from = 0;
    const uint8_t *z = signature + set->challenge_len;
    const uint8_t *hint = signature + set->signature_len - set->omega - set->k;
    const uint8_t lines = WHOLE ? set->k : 1; /* that are summed up at once */
    if (!hint_is_valid(set, hint))
        return 1;
    begin(w, set, key, message);
    sample_challenge(w, set, signature);
    for (uint8_t line = 0; line < set->k; line++) {
        row *const at = w->rows + line % lines;
        if (line % lines == 0) {
            mote_wipe_words(w->rows, lines * sizeof(row));
            for (uint8_t column = 0; column < set->l; column++) {
                if (!add_column(w, set, key, z, line, column))
                    return 1;
            }
        }
        finish_row(w, at->sum, key + SEED + line * (size_t)T1_BYTES);
        const uint8_t end = hint[set->omega + line];
        absorb_row(w, set, at->sum, hint + from, (uint8_t)(end - from));
        from = end;
    }
    squeeze(&w->commitment, w->rows->digest, set->challenge_len);
    return memcmp(w->rows->digest, signature, set->challenge_len) != 0;
}

/* Verification with memory for so many rows. */
#define WITH_ROWS(count)                                                                \
    static __attribute__((noinline)) uint8_t verify_##count(                            \
        const mote_ml_dsa *set, const uint8_t *key, const mote_ml_dsa_message *message, \
        const uint8_t *signature)                                                       \
    {                                                                                   \
        row rows[count];                                                                \
        work w;                                                                         \
        w.rows = rows;                                                                  \
        return verify(&w, set, key, message, signature);                                \
    }

#if WHOLE
WITH_ROWS(4)
WITH_ROWS(6)
WITH_ROWS(8)
#else
WITH_ROWS(1)
#endif

uint8_t mote_ml_dsa_verify(const mote_ml_dsa *set, const uint8_t *key,
                           const mote_ml_dsa_message *message, const uint8_t *signature)
{
#if WHOLE
    return (set->k == 4   ? verify_4
            : set->k == 6 ? verify_6
                          : verify_8)(set, key, message, signature);
#else
    return verify_1(set, key, message, signature);
#endif
}
