/*
 * For folders of code that give NIST's benchmark of lightweight ciphers an AEAD as a structure:
 * names, order and types as github.com/usnistgov/Lightweight-Cryptography-Benchmarking has them
 * (commit 0aee4ed).
 */
#ifndef MOTEBENCH_CODE_LWC_CRYPTO_AEAD_H
#define MOTEBENCH_CODE_LWC_CRYPTO_AEAD_H

#include "crypto_aead.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef int (*fn_aead_encrypt)(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                               unsigned long long mlen, const unsigned char *ad,
                               unsigned long long adlen, const unsigned char *nsec,
                               const unsigned char *npub, const unsigned char *k);
typedef int (*fn_aead_decrypt)(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                               const unsigned char *c, unsigned long long clen,
                               const unsigned char *ad, unsigned long long adlen,
                               const unsigned char *npub, const unsigned char *k);

/* Two names, sizes in bytes, and the functions. */
typedef struct {
    const char *variant_name;
    const char *impl_name;
    int KeyBytes;
    int NonceBytes;
    int ABytes;
    fn_aead_encrypt encrypt;
    fn_aead_decrypt decrypt;
} aead_ctx;

/* Defined by the code. */
extern aead_ctx lwc_aead_cipher;

#ifdef __cplusplus
}
#endif

#endif
