/*
 * P-256 in the least code: key agreement, ECDSA and keys (FIPS 186-5, SP 800-56A, RFC 6979).
 *
 * Everything but hashing is programs of two bytes a step, whose steps and addresses are public. The
 * sum of points is complete, so no point and no scalar is special. One loop over the bits of a
 * number makes multiples, powers and Montgomery's factor. Keys, nonces and signatures are made in
 * constant time; a verification makes two multiples, one after the other.
 */
#include <stdbool.h>
#include <string.h>

#include "mote/cipher.h"
#include "mote/public.h"
#include "mote/small_curves.h"
#include "numbers.h"

extern const mote_implementation mote_sha_256_small;

#define INVERSE_N 0xee00bc4f /* -1 / n modulo 2^32; that of p is 1 */

/* p, n, and the base point with Montgomery's factor. */
enum { PRIME, ORDER, BASE_X, BASE_Y };
static const uint8_t MOTE_FLASH constants[][32] = {
    {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
     0xff, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
     0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff},
    {0x51, 0x25, 0x63, 0xfc, 0xc2, 0xca, 0xb9, 0xf3, 0x84, 0x9e, 0x17,
     0xa7, 0xad, 0xfa, 0xe6, 0xbc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
     0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff},
    {0x3c, 0x14, 0xa9, 0x18, 0xd4, 0x30, 0xe7, 0x79, 0x01, 0xb6, 0xed,
     0x5f, 0xfc, 0x95, 0xba, 0x75, 0x10, 0x25, 0x62, 0x77, 0x2b, 0x73,
     0xfb, 0x79, 0xc6, 0x55, 0x37, 0xa5, 0x76, 0x5f, 0x90, 0x18},
    {0x0a, 0x56, 0x95, 0xce, 0x57, 0x53, 0xf2, 0xdd, 0x5c, 0xe4, 0x19,
     0xba, 0xe4, 0xb8, 0x4a, 0x8b, 0x25, 0xf3, 0x21, 0xdd, 0x88, 0x86,
     0xe8, 0xd2, 0x85, 0x5d, 0x88, 0x25, 0x18, 0xff, 0x71, 0x85}};

/*
 * Numbers of the machine: a point X / Z, Y / Z and the one that is added to it; b; what a sum
 * needs; 1 with Montgomery's factor; a point or two scalars; a factor or exponent. Only MOVE
 * reaches the saved ones.
 */
enum { X, Y, Z, X2, Y2, Z2, CB, A, B, C, D, E, ONE, PX, PY, K };
enum { SAVED = 16, SAVED_2, SAVED_3, SAVED_4, NUMBERS };

/* Inputs of LOAD: a private key twice, nonce and private key, or s and r; and what is public. */
enum { IN_K, IN_OTHER, IN_DIGEST, IN_X, IN_Y, INPUTS };

/*
 * Steps beside MOTE_MUL, MOTE_ADD and MOTE_SUB. With CHECKED, everything is wrong unless a - b is
 * negative or a + b below the modulus.
 */
enum {
    OP_CALL,
    OP_MUL,
    OP_ADD,
    OP_SUB,
    OP_SELECT,
    OP_LOAD,
    OP_CONSTANT,
    OP_SET,
    OP_MODULUS,
    OP_MOVE,
    OP_REPEAT = 12,
    OP_CHECKED = 8
};
#define STEP(operation, r, rest) ((operation) << 12 | (r) << 8 | (rest))
#define CHECKED STEP(OP_CHECKED, 0, 0)
/* r = a + b if the bit of K is 1, else a. */
#define SELECT(r, a, b) STEP(OP_SELECT, r, (a) << 4 | (b))
#define LOAD(r, input) STEP(OP_LOAD, r, input)
#define CONSTANT(r, which) STEP(OP_CONSTANT, r, which)
#define SET(r, number) STEP(OP_SET, r, number)
#define MODULUS(which) STEP(OP_MODULUS, 0, which)
#define MOVE(r, a) STEP(OP_MOVE, 0, (r) << 6 | (a))
/* The steps before this one for each bit of K, the highest first. */
#define REPEAT(steps) STEP(OP_REPEAT, 0, (steps) + 1)
#define CALL(program) (program)
#define RETURN 0

