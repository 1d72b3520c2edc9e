/*
 * For folders of code that leave this header out: the functions as SUPERCOP's crypto_sign and
 * NIST's call of 2016 have them.
 */
#ifndef MOTEBENCH_CODE_CRYPTO_SIGN_H
#define MOTEBENCH_CODE_CRYPTO_SIGN_H

#ifdef SUPERCOP
#include "api.h" /* which SUPERCOP copies into its own */
#endif

/* 0: done. */
int crypto_sign_keypair(unsigned char *pk, unsigned char *sk);
int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m,
                unsigned long long mlen, const unsigned char *sk);
int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm,
                     unsigned long long smlen, const unsigned char *pk);

#endif
