/* Calls of SUPERCOP for the key agreement of Emill/P256-Cortex-M4. */

#include "api.h"
#include "p256-cortex-m4.h"

void randombytes(unsigned char *out, unsigned long long length);

int crypto_dh(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    uint32_t x[8], y[8], scalar[8];
    p256_convert_endianness(scalar, sk, 32);
    p256_convert_endianness(x, pk, 32);
    p256_convert_endianness(y, pk + 32, 32);
    return p256_ecdh_calc_shared_secret(s, scalar, x, y) ? 0 : -1;
}

int crypto_dh_keypair(unsigned char *pk, unsigned char *sk)
{
    uint32_t x[8], y[8], scalar[8];
    do {
        randombytes(sk, 32);
        p256_convert_endianness(scalar, sk, 32);
    } while (!p256_keygen(x, y, scalar));
    p256_convert_endianness(pk, x, 32);
    p256_convert_endianness(pk + 32, y, 32);
    return 0;
}
