/* The schemes: what this adapter knows, as far as the library at hand has it. */
#include "libgcrypt_adapter.h"

#include <stdio.h>

#define DATA_MODES                                                                 \
    (ADAPTER_IN(ADAPTER_ECB) | ADAPTER_IN(ADAPTER_CBC) | ADAPTER_IN(ADAPTER_CFB) | \
     ADAPTER_IN(ADAPTER_CFB8) | ADAPTER_IN(ADAPTER_OFB) | ADAPTER_IN(ADAPTER_CTR))
#define SMALL_BLOCK (DATA_MODES | ADAPTER_IN(ADAPTER_EAX))
#define LARGE_BLOCK                                                                             \
    (DATA_MODES | ADAPTER_IN(ADAPTER_GCM) | ADAPTER_IN(ADAPTER_CCM) | ADAPTER_IN(ADAPTER_OCB) | \
     ADAPTER_IN(ADAPTER_EAX))
#define LARGE_BLOCK_XTS (LARGE_BLOCK | ADAPTER_IN(ADAPTER_XTS))

static const adapter_cipher ciphers[] = {
#define CIPHER(name, algo, key, block, modes) \
    {&adapter_cipher_kind, name, GCRY_CIPHER_##algo, key, block, modes}
    CIPHER("aes-128", AES128, 16, 16, LARGE_BLOCK_XTS),
    CIPHER("aes-192", AES192, 24, 16, LARGE_BLOCK),
    CIPHER("aes-256", AES256, 32, 16, LARGE_BLOCK_XTS),
    CIPHER("camellia-128", CAMELLIA128, 16, 16, LARGE_BLOCK_XTS),
    CIPHER("camellia-192", CAMELLIA192, 24, 16, LARGE_BLOCK),
    CIPHER("camellia-256", CAMELLIA256, 32, 16, LARGE_BLOCK_XTS),
    CIPHER("twofish-128", TWOFISH128, 16, 16, LARGE_BLOCK_XTS),
    CIPHER("twofish-256", TWOFISH, 32, 16, LARGE_BLOCK_XTS),
    CIPHER("serpent-128", SERPENT128, 16, 16, LARGE_BLOCK_XTS),
    CIPHER("serpent-192", SERPENT192, 24, 16, LARGE_BLOCK),
    CIPHER("serpent-256", SERPENT256, 32, 16, LARGE_BLOCK_XTS),
    CIPHER("seed", SEED, 16, 16, LARGE_BLOCK_XTS),
    CIPHER("idea", IDEA, 16, 8, SMALL_BLOCK),
    CIPHER("des", DES, 8, 8, SMALL_BLOCK),
    CIPHER("3des", 3DES, 24, 8, SMALL_BLOCK),
    CIPHER("blowfish-128", BLOWFISH, 16, 8, SMALL_BLOCK),
    CIPHER("blowfish-256", BLOWFISH, 32, 8, SMALL_BLOCK),
    CIPHER("blowfish-448", BLOWFISH, 56, 8, SMALL_BLOCK),
    CIPHER("rc2-40", RFC2268_40, 5, 8, SMALL_BLOCK),
    CIPHER("rc2-128", RFC2268_128, 16, 8, SMALL_BLOCK),
    CIPHER("cast-128", CAST5, 16, 8, SMALL_BLOCK),
    CIPHER("rc4-40", ARCFOUR, 5, 1, ADAPTER_IN(ADAPTER_RC4)),
    CIPHER("rc4-128", ARCFOUR, 16, 1, ADAPTER_IN(ADAPTER_RC4)),
    CIPHER("salsa20", SALSA20, 32, 1, ADAPTER_IN(ADAPTER_SALSA20)),
    CIPHER("salsa20-128", SALSA20, 16, 1, ADAPTER_IN(ADAPTER_SALSA20)),
    CIPHER("salsa20-12", SALSA20R12, 32, 1, ADAPTER_IN(ADAPTER_SALSA20)),
    CIPHER("chacha20", CHACHA20, 32, 1,
           ADAPTER_IN(ADAPTER_CHACHA20) | ADAPTER_IN(ADAPTER_POLY1305)),
};

static const adapter_digest digests[] = {
#define DIGEST(name, algo, len) {&adapter_digest_kind, name, GCRY_MD_##algo, len}
    DIGEST("md5", MD5, 16),
    DIGEST("sha1", SHA1, 20),
    DIGEST("ripemd160", RMD160, 20),
    DIGEST("sha224", SHA224, 28),
    DIGEST("sha256", SHA256, 32),
    DIGEST("sha384", SHA384, 48),
    DIGEST("sha512", SHA512, 64),
    DIGEST("sha512-256", SHA512_256, 32),
    DIGEST("sha3-224", SHA3_224, 28),
    DIGEST("sha3-256", SHA3_256, 32),
    DIGEST("sha3-384", SHA3_384, 48),
    DIGEST("sha3-512", SHA3_512, 64),
    DIGEST("shake128", SHAKE128, 32),
    DIGEST("shake256", SHAKE256, 64),
    DIGEST("blake2s-256", BLAKE2S_256, 32),
    DIGEST("blake2b-512", BLAKE2B_512, 64),
};

static const adapter_mac macs[] = {
#define MAC(name, algo) {&adapter_mac_kind, name, GCRY_MAC_##algo, 0, UINT16_MAX, 0}
#define CMAC(name, algo, key) {&adapter_mac_kind, name, GCRY_MAC_##algo, key, key, 0}
#define GMAC(name, algo, key) {&adapter_mac_kind, name, GCRY_MAC_##algo, key, key, 12}
    MAC("hmac-md5", HMAC_MD5),           MAC("hmac-sha1", HMAC_SHA1),
    MAC("hmac-sha224", HMAC_SHA224),     MAC("hmac-sha256", HMAC_SHA256),
    MAC("hmac-sha384", HMAC_SHA384),     MAC("hmac-sha512", HMAC_SHA512),
    MAC("hmac-sha3-256", HMAC_SHA3_256), CMAC("aes-128-cmac", CMAC_AES, 16),
    CMAC("aes-192-cmac", CMAC_AES, 24),  CMAC("aes-256-cmac", CMAC_AES, 32),
    GMAC("aes-128-gmac", GMAC_AES, 16),  GMAC("aes-192-gmac", GMAC_AES, 24),
    GMAC("aes-256-gmac", GMAC_AES, 32),
};

/* PSS salts are as long as the hash. RSA-1024 is too short for PSS with SHA-512: RFC 8017 9.1.1. */
#define PKCS1 "(data(flags pkcs1)(hash %s %b))"
#define PSS "(data(flags pss)(hash %s %b)(salt-length %d))"
#define RSA(bits, padding, format, name, algo, len) \
    {&adapter_pk_kind,                              \
     &adapter_rsa_family,                           \
     "rsa-" #bits "-" padding "-" name,             \
     format,                                        \
     GCRY_MD_##algo,                                \
     bits,                                          \
     len}
#define RSA_ALL(bits)                                                                            \
    RSA(bits, "pkcs1", PKCS1, "sha1", SHA1, 0), RSA(bits, "pkcs1", PKCS1, "sha256", SHA256, 0),  \
        RSA(bits, "pkcs1", PKCS1, "sha384", SHA384, 0),                                          \
        RSA(bits, "pkcs1", PKCS1, "sha512", SHA512, 0), RSA(bits, "pss", PSS, "sha1", SHA1, 20), \
        RSA(bits, "pss", PSS, "sha256", SHA256, 32), RSA(bits, "pss", PSS, "sha384", SHA384, 48)
#define RSA_PSS_SHA512(bits) RSA(bits, "pss", PSS, "sha512", SHA512, 64)

static const adapter_pk pks[] = {
    RSA_ALL(1024),
    RSA_ALL(2048),
    RSA_PSS_SHA512(2048),
    RSA_ALL(3072),
    RSA_PSS_SHA512(3072),
    RSA_ALL(4096),
    RSA_PSS_SHA512(4096),
    {&adapter_pk_kind, &adapter_ecdsa_family, "ecdsa-p256-sha256", "(data(flags raw)(hash %s %b))",
     GCRY_MD_SHA256, 0, 0},
    {&adapter_pk_kind, &adapter_ed25519_family, "ed25519",
     "(data(flags eddsa)(hash-algo sha512)(value %b))", 0, 0, 0},
};

static const mb_row x25519 = {&adapter_x25519_kind};

#define CIPHER_OPERATIONS                                                                          \
    (MB_CAN(MB_KEY_SETUP) | MB_CAN(MB_ENCRYPT) | MB_CAN(MB_DECRYPT) | MB_CAN(MB_ENCRYPT_MESSAGE) | \
     MB_CAN(MB_DECRYPT_MESSAGE) | MB_CAN(MB_ENCRYPT_NEW_KEY))

#define LENGTH_OF(a) (sizeof(a) / sizeof(a)[0])

enum {
    CIPHERS = LENGTH_OF(ciphers),
    OTHERS = LENGTH_OF(digests) + LENGTH_OF(macs) + LENGTH_OF(pks) + 1,
    NAME_SIZE = 32
};

static mb_scheme table[CIPHERS * ADAPTER_MODE_COUNT + OTHERS];
static size_t table_len;
static char cipher_names[CIPHERS * ADAPTER_MODE_COUNT][NAME_SIZE];

static bool library_has(const adapter_cipher *cipher, const adapter_mode *mode)
{
    gcry_cipher_hd_t h;
    if (gcry_cipher_test_algo(cipher->algo) || gcry_cipher_open(&h, cipher->algo, mode->mode, 0))
        return false;
    gcry_cipher_close(h);
    return true;
}

static void add_cipher(const adapter_cipher *cipher, unsigned index)
{
    const adapter_mode *mode = &adapter_modes[index];
    if (!library_has(cipher, mode))
        return;
    char *name = cipher_names[table_len];
    snprintf(name, NAME_SIZE, "%s%s", cipher->name, mode->suffix);
    uint16_t key = (uint16_t)(index == ADAPTER_XTS ? 2u * cipher->key_len : cipher->key_len);
    bool block_nonce = mode->nonce_max == ADAPTER_BLOCK;
    bool long_tag = mode->tag_max > cipher->block && cipher->block > 1;
    table[table_len++] = (mb_scheme){
        .name = name,
        .operations = CIPHER_OPERATIONS,
        .can_stream = mode->can_stream,
        .key_min = key,
        .key_max = key,
        .nonce_min = block_nonce ? cipher->block : mode->nonce_min,
        .nonce_max = block_nonce ? cipher->block : mode->nonce_max,
        .tag_min = mode->tag_min,
        .tag_max = long_tag ? cipher->block : mode->tag_max,
        .block = mode->whole_blocks ? cipher->block : 1,
        .native = (uint16_t)index,
        .param = cipher,
    };
}

/* `tag`: length of digest, MAC or signature in bytes. */
static mb_scheme *add(const char *name, uint16_t operations, bool stream, size_t tag,
                      const void *row)
{
    mb_scheme *scheme = &table[table_len++];
    *scheme = (mb_scheme){
        .name = name,
        .operations = operations,
        .can_stream = stream,
        .tag_min = (uint16_t)tag,
        .tag_max = (uint16_t)tag,
        .block = 1,
        .param = row,
    };
    return scheme;
}

static void set_key_range(mb_scheme *scheme, size_t min, size_t max)
{
    scheme->key_min = (uint16_t)min;
    scheme->key_max = (uint16_t)max;
}

static void add_mac(const adapter_mac *mac)
{
    uint16_t operations = MB_CAN(MB_MAC) | MB_CAN(MB_KEY_SETUP);
    if (gcry_mac_test_algo(mac->algo))
        return;
    mb_scheme *scheme = add(mac->name, operations, true, gcry_mac_get_algo_maclen(mac->algo), mac);
    set_key_range(scheme, mac->key_min, mac->key_max);
    scheme->nonce_min = scheme->nonce_max = mac->nonce;
}

static void add_pk(const adapter_pk *pk)
{
    uint16_t operations = MB_CAN(MB_KEYGEN) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY);
    size_t bytes = pk->bits / 8u;
    if (gcry_pk_test_algo(pk->bits ? GCRY_PK_RSA : GCRY_PK_ECC) ||
        (pk->hash && gcry_md_test_algo(pk->hash)))
        return;
    mb_scheme *scheme = add(pk->name, operations, pk->hash != 0, pk->bits ? bytes : 64, pk);
    if (pk->bits) {
        /*
         * RSAPrivateKey: two or three numbers as long as the modulus, five half as long, and little
         * else.
         */
        set_key_range(scheme, bytes, bytes * 6);
    } else if (pk->hash) {
        set_key_range(scheme, 32, 65);
        scheme->tag_min = 8; /* SEQUENCE of two INTEGERs of 1 to 33 bytes */
        scheme->tag_max = 72;
    } else {
        set_key_range(scheme, 32, 32);
    }
}

void adapter_table_fill(void)
{
    table_len = 0;
    for (size_t i = 0; i < CIPHERS; i++)
        for (unsigned mode = 0; mode < ADAPTER_MODE_COUNT; mode++)
            if (ciphers[i].modes & ADAPTER_IN(mode))
                add_cipher(&ciphers[i], mode);
    for (size_t i = 0; i < LENGTH_OF(digests); i++)
        if (!gcry_md_test_algo(digests[i].algo))
            add(digests[i].name, MB_CAN(MB_DIGEST), true, digests[i].out_len, &digests[i]);
    for (size_t i = 0; i < LENGTH_OF(macs); i++)
        add_mac(&macs[i]);
    for (size_t i = 0; i < LENGTH_OF(pks); i++)
        add_pk(&pks[i]);
    if (!gcry_pk_test_algo(GCRY_PK_ECC))
        set_key_range(add("x25519", MB_CAN(MB_KEYGEN) | MB_CAN(MB_AGREE), false, 0, &x25519), 32,
                      32);
}

size_t adapter_table_count(void)
{
    return table_len;
}

const mb_scheme *adapter_table_at(size_t i)
{
    return i < table_len ? &table[i] : NULL;
}
