/*
 * For folders of code that leave this header out: the functions as SUPERCOP's crypto_kem and NIST's
 * call of 2016 have them.
 */
#ifndef MOTEBENCH_CODE_CRYPTO_KEM_H
#define MOTEBENCH_CODE_CRYPTO_KEM_H

/* 0: done. */
int crypto_kem_keypair(unsigned char *pk, unsigned char *sk);
int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk);
int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk);

#endif
