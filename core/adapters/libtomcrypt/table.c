/*
 * The schemes, and the registration of what they need: all that the catalog and LibTomCrypt 1.18
 * share. That has no CFB8, IDEA, Serpent, ARIA, Salsa20, XChaCha20, Ed25519 or X25519.
 */
#include "libtomcrypt_adapter.h"

#include <stdio.h>

#define SMALL_BLOCK                                                                \
    (ADAPTER_IN(ADAPTER_ECB) | ADAPTER_IN(ADAPTER_CBC) | ADAPTER_IN(ADAPTER_CFB) | \
     ADAPTER_IN(ADAPTER_OFB) | ADAPTER_IN(ADAPTER_CTR))
#define LARGE_BLOCK                                                                              \
    (SMALL_BLOCK | ADAPTER_IN(ADAPTER_GCM) | ADAPTER_IN(ADAPTER_CCM) | ADAPTER_IN(ADAPTER_EAX) | \
     ADAPTER_IN(ADAPTER_OCB))
#define WITH_EAX (SMALL_BLOCK | ADAPTER_IN(ADAPTER_EAX))
#define WITH_XTS (LARGE_BLOCK | ADAPTER_IN(ADAPTER_XTS))

/* All with the library's own number of rounds; RC2 with as many effective bits as the key has. */
static const adapter_cipher ciphers[] = {
#define CIPHER(name, descriptor, key, modes) \
    {&adapter_cipher_kind, name, &descriptor##_desc, key, modes}
#define STREAM(name, key, modes) {&adapter_cipher_kind, name, NULL, key, modes}
    CIPHER("aes-128", aes, 16, WITH_XTS),
    CIPHER("aes-192", aes, 24, LARGE_BLOCK),
    CIPHER("aes-256", aes, 32, WITH_XTS),
    CIPHER("camellia-128", camellia, 16, WITH_XTS),
    CIPHER("camellia-192", camellia, 24, LARGE_BLOCK),
    CIPHER("camellia-256", camellia, 32, WITH_XTS),
    CIPHER("twofish-128", twofish, 16, WITH_XTS),
    CIPHER("twofish-192", twofish, 24, LARGE_BLOCK),
    CIPHER("twofish-256", twofish, 32, WITH_XTS),
    CIPHER("seed", kseed, 16, WITH_XTS),
    CIPHER("rc6-128", rc6, 16, SMALL_BLOCK),
    CIPHER("rc6-192", rc6, 24, SMALL_BLOCK),
    CIPHER("rc6-256", rc6, 32, SMALL_BLOCK),
    CIPHER("des", des, 8, WITH_EAX),
    CIPHER("3des", des3, 24, WITH_EAX),
    CIPHER("blowfish-128", blowfish, 16, WITH_EAX),
    CIPHER("blowfish-256", blowfish, 32, WITH_EAX),
    CIPHER("blowfish-448", blowfish, 56, WITH_EAX),
    CIPHER("cast-128", cast5, 16, WITH_EAX),
    CIPHER("rc2-40", rc2, 5, WITH_EAX),
    CIPHER("rc2-64", rc2, 8, WITH_EAX),
    CIPHER("rc2-128", rc2, 16, WITH_EAX),
    CIPHER("rc5-128", rc5, 16, WITH_EAX),
    CIPHER("xtea", xtea, 16, WITH_EAX),
    STREAM("chacha20", 32, ADAPTER_IN(ADAPTER_CHACHA20) | ADAPTER_IN(ADAPTER_CHACHA20_POLY1305)),
    STREAM("rc4-40", 5, ADAPTER_IN(ADAPTER_RC4)),
    STREAM("rc4-128", 16, ADAPTER_IN(ADAPTER_RC4)),
};

static const adapter_digest digests[] = {
#define DIGEST(name, hash, len) {&adapter_digest_kind, name, &hash##_desc, 0, len}
    DIGEST("md5", md5, 16),
    DIGEST("sha1", sha1, 20),
    DIGEST("ripemd160", rmd160, 20),
    DIGEST("sha224", sha224, 28),
    DIGEST("sha256", sha256, 32),
    DIGEST("sha384", sha384, 48),
    DIGEST("sha512", sha512, 64),
    DIGEST("sha512-256", sha512_256, 32),
    DIGEST("sha3-224", sha3_224, 28),
    DIGEST("sha3-256", sha3_256, 32),
    DIGEST("sha3-384", sha3_384, 48),
    DIGEST("sha3-512", sha3_512, 64),
    DIGEST("blake2s-256", blake2s_256, 32),
    DIGEST("blake2b-512", blake2b_512, 64),
    {&adapter_digest_kind, "shake128", NULL, 128, 32},
    {&adapter_digest_kind, "shake256", NULL, 256, 64},
};

static const adapter_digest macs[] = {
#define MAC(name, hash, len) {&adapter_mac_kind, name, &hash##_desc, 0, len}
    MAC("hmac-md5", md5, 16),           MAC("hmac-sha1", sha1, 20),
    MAC("hmac-sha224", sha224, 28),     MAC("hmac-sha256", sha256, 32),
    MAC("hmac-sha384", sha384, 48),     MAC("hmac-sha512", sha512, 64),
    MAC("hmac-sha3-256", sha3_256, 32),
};

static const mb_row cmac = {&adapter_cmac_kind}, gmac = {&adapter_gmac_kind};

/* MACs of AES. */
static const mb_scheme cipher_macs[] = {
#define CMAC(label, key)           \
    {.name = (label),              \
     .operations = MB_CAN(MB_MAC), \
     .can_stream = 1,              \
     .key_min = (key),             \
     .key_max = (key),             \
     .tag_min = 16,                \
     .tag_max = 16,                \
     .block = 1,                   \
     .param = &cmac}
#define GMAC(label, key)                                  \
    {.name = (label),                                     \
     .operations = MB_CAN(MB_MAC) | MB_CAN(MB_KEY_SETUP), \
     .can_stream = 1,                                     \
     .key_min = (key),                                    \
     .key_max = (key),                                    \
     .nonce_min = 12,                                     \
     .nonce_max = 12,                                     \
     .tag_min = 16,                                       \
     .tag_max = 16,                                       \
     .block = 1,                                          \
     .param = &gmac}
    CMAC("aes-128-cmac", 16), CMAC("aes-192-cmac", 24), CMAC("aes-256-cmac", 32),
    GMAC("aes-128-gmac", 16), GMAC("aes-192-gmac", 24), GMAC("aes-256-gmac", 32),
};

static const adapter_signature signatures[] = {
#define RSA(bits, padding, name, hash, code) \
    {&adapter_signature_kind, "rsa-" #bits "-" padding "-" name, &hash##_desc, bits, code}
#define RSA_ALL(bits)                                          \
    RSA(bits, "pkcs1", "sha1", sha1, LTC_PKCS_1_V1_5),         \
        RSA(bits, "pkcs1", "sha256", sha256, LTC_PKCS_1_V1_5), \
        RSA(bits, "pkcs1", "sha384", sha384, LTC_PKCS_1_V1_5), \
        RSA(bits, "pkcs1", "sha512", sha512, LTC_PKCS_1_V1_5), \
        RSA(bits, "pss", "sha1", sha1, LTC_PKCS_1_PSS),        \
        RSA(bits, "pss", "sha256", sha256, LTC_PKCS_1_PSS),    \
        RSA(bits, "pss", "sha384", sha384, LTC_PKCS_1_PSS)
    /* RSA-1024 is too short for PSS with SHA-512: RFC 8017 9.1.1. */
    RSA_ALL(1024),
    RSA_ALL(2048),
    RSA(2048, "pss", "sha512", sha512, LTC_PKCS_1_PSS),
    RSA_ALL(3072),
    RSA(3072, "pss", "sha512", sha512, LTC_PKCS_1_PSS),
    RSA_ALL(4096),
    RSA(4096, "pss", "sha512", sha512, LTC_PKCS_1_PSS),
    {&adapter_signature_kind, "ecdsa-p256-sha256", &sha256_desc, 0, 0},
};

#define BULK_OPERATIONS (MB_CAN(MB_ENCRYPT) | MB_CAN(MB_DECRYPT))
#define MESSAGE_OPERATIONS \
    (MB_CAN(MB_ENCRYPT_MESSAGE) | MB_CAN(MB_DECRYPT_MESSAGE) | MB_CAN(MB_ENCRYPT_NEW_KEY))

#define LENGTH_OF(a) (sizeof(a) / sizeof(a)[0])

enum {
    CIPHERS = LENGTH_OF(ciphers),
    OTHERS = LENGTH_OF(digests) + LENGTH_OF(macs) + LENGTH_OF(cipher_macs) + LENGTH_OF(signatures),
    NAME_SIZE = 24
};

static mb_scheme table[CIPHERS * ADAPTER_MODE_COUNT + OTHERS];
static size_t table_len;
static char cipher_names[CIPHERS * ADAPTER_MODE_COUNT][NAME_SIZE];

static void add_cipher(const adapter_cipher *cipher, unsigned index)
{
    const adapter_mode *mode = adapter_mode_of(cipher, index);
    const unsigned block =
        cipher->descriptor != NULL ? (unsigned)cipher->descriptor->block_length : 1;
    const unsigned key_len = index == ADAPTER_XTS ? 2u * cipher->key_len : cipher->key_len;
    const bool block_nonce = mode->nonce_max == ADAPTER_BLOCK && mode->nonce_min == ADAPTER_BLOCK;
    const unsigned operations = BULK_OPERATIONS | MESSAGE_OPERATIONS | MB_CAN(MB_KEY_SETUP);
    char *name = cipher_names[table_len];
    snprintf(name, NAME_SIZE, "%s%s", cipher->name, mode->suffix);
    table[table_len++] = (mb_scheme){
        .name = name,
        .operations = (uint16_t)(mode->no_key_setup ? operations & ~(unsigned)MB_CAN(MB_KEY_SETUP)
                                                    : operations),
        .can_stream = !mode->no_streaming,
        .key_min = (uint16_t)key_len,
        .key_max = (uint16_t)key_len,
        .nonce_min = (uint16_t)(block_nonce ? block : mode->nonce_min),
        .nonce_max = (uint16_t)(block_nonce ? block : mode->nonce_max),
        .tag_min = mode->tag_min,
        .tag_max = mode->tag_max,
        .block = mode->steps.block,
        .native = (uint16_t)index,
        .param = cipher,
    };
}

static void add_digest(const adapter_digest *digest, bool keyed)
{
    table[table_len++] = (mb_scheme){
        .name = digest->name,
        .operations = keyed ? MB_CAN(MB_MAC) : MB_CAN(MB_DIGEST),
        .can_stream = 1,
        .key_min = keyed ? 1 : 0, /* the library refuses an empty key */
        .key_max = keyed ? UINT16_MAX : 0,
        .tag_min = digest->out_len,
        .tag_max = digest->out_len,
        .block = 1,
        .param = digest,
    };
}

static void add_signature(const adapter_signature *signature)
{
    uint16_t bytes = signature->bits / 8;
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

void adapter_table_fill(void)
{
    table_len = 0;
    for (size_t i = 0; i < CIPHERS; i++) {
        if (ciphers[i].descriptor != NULL && register_cipher(ciphers[i].descriptor) < 0)
            continue;
        for (unsigned mode = 0; mode < ADAPTER_MODE_COUNT; mode++)
            if (ciphers[i].modes & ADAPTER_IN(mode))
                add_cipher(&ciphers[i], mode);
    }
    for (size_t i = 0; i < LENGTH_OF(digests); i++) {
        if (digests[i].descriptor != NULL)
            (void)register_hash(digests[i].descriptor); /* HMAC and PSS find them by name */
        add_digest(&digests[i], false);
    }
    for (size_t i = 0; i < LENGTH_OF(macs); i++)
        add_digest(&macs[i], true);
    for (size_t i = 0; i < LENGTH_OF(cipher_macs); i++)
        table[table_len++] = cipher_macs[i];
    for (size_t i = 0; i < LENGTH_OF(signatures); i++)
        add_signature(&signatures[i]);
}

size_t adapter_table_count(void)
{
    return table_len;
}

const mb_scheme *adapter_table_at(size_t i)
{
    return i < table_len ? &table[i] : NULL;
}
