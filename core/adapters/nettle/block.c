/*
 * Ciphers that Nettle has functions for but no `struct nettle_cipher`.
 *
 * des_set_key, des3_set_key and blowfish_set_key tell weak keys apart, which are set all the same;
 * known answers of DES use them.
 */
#include "nettle_adapter.h"

#include <nettle/cbc.h>

#define BLOCK_FUNCTIONS(name)                                                                    \
    static void name##_encrypt_any(const void *ctx, size_t len, uint8_t *out, const uint8_t *in) \
    {                                                                                            \
        name##_encrypt(ctx, len, out, in);                                                       \
    }                                                                                            \
    static void name##_decrypt_any(const void *ctx, size_t len, uint8_t *out, const uint8_t *in) \
    {                                                                                            \
        name##_decrypt(ctx, len, out, in);                                                       \
    }

BLOCK_FUNCTIONS(des)
BLOCK_FUNCTIONS(des3)
BLOCK_FUNCTIONS(blowfish)

static void des_key(void *ctx, const uint8_t *key)
{
    (void)des_set_key(ctx, key);
}

static void des3_key(void *ctx, const uint8_t *key)
{
    (void)des3_set_key(ctx, key);
}

static void blowfish128_key(void *ctx, const uint8_t *key)
{
    (void)blowfish_set_key(ctx, 16, key);
}

static void blowfish256_key(void *ctx, const uint8_t *key)
{
    (void)blowfish_set_key(ctx, 32, key);
}

static void blowfish448_key(void *ctx, const uint8_t *key)
{
    (void)blowfish_set_key(ctx, 56, key);
}

#define CIPHER(label, family, bytes, set_key)     \
    {.name = (label),                             \
     .context_size = sizeof(struct family##_ctx), \
     .block_size = 8,                             \
     .key_size = (bytes),                         \
     .set_encrypt_key = (set_key),                \
     .set_decrypt_key = (set_key),                \
     .encrypt = family##_encrypt_any,             \
     .decrypt = family##_decrypt_any}

const struct nettle_cipher adapter_des = CIPHER("des", des, DES_KEY_SIZE, des_key);
const struct nettle_cipher adapter_3des = CIPHER("des3", des3, DES3_KEY_SIZE, des3_key);
const struct nettle_cipher adapter_blowfish128 =
    CIPHER("blowfish128", blowfish, 16, blowfish128_key);
const struct nettle_cipher adapter_blowfish256 =
    CIPHER("blowfish256", blowfish, 32, blowfish256_key);
const struct nettle_cipher adapter_blowfish448 =
    CIPHER("blowfish448", blowfish, 56, blowfish448_key);

void adapter_cbc_aes128(const void *key, uint8_t *iv, size_t len, uint8_t *out, const uint8_t *in)
{
    cbc_aes128_encrypt(key, iv, len, out, in);
}

void adapter_cbc_aes192(const void *key, uint8_t *iv, size_t len, uint8_t *out, const uint8_t *in)
{
    cbc_aes192_encrypt(key, iv, len, out, in);
}

void adapter_cbc_aes256(const void *key, uint8_t *iv, size_t len, uint8_t *out, const uint8_t *in)
{
    cbc_aes256_encrypt(key, iv, len, out, in);
}
