/*
 * The schemes: all that the catalog and Mbed TLS 2.28 and 3.x share, as far as the library at hand
 * has it: some builds leave out ARIA, for one. DES and 3DES have ECB and CBC only, CFB8 and OFB are
 * there for AES alone, and there is no Ed25519.
 */
#include "mbedtls_adapter.h"

static const adapter_cipher ciphers[] = {
#define CIPHER(name, key, mode) {&adapter_cipher_kind, name, key, &adapter_##mode}
#define WIDE(name, c, key)                                                    \
    CIPHER(name "-ecb", key, c##_ecb), CIPHER(name "-cbc", key, c##_cbc),     \
        CIPHER(name "-cfb", key, c##_cfb), CIPHER(name "-ctr", key, c##_ctr), \
        CIPHER(name "-gcm", key, c##_gcm), CIPHER(name "-ccm", key, c##_ccm)
#define AES(name, key) \
    WIDE(name, aes, key), CIPHER(name "-cfb8", key, aes_cfb8), CIPHER(name "-ofb", key, aes_ofb)
    AES("aes-128", 16),
    AES("aes-192", 24),
    AES("aes-256", 32),
    CIPHER("aes-128-xts", 32, aes_xts),
    CIPHER("aes-256-xts", 64, aes_xts),
    WIDE("camellia-128", camellia, 16),
    WIDE("camellia-192", camellia, 24),
    WIDE("camellia-256", camellia, 32),
#if defined(MBEDTLS_ARIA_C)
    WIDE("aria-128", aria, 16),
    WIDE("aria-192", aria, 24),
    WIDE("aria-256", aria, 32),
#endif
    CIPHER("des-ecb", 8, des_ecb),
    CIPHER("des-cbc", 8, des_cbc),
    CIPHER("3des-ecb", 24, des3_ecb),
    CIPHER("3des-cbc", 24, des3_cbc),
#if defined(MBEDTLS_BLOWFISH_C)
#define BLOWFISH(name, key)                                                         \
    CIPHER(name "-ecb", key, blowfish_ecb), CIPHER(name "-cbc", key, blowfish_cbc), \
        CIPHER(name "-cfb", key, blowfish_cfb), CIPHER(name "-ctr", key, blowfish_ctr)
    BLOWFISH("blowfish-128", 16),
    BLOWFISH("blowfish-256", 32),
    BLOWFISH("blowfish-448", 56),
#endif
#if defined(MBEDTLS_XTEA_C)
    CIPHER("xtea-ecb", 16, xtea_ecb),
    CIPHER("xtea-cbc", 16, xtea_cbc),
#endif
#if defined(MBEDTLS_ARC4_C)
    CIPHER("rc4-40", 5, arc4),
    CIPHER("rc4-128", 16, arc4),
#endif
    CIPHER("chacha20", 32, chacha20),
    CIPHER("chacha20-poly1305", 32, chachapoly),
};

static const adapter_digest digests[] = {
#define DIGEST(name, md) {&adapter_digest_kind, name, MBEDTLS_MD_##md}
    DIGEST("md5", MD5),           DIGEST("sha1", SHA1),         DIGEST("ripemd160", RIPEMD160),
    DIGEST("sha224", SHA224),     DIGEST("sha256", SHA256),     DIGEST("sha384", SHA384),
    DIGEST("sha512", SHA512),
#if defined(MBEDTLS_SHA3_C)
    DIGEST("sha3-224", SHA3_224), DIGEST("sha3-256", SHA3_256), DIGEST("sha3-384", SHA3_384),
    DIGEST("sha3-512", SHA3_512),
#endif
};

static const adapter_digest macs[] = {
#define MAC(name, md) {&adapter_mac_kind, name, MBEDTLS_MD_##md}
    MAC("hmac-md5", MD5),           MAC("hmac-sha1", SHA1),     MAC("hmac-sha224", SHA224),
    MAC("hmac-sha256", SHA256),     MAC("hmac-sha384", SHA384), MAC("hmac-sha512", SHA512),
#if defined(MBEDTLS_SHA3_C)
    MAC("hmac-sha3-256", SHA3_256),
#endif
};

static const adapter_signature signatures[] = {
#define RSA(bits, padding, name, md, pss) \
    {&adapter_signature_kind, "rsa-" #bits "-" padding "-" name, MBEDTLS_MD_##md, bits, pss}
#define RSA_ALL(bits)                                                                             \
    RSA(bits, "pkcs1", "sha1", SHA1, false), RSA(bits, "pkcs1", "sha256", SHA256, false),         \
        RSA(bits, "pkcs1", "sha384", SHA384, false), RSA(bits, "pkcs1", "sha512", SHA512, false), \
        RSA(bits, "pss", "sha1", SHA1, true), RSA(bits, "pss", "sha256", SHA256, true),           \
        RSA(bits, "pss", "sha384", SHA384, true)
    /* RSA-1024 is too short for PSS with SHA-512: RFC 8017 9.1.1. */
    RSA_ALL(1024),
    RSA_ALL(2048),
    RSA(2048, "pss", "sha512", SHA512, true),
    RSA_ALL(3072),
    RSA(3072, "pss", "sha512", SHA512, true),
    RSA_ALL(4096),
    RSA(4096, "pss", "sha512", SHA512, true),
    {&adapter_signature_kind, "ecdsa-p256-sha256", MBEDTLS_MD_SHA256, 0, false},
};

static const mb_row x25519 = {&adapter_x25519_kind};
static const mb_row ecdh = {&adapter_ecdh_kind};

#define MESSAGE_OPERATIONS                                                            \
    (MB_CAN(MB_KEY_SETUP) | MB_CAN(MB_ENCRYPT_MESSAGE) | MB_CAN(MB_DECRYPT_MESSAGE) | \
     MB_CAN(MB_ENCRYPT_NEW_KEY))
#define BULK_OPERATIONS (MB_CAN(MB_ENCRYPT) | MB_CAN(MB_DECRYPT))

#define LENGTH_OF(a) (sizeof(a) / sizeof(a)[0])

static mb_scheme table[LENGTH_OF(ciphers) + LENGTH_OF(digests) + LENGTH_OF(macs) +
                       LENGTH_OF(signatures) + 2 + 6];
static size_t table_len;

static void add_cipher(const adapter_cipher *cipher)
{
    const adapter_mode *mode = cipher->mode;
    table[table_len++] = (mb_scheme){
        .name = cipher->name,
        .operations = mode->no_bulk ? MESSAGE_OPERATIONS : MESSAGE_OPERATIONS | BULK_OPERATIONS,
        .can_stream = !mode->no_streaming,
        .key_min = cipher->key_len,
        .key_max = cipher->key_len,
        .nonce_min = mode->nonce_min,
        .nonce_max = mode->nonce_max,
        .tag_min = mode->tag_min,
        .tag_max = mode->tag_max,
        .block = mode->steps.block,
        .param = cipher,
    };
}

static void add_digest(const adapter_digest *digest, uint16_t operations, uint16_t key_max)
{
    const mbedtls_md_info_t *info = mbedtls_md_info_from_type(digest->md);
    if (info == NULL)
        return;
    table[table_len++] = (mb_scheme){
        .name = digest->name,
        .operations = operations,
        .can_stream = 1,
        .key_max = key_max,
        .tag_min = mbedtls_md_get_size(info),
        .tag_max = mbedtls_md_get_size(info),
        .block = 1,
        .param = digest,
    };
}

#if defined(MBEDTLS_CMAC_C)
static const mb_row cmac = {&adapter_cmac_kind};

static void add_cmac(const char *name, uint16_t key)
{
    table[table_len++] = (mb_scheme){
        .name = name,
        .operations = MB_CAN(MB_MAC),
        .can_stream = 1,
        .key_min = key,
        .key_max = key,
        .tag_min = 16,
        .tag_max = 16,
        .block = 1,
        .param = &cmac,
    };
}
#endif

static const mb_row gmac = {&adapter_gmac_kind};

static void add_gmac(const char *name, uint16_t key)
{
    table[table_len++] = (mb_scheme){
        .name = name,
        .operations = MB_CAN(MB_MAC) | MB_CAN(MB_KEY_SETUP),
        .key_min = key,
        .key_max = key,
        .nonce_min = 12,
        .nonce_max = 12,
        .tag_min = 16,
        .tag_max = 16,
        .block = 1,
        .param = &gmac,
    };
}

static void add_signature(const adapter_signature *signature)
{
    uint16_t bytes = signature->bits / 8;
    if (mbedtls_md_info_from_type(signature->md) == NULL)
        return;
    table[table_len++] = (mb_scheme){
        .name = signature->name,
        .operations = MB_CAN(MB_KEYGEN) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY),
        .can_stream = 1,
        /*
         * RSAPrivateKey: two or three numbers as long as the modulus, five half as long, and little
         * else.
         */
        .key_min = bytes > 0 ? bytes : 32,
        .key_max = bytes > 0 ? (uint16_t)(bytes * 6) : 65,
        /* ECDSA: SEQUENCE of two INTEGERs of 1 to 33 bytes. */
        .tag_min = bytes > 0 ? bytes : 8,
        .tag_max = bytes > 0 ? bytes : 72,
        .block = 1,
        .param = signature,
    };
}

static void add_agreement(const char *name, const mb_row *row)
{
    table[table_len++] = (mb_scheme){
        .name = name,
        .operations = MB_CAN(MB_KEYGEN) | MB_CAN(MB_AGREE),
        .key_min = 32,
        .key_max = 32,
        .block = 1,
        .param = row,
    };
}

void adapter_table_fill(void)
{
    table_len = 0;
    for (size_t i = 0; i < LENGTH_OF(ciphers); i++)
        add_cipher(&ciphers[i]);
    for (size_t i = 0; i < LENGTH_OF(digests); i++)
        add_digest(&digests[i], MB_CAN(MB_DIGEST), 0);
    for (size_t i = 0; i < LENGTH_OF(macs); i++)
        add_digest(&macs[i], MB_CAN(MB_MAC) | MB_CAN(MB_KEY_SETUP), UINT16_MAX);
#if defined(MBEDTLS_CMAC_C)
    add_cmac("aes-128-cmac", 16);
    add_cmac("aes-192-cmac", 24);
    add_cmac("aes-256-cmac", 32);
#endif
    add_gmac("aes-128-gmac", 16);
    add_gmac("aes-192-gmac", 24);
    add_gmac("aes-256-gmac", 32);
    for (size_t i = 0; i < LENGTH_OF(signatures); i++)
        add_signature(&signatures[i]);
    add_agreement("x25519", &x25519);
    add_agreement("ecdh-p256", &ecdh);
}

size_t adapter_table_count(void)
{
    return table_len;
}

const mb_scheme *adapter_table_at(size_t i)
{
    return i < table_len ? &table[i] : NULL;
}
