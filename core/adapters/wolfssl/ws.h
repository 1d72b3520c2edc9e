/*
 * Private header of the wolfSSL adapter, which calls wolfCrypt, the library's own interface.
 *
 * A scheme's `param` points to a row that begins with its mb_kind (support/kind.h). A kind keeps its state of one job in
 * `job->ctx`, a ws_state.
 *
 * Functions of type int return 0 or an error of the library. Lengths of the library are 32 bits wide: adapter.c refuses
 * longer inputs, so that the others may narrow them.
 */
#ifndef MOTEBENCH_WOLFSSL_WS_H
#define MOTEBENCH_WOLFSSL_WS_H

/* How the library was built; before any other header of it. */
#include <wolfssl/options.h>

#include <stdbool.h>
#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/arc4.h>
#include <wolfssl/wolfcrypt/blake2.h>
#include <wolfssl/wolfcrypt/camellia.h>
#include <wolfssl/wolfcrypt/chacha.h>
#include <wolfssl/wolfcrypt/chacha20_poly1305.h>
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

#include "motebench/adapter.h"
#include "support/kind.h"
#include "support/steps.h"

/* The part that all rows have in common, first in each of them; support/kind.h wants the kind first. */
typedef struct ws_row {
    const mb_kind *kind;
    const char *name;
} ws_row;

/* A cipher that is ready to work, and what a message needs. */
typedef struct ws_cipher_state {
    mb_steps_state steps; /* first: see support/steps.h; not used by authenticated ciphers */
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
    Arc4 keyed; /* RC4 as its key left it */
    size_t tag_len;
    bool begun;   /* authenticated, in pieces: the message has been begun */
    bool encrypt; /* authenticated: the direction the key was set for */
} ws_cipher_state;

/* A cipher without authentication, in one mode of operation, with one key length. */
typedef struct ws_cipher {
    ws_row row;
    uint8_t key_len, nonce_min, nonce_max; /* bytes */
    int (*init)(ws_cipher_state *s);       /* once, before the first key; may be NULL */
    mb_steps steps;
} ws_cipher;

/* An authenticated cipher with one key length. */
typedef struct ws_aead {
    ws_row row;
    uint8_t key_len, tag_min;
    uint16_t nonce_min, nonce_max;
    uint8_t nonce_max_pieces; /* longest nonce of a message in pieces */
    int (*set_key)(ws_cipher_state *s, const uint8_t *key, word32 len); /* NULL: every message takes the key */
    /* One whole message: from job->in to job->out; the tag to `tag`, or `unseal` checks job->tag. */
    int (*seal)(ws_cipher_state *s, const mb_job *job, uint8_t *tag);
    int (*unseal)(ws_cipher_state *s, const mb_job *job);
    /* A message in pieces, s->encrypt says which way; all NULL: the library cannot do that. */
    int (*begin)(ws_cipher_state *s, const mb_job *job);
    int (*update)(ws_cipher_state *s, uint8_t *out, const uint8_t *in, word32 len);
    int (*finish)(ws_cipher_state *s, uint8_t *tag);
    int (*check)(ws_cipher_state *s, const uint8_t *tag);
} ws_aead;

typedef union ws_digest_state {
    wc_Md5 md5;
    wc_Sha sha1;
    wc_Sha256 sha256; /* SHA-224 as well */
    wc_Sha512 sha512; /* SHA-384 as well */
    wc_Sha3 sha3;
    RipeMd ripemd;
    Blake2b blake2b;
    Blake2s blake2s;
} ws_digest_state;

typedef struct ws_digest {
    ws_row row;
    uint8_t out_len; /* bytes */
    int (*begin)(ws_digest_state *s);
    int (*add)(ws_digest_state *s, const uint8_t *in, word32 len);
    int (*finish)(ws_digest_state *s, uint8_t *out);
} ws_digest;

typedef struct ws_mac {
    ws_row row;
    int hash; /* WC_SHA256, ... */
    uint8_t out_len;
} ws_mac;

typedef struct ws_pk_state ws_pk_state;

/* What the signature schemes differ in. Keys and signatures have the formats of mb_job. */
typedef struct ws_pk_family {
    int (*init)(ws_pk_state *s); /* an empty key */
    void (*free)(ws_pk_state *s);
    mb_status (*load)(const mb_job *job, ws_pk_state *s, bool secret);
    int (*generate)(const mb_job *job, ws_pk_state *s);
    int (*export_secret)(ws_pk_state *s, uint8_t *out, word32 *len); /* len: room, then what was written */
    int (*export_public)(ws_pk_state *s, uint8_t *out, word32 *len);
    /* `value`: the digest, or the message where the scheme takes that */
    int (*sign)(const mb_job *job, ws_pk_state *s, const uint8_t *value, word32 value_len, uint8_t *out, word32 *len);
    bool (*verify)(const mb_job *job, ws_pk_state *s, const uint8_t *value, word32 value_len);
} ws_pk_family;

#define WS_PK_ROOM 4096u /* holds every key and signature here, in bytes */
#define WS_RSA_MAX_BYTES 512u

typedef struct ws_pk {
    ws_row row;
    const ws_pk_family *family;
    enum wc_HashType hash; /* WC_HASH_TYPE_NONE: the scheme takes the message itself */
    int mgf;               /* PSS: WC_MGF1*; PKCS#1 v1.5: WC_MGF1NONE */
    uint16_t bits;         /* RSA: of the modulus */
} ws_pk;

struct ws_pk_state {
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

typedef union ws_state {
    ws_cipher_state cipher;
    ws_digest_state digest;
    Hmac hmac;
    ws_pk_state pk;
} ws_state;

/* adapter.c */
extern WC_RNG ws_rng;
mb_status ws_check(int err); /* records the library's text; MB_OK for 0 */

/* Never NULL: the library refuses NULL even where the length is 0. */
static inline const uint8_t *ws_bytes(const uint8_t *at)
{
    return at ? at : (const uint8_t *)"";
}

/* cipher.c, aead.c, digest.c, mac.c, pkey.c, keys.c, x25519.c */
extern const mb_kind ws_cipher_kind, ws_aead_kind, ws_digest_kind, ws_mac_kind, ws_pk_kind, ws_x25519_kind;
extern const ws_cipher ws_ciphers[];
extern const ws_aead ws_aeads[];
extern const ws_digest ws_digests[];
extern const size_t ws_cipher_count, ws_aead_count, ws_digest_count;
extern const ws_pk_family ws_rsa_family, ws_ecdsa_family, ws_ed25519_family;

/* table.c: the schemes */
size_t ws_table_count(void);
const mb_scheme *ws_table_at(size_t i);
void ws_table_fill(void);

#endif
