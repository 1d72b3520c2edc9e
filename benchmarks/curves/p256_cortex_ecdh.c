/* Calls of SUPERCOP for Emill/P256-cortex-ecdh, whose numbers begin with their lowest byte. */

#include <stdbool.h>
#include <stdint.h>

#include "api.h"

bool P256_ecdh_keygen(uint8_t *point, const uint8_t *scalar);
bool P256_ecdh_shared_secret(uint8_t *secret, const uint8_t *point, const uint8_t *scalar);
void randombytes(unsigned char *out, unsigned long long length);

static void reverse(uint8_t *out, const uint8_t *in)
{
    for (int i = 0; i < 32; i++)
        out[i] = in[31 - i];
}

int crypto_dh(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    uint8_t point[64], scalar[32], secret[32];
    reverse(point, pk);
    reverse(point + 32, pk + 32);
    reverse(scalar, sk);
    if (!P256_ecdh_shared_secret(secret, point, scalar))
        return -1;
    reverse(s, secret);
    return 0;
}

int crypto_dh_keypair(unsigned char *pk, unsigned char *sk)
{
    uint8_t point[64], scalar[32];
    do {
        randombytes(sk, 32);
        reverse(scalar, sk);
    } while (!P256_ecdh_keygen(point, scalar));
    reverse(pk, point);
    reverse(pk + 32, point + 32);
    return 0;
}
