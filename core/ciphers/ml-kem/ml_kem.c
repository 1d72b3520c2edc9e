/*
 * ML-KEM in little memory: k + 1 polynomials of 512 bytes, or two, and no second ciphertext. With
 * two, the secret vector is made again for each row of the matrix.
 *
 * FIPS 203. The matrix is never in memory: coefficients are multiplied and added as they are
 * sampled. Noise, keys and ciphertexts are read and written in pieces too; decapsulation compares
 * the ciphertext while it makes it again.
 *
 * Constant time: neither a branch nor an address depends on a secret. The matrix and public keys
 * are public, and may. There is no division: quotients by q come from a multiplication.
 */
#include "mote/ml_kem.h"
#include "mote/bytes.h"

#include <string.h>

#include "ml_kem_coding.h"
#include "ml_kem_ring.h"
#include "mote/assembly.h"
#include "mote/cipher.h"
#include "mote/public.h"
#include "mote/sha3.h"

enum {
    Q = MOTE_ML_KEM_Q,
    N = MOTE_ML_KEM_N,
    FEW = MOTE_ML_KEM_FEW,
    SYM = 32,         /* bytes of seeds, hashes, messages and secrets */
    POLYNOMIAL = 384, /* bytes of an encoded one */
    ETA2 = 2,
    PIECE = MOTE_ASSEMBLY_ARMV7M ? MOTE_SHAKE128_RATE : 24, /* bytes of output of a hash: lanes */
    NOISE = MOTE_ASSEMBLY_ARMV7M ? 32 : 8 /* the same for noise, times eta; 4 coefficients each */
};

typedef int16_t polynomial[N];

/* A parameter set (section 8) and the memory to work in. */
typedef struct work {
    mote_sha3 hash;
    uint8_t piece[PIECE];
    int16_t few[FEW + 2]; /* behind the piece; one may be left over, and one does not count */
    uint8_t k, eta1, du, dv;
    uint8_t kept; /* polynomials of the vector: k or 1 */
    polynomial *vector;
    int16_t *sum;
} work;

/* Bytes of a ciphertext that are written, or compared with it. */
typedef struct sink {
    uint8_t *out; /* NULL: compare */
    const uint8_t *compare;
    uint8_t differs;
} sink;

static void begin(work *w, uint8_t rate)
{
    mote_sha3_start(&w->hash, rate);
}

static void take(work *w, const uint8_t *in, size_t len)
{
    mote_sha3_absorb(&w->hash, in, len);
}

static void give(work *w, uint8_t suffix, uint8_t *out, size_t len)
{
    mote_sha3_end(&w->hash, suffix);
    mote_sha3_squeeze(&w->hash, out, len);
}

/* H */
static void hash_of(work *w, const uint8_t *in, size_t len, uint8_t out[SYM])
{
    begin(w, MOTE_SHA3_256_RATE);
    take(w, in, len);
    give(w, MOTE_SHA3_SUFFIX, out, SYM);
}

/* G of a string of 32 bytes and another one; its two halves. */
static void two_of(work *w, const uint8_t a[SYM], const uint8_t *b, size_t len, uint8_t first[SYM],
                   uint8_t second[SYM])
{
    begin(w, MOTE_SHA3_512_RATE);
    take(w, a, SYM);
    take(w, b, len);
    give(w, MOTE_SHA3_SUFFIX, first, SYM);
    mote_sha3_squeeze(&w->hash, second, SYM);
}

/*
 * sum += A b, with the polynomial A of the matrix that these two bytes choose (algorithm 7).
 * Public.
 */
static void add_matrix(work *w, const uint8_t rho[SYM], uint8_t first, uint8_t second,
                       const int16_t *b)
{
    const uint8_t place[2] = {first, second};
    int16_t *to = w->few, *const end = w->few + FEW;
    uint16_t at = 0;
    begin(w, MOTE_SHAKE128_RATE);
    take(w, rho, SYM);
    take(w, place, sizeof place);
    mote_sha3_end(&w->hash, MOTE_SHAKE_SUFFIX);
    for (;;) {
        mote_sha3_squeeze(&w->hash, w->piece, PIECE);
        const uint8_t *in = w->piece;
        while ((in = mote_ml_kem_sample(&to, end, in, w->piece + PIECE)) != NULL) {
            mote_ml_kem_multiply_add(w->sum, b, w->few, at);
            at = (uint16_t)(at + FEW);
            if (at == N)
                return;
            w->few[0] = *end;
            to -= FEW;
        }
    }
}

