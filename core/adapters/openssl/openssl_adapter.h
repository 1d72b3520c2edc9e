/*
 * Shared by the files of the OpenSSL adapter; nothing outside of this folder includes it.
 *
 * The same sources are the adapters of OpenSSL 3 (openssl) and 4 (openssl4).
 *
 * A scheme is a row of the table (table.c) and an mb_kind (cipher.c, digest.c, mac.c, pkey.c,
 * postquantum.c), whose operations the driver repeats (support/driver.h). Everything that OpenSSL
 * allocates for a job hangs from one mbo_state in mb_job.ctx.
 *
 *     adapter.c -> table.c -> cipher.c -> message.c     all -> error.c
 *                             digest.c, mac.c
 *                             pkey.c, postquantum.c -> keys.c
 */
#ifndef MOTEBENCH_OPENSSL_ADAPTER_H
#define MOTEBENCH_OPENSSL_ADAPTER_H

#include <openssl/evp.h>

#include "support/hashes.h"
#include "support/kind.h"
#include "support/signatures.h"
#include "support/steps.h"

/* The EVP interface takes lengths as int; longer inputs are MB_UNSUPPORTED. */
#define MBO_MAX_INPUT ((size_t)1 << 30)

/* Ways to drive a cipher. */
typedef enum mbo_style {
    MBO_PLAIN,  /* nonce, update, final */
    MBO_PADDED, /* the same with PKCS#7 padding for whole messages: ECB, CBC */
    MBO_XTS,    /* one update is one data unit */
    MBO_AEAD,   /* GCM, OCB, ChaCha20-Poly1305 */
    MBO_CCM     /* needs the message length first; one update is one message */
} mbo_style;

/* RSA signature padding. */
typedef enum mbo_padding { MBO_PKCS1, MBO_PSS } mbo_padding;

/* Facts about a scheme beside its mb_scheme; mb_scheme.param points here. */
typedef struct mbo_detail {
    const mb_kind *kind;                               /* first: see support/kind.h */
    int (*available)(const struct mbo_detail *detail); /* 1 if the library can do it at run time */
    char name[32];                                     /* the scheme's name */
    char fetch[32]; /* OpenSSL's name of the cipher, digest or key type */
    /* Digest inside a MAC or a signature; NULL for Ed25519, CMAC, GMAC and KMAC. */
    const char *hash;
    const char *inner;   /* cipher inside a CMAC or GMAC; NULL for everything else */
    mbo_style style;     /* ciphers */
    mbo_padding padding; /* RSA */
    uint16_t bits;       /* RSA modulus; RC2 effective key length, 0 for other ciphers */
    uint16_t out_len;    /* digest or MAC length in bytes */
    uint8_t extendable;  /* digest: XOF, out_len is asked for */
    /* KEM with a Diffie-Hellman inside, which rejects shares of small order */
    uint8_t hybrid;
    /* Cipher without nonce whose key stream runs on: a new message needs the key again (RC4). */
    uint8_t no_resync;
} mbo_detail;

/* Everything one job holds. mbo_close frees all of it; unused pointers are NULL. */
typedef struct mbo_state {
    union { /* first: state of the driver */
        mb_steps_state steps;
        mb_hash_state hash;
        mb_sign_state sign;
        mb_driven driven;
    } driver;
    mb_steps how; /* ciphers */
    EVP_CIPHER *cipher;
    EVP_CIPHER_CTX *cipher_ctx;
    EVP_MD *md;
    EVP_MD_CTX *md_ctx;
    EVP_MAC *mac;
    EVP_MAC_CTX *mac_ctx;
    EVP_PKEY *key;
    EVP_PKEY_CTX *key_ctx;
    const uint8_t *key_bytes; /* never NULL, also for an empty key */
    const uint8_t *iv;        /* what OpenSSL calls the IV; NULL if the scheme has none */
    uint8_t iv_buffer[16];    /* ChaCha20: counter and nonce */
    uint8_t tag[16];          /* tag to check; of CCM, the tag that ENCRYPT makes */
} mbo_state;

extern const mb_kind mbo_cipher_kind, mbo_digest_kind, mbo_mac_kind;
extern const mb_kind mbo_signature_kind; /* RSA, ECDSA: hash, then sign the hash */
extern const mb_kind mbo_eddsa_kind, mbo_agreement_kind;
extern const mb_kind mbo_kem_kind, mbo_pq_signature_kind;
int mbo_cipher_available(const mbo_detail *detail);
int mbo_digest_available(const mbo_detail *detail);
int mbo_mac_available(const mbo_detail *detail);
int mbo_key_available(const mbo_detail *detail);
int mbo_pq_available(const mbo_detail *detail);

static inline mbo_state *mbo_state_of(mb_job *job)
{
    return job->ctx;
}

static inline const mbo_detail *mbo_detail_of(const mb_job *job)
{
    return job->scheme->param;
}

/* error.c: note the library's last error for error(), clear its queue, and give MB_ERROR. */
mb_status mbo_fail(void);
/* error.c: a wrong tag, padding or signature: clear the error queue, and give MB_REJECTED. */
mb_status mbo_reject(void);
/* error.c: the `close` of every kind. */
void mbo_close(mb_job *job);

static inline mb_status mbo_check(int code)
{
    return code == 1 ? MB_OK : mbo_fail();
}

/* table.c: fill the table with what is available; 0 if it does not fit. Then its rows. */
int mbo_table_build(void);
size_t mbo_table_count(void);
const mb_scheme *mbo_table_at(size_t i);

/* message.c: whole messages; see mb_steps. */
mb_run mbo_seal_messages, mbo_seal_with_new_keys, mbo_open_messages;
/*
 * message.c: begin a message: key (may be NULL: keep), nonce, expected tag, length (CCM) and AAD. 1
 * if it worked.
 */
int mbo_begin_message(mb_job *job, const uint8_t *key, size_t total_len);
/* message.c: whether the job encrypts; its key, where a new message needs it again, else NULL. */
int mbo_encrypts(const mb_job *job);
const uint8_t *mbo_message_key(mb_job *job);

/* keys.c: keys from and to the formats of mb_job. NULL or 0: the library's error queue says why. */
EVP_PKEY *mbo_key_read(const mbo_detail *detail, int private_key, const uint8_t *bytes, size_t len);
size_t mbo_key_write_private(const mbo_detail *detail, EVP_PKEY *key, uint8_t *out, size_t cap);
size_t mbo_key_write_public(const mbo_detail *detail, EVP_PKEY *key, uint8_t *out, size_t cap);
/* keys.c: MB_UNSUPPORTED unless an RSA key has the modulus size of the scheme. */
mb_status mbo_key_check_size(const mbo_detail *detail, const EVP_PKEY *key);
/* keys.c: the public key of job->key to job->out; the `public_key` of every kind that has keys. */
mb_status mbo_key_public(mb_job *job);
/*
 * keys.c: context that makes keys of this scheme, ready to generate; and the loop of new keys, the
 * last to job->out.
 */
mb_status mbo_keygen_open(mb_job *job);
mb_run mbo_generate_keys;

#endif
