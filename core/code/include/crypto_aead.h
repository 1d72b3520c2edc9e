/*
 * For folders of code that leave this header out: the functions as the call for algorithms of
 * NIST's Lightweight Cryptography process (2018, section 2.3) and SUPERCOP's crypto_aead have them.
 */
#ifndef MOTEBENCH_CODE_CRYPTO_AEAD_H
#define MOTEBENCH_CODE_CRYPTO_AEAD_H

#ifdef __cplusplus
extern "C" {
#endif

/* Encrypts `m`; the tag follows the ciphertext in `c`. 0: done. */
int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k);

/* The reverse. Not 0: the tag does not fit. */
int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub,
                        const unsigned char *k);

#ifdef __cplusplus
}
#endif

#endif