/* Places in the code where programs begin. Without RETURN they run on into the next one. */
enum {
    SIGN = 0,                /* r = X, s = Y */
    SUM = SIGN + 15,         /* of both points */
    SCALARS = SUM + 44,      /* two, each from 1 to n - 1 */
    CONVERT = SCALARS + 8,   /* ONE, PX and PY get the factor */
    INVERT = CONVERT + 6,    /* A = 1 / Z, or 0 */
    POWER = INVERT + 3,      /* A = Z^K */
    DIVIDE = POWER + 7,      /* A = 1 / the first scalar, SAVED = the digest by it */
    EQUATION = DIVIDE + 7,   /* B = PY^2 - PX^3 + 3 PX */
    CURVE = EQUATION + 8,    /* to the field; the base point, and b, which it gives */
    CHECK_POINT = CURVE + 7, /* whether b is what PX and PY give */
    TIMES = CHECK_POINT + 5, /* K times the point */
    PUBLIC = TIMES + 16,     /* X, Y of the private key's point */
    AGREE_ON = PUBLIC + 2,   /* X, Y of the common point */
    TIMES_K = AGREE_ON + 1,
    AFFINE = TIMES_K + 2, /* X / Z, Y / Z without the factor; 0 at infinity. B = 1 */
    AGREE = AFFINE + 6,   /* until the peer's point is read */
    READ_POINT = AGREE + 1,
    ROOT = READ_POINT + 8, /* PY of PX and its lowest bit, C */
    VERIFY = ROOT + 16,    /* until the public key is read */
    VERIFY_ON = VERIFY + 6,
    HASHED = VERIFY_ON + 22, /* X = the digest as a number, if the key is one */
};
/* A paragraph is a program. */
/* clang-format off */
static const uint16_t MOTE_FLASH code[] = {
    /* s = digest / k + r (private key / k). */
    [SIGN] = CALL(DIVIDE), MOTE_MUL(C, A, PY), MOVE(SAVED_2, C), CALL(CURVE), CALL(TIMES_K),
        MODULUS(ORDER), SET(A, 0), MOTE_ADD(X, X, A), CHECKED | MOTE_SUB(B, A, X), MOVE(C, SAVED_2),
        MOTE_MUL(Y, X, C), MOVE(B, SAVED), MOTE_ADD(Y, Y, B), CHECKED | MOTE_SUB(B, A, Y), RETURN,
    /* Renes, Costello, Batina, Complete addition formulas, 2016, algorithm 4. */
    [SUM] = MOTE_MUL(A, X, X2), MOTE_MUL(B, Y, Y2), MOTE_MUL(C, Z, Z2), MOTE_ADD(D, X, Y),
        MOTE_ADD(E, X2, Y2), MOTE_MUL(D, D, E), MOTE_ADD(E, A, B), MOTE_SUB(D, D, E),
        MOTE_ADD(E, Y, Z), MOTE_ADD(Y, Y2, Z2), MOTE_MUL(E, E, Y), MOTE_ADD(Y, B, C),
        MOTE_SUB(E, E, Y), MOTE_ADD(X, X, Z), MOTE_ADD(Y, X2, Z2), MOTE_MUL(X, X, Y),
        MOTE_ADD(Y, A, C), MOTE_SUB(Y, X, Y), MOTE_MUL(Z, CB, C), MOTE_SUB(X, Y, Z),
        MOTE_ADD(Z, X, X), MOTE_ADD(X, X, Z), MOTE_SUB(Z, B, X), MOTE_ADD(X, B, X),
        MOTE_MUL(Y, CB, Y), MOTE_ADD(B, C, C), MOTE_ADD(C, B, C), MOTE_SUB(Y, Y, C),
        MOTE_SUB(Y, Y, A), MOTE_ADD(B, Y, Y), MOTE_ADD(Y, B, Y), MOTE_ADD(B, A, A),
        MOTE_ADD(A, B, A), MOTE_SUB(A, A, C), MOTE_MUL(B, E, Y), MOTE_MUL(C, A, Y),
        MOTE_MUL(Y, X, Z), MOTE_ADD(Y, Y, C), MOTE_MUL(X, D, X), MOTE_SUB(X, X, B),
        MOTE_MUL(Z, E, Z), MOTE_MUL(B, D, A), MOTE_ADD(Z, Z, B), RETURN,
    [SCALARS] = MODULUS(ORDER), LOAD(PX, IN_K), LOAD(PY, IN_OTHER), SET(A, 0),
        CHECKED | MOTE_ADD(PX, PX, A), CHECKED | MOTE_SUB(B, A, PX), CHECKED | MOTE_ADD(PY, PY, A),
        CHECKED | MOTE_SUB(B, A, PY),
    [CONVERT] = SET(ONE, 1), MOTE_ADD(ONE, ONE, ONE), MOTE_ADD(PX, PX, PX), MOTE_ADD(PY, PY, PY),
        REPEAT(3), RETURN,
    /* The exponent is the modulus less 2. */
    [INVERT] = SET(A, 0), SET(K, 2), MOTE_SUB(K, A, K),
    [POWER] = MOTE_SUB(D, Z, ONE), MOVE(A, ONE), MOTE_MUL(A, A, A), SELECT(E, ONE, D),
        MOTE_MUL(A, A, E), REPEAT(3), RETURN,
    [DIVIDE] = CALL(SCALARS), MOVE(Z, PX), CALL(INVERT), LOAD(B, IN_DIGEST), MOTE_MUL(B, A, B),
        MOVE(SAVED, B), RETURN,
    [EQUATION] = MOTE_MUL(A, PX, PX), MOTE_MUL(A, A, PX), MOTE_SUB(A, A, PX), MOTE_SUB(A, A, PX),
        MOTE_SUB(A, A, PX), MOTE_MUL(B, PY, PY), MOTE_SUB(B, B, A), RETURN,
    [CURVE] = MODULUS(PRIME), CALL(CONVERT), CONSTANT(PX, BASE_X), CONSTANT(PY, BASE_Y),
        CALL(EQUATION), MOVE(CB, B), RETURN,
    [CHECK_POINT] = CALL(EQUATION), MOTE_SUB(B, B, CB), SET(A, 1), CHECKED | MOTE_SUB(B, B, A),
        RETURN,
    /* X, Y, Z begin at infinity. PY less 1, as 1 is selected with it. */
    [TIMES] = MOTE_SUB(PY, PY, ONE), SET(X, 0), MOVE(Y, ONE), SET(Z, 0), MOVE(X2, X), MOVE(Y2, Y),
        MOVE(Z2, Z), CALL(SUM), SET(X2, 0), SET(Z2, 0), SELECT(X2, X2, PX), SELECT(Y2, ONE, PY),
        SELECT(Z2, Z2, ONE), CALL(SUM), REPEAT(10), RETURN,
    [PUBLIC] = CALL(SCALARS), CALL(CURVE),
    [AGREE_ON] = CALL(CHECK_POINT),
    [TIMES_K] = LOAD(K, IN_K), CALL(TIMES),
    [AFFINE] = CALL(INVERT), SET(B, 1), MOTE_MUL(A, A, B), MOTE_MUL(X, X, A), MOTE_MUL(Y, Y, A),
        RETURN,
    [AGREE] = CALL(SCALARS),
    [READ_POINT] = CALL(CURVE), LOAD(PX, IN_X), LOAD(PY, IN_Y), SET(A, 0),
        CHECKED | MOTE_ADD(PX, PX, A), CHECKED | MOTE_ADD(PY, PY, A), CALL(CONVERT), RETURN,
    /* The exponent is 1 / 4 modulo p, that is (p + 1) / 4. Y's lowest bit, as K's, chooses - Y. */
    [ROOT] = SET(Z, 4), CALL(INVERT), SET(X, 1), MOTE_MUL(A, A, X), MOTE_MUL(K, A, X), SET(PY, 0),
        CALL(EQUATION), MOTE_SUB(Z, CB, B), CALL(POWER), MOTE_MUL(K, A, X), MOTE_SUB(K, K, C),
        MOTE_SUB(B, PY, A), MOTE_SUB(B, B, A), SELECT(PY, A, B), REPEAT(1), RETURN,
    [VERIFY] = CALL(DIVIDE), LOAD(C, IN_OTHER), MOTE_MUL(C, A, C), MOVE(SAVED_2, C),
        CALL(READ_POINT), RETURN,
    /* The second multiple is added to the first one; X modulo n has to be r. */
    [VERIFY_ON] = CALL(CHECK_POINT), MOVE(K, SAVED_2), CALL(TIMES), MOVE(SAVED_2, X),
        MOVE(SAVED_3, Y), MOVE(SAVED_4, Z), CONSTANT(PX, BASE_X), CONSTANT(PY, BASE_Y),
        MOVE(K, SAVED), CALL(TIMES), MOVE(X2, SAVED_2), MOVE(Y2, SAVED_3), MOVE(Z2, SAVED_4),
        CALL(SUM), CALL(AFFINE), MODULUS(ORDER), SET(A, 0), MOTE_ADD(X, X, A), LOAD(C, IN_OTHER),
        MOTE_SUB(X, X, C), CHECKED | MOTE_SUB(X, X, B), RETURN,
    [HASHED] = CALL(SCALARS), LOAD(X, IN_DIGEST), SET(Y, 0), MOTE_ADD(X, X, Y), RETURN,
};
/* clang-format on */