/* sum += a b, with `a` encoded in 12 bits for each coefficient. */
static void add_encoded(work *w, const uint8_t *a, const int16_t *b)
{
    for (uint16_t at = 0; at < N; at = (uint16_t)(at + FEW)) {
        a = mote_ml_kem_decode(w->few, a);
        mote_ml_kem_multiply_add(w->sum, b, w->few, at);
    }
}

/* p += noise * factor (algorithm 8, of the PRF of section 4.1): coefficients from -eta to eta. */
static void add_noise(work *w, const uint8_t seed[SYM], uint8_t nonce, uint8_t eta, int16_t factor,
                      int16_t *p)
{
    const uint8_t len = (uint8_t)(NOISE * eta);
    begin(w, MOTE_SHAKE256_RATE);
    take(w, seed, SYM);
    take(w, &nonce, 1);
    mote_sha3_end(&w->hash, MOTE_SHAKE_SUFFIX);
    for (const int16_t *end = p + N; p < end; p += 4 * NOISE) {
        mote_sha3_squeeze(&w->hash, w->piece, len);
        mote_ml_kem_add_noise(p, w->piece, len, eta, factor);
    }
}

/* From -q..2 q to 0..q - 1. */
static uint16_t canonical(int16_t a)
{
    a = (int16_t)(a - Q);
    a = (int16_t)(a + (a >> 15 & Q));
    return (uint16_t)(a + (a >> 15 & Q));
}

/* a factor R^-1 modulo q, from 0 to q - 1; a is at most 32,245. */
static uint16_t scaled(int16_t a, int16_t factor)
{
#ifdef __AVR__
    /* GCC's library multiplies signed numbers with branches on their signs. */
    const uint16_t times = (uint16_t)(factor + (factor >> 15 & Q));
    const uint32_t t = (uint32_t)(uint16_t)(a + 10u * Q) * times;
    const uint16_t k = (uint16_t)((uint16_t)t * 3327u); /* -q^-1 modulo 2^16 */
    return canonical((int16_t)((t + (uint32_t)k * (uint16_t)Q) >> 16));
#else
    return canonical(mote_ml_kem_reduce((int32_t)a * factor));
#endif
}

/* Algorithm 5 for 12 bits; `factor` R keeps the coefficients, 1 divides them by R. */
static void encode(uint8_t *out, const int16_t *p, int16_t factor)
{
    for (const int16_t *end = p + N; p < end; p += 2, out += 3) {
        const uint16_t a = scaled(p[0], factor);
        const uint16_t b = scaled(p[1], factor);
        out[0] = (uint8_t)a;
        out[1] = (uint8_t)(a >> 8 | b << 4);
        out[2] = (uint8_t)(b >> 4);
    }
}

/* Compresses the polynomial, and writes or compares it. */
static void put(sink *s, const int16_t *p, uint8_t d)
{
    const size_t len = (size_t)N / 8 * d;
    if (s->out != NULL) {
        (void)mote_ml_kem_put(s->out, NULL, p, d);
        s->out += len;
    } else {
        s->differs |= mote_ml_kem_put(NULL, s->compare, p, d);
        s->compare += len;
    }
}

static void zero(int16_t *p)
{
    mote_wipe_words(p, sizeof(polynomial));
}

/* Polynomial j of the secret vector, transformed and times the factor. */
static int16_t *make_secret(work *w, const uint8_t seed[SYM], uint8_t j, int16_t factor)
{
    int16_t *const p = w->vector[w->kept == 1 ? 0 : j];
    zero(p);
    add_noise(w, seed, j, w->eta1, factor, p);
    mote_ml_kem_ntt(p);
    return p;
}

/* The same, after all were made. */
static const int16_t *secret_at(work *w, const uint8_t seed[SYM], uint8_t j, int16_t factor)
{
    return w->kept == 1 ? make_secret(w, seed, j, factor) : w->vector[j];
}

