/*
 * Shared by the files of the OpenSSL adapter; nothing outside of this folder includes it.
 *
 * A scheme is a row of the table (table.c) and a family of functions that know how to drive it (cipher.c, digest.c,
 * mac.c, pkey.c). Everything that OpenSSL allocates for a job hangs from one mbo_state in mb_job.ctx.
 */
#ifndef MOTEBENCH_OPENSSL_ADAPTER_H
#define MOTEBENCH_OPENSSL_ADAPTER_H

#include <openssl/evp.h>

#include "motebench/adapter.h"

/* The EVP interface takes lengths as int; longer inputs are MB_UNSUPPORTED. */
#define MBO_MAX_INPUT ((size_t)1 << 30)

/* How a cipher is driven. */
typedef enum mbo_style {
    MBO_PLAIN,  /* nonce, update, final */
    MBO_PADDED, /* the same with PKCS#7 padding for whole messages: ECB, CBC */
    MBO_XTS,    /* one update is one data unit */
    MBO_AEAD,   /* GCM, OCB, ChaCha20-Poly1305 */
    MBO_CCM     /* needs the message length first; one update is one message */
} mbo_style;

/* RSA signature padding. */
typedef enum mbo_padding { MBO_PKCS1, MBO_PSS } mbo_padding;

struct mbo_family;

/* What the adapter knows about a scheme beside its mb_scheme; mb_scheme.param points here. */
typedef struct mbo_detail {
    const struct mbo_family *family;
    char name[32];        /* the scheme's name */
    char fetch[32];       /* OpenSSL's name of the cipher, digest or key type */
    const char *hash;     /* digest inside a MAC or a signature; NULL for Ed25519 */
    mbo_style style;      /* ciphers */
    mbo_padding padding;  /* RSA */
    uint16_t bits;        /* RSA modulus; RC2 effective key length, 0 for other ciphers */
    uint16_t out_len;     /* digest or MAC length in bytes */
    uint8_t extendable;   /* digest: XOF, out_len is asked for */
    uint8_t no_resync;    /* cipher without nonce whose key stream runs on: a new message needs the key again (RC4) */
} mbo_detail;

/* Everything one job holds. close() frees all of it; unused pointers are NULL. */
typedef struct mbo_state {
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
    uint8_t tag[16];          /* tag to check */
    size_t tag_len;           /* tag length of this job; 0 if the scheme has none */
} mbo_state;

/* One way of driving OpenSSL; the functions mean what those of mb_adapter mean. */
typedef struct mbo_family {
    int (*available)(const mbo_detail *detail); /* 1 if the library can do it at run time */
    mb_status (*open)(mb_job *job);
    mb_status (*start)(mb_job *job);
    mb_status (*run)(mb_job *job, uint32_t n);
    mb_status (*update)(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len);
    mb_status (*final)(mb_job *job, uint8_t *out, size_t *out_len);
    mb_status (*public_key)(mb_job *job); /* NULL where there is none */
} mbo_family;

extern const mbo_family mbo_cipher_family;
extern const mbo_family mbo_digest_family;
extern const mbo_family mbo_mac_family;
extern const mbo_family mbo_signature_family; /* RSA, ECDSA: hash, then sign the hash */
extern const mbo_family mbo_eddsa_family;
extern const mbo_family mbo_agreement_family;

static inline mbo_state *mbo_state_of(mb_job *job)
{
    return job->ctx;
}

static inline const mbo_detail *mbo_detail_of(const mb_job *job)
{
    return job->scheme->param;
}

/* adapter.c: note the library's last error for error(), clear its queue, and give MB_ERROR. */
mb_status mbo_fail(void);
/* adapter.c: a wrong tag, padding or signature: clear the error queue, leave no output, and give MB_REJECTED. */
mb_status mbo_reject(mb_job *job);

/* table.c: fill the table with what is available; 0 if it does not fit. Then its rows. */
int mbo_table_build(void);
size_t mbo_table_count(void);
const mb_scheme *mbo_table_at(size_t i);

/* message.c: whole messages, n times; see mb_operation. */
mb_status mbo_encrypt_messages(mb_job *job, const uint8_t *key, uint32_t n);
mb_status mbo_decrypt_messages(mb_job *job, uint32_t n);
/* message.c: begin a message: key (may be NULL: keep), nonce, expected tag, length (CCM) and AAD. 1 if it worked. */
int mbo_begin_message(mb_job *job, const uint8_t *key, int encrypt, size_t total_len);

/* keys.c: keys from and to the formats of mb_job. NULL or 0: the library's error queue says why. */
EVP_PKEY *mbo_key_read(const mbo_detail *detail, int private_key, const uint8_t *bytes, size_t len);
size_t mbo_key_write_private(const mbo_detail *detail, EVP_PKEY *key, uint8_t *out, size_t cap);
size_t mbo_key_write_public(const mbo_detail *detail, EVP_PKEY *key, uint8_t *out, size_t cap);
/* keys.c: MB_UNSUPPORTED unless an RSA key has the modulus size of the scheme. */
mb_status mbo_key_check_size(const mbo_detail *detail, const EVP_PKEY *key);
/* keys.c: the public key of job->key to job->out; the `public_key` of every family that has keys. */
mb_status mbo_key_public(mb_job *job);
/* keys.c: context that makes keys of this scheme, ready to generate; and `n` times a new key, the last one to out. */
mb_status mbo_keygen_open(mb_job *job);
mb_status mbo_keygen_run(mb_job *job, uint32_t n);

#endif
