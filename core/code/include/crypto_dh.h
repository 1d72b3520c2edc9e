/*
 * For folders of code that leave this header out: the functions as SUPERCOP's crypto_dh has them.
 */
#ifndef MOTEBENCH_CODE_CRYPTO_DH_H
#define MOTEBENCH_CODE_CRYPTO_DH_H

/* 0: done. */
int crypto_dh_keypair(unsigned char *pk, unsigned char *sk);
int crypto_dh(unsigned char *s, const unsigned char *pk, const unsigned char *sk);

#endif