/* Algorithms 13 and 16. The vector holds s R. */
static void keygen(work *w, uint8_t *public_key, uint8_t *private_key, const uint8_t seed[2 * SYM])
{
    uint8_t sigma[SYM];
    const uint8_t k = w->k;
    uint8_t *const rho = public_key + k * POLYNOMIAL;
    two_of(w, seed, &k, 1, rho, sigma);
    MOTE_PUBLIC_BYTES(rho, SYM); /* a part of the public key (FIPS 203, algorithm 13) */
    for (uint8_t i = 0; i < k; i++, private_key += POLYNOMIAL)
        encode(private_key, make_secret(w, sigma, i, MOTE_ML_KEM_R), 1);
    for (uint8_t i = 0; i < k; i++) {
        zero(w->sum);
        add_noise(w, sigma, (uint8_t)(k + i), w->eta1, 1, w->sum);
        mote_ml_kem_ntt(w->sum);
        for (uint8_t j = 0; j < k; j++)
            add_matrix(w, rho, j, i, secret_at(w, sigma, j, MOTE_ML_KEM_R));
        encode(public_key + i * POLYNOMIAL, w->sum, MOTE_ML_KEM_R);
    }
    const size_t len = (size_t)k * POLYNOMIAL + SYM;
    memcpy(private_key, public_key, len);
    hash_of(w, public_key, len, private_key + len);
    memcpy(private_key + len + SYM, seed + SYM, SYM);
    mote_wipe(sigma, sizeof sigma);
}

/* p += the message, decompressed from one bit for each coefficient. */
static void add_message(int16_t *p, const uint8_t message[SYM])
{
    for (const uint8_t *end = message + SYM; message < end; message++) {
        uint8_t bits = *message;
        for (uint8_t i = 0; i < 8; i++, bits >>= 1, p++)
            *p = (int16_t)(*p + (-(uint8_t)mote_hidden(bits & 1) & (Q + 1) / 2));
    }
}

/* Algorithm 14, of the message and the public key. */
static void encrypt(work *w, sink *s, const uint8_t *public_key, const uint8_t message[SYM],
                    const uint8_t coins[SYM])
{
    const uint8_t k = w->k;
    const uint8_t *const rho = public_key + k * POLYNOMIAL;
    for (uint8_t i = 0; i < w->kept && w->kept > 1; i++)
        make_secret(w, coins, i, 1);
    for (uint8_t i = 0; i < k; i++) {
        zero(w->sum);
        for (uint8_t j = 0; j < k; j++)
            add_matrix(w, rho, i, j, secret_at(w, coins, j, 1));
        mote_ml_kem_inverse(w->sum);
        add_noise(w, coins, (uint8_t)(k + i), ETA2, 1, w->sum);
        put(s, w->sum, w->du);
    }
    zero(w->sum);
    for (uint8_t j = 0; j < k; j++, public_key += POLYNOMIAL)
        add_encoded(w, public_key, secret_at(w, coins, j, 1));
    mote_ml_kem_inverse(w->sum);
    add_noise(w, coins, (uint8_t)(2 * k), ETA2, 1, w->sum);
    add_message(w->sum, message);
    put(s, w->sum, w->dv);
}

/* Algorithm 15. */
static void decrypt(work *w, uint8_t message[SYM], const uint8_t *ciphertext,
                    const uint8_t *private_key)
{
    int16_t *const p = w->vector[0];
    zero(w->sum);
    for (uint8_t j = 0; j < w->k; j++, private_key += POLYNOMIAL) {
        mote_ml_kem_get(p, ciphertext, w->du);
        ciphertext += N / 8 * w->du;
        mote_ml_kem_ntt(p);
        add_encoded(w, private_key, p);
    }
    mote_ml_kem_inverse(w->sum);
    mote_ml_kem_get(p, ciphertext, w->dv);
    memset(message, 0, SYM);
    for (uint16_t i = 0; i < N; i++) {
        const uint_fast16_t bit = mote_ml_kem_compress((int16_t)(p[i] - w->sum[i]), 1);
        message[i >> 3] = (uint8_t)(message[i >> 3] >> 1 | bit << 7);
    }
}

/* 1: the key has coefficients that are too large. */
static uint8_t has_large(const uint8_t *key, size_t len)
{
    int16_t largest = 0;
    for (const uint8_t *end = key + len; key < end;) {
        int16_t few[FEW];
        key = mote_ml_kem_decode(few, key);
        for (uint8_t i = 0; i < FEW; i++)
            largest = few[i] > largest ? few[i] : largest;
    }
    return largest >= Q;
}

