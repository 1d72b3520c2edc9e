/*
 * Private header of the wolfSSL adapter, which calls wolfCrypt, the library's own interface.
 *
 * A scheme's `param` points to a row that begins with its mb_kind (support/kind.h), whose
 * operations the driver repeats (support/driver.h). A kind keeps its state of one job in
 * `job->ctx`, an adapter_state.
 *
 *     adapter.c -> table.c -> cipher.c, aead.c, digest.c, mac.c, cipher_mac.c      all -> state.c
 *                             pkey.c, keys.c, x25519.c
 *
 * Functions of type int return 0 or an error of the library. Lengths of the library are 32 bits
 * wide: adapter.c refuses longer inputs, so that the others may narrow them.
 */
#ifndef MOTEBENCH_WOLFSSL_ADAPTER_H
#define MOTEBENCH_WOLFSSL_ADAPTER_H

/* Options of the library's build; before any other header of it. */
#include <wolfssl/options.h>

#include <stdbool.h>
#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/arc4.h>
#include <wolfssl/wolfcrypt/blake2.h>
#include <wolfssl/wolfcrypt/camellia.h>
#include <wolfssl/wolfcrypt/chacha.h>
#include <wolfssl/wolfcrypt/chacha20_poly1305.h>
#include <wolfssl/wolfcrypt/cmac.h>
#include <wolfssl/wolfcrypt/curve25519.h>
#include <wolfssl/wolfcrypt/des3.h>
#include <wolfssl/wolfcrypt/ecc.h>
#include <wolfssl/wolfcrypt/ed25519.h>
#include <wolfssl/wolfcrypt/error-crypt.h>
#include <wolfssl/wolfcrypt/hash.h>
#include <wolfssl/wolfcrypt/hmac.h>
#include <wolfssl/wolfcrypt/random.h>
#include <wolfssl/wolfcrypt/ripemd.h>
#include <wolfssl/wolfcrypt/rsa.h>

#include "support/hashes.h"
#include "support/kind.h"
#include "support/signatures.h"
#include "support/steps.h"

/*
 * The part that all rows have in common, first in each of them; support/kind.h wants the kind
 * first.
 */
typedef struct adapter_row {
    const mb_kind *kind;
    const char *name;
} adapter_row;

/* A cipher that is ready to work, and what a message needs. */
typedef struct adapter_cipher_state {
    mb_steps_state steps; /* first: see support/steps.h */
    mb_steps how;         /* authenticated ciphers */
    union {
        Aes aes;
        ChaCha chacha;
        ChaChaPoly_Aead poly;
        Arc4 arc4;
        Camellia camellia;
        Des des;
        Des3 des3;
        XtsAes xts;
    } u;
    Arc4 keyed;   /* RC4 as its key left it */
    bool begun;   /* authenticated, streamed: the message has been begun */
    bool encrypt; /* authenticated: the direction the key was set for */
} adapter_cipher_state;

/* A cipher without authentication, in one mode of operation, with one key length. */
typedef struct adapter_cipher {
    adapter_row row;
    uint8_t key_len, nonce_min, nonce_max; /* bytes */
    int (*init)(adapter_cipher_state *s);  /* once, before the first key; may be NULL */
    mb_steps steps;
} adapter_cipher;

/* An authenticated cipher with one key length. */
typedef struct adapter_aead {
    adapter_row row;
    uint8_t key_len, tag_min;
    uint16_t nonce_min, nonce_max;
    uint8_t nonce_max_streamed; /* longest nonce of a streamed message */
    /* NULL: every message takes the key */
    int (*set_key)(adapter_cipher_state *s, const uint8_t *key, word32 len);
    /*
     * One whole message: from job->in to job->out; the tag to `tag`, or `unseal` checks job->tag.
     */
    int (*seal)(adapter_cipher_state *s, const mb_job *job, uint8_t *tag);
    int (*unseal)(adapter_cipher_state *s, const mb_job *job);
    /* A streamed message, s->encrypt says which way; all NULL: the library cannot do that. */
    int (*begin)(adapter_cipher_state *s, const mb_job *job);
    int (*update)(adapter_cipher_state *s, uint8_t *out, const uint8_t *in, word32 len);
    int (*finish)(adapter_cipher_state *s, uint8_t *tag);
    int (*check)(adapter_cipher_state *s, const uint8_t *tag);
} adapter_aead;

typedef union adapter_hash {
    wc_Md5 md5;
    wc_Sha sha1;
    wc_Sha256 sha256; /* SHA-224 as well */
    wc_Sha512 sha512; /* SHA-384 as well */
    wc_Sha3 sha3;
    RipeMd ripemd;
    Blake2b blake2b;
    Blake2s blake2s;
} adapter_hash;

