/*
 * For folders of code: a cipher without authentication whose key schedule is a function of its own.
 * `state` has CRYPTO_STATEBYTES bytes, aligned for any type. 0: done.
 */
#ifndef MOTEBENCH_CODE_CRYPTO_CIPHER_H
#define MOTEBENCH_CODE_CRYPTO_CIPHER_H

#include <stddef.h>

/* Expands a key of CRYPTO_KEYBYTES bytes. */
int crypto_cipher_key(void *state, const unsigned char *key);

/*
 * The whole message `in`, a multiple of CRYPTO_BLOCKBYTES bytes, which may be `out`. `nonce`:
 * CRYPTO_NONCEBYTES bytes, with which the message begins.
 */
int crypto_cipher_encrypt(const void *state, unsigned char *out, const unsigned char *in,
                          size_t inlen, const unsigned char *nonce);

/* The reverse; may be left out. */
int crypto_cipher_decrypt(const void *state, unsigned char *out, const unsigned char *in,
                          size_t inlen, const unsigned char *nonce);

#endif
