/*
 * The schemes, as the probe wants them listed: all that the catalog and wolfSSL 5.5 as Debian
 * builds it share. DES and 3DES have ECB and CBC only, Camellia CBC only; there is no SHAKE128 in
 * that build, and no tag of less than 12 bytes (WOLFSSL_MIN_AUTH_TAG_SZ).
 */
#include "wolfssl_adapter.h"

#define CIPHER_OPERATIONS                                                                          \
    (MB_CAN(MB_KEY_SETUP) | MB_CAN(MB_ENCRYPT) | MB_CAN(MB_DECRYPT) | MB_CAN(MB_ENCRYPT_MESSAGE) | \
     MB_CAN(MB_DECRYPT_MESSAGE) | MB_CAN(MB_ENCRYPT_NEW_KEY))

#define LENGTH_OF(a) (sizeof(a) / sizeof(a)[0])

static const adapter_mac macs[] = {
#define MAC(label, hash, len) {{&adapter_mac_kind, label}, hash, len}
    MAC("hmac-md5", WC_MD5, 16),           MAC("hmac-sha1", WC_SHA, 20),
    MAC("hmac-sha224", WC_SHA224, 28),     MAC("hmac-sha256", WC_SHA256, 32),
    MAC("hmac-sha384", WC_SHA384, 48),     MAC("hmac-sha512", WC_SHA512, 64),
    MAC("hmac-sha3-256", WC_SHA3_256, 32),
};

static const adapter_row cipher_macs[][3] = {
#if defined(WOLFSSL_CMAC)
    {{&adapter_cmac_kind, "aes-128-cmac"},
     {&adapter_cmac_kind, "aes-192-cmac"},
     {&adapter_cmac_kind, "aes-256-cmac"}},
#endif
    {{&adapter_gmac_kind, "aes-128-gmac"},
     {&adapter_gmac_kind, "aes-192-gmac"},
     {&adapter_gmac_kind, "aes-256-gmac"}},
};

