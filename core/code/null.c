/*
 * Functions that do nothing, in place of a user's, for the empty firmware. Definitions as for
 * adapter.c.
 */
#include <stddef.h>

#ifdef MB_CODE_AEAD
int crypto_aead_encrypt(unsigned char *c, MB_CODE_AEAD_LENGTH *clen, const unsigned char *m,
                        MB_CODE_AEAD_LENGTH mlen, const unsigned char *ad,
                        MB_CODE_AEAD_LENGTH adlen, const unsigned char *nsec,
                        const unsigned char *npub, const unsigned char *k)
{
    (void)c, (void)clen, (void)m, (void)mlen, (void)ad, (void)adlen, (void)nsec, (void)npub,
        (void)k;
    return 0;
}

int crypto_aead_decrypt(unsigned char *m, MB_CODE_AEAD_LENGTH *mlen, unsigned char *nsec,
                        const unsigned char *c, MB_CODE_AEAD_LENGTH clen, const unsigned char *ad,
                        MB_CODE_AEAD_LENGTH adlen, const unsigned char *npub,
                        const unsigned char *k)
{
    (void)m, (void)mlen, (void)nsec, (void)c, (void)clen, (void)ad, (void)adlen, (void)npub,
        (void)k;
    return 0;
}

#ifdef MB_CODE_AEAD_STRUCTURE
#include "code/include/lwc_crypto_aead.h"
aead_ctx lwc_aead_cipher = {.encrypt = crypto_aead_encrypt, .decrypt = crypto_aead_decrypt};
#endif
#endif

#if defined(MB_CODE_KEM) || defined(MB_CODE_SIGN)
int MB_CODE_KEYPAIR(unsigned char *pk, unsigned char *sk)
{
    (void)pk, (void)sk;
    return 0;
}
#endif

#ifdef MB_CODE_KEM
int MB_CODE_ENC(unsigned char *ct, unsigned char *ss, const unsigned char *pk)
{
    (void)ct, (void)ss, (void)pk;
    return 0;
}

int MB_CODE_DEC(unsigned char *ss, const unsigned char *ct, const unsigned char *sk)
{
    (void)ss, (void)ct, (void)sk;
    return 0;
}
#endif

#ifdef MB_CODE_SIGN
#ifdef MB_CODE_CONTEXT
#define CONTEXT_PARAMETERS const unsigned char *context, MB_CODE_LENGTH context_len,
#define CONTEXT (void)context, (void)context_len
#else
#define CONTEXT_PARAMETERS
#define CONTEXT (void)0
#endif
#ifdef MB_CODE_WHOLE
typedef unsigned char verified;
typedef MB_CODE_LENGTH *verified_length;
#else
typedef const unsigned char verified;
typedef MB_CODE_LENGTH verified_length;
#endif

int MB_CODE_SIGNER(unsigned char *out, MB_CODE_LENGTH *outlen, const unsigned char *m,
                   MB_CODE_LENGTH mlen, CONTEXT_PARAMETERS const unsigned char *sk)
{
    (void)out, (void)outlen, (void)m, (void)mlen, (void)sk, CONTEXT;
    return 0;
}

int MB_CODE_VERIFIER(verified *first, verified_length first_len, const unsigned char *second,
                     MB_CODE_LENGTH second_len, CONTEXT_PARAMETERS const unsigned char *pk)
{
    (void)first, (void)first_len, (void)second, (void)second_len, (void)pk, CONTEXT;
    return 0;
}
#endif

#ifdef MB_CODE_HASH
int crypto_hash(unsigned char *out, const unsigned char *in, MB_CODE_HASH_LENGTH inlen)
{
    (void)out, (void)in, (void)inlen;
    return 0;
}

#ifdef MB_CODE_HASH_STRUCTURE
#include "code/include/lwc_crypto_hash.h"
hash_ctx lwc_hash_ctx = {.hash = crypto_hash};
#endif
#endif

#ifdef MB_CODE_SCALARMULT
int crypto_scalarmult(unsigned char *q, const unsigned char *n, const unsigned char *p)
{
    (void)q, (void)n, (void)p;
    return 0;
}

int crypto_scalarmult_base(unsigned char *q, const unsigned char *n)
{
    (void)q, (void)n;
    return 0;
}
#endif

#ifdef MB_CODE_DH
int crypto_dh(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    (void)s, (void)pk, (void)sk;
    return 0;
}

int crypto_dh_keypair(unsigned char *pk, unsigned char *sk)
{
    (void)pk, (void)sk;
    return 0;
}
#endif

#ifdef MB_CODE_CIPHER
int crypto_cipher_key(void *state, const unsigned char *key)
{
    (void)state, (void)key;
    return 0;
}

int crypto_cipher_encrypt(const void *state, unsigned char *out, const unsigned char *in,
                          size_t inlen, const unsigned char *nonce)
{
    (void)state, (void)out, (void)in, (void)inlen, (void)nonce;
    return 0;
}

#ifdef MB_CODE_DECRYPTS
int crypto_cipher_decrypt(const void *state, unsigned char *out, const unsigned char *in,
                          size_t inlen, const unsigned char *nonce)
{
    (void)state, (void)out, (void)in, (void)inlen, (void)nonce;
    return 0;
}
#endif
#endif
