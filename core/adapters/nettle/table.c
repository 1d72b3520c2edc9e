/*
 * The schemes: all that the catalog and Nettle 3.8 share. Nettle has no OFB, no GCM, CCM, EAX and
 * XTS for blocks of 64 bits, no SHAKE128 and no PSS with SHA-1.
 */
#include "nettle_adapter.h"

#define CIPHER(name, from, cbc) \
    static const adapter_cipher name = {&adapter_cipher_kind, &(from), cbc};
CIPHER(aes128, nettle_aes128, adapter_cbc_aes128)
CIPHER(aes192, nettle_aes192, adapter_cbc_aes192)
CIPHER(aes256, nettle_aes256, adapter_cbc_aes256)
CIPHER(camellia128, nettle_camellia128, NULL)
CIPHER(camellia192, nettle_camellia192, NULL)
CIPHER(camellia256, nettle_camellia256, NULL)
CIPHER(serpent128, nettle_serpent128, NULL)
CIPHER(serpent192, nettle_serpent192, NULL)
CIPHER(serpent256, nettle_serpent256, NULL)
CIPHER(twofish128, nettle_twofish128, NULL)
CIPHER(twofish192, nettle_twofish192, NULL)
CIPHER(twofish256, nettle_twofish256, NULL)
CIPHER(cast128, nettle_cast128, NULL)
CIPHER(rc2_40, nettle_arctwo40, NULL)
CIPHER(rc2_64, nettle_arctwo64, NULL)
CIPHER(rc2_128, nettle_arctwo128, NULL)
CIPHER(des, adapter_des, NULL)
CIPHER(des3, adapter_3des, NULL)
CIPHER(blowfish128, adapter_blowfish128, NULL)
CIPHER(blowfish256, adapter_blowfish256, NULL)
CIPHER(blowfish448, adapter_blowfish448, NULL)
static const adapter_cipher stream = {&adapter_cipher_kind, NULL, NULL};

#define CIPHER_OPERATIONS                                                                          \
    (MB_CAN(MB_KEY_SETUP) | MB_CAN(MB_ENCRYPT) | MB_CAN(MB_DECRYPT) | MB_CAN(MB_ENCRYPT_MESSAGE) | \
     MB_CAN(MB_DECRYPT_MESSAGE) | MB_CAN(MB_ENCRYPT_NEW_KEY))

#define MODE(label, row, mode, key, nonce_least, nonce_most, tag_least, tag_most, multiple, \
             streams)                                                                       \
    {.name = (label),                                                                       \
     .operations = CIPHER_OPERATIONS,                                                       \
     .can_stream = (streams),                                                               \
     .key_min = (key),                                                                      \
     .key_max = (key),                                                                      \
     .nonce_min = (nonce_least),                                                            \
     .nonce_max = (nonce_most),                                                             \
     .tag_min = (tag_least),                                                                \
     .tag_max = (tag_most),                                                                 \
     .block = (multiple),                                                                   \
     .native = (mode),                                                                      \
     .param = &(row)}
#define DATA_MODES(name, row, key, size)                                     \
    MODE(name "-ecb", row, ADAPTER_ECB, key, 0, 0, 0, 0, size, 1),           \
        MODE(name "-cbc", row, ADAPTER_CBC, key, size, size, 0, 0, size, 1), \
        MODE(name "-cfb", row, ADAPTER_CFB, key, size, size, 0, 0, size, 1), \
        MODE(name "-cfb8", row, ADAPTER_CFB8, key, size, size, 0, 0, 1, 1),  \
        MODE(name "-ctr", row, ADAPTER_CTR, key, size, size, 0, 0, size, 1)
/* Nonces and tags: SP 800-38D 5.2.1, SP 800-38C A.1. */
#define LARGE_BLOCK(name, row, key)                                                \
    DATA_MODES(name, row, key, 16),                                                \
        MODE(name "-gcm", row, ADAPTER_GCM, key, 1, UINT16_MAX - 1, 4, 16, 16, 1), \
        MODE(name "-ccm", row, ADAPTER_CCM, key, 7, 13, 4, 16, 1, 1),              \
        MODE(name "-eax", row, ADAPTER_EAX, key, 1, UINT16_MAX - 1, 1, 16, 16, 1)
#define XTS(name, row, key) MODE(name "-xts", row, ADAPTER_XTS, 2 * (key), 16, 16, 0, 0, 1, 0)
#define SMALL_BLOCK(name, row, key) DATA_MODES(name, row, key, 8)
#define STREAM(name, mode, key, nonce, longest_nonce, tag, size) \
    MODE(name, stream, mode, key, nonce, longest_nonce, tag, tag, size, 1)