/* Algorithms 17 and 20. */
static uint8_t encapsulate(work *w, uint8_t *ciphertext, uint8_t secret[SYM],
                           const uint8_t *public_key, const uint8_t message[SYM])
{
    const size_t len = (size_t)w->k * POLYNOMIAL;
    uint8_t coins[SYM];
    sink s = {.out = ciphertext};
    if (has_large(public_key, len))
        return 1;
    hash_of(w, public_key, len + SYM, coins);
    two_of(w, message, coins, SYM, secret, coins);
    encrypt(w, &s, public_key, message, coins);
    mote_wipe(coins, sizeof coins);
    return 0;
}

/* Algorithms 18 and 21. */
static uint8_t decapsulate(work *w, uint8_t secret[SYM], const uint8_t *ciphertext,
                           const uint8_t *private_key)
{
    const size_t len = (size_t)w->k * POLYNOMIAL;
    const uint8_t *const public_key = private_key + len, *const hash = public_key + len + SYM;
    uint8_t message[SYM], coins[SYM];
    sink s = {.compare = ciphertext};
    hash_of(w, public_key, len + SYM, coins);
    if (mote_differs(coins, hash, SYM))
        return 1;
    decrypt(w, message, ciphertext, private_key);
    two_of(w, message, hash, SYM, secret, coins);
    encrypt(w, &s, public_key, message, coins);
    begin(w, MOTE_SHAKE256_RATE);
    take(w, hash + SYM, SYM);
    take(w, ciphertext, SYM * (size_t)(w->k * w->du + w->dv));
    give(w, MOTE_SHAKE_SUFFIX, coins, SYM);
    const uint8_t wrong = (uint8_t)-(uint8_t)((uint16_t)(s.differs + 255u) >> 8);
    for (uint8_t i = 0; i < SYM; i++)
        secret[i] = (uint8_t)(secret[i] ^ (wrong & (secret[i] ^ coins[i])));
    mote_wipe(message, sizeof message);
    mote_wipe(coins, sizeof coins);
    return 0;
}

/* Each set with as much stack as it needs. */
#define SET(level, kept_, k_, eta1_, du_, dv_)                                                   \
    typedef struct memory_##level {                                                              \
        work w;                                                                                  \
        polynomial vector[kept_], sum;                                                           \
    } memory_##level;                                                                            \
                                                                                                 \
    static work *work_##level(memory_##level *m)                                                 \
    {                                                                                            \
        m->w.k = k_;                                                                             \
        m->w.eta1 = eta1_;                                                                       \
        m->w.du = du_;                                                                           \
        m->w.dv = dv_;                                                                           \
        m->w.kept = kept_;                                                                       \
        m->w.vector = m->vector;                                                                 \
        m->w.sum = m->sum;                                                                       \
        return &m->w;                                                                            \
    }                                                                                            \
                                                                                                 \
    int mote_ml_kem_##level##_keygen(                                                            \
        uint8_t *public_key, uint8_t *private_key, const uint8_t seed[2 * SYM])                  \
    {                                                                                            \
        memory_##level m;                                                                        \
        keygen(work_##level(&m), public_key, private_key, seed);                                 \
        mote_wipe_words(&m, sizeof m);                                                           \
        return 0;                                                                                \
    }                                                                                            \
                                                                                                 \
    int mote_ml_kem_##level##_encapsulate(uint8_t *ciphertext, uint8_t secret[SYM],              \
                                          const uint8_t *public_key, const uint8_t coins[SYM])   \
    {                                                                                            \
        memory_##level m;                                                                        \
        const uint8_t rejected =                                                                 \
            encapsulate(work_##level(&m), ciphertext, secret, public_key, coins);                \
        mote_wipe_words(&m, sizeof m);                                                           \
        return rejected;                                                                         \
    }                                                                                            \
                                                                                                 \
    int mote_ml_kem_##level##_decapsulate(                                                       \
        uint8_t secret[SYM], const uint8_t *ciphertext, const uint8_t *private_key)              \
    {                                                                                            \
        memory_##level m;                                                                        \
        const uint8_t rejected = decapsulate(work_##level(&m), secret, ciphertext, private_key); \
        mote_wipe_words(&m, sizeof m);                                                           \
        return rejected;                                                                         \
    }

SET(512, 2, 2, 3, 10, 4)
SET(768, 3, 3, 2, 10, 4)
SET(1024, 4, 4, 2, 11, 5)
SET(small_512, 1, 2, 3, 10, 4)
SET(small_768, 1, 3, 2, 10, 4)
SET(small_1024, 1, 4, 2, 11, 5)