typedef struct machine {
    mote_prime prime;
    const uint8_t *in[INPUTS];
    mote_word right; /* 0 from a wrong CHECKED step on */
    mote_number v[NUMBERS];
} machine;

/* r = a + b, a - b, or a + (b or 0); all ones if a - b is negative or a + b below the modulus. */
static mote_word sum(machine *m, uint8_t operation, mote_number *r, const mote_number *a,
                     const mote_number *b, uint8_t bit)
{
    const mote_word ones = (mote_word) ~(mote_word)0;
    const mote_word flip = operation == OP_SUB ? ones : 0;
    const mote_word mask =
        operation == OP_SELECT ? (mote_word)(0 - mote_small_bit(&m->v[K], bit)) : ones;
    mote_word over = mote_small_sum(r, a, b, flip, mask);
    if (flip == 0)
        over = (mote_word)(over + mote_small_sum(r, r, &m->prime.p, ones, ones));
    over--;
    (void)mote_small_sum(r, r, &m->prime.p, 0, over);
    return over;
}

static void execute(machine *m, uint8_t at)
{
    uint8_t calls[3], depth = 0, bit = 255;
    for (;;) {
        const uint16_t step = code[at++];
        const uint8_t low = (uint8_t)step, operation = (uint8_t)(step >> 12);
        mote_number *const r = &m->v[step >> 8 & 15];
        const mote_number *const a = &m->v[low >> 4], *const b = &m->v[low & 15];
        switch (operation) {
        case OP_CALL:
            if (low != RETURN) {
                calls[depth++] = at;
                at = low;
            } else if (depth != 0) {
                at = calls[--depth];
            } else {
                return;
            }
            break;
        case OP_MUL:
            mote_small_montgomery(&m->prime, r, a, b);
            break;
        case OP_LOAD:
            mote_small_load(r, m->in[low], MOTE_HIGH_FIRST);
            break;
        case OP_CONSTANT:
            mote_small_load_flash(r, constants[low]);
            break;
        case OP_SET:
            mote_small_set(r, low);
            break;
        case OP_MODULUS:
            mote_small_load_flash(&m->prime.p, constants[low]);
            m->prime.inverse = (mote_word)(low == PRIME ? 1 : INVERSE_N);
            break;
        case OP_MOVE:
            m->v[step >> 6 & 63] = m->v[low & 63];
            break;
        case OP_REPEAT:
            if (bit-- != 0)
                at = (uint8_t)(at - low);
            break;
        default: {
            const mote_word below = sum(m, operation & 7, r, a, b, bit);
            if (operation >= OP_CHECKED)
                m->right &= below;
        }
        }
    }
}