#define HASH(label, function, size)                                                           \
    {                                                                                         \
        .name = (label), .operations = MB_CAN(MB_DIGEST), .can_stream = 1, .tag_min = (size), \
        .tag_max = (size), .block = 1, .param = &(const adapter_hash)                         \
        {                                                                                     \
            &adapter_digest_kind, &(function)                                                 \
        }                                                                                     \
    }
#define CMAC(label, key)                                                                       \
    {                                                                                          \
        .name = (label), .operations = MB_CAN(MB_MAC) | MB_CAN(MB_KEY_SETUP), .can_stream = 1, \
        .key_min = (key), .key_max = (key), .tag_min = 16, .tag_max = 16, .block = 1,          \
        .param = &(const mb_row)                                                               \
        {                                                                                      \
            &adapter_cmac_kind                                                                 \
        }                                                                                      \
    }
#define GMAC(label, key)                                                                        \
    {                                                                                           \
        .name = (label), .operations = MB_CAN(MB_MAC) | MB_CAN(MB_KEY_SETUP), .key_min = (key), \
        .key_max = (key), .nonce_min = GCM_IV_SIZE, .nonce_max = GCM_IV_SIZE, .tag_min = 16,    \
        .tag_max = 16, .block = 1, .param = &(const mb_row)                                     \
        {                                                                                       \
            &adapter_gmac_kind                                                                  \
        }                                                                                       \
    }
#define HMAC(label, function, size)                                                            \
    {                                                                                          \
        .name = (label), .operations = MB_CAN(MB_MAC) | MB_CAN(MB_KEY_SETUP), .can_stream = 1, \
        .key_max = UINT16_MAX, .tag_min = (size), .tag_max = (size), .block = 1,               \
        .param = &(const adapter_hash)                                                         \
        {                                                                                      \
            &adapter_mac_kind, &(function)                                                     \
        }                                                                                      \
    }

#define PK_OPERATIONS (MB_CAN(MB_KEYGEN) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY))
/*
 * RSAPrivateKey: two or three numbers as long as the modulus, five half as long, and little else.
 */
#define RSA(size, padding, digest)                                                                \
    {                                                                                             \
        .name = "rsa-" #size "-" #padding "-" #digest, .operations = PK_OPERATIONS,               \
        .can_stream = 1, .key_min = (size) / 8, .key_max = (size) / 8 * 6, .tag_min = (size) / 8, \
        .tag_max = (size) / 8, .block = 1, .param = &(const adapter_pk)                           \
        {                                                                                         \
            &adapter_signature_kind, &adapter_rsa_family, &nettle_##digest,                       \
                &adapter_##padding##_##digest, size                                               \
        }                                                                                         \
    }
/* RSA-1024 is too short for PSS with SHA-512 and a salt of 64 bytes: RFC 8017 9.1.1. */
#define RSA_ALL(size)                                                           \
    RSA(size, pkcs1, sha1), RSA(size, pkcs1, sha256), RSA(size, pkcs1, sha384), \
        RSA(size, pkcs1, sha512), RSA(size, pss, sha256), RSA(size, pss, sha384)

