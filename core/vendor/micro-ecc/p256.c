/*
 * micro-ecc's P-256 with motebench's SHA-256. The library leaves the check of a public key to its
 * user: it is part of every operation here. No generator of random numbers is given to it, so
 * coordinates are not randomised.
 */
#include <uECC.h>

#include "mote/cipher.h"

/* Its ladder has no point for the private keys 1, n - 1 and n - 2. */
#define TAKES_KEY(key) is_usual(key)
static inline _Bool is_usual(const uint8_t key[32]);
#include "vendor/p256.h"

static inline bool is_usual(const uint8_t key[NUMBER])
{
    uint8_t next[NUMBER];
    memcpy(next, key, NUMBER);
    next[NUMBER - 1] = (uint8_t)(next[NUMBER - 1] + 2); /* above n - 1 for n - 2 and n - 1 alone */
    uint8_t any = 0;
    for (uint8_t i = 0; i < NUMBER - 1; i++)
        any |= key[i];
    return (any != 0 || key[NUMBER - 1] != 1) && is_scalar(next);
}

enum { BLOCK = 64 };

extern const mote_implementation mote_sha_256;

/* The library's own description of a hash, and a state for it. */
typedef struct hash_context {
    uECC_HashContext library;
    union {
        uint64_t aligned;
        uint8_t bytes[128];
    } state;
} hash_context;

static const mote_hash *sha256(void)
{
    const mote_hash *hash = mote_sha_256.hashes;
    while (hash->digest_len != NUMBER)
        hash++;
    return hash;
}

static hash_context *context_of(const uECC_HashContext *library)
{
    return (hash_context *)(uintptr_t)library;
}

static void start(const uECC_HashContext *library)
{
    sha256()->start(&context_of(library)->state);
}

static void update(const uECC_HashContext *library, const uint8_t *data, unsigned len)
{
    sha256()->update(&context_of(library)->state, data, len);
}

static void finish(const uECC_HashContext *library, uint8_t *digest)
{
    sha256()->finish(&context_of(library)->state, digest);
}

static void hash_message(uint8_t digest[NUMBER], const uint8_t *message, size_t len)
{
    hash_context context;
    const mote_hash *hash = sha256();
    hash->start(&context.state);
    hash->update(&context.state, message, len);
    hash->finish(&context.state, digest);
}

static bool agree_with(uint8_t secret[NUMBER], const uint8_t key[NUMBER], const uint8_t peer[64])
{
    return uECC_valid_public_key(peer, uECC_secp256r1()) == 1 &&
           uECC_shared_secret(peer, key, secret, uECC_secp256r1()) == 1;
}

static bool sign_digest(uint8_t r_s[64], const uint8_t key[NUMBER], const uint8_t digest[NUMBER])
{
    uint8_t work[2 * NUMBER + BLOCK];
    hash_context context = {.library = {start, update, finish, BLOCK, NUMBER, work}};
    return uECC_sign_deterministic(key, digest, NUMBER, &context.library, r_s, uECC_secp256r1()) ==
           1;
}

static bool verify_digest(const uint8_t r_s[64], const uint8_t point[64],
                          const uint8_t digest[NUMBER])
{
    return uECC_valid_public_key(point, uECC_secp256r1()) == 1 &&
           uECC_verify(point, digest, NUMBER, r_s, uECC_secp256r1()) == 1;
}

static bool find_public(uint8_t point[64], const uint8_t key[NUMBER])
{
    return uECC_compute_public_key(key, point, uECC_secp256r1()) == 1;
}

MOTE_ADAPTER(micro_ecc_p256)
#include "vendor/public_key.h"