/* Executes a program, which gives x and y, unless something was wrong. */
static int finish(machine *m, uint8_t program, uint8_t x[32], uint8_t y[32])
{
    execute(m, program);
    MOTE_PUBLIC(m->right);
    const int wrong = m->right == 0;
    if (!wrong) {
        mote_small_store(y, &m->v[Y], MOTE_HIGH_FIRST);
        mote_small_store(x, &m->v[X], MOTE_HIGH_FIRST);
    }
    mote_wipe(m, sizeof *m);
    return -wrong;
}

static __attribute__((noinline)) int start(machine *m, uint8_t program, const uint8_t *k,
                                           const uint8_t *other, uint8_t x[32], uint8_t y[32])
{
    m->in[IN_K] = k;
    m->in[IN_OTHER] = other;
    m->right = 1;
    return finish(m, program, x, y);
}

int mote_p256_small_public_key(uint8_t point[65], const uint8_t key[32])
{
    machine m;
    point[0] = 4;
    return start(&m, PUBLIC, key, key, point + 1, point + 33);
}

int mote_p256_small_keygen(uint8_t key[32], uint8_t point[65], const uint8_t random[32])
{
    memmove(key, random, MOTE_P256_NUMBER);
    return mote_p256_small_public_key(point, key);
}

/* Executes a program that reads the point, which is in either form (SEC 1, 2.3.4) and public. */
static bool read_point(machine *m, uint8_t program, const uint8_t *point, size_t len)
{
    const uint8_t form = point[0];
    if (len == MOTE_P256_COMPRESSED ? (form | 1) != 3 : len != MOTE_P256_POINT || form != 4)
        return false;
    m->right = 1;
    m->in[IN_X] = point + 1;
    m->in[IN_Y] = point + len - MOTE_P256_NUMBER; /* or x again */
    execute(m, program);
    if (len == MOTE_P256_COMPRESSED) {
        mote_small_set(&m->v[C], form & 1);
        execute(m, ROOT);
    }
    return true;
}