static const mb_scheme schemes[] = {
    LARGE_BLOCK("aes-128", aes128, 16),
    XTS("aes-128", aes128, 16),
    LARGE_BLOCK("aes-192", aes192, 24),
    LARGE_BLOCK("aes-256", aes256, 32),
    XTS("aes-256", aes256, 32),
    LARGE_BLOCK("camellia-128", camellia128, 16),
    XTS("camellia-128", camellia128, 16),
    LARGE_BLOCK("camellia-192", camellia192, 24),
    LARGE_BLOCK("camellia-256", camellia256, 32),
    XTS("camellia-256", camellia256, 32),
    LARGE_BLOCK("serpent-128", serpent128, 16),
    XTS("serpent-128", serpent128, 16),
    LARGE_BLOCK("serpent-192", serpent192, 24),
    LARGE_BLOCK("serpent-256", serpent256, 32),
    XTS("serpent-256", serpent256, 32),
    LARGE_BLOCK("twofish-128", twofish128, 16),
    XTS("twofish-128", twofish128, 16),
    LARGE_BLOCK("twofish-192", twofish192, 24),
    LARGE_BLOCK("twofish-256", twofish256, 32),
    XTS("twofish-256", twofish256, 32),
    SMALL_BLOCK("cast-128", cast128, 16),
    SMALL_BLOCK("rc2-40", rc2_40, 5),
    SMALL_BLOCK("rc2-64", rc2_64, 8),
    SMALL_BLOCK("rc2-128", rc2_128, 16),
    SMALL_BLOCK("des", des, 8),
    SMALL_BLOCK("3des", des3, 24),
    SMALL_BLOCK("blowfish-128", blowfish128, 16),
    SMALL_BLOCK("blowfish-256", blowfish256, 32),
    SMALL_BLOCK("blowfish-448", blowfish448, 56),
    STREAM("rc4-40", ADAPTER_RC4, 5, 0, 0, 0, 1),
    STREAM("rc4-128", ADAPTER_RC4, 16, 0, 0, 0, 1),
    STREAM("salsa20", ADAPTER_SALSA20, 32, 8, 8, 0, SALSA20_BLOCK_SIZE),
    STREAM("salsa20-128", ADAPTER_SALSA20, 16, 8, 8, 0, SALSA20_BLOCK_SIZE),
    STREAM("salsa20-12", ADAPTER_SALSA20_12, 32, 8, 8, 0, SALSA20_BLOCK_SIZE),
    STREAM("chacha20", ADAPTER_CHACHA20, 32, 12, 16, 0, CHACHA_BLOCK_SIZE),
    STREAM("chacha20-poly1305", ADAPTER_POLY1305, 32, 12, 12, 16, CHACHA_POLY1305_BLOCK_SIZE),
    HASH("md5", nettle_md5, 16),
    HASH("sha1", nettle_sha1, 20),
    HASH("ripemd160", nettle_ripemd160, 20),
    HASH("sha224", nettle_sha224, 28),
    HASH("sha256", nettle_sha256, 32),
    HASH("sha384", nettle_sha384, 48),
    HASH("sha512", nettle_sha512, 64),
    HASH("sha512-256", nettle_sha512_256, 32),
    HASH("sha3-224", nettle_sha3_224, 28),
    HASH("sha3-256", nettle_sha3_256, 32),
    HASH("sha3-384", nettle_sha3_384, 48),
    HASH("sha3-512", nettle_sha3_512, 64),
    HASH("shake256", adapter_shake256, 64),
    HMAC("hmac-md5", nettle_md5, 16),
    HMAC("hmac-sha1", nettle_sha1, 20),
    HMAC("hmac-sha224", nettle_sha224, 28),
    HMAC("hmac-sha256", nettle_sha256, 32),
    HMAC("hmac-sha384", nettle_sha384, 48),
    HMAC("hmac-sha512", nettle_sha512, 64),
    HMAC("hmac-sha3-256", nettle_sha3_256, 32),
    CMAC("aes-128-cmac", 16),
    CMAC("aes-256-cmac", 32),
    GMAC("aes-128-gmac", 16),
    GMAC("aes-192-gmac", 24),
    GMAC("aes-256-gmac", 32),
    RSA_ALL(1024),
    RSA_ALL(2048),
    RSA(2048, pss, sha512),
    RSA_ALL(3072),
    RSA(3072, pss, sha512),
    RSA_ALL(4096),
    RSA(4096, pss, sha512),
    /* ECDSA signatures: SEQUENCE of two INTEGERs of 1 to 33 bytes. */
    {.name = "ecdsa-p256-sha256",
     .operations = PK_OPERATIONS,
     .can_stream = 1,
     .key_min = 32,
     .key_max = 65,
     .tag_min = 8,
     .tag_max = 72,
     .block = 1,
     .param = &(const adapter_pk){&adapter_signature_kind, &adapter_ecdsa_family, &nettle_sha256,
                                  NULL, 0}},
    {.name = "ed25519",
     .operations = PK_OPERATIONS,
     .key_min = 32,
     .key_max = 32,
     .tag_min = 64,
     .tag_max = 64,
     .block = 1,
     .param = &(const mb_row){&adapter_ed25519_kind}},
    {.name = "x25519",
     .operations = MB_CAN(MB_KEYGEN) | MB_CAN(MB_AGREE),
     .key_min = 32,
     .key_max = 32,
     .block = 1,
     .param = &(const mb_row){&adapter_x25519_kind}},
    {.name = "ecdh-p256",
     .operations = MB_CAN(MB_KEYGEN) | MB_CAN(MB_AGREE),
     .key_min = 32,
     .key_max = 32,
     .block = 1,
     .param = &(const mb_row){&adapter_ecdh_kind}},
};

size_t adapter_scheme_count(void)
{
    return sizeof schemes / sizeof schemes[0];
}

const mb_scheme *adapter_scheme_at(size_t i)
{
    return i < adapter_scheme_count() ? &schemes[i] : NULL;
}
