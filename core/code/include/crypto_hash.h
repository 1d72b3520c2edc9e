/* For folders of code that leave this header out; see crypto_aead.h. */
#ifndef MOTEBENCH_CODE_CRYPTO_HASH_H
#define MOTEBENCH_CODE_CRYPTO_HASH_H

#ifdef __cplusplus
extern "C" {
#endif

/* The digest of `in`. 0: done. */
int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen);

#ifdef __cplusplus
}
#endif

#endif