int mote_p256_small_agree(uint8_t secret[32], const uint8_t key[32], const uint8_t *peer,
                          size_t peer_len)
{
    machine m;
    m.in[IN_K] = m.in[IN_OTHER] = key;
    if (!read_point(&m, AGREE, peer, peer_len))
        return -1;
    return finish(&m, AGREE_ON, secret, secret);
}

int mote_p256_small_sign_with(uint8_t signature[64], const uint8_t key[32],
                              const uint8_t digest[32], const uint8_t nonce[32])
{
    machine m;
    m.in[IN_DIGEST] = digest;
    const int wrong = start(&m, SIGN, nonce, key, signature, signature + MOTE_P256_NUMBER);
    MOTE_PUBLIC_BYTES(signature, MOTE_P256_SIGNATURE);
    return wrong;
}

int mote_p256_small_verify(const uint8_t *point, size_t point_len, const uint8_t digest[32],
                           const uint8_t signature[64])
{
    machine m;
    uint8_t x[MOTE_P256_NUMBER];
    m.in[IN_K] = signature + MOTE_P256_NUMBER;
    m.in[IN_OTHER] = signature;
    m.in[IN_DIGEST] = digest;
    if (!read_point(&m, VERIFY, point, point_len))
        return -1;
    return finish(&m, VERIFY_ON, x, x);
}

void mote_p256_small_hash(uint8_t digest[32], const uint8_t *first, size_t first_len,
                          const uint8_t *second, size_t second_len)
{
    union {
        uint64_t aligned;
        uint8_t bytes[112];
    } state;
    const mote_hash *const hash = &mote_sha_256_small.hashes[1];
    hash->start(&state);
    hash->update(&state, first, first_len);
    hash->update(&state, second, second_len);
    hash->finish(&state, digest);
    mote_wipe(&state, sizeof state);
}

/* Bytes that RFC 6979, 3.2, hashes, and its key with zeros to the end of a block. */
typedef struct generator {
    uint8_t v[32], separator, private_key[32], digest[32], key[64];
} generator;

enum { INNER = 0x36, OUTER = 0x5c, ALL = 97 };

static void hash_keyed(const generator *g, uint8_t pad, uint8_t digest[32], const uint8_t *message,
                       uint8_t len)
{
    uint8_t block[64];
    for (uint8_t i = 0; i < sizeof block; i++)
        block[i] = g->key[i] ^ pad;
    mote_p256_small_hash(digest, block, sizeof block, message, len);
    mote_wipe(block, sizeof block);
}

/* HMAC of the first bytes (RFC 2104). */
static void authenticate(const generator *g, uint8_t mac[32], uint8_t len)
{
    uint8_t inner[32];
    hash_keyed(g, INNER, inner, g->v, len);
    hash_keyed(g, OUTER, mac, inner, sizeof inner);
}

int mote_p256_small_sign(uint8_t signature[64], const uint8_t key[32], const uint8_t digest[32])
{
    generator g;
    machine m;
    uint8_t len = ALL;
    memset(&g, 0, sizeof g);
    memset(g.v, 1, sizeof g.v);
    memcpy(g.private_key, key, sizeof g.private_key);
    m.in[IN_DIGEST] = digest;
    if (start(&m, HASHED, key, key, g.digest, g.digest) != 0)
        return -1;
    for (;;) {
        authenticate(&g, g.key, len);
        authenticate(&g, g.v, sizeof g.v);
        if (g.separator == 0 && len == ALL) {
            g.separator = 1;
            continue;
        }
        authenticate(&g, g.v, sizeof g.v);
        m.in[IN_DIGEST] = digest;
        if (start(&m, SIGN, g.v, key, signature, signature + MOTE_P256_NUMBER) == 0)
            break;
        g.separator = 0;
        len = 33;
    }
    MOTE_PUBLIC_BYTES(signature, MOTE_P256_SIGNATURE);
    mote_wipe(&g, sizeof g);
    return 0;
}
