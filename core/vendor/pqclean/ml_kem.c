/*
 * ML-KEM (FIPS 203) of PQClean, its implementation "clean".
 *
 * PQClean checks no inputs. The modulus of a public key (section 7.2) and the hash in a private one
 * (7.3) are checked here, with PQClean's own SHA-3, as every implementation has to.
 */
#include "motebench/adapter.h"
#include "support/kind.h"
#include "vendor/pick.h"
#include "vendor/pqclean/states.h"

#include <fips202.h>

enum { Q = 3329, POLYNOMIAL_BYTES = 384, HASH = 32, REJECTED = 2 };

#define DECLARED(level)                                                     \
    int PQCLEAN_MLKEM##level##_CLEAN_crypto_kem_keypair_derand(             \
        uint8_t *pk, uint8_t *sk, const uint8_t *coins);                    \
    int PQCLEAN_MLKEM##level##_CLEAN_crypto_kem_enc_derand(                 \
        uint8_t *ct, uint8_t *ss, const uint8_t *pk, const uint8_t *coins); \
    int PQCLEAN_MLKEM##level##_CLEAN_crypto_kem_dec(                        \
        uint8_t *ss, const uint8_t *ct, const uint8_t *sk);
DECLARED(512)
DECLARED(768)
DECLARED(1024)

static bool reduced(const uint8_t *public, size_t len)
{
    bool good = true;
    for (const uint8_t *end = public + len; public < end; public += 3) {
        const unsigned first = public[0] | (public[1] & 0x0fu) << 8,
                       second = public[1] >> 4 | (unsigned)public[2] << 4;
        good = good && first < Q && second < Q;
    }
    return good;
}

/* A private key: the vector, the public key, its hash, z (algorithm 16). */
static bool hashed(const uint8_t *private, size_t vector)
{
    uint8_t hash[HASH];
    sha3_256(hash, private + vector, vector + 32);
    return memcmp(hash, private + 2 * vector + 32, HASH) == 0;
}

#define CHECKED(level, rank)                                                               \
    __attribute__((unused)) static int encapsulate_##level(                                \
        uint8_t *ciphertext, uint8_t *secret, const uint8_t *public, const uint8_t *drawn) \
    {                                                                                      \
        if (!reduced(public, (rank) * POLYNOMIAL_BYTES))                                   \
            return REJECTED;                                                               \
        return PQCLEAN_MLKEM##level##_CLEAN_crypto_kem_enc_derand(                         \
            ciphertext, secret, public, drawn);                                            \
    }                                                                                      \
    __attribute__((unused)) static int decapsulate_##level(                                \
        uint8_t *secret, const uint8_t *ciphertext, const uint8_t *private)                \
    {                                                                                      \
        if (!hashed(private, (rank) * POLYNOMIAL_BYTES))                                   \
            return REJECTED;                                                               \
        return PQCLEAN_MLKEM##level##_CLEAN_crypto_kem_dec(secret, ciphertext, private);   \
    }
CHECKED(512, 2)
CHECKED(768, 3)
CHECKED(1024, 4)

static mb_status status_of(int error)
{
    return error == REJECTED ? MB_REJECTED
           : error == 0      ? MB_OK
                             : mb_note(MB_ERROR, "PQClean failed");
}

#define KEYGEN(level) PQCLEAN_MLKEM##level##_CLEAN_crypto_kem_keypair_derand
#define ENCAPSULATE(level) encapsulate_##level
#define DECAPSULATE(level) decapsulate_##level

MOTE_ADAPTER(pqclean_ml_kem)
#include "vendor/ml_kem.h"