typedef struct adapter_digest_state {
    mb_hash_state driver; /* first: see support/hashes.h */
    adapter_hash hash;
} adapter_digest_state;

typedef struct adapter_mac_state {
    mb_hash_state driver; /* first: see support/hashes.h */
    Hmac hmac;
} adapter_mac_state;

/* CMAC and GMAC of AES. */
typedef struct adapter_cipher_mac_state {
    mb_hash_state driver; /* first: see support/hashes.h */
    union {
#if defined(WOLFSSL_CMAC)
        Cmac cmac;
#endif
        Gmac gmac;
    } u;
} adapter_cipher_mac_state;

typedef struct adapter_digest {
    adapter_row row;
    uint8_t out_len; /* bytes */
    mb_hashing how;
} adapter_digest;

typedef struct adapter_mac {
    adapter_row row;
    int hash; /* WC_SHA256, ... */
    uint8_t out_len;
} adapter_mac;

typedef struct adapter_pk_state adapter_pk_state;

/* Differences of the signature schemes. Keys and signatures have the formats of mb_job. */
typedef struct adapter_pk_family {
    int (*init)(adapter_pk_state *s); /* an empty key */
    void (*free)(adapter_pk_state *s);
    mb_status (*load)(const mb_job *job, adapter_pk_state *s, bool secret);
    int (*generate)(const mb_job *job, adapter_pk_state *s);
    /* len: room, then what was written */
    int (*export_secret)(adapter_pk_state *s, uint8_t *out, word32 *len);
    int (*export_public)(adapter_pk_state *s, uint8_t *out, word32 *len);
    /* `value`: the digest, or the message where the scheme takes that */
    int (*sign)(const mb_job *job, adapter_pk_state *s, const uint8_t *value, word32 value_len,
                uint8_t *out, word32 *len);
    bool (*verify)(const mb_job *job, adapter_pk_state *s, const uint8_t *value, word32 value_len);
} adapter_pk_family;

#define ADAPTER_PK_ROOM 4096u /* holds every key and signature here, in bytes */
#define ADAPTER_RSA_MAX_BYTES 512u

typedef struct adapter_pk {
    adapter_row row;
    const adapter_pk_family *family;
    enum wc_HashType hash; /* WC_HASH_TYPE_NONE: the scheme takes the message itself */
    int mgf;               /* PSS: WC_MGF1*; PKCS#1 v1.5: WC_MGF1NONE */
    uint16_t bits;         /* RSA: of the modulus */
} adapter_pk;

struct adapter_pk_state {
    union { /* first: state of the driver */
        mb_sign_state sign;
        mb_driven driven;
    } driver;
    union {
        RsaKey rsa;
        ecc_key ecc;
        ed25519_key ed25519;
        curve25519_key x25519;
    } key;
    curve25519_key peer; /* X25519 */
    wc_HashAlg hash;     /* of a streamed message */
    bool have_key, have_peer, have_hash;
};

typedef union adapter_state {
    adapter_cipher_state cipher;
    adapter_digest_state digest;
    adapter_mac_state mac;
    adapter_cipher_mac_state cipher_mac;
    adapter_pk_state pk;
} adapter_state;

/* state.c */
extern WC_RNG adapter_rng;
int adapter_seed_random(void);    /* 0, or an error of the library */
mb_status adapter_check(int err); /* records the library's text; MB_OK for 0 */

/* Never NULL: the library refuses NULL even where the length is 0. */
static inline const uint8_t *adapter_bytes(const uint8_t *at)
{
    return at ? at : (const uint8_t *)"";
}

/* cipher.c, aead.c, digest.c, mac.c, pkey.c, keys.c, x25519.c */
extern const mb_kind adapter_cipher_kind, adapter_aead_kind, adapter_digest_kind, adapter_mac_kind,
    adapter_pk_kind, adapter_x25519_kind;
/* cipher_mac.c; CMAC where the library has it */
extern const mb_kind adapter_cmac_kind, adapter_gmac_kind;
extern const adapter_cipher adapter_ciphers[];
extern const adapter_aead adapter_aeads[];
extern const adapter_digest adapter_digests[];
extern const size_t adapter_cipher_count, adapter_aead_count, adapter_digest_count;
extern const adapter_pk_family adapter_rsa_family, adapter_ecdsa_family, adapter_ed25519_family;

/* table.c: the schemes */
size_t adapter_table_count(void);
const mb_scheme *adapter_table_at(size_t i);
void adapter_table_fill(void);

#endif
