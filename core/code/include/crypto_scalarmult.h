/*
 * For folders of code that leave this header out: the functions as SUPERCOP's crypto_scalarmult has
 * them.
 */
#ifndef MOTEBENCH_CODE_CRYPTO_SCALARMULT_H
#define MOTEBENCH_CODE_CRYPTO_SCALARMULT_H

/* q = n p, and q = n times the base point. 0: done. */
int crypto_scalarmult(unsigned char *q, const unsigned char *n, const unsigned char *p);
int crypto_scalarmult_base(unsigned char *q, const unsigned char *n);

#endif
