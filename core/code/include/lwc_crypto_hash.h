/* For folders of code that give a hash function as a structure; see lwc_crypto_aead.h. */
#ifndef MOTEBENCH_CODE_LWC_CRYPTO_HASH_H
#define MOTEBENCH_CODE_LWC_CRYPTO_HASH_H

#include "crypto_hash.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef int (*fn_hash)(unsigned char *out, const unsigned char *in, unsigned long long inlen);

/* Two names, the size in bytes, and the function. */
typedef struct {
    const char *variant_name;
    const char *impl_name;
    int DigestSize;
    fn_hash hash;
} hash_ctx;

/* Defined by the code. */
extern hash_ctx lwc_hash_ctx;

#ifdef __cplusplus
}
#endif

#endif
