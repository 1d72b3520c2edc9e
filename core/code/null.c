/* Functions that do nothing, in place of a user's, for the empty firmware. Definitions as for adapter.c. */
#include <stddef.h>

#ifdef MB_CODE_AEAD
int crypto_aead_encrypt(unsigned char *c, MB_CODE_AEAD_LENGTH *clen, const unsigned char *m, MB_CODE_AEAD_LENGTH mlen,
                        const unsigned char *ad, MB_CODE_AEAD_LENGTH adlen, const unsigned char *nsec,
                        const unsigned char *npub, const unsigned char *k)
{
    (void)c, (void)clen, (void)m, (void)mlen, (void)ad, (void)adlen, (void)nsec, (void)npub, (void)k;
    return 0;
}

int crypto_aead_decrypt(unsigned char *m, MB_CODE_AEAD_LENGTH *mlen, unsigned char *nsec, const unsigned char *c,
                        MB_CODE_AEAD_LENGTH clen, const unsigned char *ad, MB_CODE_AEAD_LENGTH adlen,
                        const unsigned char *npub, const unsigned char *k)
{
    (void)m, (void)mlen, (void)nsec, (void)c, (void)clen, (void)ad, (void)adlen, (void)npub, (void)k;
    return 0;
}
#endif

#ifdef MB_CODE_HASH
int crypto_hash(unsigned char *out, const unsigned char *in, MB_CODE_HASH_LENGTH inlen)
{
    (void)out, (void)in, (void)inlen;
    return 0;
}
#endif
