/*
 * SLH-DSA (FIPS 205): verification, pure with a context, and HashSLH-DSA. mote/slh-dsa
 *
 * Timed is hashing the message and everything else; the time depends on the message,
 * because digits of its hash say how much of each chain is left.
 */
#include "mote/slh_dsa.h"

#include "ciphers/sha2/sha256_state.h"
#include "ciphers/sha2/sha512_state.h"
#include "mote/sha3.h"
#include "verifying.h"

enum { CONTEXT_MAX = 255, HASH_MAX = 64, IDENTIFIER = 11 };

/* A hash function before signing. */
typedef struct prehash {
    uint8_t number; /* the end of its object identifier */
    uint8_t len;
    void (*digest)(const uint8_t *message, size_t len, uint8_t *out);
} prehash;

typedef struct set {
    mb_row row;
    mote_slh_set slh;
    const prehash *before; /* NULL: none */
} set;

static mb_status verify(mb_job *job)
{
    const set *s = job->scheme->param;
    uint8_t digest[HASH_MAX];
    uint8_t identifier[IDENTIFIER] = {
        0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0};
    mote_slh_message message = {.context = job->context,
                                .context_len = (uint8_t)job->context_len,
                                .bytes = job->message,
                                .len = job->message_len};
    if (s->before != NULL) {
        identifier[IDENTIFIER - 1] = s->before->number;
        s->before->digest(job->message, job->message_len, digest);
        message.identifier = identifier;
        message.identifier_len = IDENTIFIER;
        message.bytes = digest;
        message.len = s->before->len;
    }
    return mote_slh_verify(&s->slh, job->key, &message, job->signature) == 0 ? MB_OK : MB_REJECTED;
}

/* A firmware has one of them, or none. */
__attribute__((unused)) static void sha256(const uint8_t *message, size_t len, uint8_t *out)
{
    static const mote_md_kind kind = {
        .block_len = 64, .length_len = 8, .big_endian = 1, .compress = mote_sha256_compress};
    mote_sha256_state s;
    mote_sha256_start(&s);
    mote_sha256_update(&kind, &s, message, len);
    mote_sha256_finish(&kind, &s, out, 32);
}

__attribute__((unused)) static void sha512(const uint8_t *message, size_t len, uint8_t *out)
{
    mote_sha512_state s;
    mote_sha512_start(&s);
    mote_sha512_update(&s, message, len);
    mote_sha512_finish(&s, out, 64);
}

__attribute__((unused)) static void
shake(const uint8_t *message, size_t len, uint8_t *out, uint8_t rate, uint8_t out_len)
{
    mote_sha3 s;
    mote_sha3_start(&s, rate);
    mote_sha3_absorb(&s, message, len);
    mote_sha3_end(&s, MOTE_SHAKE_SUFFIX);
    mote_sha3_squeeze(&s, out, out_len);
}

__attribute__((unused)) static void shake128(const uint8_t *message, size_t len, uint8_t *out)
{
    shake(message, len, out, MOTE_SHAKE128_RATE, 32);
}

__attribute__((unused)) static void shake256(const uint8_t *message, size_t len, uint8_t *out)
{
    shake(message, len, out, MOTE_SHAKE256_RATE, 64);
}

#define BEFORE(number, len, digest) (&(const prehash){number, len, digest})

#define ROW(id, label, hash, n, signature, layers, height, a, k, before) \
    MOTE_PICK(id,                                                        \
              VERIFIES(label, 2 * (n), signature, CONTEXT_MAX,           \
                       (&(const set){                                    \
                           {&verifying}, {&mote_slh_##hash, n, layers, height, a, k}, before})))
/* FIPS 205, table 2. */
#define SETS(row, before_128, before_256)                                    \
    row##_SET(128s, 16, 16, 7856, 7, 9, 12, 14, before_128)                  \
        row##_SET(128f, 16, 16, 17088, 22, 3, 6, 33, before_128)             \
            row##_SET(192s, 24, 32, 16224, 7, 9, 14, 17, before_256)         \
                row##_SET(192f, 24, 32, 35664, 22, 3, 8, 33, before_256)     \
                    row##_SET(256s, 32, 32, 29792, 8, 8, 14, 22, before_256) \
                        row##_SET(256f, 32, 32, 49856, 17, 4, 9, 35, before_256)
#define SHA2_SET(set, n, upper, signature, d, h, a, k, ...) \
    ROW(slh_dsa_sha2_##set, "slh-dsa-sha2-" #set, sha2_##upper, n, signature, d, h, a, k, NULL)
#define SHAKE_SET(set, n, upper, signature, d, h, a, k, ...) \
    ROW(slh_dsa_shake_##set, "slh-dsa-shake-" #set, shake, n, signature, d, h, a, k, NULL)
#define SHA2_HASHED_SET(set, n, upper, signature, d, h, a, k, name, number, len)                   \
    ROW(slh_dsa_sha2_##set##_prehash_##name, "slh-dsa-sha2-" #set "-prehash-" #name, sha2_##upper, \
        n, signature, d, h, a, k, BEFORE(number, len, name))
#define SHAKE_HASHED_SET(set, n, upper, signature, d, h, a, k, name, number, len)                \
    ROW(slh_dsa_shake_##set##_prehash_##name, "slh-dsa-shake-" #set "-prehash-" #name, shake, n, \
        signature, d, h, a, k, BEFORE(number, len, name))
#define BY_SHA256 sha256, 1, 32
#define BY_SHA512 sha512, 3, 64
#define BY_SHAKE128 shake128, 11, 32
#define BY_SHAKE256 shake256, 12, 64

static const mb_scheme schemes[] = {SETS(SHA2, , ) SETS(SHAKE, , ) SETS(
    SHA2_HASHED, BY_SHA256, BY_SHA512) SETS(SHAKE_HASHED, BY_SHAKE128, BY_SHAKE256)};

MOTE_ADAPTER(slh_dsa)
#include "vendor/public_key.h"
