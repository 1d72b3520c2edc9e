/*
 * Private header of the libgcrypt adapter.
 *
 * A scheme's `param` points to a row that begins with its mb_kind: the functions that serve this kind of scheme. The
 * adapter calls through it and knows nothing else about the scheme. A kind keeps its state of one job in `job->ctx`.
 *
 * All functions return MB_UNSUPPORTED for a key, nonce or tag length outside the scheme's range, and leave a text for
 * mb_adapter.error.
 */
#ifndef MOTEBENCH_LIBGCRYPT_LG_H
#define MOTEBENCH_LIBGCRYPT_LG_H

#include <gcrypt.h>
#include <stdbool.h>

#include "motebench/adapter.h"
#include "support/block_buffer.h"
#include "support/kind.h"

/* Modes of operation: index of lg_modes, and a scheme's `native`. The stream ciphers are modes of themselves. */
enum {
    LG_ECB, LG_CBC, LG_CFB, LG_CFB8, LG_OFB, LG_CTR, LG_GCM, LG_CCM, LG_OCB, LG_EAX, LG_XTS,
    LG_SALSA20, LG_CHACHA20, LG_RC4, LG_POLY1305, LG_MODE_COUNT
};

#define LG_IN(mode) (1u << (mode))

/* A cipher with one key length. */
typedef struct lg_cipher {
    const mb_kind *kind;
    const char *name;
    int algo;
    uint8_t key_len; /* bytes; XTS takes two keys of this length */
    uint8_t block;   /* bytes; 1 for stream ciphers */
    uint16_t modes;  /* LG_IN(...) | ...: those to offer if the library has them */
} lg_cipher;

typedef struct lg_cipher_ctx lg_cipher_ctx;

/* How a mode of operation is driven. */
typedef struct lg_mode {
    const char *suffix; /* after the cipher's name; "" for the stream ciphers themselves */
    int mode;           /* of the library: GCRY_CIPHER_MODE_* */
    /* Begins a message of `len` bytes: nonce, AAD and whatever else comes before the first data byte. */
    gcry_error_t (*begin)(const mb_job *job, lg_cipher_ctx *ctx, size_t len);
    uint16_t nonce_min, nonce_max; /* bytes; LG_BLOCK: the cipher's block */
    uint8_t tag_min, tag_max;
    bool padded;        /* messages get PKCS#7 padding */
    bool whole_blocks;  /* all but the last call take whole blocks */
    bool finalize;      /* the last call must be announced with gcry_cipher_final */
    bool whole_message; /* cannot be continued: every bulk iteration is a message of its own */
    bool can_stream;
} lg_mode;

#define LG_BLOCK 0xffffu

struct lg_cipher_ctx {
    gcry_cipher_hd_t h;
    const lg_mode *mode;
    size_t block; /* of the cipher, in bytes */
    size_t tag_len;
    mb_block_buffer buffer; /* streaming: bytes that wait for the rest of their block */
    bool begun;   /* streaming: the message has been begun */
};

typedef struct lg_digest {
    const mb_kind *kind;
    const char *name;
    int algo;
    uint8_t out_len; /* bytes */
} lg_digest;

typedef struct lg_mac {
    const mb_kind *kind;
    const char *name;
    int algo;
} lg_mac;

/* What the signature schemes differ in. */
typedef struct lg_pk_family {
    /* The job's key (a private one if `secret`) as the library wants it. */
    mb_status (*load)(const mb_job *job, bool secret, gcry_sexp_t *key);
    gcry_error_t (*keygen_params)(const mb_job *job, gcry_sexp_t *params);
    /* Keys and signatures in the formats of mb_job; `out` has LG_PK_ROOM bytes. */
    mb_status (*export_secret)(const mb_job *job, gcry_sexp_t key, uint8_t *out, size_t *out_len);
    mb_status (*export_public)(const mb_job *job, gcry_sexp_t key, uint8_t *out, size_t *out_len);
    mb_status (*encode)(const mb_job *job, gcry_sexp_t sig, uint8_t *out, size_t *out_len);
    mb_status (*decode)(const mb_job *job, gcry_sexp_t *sig); /* of job->tag; MB_REJECTED if it is malformed */
} lg_pk_family;

#define LG_PK_ROOM 4096u   /* holds everything that RSA-4096 writes */
#define LG_RSA_MAX_BYTES 512u

typedef struct lg_pk {
    const mb_kind *kind;
    const lg_pk_family *family;
    const char *name;
    const char *data; /* gcry_sexp_build format of what is signed: hash name, digest, salt length; or the message */
    int hash;         /* GCRY_MD_*; 0: the scheme takes the message itself */
    uint16_t bits;    /* RSA: of the modulus */
    uint8_t salt_len; /* PSS, bytes */
} lg_pk;

typedef struct lg_pk_ctx {
    gcry_sexp_t key; /* SIGN, VERIFY: the key; KEYGEN: the parameters */
    gcry_md_hd_t md; /* of a streamed message; NULL where the scheme cannot stream */
} lg_pk_ctx;

/* adapter.c */
mb_status lg_check(gcry_error_t err);                        /* records the library's text; MB_OK for 0 */

/* cipher.c: handles, bulk data. modes.c: the modes. message.c: whole messages and files. */
extern const mb_kind lg_cipher_kind;
extern const lg_mode lg_modes[LG_MODE_COUNT];
typedef gcry_error_t (*lg_crypt)(gcry_cipher_hd_t h, void *out, size_t out_size, const void *in, size_t in_len);
gcry_error_t lg_set_key(gcry_cipher_hd_t h, const uint8_t *key, size_t len);
/* The key that lg_set_key set: a weak one is allowed by now, and set once although the library still reports it. */
gcry_error_t lg_set_key_again(gcry_cipher_hd_t h, const uint8_t *key, size_t len);
mb_status lg_encrypt_messages(mb_job *job, uint32_t n, bool new_key);
mb_status lg_decrypt_messages(mb_job *job, uint32_t n);
mb_status lg_cipher_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len);
mb_status lg_cipher_final(mb_job *job, uint8_t *out, size_t *out_len);

extern const mb_kind lg_digest_kind;     /* digest.c */
extern const mb_kind lg_mac_kind;        /* mac.c */
extern const mb_kind lg_pk_kind;         /* pkey.c */
extern const mb_kind lg_x25519_kind;     /* x25519.c */
extern const lg_pk_family lg_rsa_family; /* rsa.c */
extern const lg_pk_family lg_ecdsa_family, lg_ed25519_family; /* ecc.c */

/* pkey.c: helpers of the families. */

/*
 * Copies parameter `name` (one letter with the leading '&' of gcry_sexp_extract_param: "&r") of `sexp` to `out`, as an
 * unsigned big-endian number of exactly `width` bytes, at most LG_RSA_MAX_BYTES.
 */
mb_status lg_extract(gcry_sexp_t sexp, const char *name, uint8_t *out, size_t width);
/* Seeds the library's random generator, so that this happens outside of `run`. */
void lg_warm_random(void);

/* table.c: the schemes the library offers, known after lg_table_fill. */
void lg_table_fill(void);
size_t lg_table_count(void);
const mb_scheme *lg_table_at(size_t i);

#endif
