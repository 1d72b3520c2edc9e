/* Calls of SUPERCOP for the signatures of Emill/P256-Cortex-M4, as its author timed them: without
 * a hash function and with a nonce that is given. NOT a signature scheme: the digest is a sum, and
 * the nonce follows from the key. */

#include <stddef.h>
#include <string.h>

#include "api.h"
#include "p256-cortex-m4.h"

void randombytes(unsigned char *out, unsigned long long length);

static void digest(unsigned char *out, const unsigned char *m, size_t length)
{
    memset(out, 0x5a, 32);
    out[31] ^= (unsigned char)length;
    for (size_t i = 0; i < length; i++)
        out[i % 32] = (unsigned char)(out[i % 32] * 5 + m[i] + 1);
}

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    uint32_t point[16], scalar[8];
    do
        randombytes((unsigned char *)scalar, 32);
    while (!p256_keygen(point, point + 8, scalar));
    memcpy(pk, point, 64);
    memcpy(sk, scalar, 32);
    return 0;
}

int crypto_sign_signature(unsigned char *sig, size_t *siglen, const unsigned char *m, size_t mlen,
                          const unsigned char *sk)
{
    uint32_t nonce[8], scalar[8], numbers[16];
    unsigned char hash[32];
    digest(hash, m, mlen);
    memcpy(scalar, sk, 32);
    for (uint32_t i = 0; i < 8; i++)
        nonce[i] = 0x12345678 * (i + 1) ^ scalar[i];
    if (!p256_sign(numbers, numbers + 8, hash, 32, scalar, nonce))
        return -1;
    memcpy(sig, numbers, 64);
    *siglen = 64;
    return 0;
}

int crypto_sign_verify(const unsigned char *sig, size_t siglen, const unsigned char *m,
                       size_t mlen, const unsigned char *pk)
{
    uint32_t point[16], numbers[16];
    unsigned char hash[32];
    if (siglen != 64)
        return -1;
    digest(hash, m, mlen);
    memcpy(point, pk, 64);
    memcpy(numbers, sig, 64);
    return p256_verify(point, point + 8, hash, 32, numbers, numbers + 8) ? 0 : -1;
}