/* RSA-1024 is too short for PSS with SHA-512 and a salt as long as the hash: RFC 8017 9.1.1. */
#define RSA(bits, padding, mgf, hash, label)                 \
    {{&adapter_pk_kind, "rsa-" #bits "-" padding "-" label}, \
     &adapter_rsa_family,                                    \
     WC_HASH_TYPE_##hash,                                    \
     mgf,                                                    \
     bits}
#define RSA_ALL(bits)                                      \
    RSA(bits, "pkcs1", WC_MGF1NONE, SHA, "sha1"),          \
        RSA(bits, "pkcs1", WC_MGF1NONE, SHA256, "sha256"), \
        RSA(bits, "pkcs1", WC_MGF1NONE, SHA384, "sha384"), \
        RSA(bits, "pkcs1", WC_MGF1NONE, SHA512, "sha512"), \
        RSA(bits, "pss", WC_MGF1SHA1, SHA, "sha1"),        \
        RSA(bits, "pss", WC_MGF1SHA256, SHA256, "sha256"), \
        RSA(bits, "pss", WC_MGF1SHA384, SHA384, "sha384")
#define RSA_PSS_SHA512(bits) RSA(bits, "pss", WC_MGF1SHA512, SHA512, "sha512")

static const adapter_pk pks[] = {
    RSA_ALL(1024),
    RSA_ALL(2048),
    RSA_PSS_SHA512(2048),
    RSA_ALL(3072),
    RSA_PSS_SHA512(3072),
    RSA_ALL(4096),
    RSA_PSS_SHA512(4096),
    {{&adapter_pk_kind, "ecdsa-p256-sha256"},
     &adapter_ecdsa_family,
     WC_HASH_TYPE_SHA256,
     WC_MGF1NONE,
     0},
    {{&adapter_pk_kind, "ed25519"}, &adapter_ed25519_family, WC_HASH_TYPE_NONE, WC_MGF1NONE, 0},
};

static const adapter_row x25519 = {&adapter_x25519_kind, "x25519"};

enum { SCHEMES_MAX = 128 };

static mb_scheme table[SCHEMES_MAX];
static size_t table_len;

/* Tag lengths of zero and one block for the caller to change. */
static mb_scheme *add(const adapter_row *row, uint16_t operations, bool stream)
{
    mb_scheme *scheme = &table[table_len++];
    *scheme = (mb_scheme){.name = row->name,
                          .operations = operations,
                          .can_stream = stream,
                          .block = 1,
                          .param = row};
    return scheme;
}

static void set_key_range(mb_scheme *scheme, size_t min, size_t max)
{
    scheme->key_min = (uint16_t)min;
    scheme->key_max = (uint16_t)max;
}

static void set_tag_range(mb_scheme *scheme, size_t min, size_t max)
{
    scheme->tag_min = (uint16_t)min;
    scheme->tag_max = (uint16_t)max;
}

static void add_cipher(const adapter_cipher *cipher)
{
    mb_scheme *scheme = add(&cipher->row, CIPHER_OPERATIONS, !cipher->steps.whole_message);
    set_key_range(scheme, cipher->key_len, cipher->key_len);
    scheme->nonce_min = cipher->nonce_min;
    scheme->nonce_max = cipher->nonce_max;
    scheme->block = cipher->steps.block;
}

static void add_aead(const adapter_aead *aead)
{
    unsigned operations = CIPHER_OPERATIONS;
    if (!aead->set_key)
        operations &= ~(unsigned)MB_CAN(MB_KEY_SETUP);
    if (!aead->update)
        operations &= ~(unsigned)MB_CAN(MB_DECRYPT);
    mb_scheme *scheme = add(&aead->row, (uint16_t)operations, aead->update != NULL);
    set_key_range(scheme, aead->key_len, aead->key_len);
    scheme->nonce_min = aead->nonce_min;
    scheme->nonce_max = aead->nonce_max;
    set_tag_range(scheme, aead->tag_min, 16);
}

/* Of AES with that row of keys: 16, 24, 32 bytes. */
static void add_cipher_mac(const adapter_row *row, size_t key)
{
    const bool nonce = row->kind == &adapter_gmac_kind;
    mb_scheme *scheme =
        add(row, nonce ? MB_CAN(MB_MAC) | MB_CAN(MB_KEY_SETUP) : MB_CAN(MB_MAC), !nonce);
    set_key_range(scheme, key, key);
    set_tag_range(scheme, 16, 16);
    scheme->nonce_min = scheme->nonce_max = nonce ? 12 : 0;
}

static void add_pk(const adapter_pk *pk)
{
    size_t bytes = pk->bits / 8u;
    bool hashes = pk->hash != WC_HASH_TYPE_NONE;
    mb_scheme *scheme =
        add(&pk->row, MB_CAN(MB_KEYGEN) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY), hashes);
    if (pk->bits) {
        /*
         * RSAPrivateKey: two or three numbers as long as the modulus, five half as long, and little
         * else.
         */
        set_key_range(scheme, bytes, bytes * 6);
        set_tag_range(scheme, bytes, bytes);
    } else if (hashes) {
        set_key_range(scheme, 32, 65);
        set_tag_range(scheme, 8, 72); /* SEQUENCE of two INTEGERs of 1 to 33 bytes */
    } else {
        set_key_range(scheme, 32, 32);
        set_tag_range(scheme, 64, 64);
    }
}

void adapter_table_fill(void)
{
    table_len = 0;
    for (size_t i = 0; i < adapter_cipher_count; i++)
        add_cipher(&adapter_ciphers[i]);
    for (size_t i = 0; i < adapter_aead_count; i++)
        add_aead(&adapter_aeads[i]);
    for (size_t i = 0; i < adapter_digest_count; i++)
        set_tag_range(add(&adapter_digests[i].row, MB_CAN(MB_DIGEST), true),
                      adapter_digests[i].out_len, adapter_digests[i].out_len);
    for (size_t i = 0; i < LENGTH_OF(macs); i++) {
        mb_scheme *scheme = add(&macs[i].row, MB_CAN(MB_MAC) | MB_CAN(MB_KEY_SETUP), true);
        set_key_range(scheme, 0, UINT16_MAX);
        set_tag_range(scheme, macs[i].out_len, macs[i].out_len);
    }
    for (size_t i = 0; i < LENGTH_OF(cipher_macs); i++)
        for (size_t key = 0; key < 3; key++)
            add_cipher_mac(&cipher_macs[i][key], 16 + 8 * key);
    for (size_t i = 0; i < LENGTH_OF(pks); i++)
        add_pk(&pks[i]);
    set_key_range(add(&x25519, MB_CAN(MB_KEYGEN) | MB_CAN(MB_AGREE), false), 32, 32);
}

size_t adapter_table_count(void)
{
    return table_len;
}

const mb_scheme *adapter_table_at(size_t i)
{
    return i < table_len ? &table[i] : NULL;
}
