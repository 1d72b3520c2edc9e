/*
 * ML-DSA verification in little memory (FIPS 204, algorithms 3, 5 and 8): two polynomials of 1 KiB,
 * two states of SHA-3.
 *
 * Row by row: the matrix comes out of SHAKE128 24 bytes at a time and is multiplied at once; the
 * polynomials of z are unpacked and transformed again for each row; the challenge is 64 bytes of
 * flags, and its product with t1 is a few dozen additions of t1, moved, which no transform is
 * faster than; the hint is read in the signature; the high bits of a row are hashed as they come.
 * All of it is public, so time may depend on it.
 */
#include "mote/ml_dsa.h"

#include <stdbool.h>
#include <string.h>

#include "mote/sha3.h"
#include "ring.h"

#define Q MOTE_ML_DSA_Q
enum { N = MOTE_ML_DSA_N, SEED = 32, CRH = 64, DROPPED = 13, T1_BYTES = 320, ENCODED = 24 };

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

/* A polynomial with coefficients of -1, 0 and 1. */
typedef struct challenge { uint8_t nonzero[N / 8], negative[N / 8]; } challenge;

typedef struct work {
    union {
        int32_t sum[N];
        uint8_t digest[CRH]; /* before and after all sums */
    };
    union {
        int32_t factor[N];
        uint64_t hash[MOTE_ML_DSA_HASH_STATE / 8]; /* before all factors */
        uint8_t encoded[ENCODED];                  /* after those of a row */
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
    m->hash->finish(w->hash, w->digest);
    mote_sha3_absorb(s, w->digest, m->hash->digest_len);
}

/* Algorithm 8, lines 6 and 7; mu is the beginning of what the commitment's hash takes. */
static __attribute__((noinline)) void
begin(work *w, const mote_ml_dsa *set, const uint8_t *key, const mote_ml_dsa_message *message)
{
    shake256(&w->stream);
    mote_sha3_absorb(&w->stream, key, set->key_len);
    squeeze(&w->stream, w->digest, CRH);
    shake256(&w->stream);
    mote_sha3_absorb(&w->stream, w->digest, CRH);
    absorb_message(w, message);
    squeeze(&w->stream, w->digest, CRH);
    shake256(&w->commitment);
    mote_sha3_absorb(&w->commitment, w->digest, CRH);
}

static bool is_set(const uint8_t *flags, uint8_t i)
{
    return flags[i >> 3] >> (i & 7) & 1;
}

static void set_flag(uint8_t *flags, uint8_t i, bool on)
{
    const uint8_t bit = (uint8_t)(1u << (i & 7));
    flags[i >> 3] = (uint8_t)(on ? flags[i >> 3] | bit : flags[i >> 3] & ~bit);
}

/* Algorithm 29. */
static __attribute__((noinline)) void
sample_challenge(work *w, const mote_ml_dsa *set, const uint8_t *seed)
{
    uint8_t signs[8], j;
    memset(&w->c, 0, sizeof w->c);
    shake256(&w->stream);
    mote_sha3_absorb(&w->stream, seed, set->challenge_len);
    squeeze(&w->stream, signs, sizeof signs);
    for (uint8_t n = 0; n < set->tau; n++) {
        const uint8_t i = (uint8_t)(N - set->tau + n);
        do
            mote_sha3_squeeze(&w->stream, &j, 1);
        while (j > i);
        set_flag(w->c.nonzero, i, is_set(w->c.nonzero, j));
        set_flag(w->c.negative, i, is_set(w->c.negative, j));
        set_flag(w->c.nonzero, j, true);
        set_flag(w->c.negative, j, is_set(signs, n));
    }
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

static uint32_t load24(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
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
        const int32_t z = gamma - (int32_t)(load24(in) >> shift & mask);
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
        const uint32_t low = load24(in), high = load24(in + 2);
        to[0] = (int32_t)((low & 0x3ff) << DROPPED);
        to[1] = (int32_t)((low >> 10 & 0x3ff) << DROPPED);
        to[2] = (int32_t)((high >> 4 & 0x3ff) << DROPPED);
        to[3] = (int32_t)((high >> 14) << DROPPED);
    }
}

/* sum += a row of the matrix (algorithm 30 for its element) times `factor`. */
static __attribute__((noinline)) void
add_element(work *w, const uint8_t *seed, uint8_t row, uint8_t column)
{
    uint8_t some[MOTE_ML_DSA_SAMPLED] = {column, row};
    uint16_t n = 0;
    mote_sha3_start(&w->stream, MOTE_SHAKE128_RATE);
    mote_sha3_absorb(&w->stream, seed, SEED);
    mote_sha3_absorb(&w->stream, some, 2);
    mote_sha3_end(&w->stream, MOTE_SHAKE_SUFFIX);
    while (n < N) {
        mote_sha3_squeeze(&w->stream, some, sizeof some);
        n = mote_ml_dsa_accumulate(w->sum, w->factor, some, n);
    }
}

/* sum -= c times `factor`. */
static void subtract_product(work *w)
{
    for (uint16_t i = 0; i < N; i++) {
        if (!is_set(w->c.nonzero, (uint8_t)i))
            continue;
        const bool negative = is_set(w->c.negative, (uint8_t)i);
        (negative ? mote_ml_dsa_add
                  : mote_ml_dsa_subtract)(w->sum + i, w->factor, (uint16_t)(N - i));
        if (i > 0) /* x^256 is -1 */
            (negative ? mote_ml_dsa_subtract : mote_ml_dsa_add)(w->sum, w->factor + (N - i), i);
    }
}

/* The high bits of x in 0 to q - 1, corrected if there is a hint (algorithms 36 and 40). */
static uint8_t high_bits(int32_t x, uint8_t levels, bool hint)
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

/*
 * Encodes the high bits of a row (algorithm 28) into the hash; `hint`: its positions, `hints` of
 * them.
 */
static void absorb_row(work *w, const mote_ml_dsa *set, const uint8_t *hint, uint8_t hints)
{
    const uint8_t bits = set->levels == 44 ? 6 : 4;
    uint8_t *const out = w->encoded, len = 0, held = 0;
    uint32_t value = 0;
    for (uint16_t i = 0; i < N; i++) {
        int32_t x = mote_ml_dsa_reduced(w->sum[i]);
        x += x < 0 ? Q : x >= Q ? -Q : 0;
        const bool hinted = hints > 0 && *hint == i;
        if (hinted) {
            hint++;
            hints--;
        }
        value |= (uint32_t)high_bits(x, set->levels, hinted) << held;
        held = (uint8_t)(held + bits);
        if (held == 24) { /* 4 or 6 coefficients */
            out[len++] = (uint8_t)value;
            out[len++] = (uint8_t)(value >> 8);
            out[len++] = (uint8_t)(value >> 16);
            value = held = 0;
        }
        if (len == ENCODED) {
            mote_sha3_absorb(&w->commitment, out, len);
            len = 0;
        }
    }
    for (; held > 0; held = (uint8_t)(held - 8), value >>= 8)
        out[len++] = (uint8_t)value;
    mote_sha3_absorb(&w->commitment, out, len);
}

/* A row of w'1 (algorithm 8, lines 9 and 10): false if z is too large. */
static bool do_row(work *w, const mote_ml_dsa *set, const uint8_t *key, const uint8_t *z,
                   uint8_t row)
{
    const uint16_t z_bytes = (uint16_t)(N / 8 * set->z_bits);
    memset(w->sum, 0, sizeof w->sum);
    for (uint8_t column = 0; column < set->l; column++, z += z_bytes) {
        if (!unpack_z(w->factor, set, z))
            return false;
        mote_ml_dsa_ntt(w->factor);
        add_element(w, key, row, column);
    }
    mote_ml_dsa_ntt_inverse(w->sum);
    unpack_t1(w->factor, key + SEED + row * (uint16_t)T1_BYTES);
    subtract_product(w);
    return true;
}

uint8_t mote_ml_dsa_verify(const mote_ml_dsa *set, const uint8_t *key,
                           const mote_ml_dsa_message *message, const uint8_t *signature)
{
    work w;
    uint8_t from = 0;
    const uint8_t *z = signature + set->challenge_len;
    const uint8_t *hint = signature + set->signature_len - set->omega - set->k;
    if (!hint_is_valid(set, hint))
        return 1;
    begin(&w, set, key, message);
    sample_challenge(&w, set, signature);
    for (uint8_t row = 0; row < set->k; row++) {
        const uint8_t end = hint[set->omega + row];
        if (!do_row(&w, set, key, z, row))
            return 1;
        absorb_row(&w, set, hint + from, (uint8_t)(end - from));
        from = end;
    }
    squeeze(&w.commitment, w.digest, set->challenge_len);
    return memcmp(w.digest, signature, set->challenge_len) != 0;
}
