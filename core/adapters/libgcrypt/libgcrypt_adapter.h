/*
 * Private header of the libgcrypt adapter.
 *
 * A scheme's `param` points to a row that begins with its mb_kind (support/kind.h): the functions
 * that serve this kind of scheme, whose operations the driver repeats (support/driver.h). A kind
 * keeps its state of one job in `job->ctx`.
 *
 *     adapter.c -> table.c -> cipher.c -> modes.c      all -> error.c
 *                             digest.c, mac.c
 *                             pkey.c, rsa.c, ecc.c, x25519.c -> sexp.c
 *
 * All functions return MB_UNSUPPORTED for a key, nonce or tag length outside the scheme's range,
 * and leave a text for mb_adapter.error.
 */
#ifndef MOTEBENCH_LIBGCRYPT_ADAPTER_H
#define MOTEBENCH_LIBGCRYPT_ADAPTER_H

#include <gcrypt.h>
#include <stdbool.h>

#include "support/hashes.h"
#include "support/kind.h"
#include "support/signatures.h"
#include "support/steps.h"

/*
 * Modes of operation: index of adapter_modes, and a scheme's `native`. The stream ciphers are modes
 * of themselves.
 */
enum {
    ADAPTER_ECB,
    ADAPTER_CBC,
    ADAPTER_CFB,
    ADAPTER_CFB8,
    ADAPTER_OFB,
    ADAPTER_CTR,
    ADAPTER_GCM,
    ADAPTER_CCM,
    ADAPTER_OCB,
    ADAPTER_EAX,
    ADAPTER_XTS,
    ADAPTER_SALSA20,
    ADAPTER_CHACHA20,
    ADAPTER_RC4,
    ADAPTER_POLY1305,
    ADAPTER_MODE_COUNT
};

#define ADAPTER_IN(mode) (1u << (mode))

/* A cipher with one key length. */
typedef struct adapter_cipher {
    const mb_kind *kind;
    const char *name;
    int algo;
    uint8_t key_len; /* bytes; XTS takes two keys of this length */
    uint8_t block;   /* bytes; 1 for stream ciphers */
    uint16_t modes;  /* ADAPTER_IN(...) | ...: those to offer if the library has them */
} adapter_cipher;

/* Calls that a mode of operation needs. */
typedef struct adapter_mode {
    const char *suffix; /* after the cipher's name; "" for the stream ciphers themselves */
    int mode;           /* of the library: GCRY_CIPHER_MODE_* */
    mb_status (*begin)(mb_job *job, size_t len); /* see mb_steps */
    uint16_t nonce_min, nonce_max;               /* bytes; ADAPTER_BLOCK: the cipher's block */
    uint8_t tag_min, tag_max;
    bool padded;        /* messages get PKCS#7 padding */
    bool whole_blocks;  /* all but the last call take whole blocks */
    bool finalize;      /* the last call must be announced with gcry_cipher_final */
    bool whole_message; /* cannot be continued: every bulk iteration is a message of its own */
    bool can_stream;
} adapter_mode;

#define ADAPTER_BLOCK 0xffffu

typedef struct adapter_cipher_ctx {
    mb_steps_state steps; /* first: see support/steps.h */
    mb_steps how;
    gcry_cipher_hd_t h;
    const adapter_mode *mode;
} adapter_cipher_ctx;

typedef struct adapter_digest {
    const mb_kind *kind;
    const char *name;
    int algo;
    uint8_t out_len; /* bytes */
} adapter_digest;

typedef struct adapter_mac {
    const mb_kind *kind;
    const char *name;
    int algo;
    uint16_t key_min, key_max;
    uint16_t nonce; /* bytes; 0: it takes none */
} adapter_mac;

/* Differences of the signature schemes. */
typedef struct adapter_pk_family {
    /* The job's key (a private one if `secret`) as the library wants it. */
    mb_status (*load)(const mb_job *job, bool secret, gcry_sexp_t *key);
    gcry_error_t (*keygen_params)(const mb_job *job, gcry_sexp_t *params);
    /* Keys and signatures in the formats of mb_job; `out` has ADAPTER_PK_ROOM bytes. */
    mb_status (*export_secret)(const mb_job *job, gcry_sexp_t key, uint8_t *out, size_t *out_len);
    mb_status (*export_public)(const mb_job *job, gcry_sexp_t key, uint8_t *out, size_t *out_len);
    mb_status (*encode)(const mb_job *job, gcry_sexp_t sig, uint8_t *out, size_t *out_len);
    /* Of job->signature; MB_REJECTED if it is malformed. */
    mb_status (*decode)(const mb_job *job, gcry_sexp_t *sig);
} adapter_pk_family;

#define ADAPTER_PK_ROOM 4096u /* holds everything that RSA-4096 writes */
#define ADAPTER_RSA_MAX_BYTES 512u

typedef struct adapter_pk {
    const mb_kind *kind;
    const adapter_pk_family *family;
    const char *name;
    /* gcry_sexp_build format of what is signed: hash name, digest, salt length; or the message */
    const char *data;
    int hash;         /* GCRY_MD_*; 0: the scheme takes the message itself */
    uint16_t bits;    /* RSA: of the modulus */
    uint8_t salt_len; /* PSS, bytes */
} adapter_pk;

typedef struct adapter_pk_ctx {
    mb_sign_state sign; /* first: see support/signatures.h */
    gcry_sexp_t key;    /* SIGN, VERIFY: the key; KEYGEN: the parameters */
    gcry_md_hd_t md;    /* of a streamed message; NULL where the scheme cannot stream */
} adapter_pk_ctx;

/* error.c: records the library's text; MB_OK for 0 */
mb_status adapter_check(gcry_error_t err);

extern const mb_kind adapter_cipher_kind;                                    /* cipher.c */
extern const adapter_mode adapter_modes[ADAPTER_MODE_COUNT];                 /* modes.c */
extern const mb_kind adapter_digest_kind;                                    /* digest.c */
extern const mb_kind adapter_mac_kind;                                       /* mac.c */
extern const mb_kind adapter_pk_kind;                                        /* pkey.c */
extern const mb_kind adapter_x25519_kind;                                    /* x25519.c */
extern const adapter_pk_family adapter_rsa_family;                           /* rsa.c */
extern const adapter_pk_family adapter_ecdsa_family, adapter_ed25519_family; /* ecc.c */

/* sexp.c: what keys and signatures share. */

/*
 * Copies parameter `name` (one letter with the leading '&' of gcry_sexp_extract_param: "&r") of
 * `sexp` to `out`, as an unsigned big-endian number of exactly `width` bytes, at most
 * ADAPTER_RSA_MAX_BYTES.
 */
mb_status adapter_extract(gcry_sexp_t sexp, const char *name, uint8_t *out, size_t width);
/* Seeds the library's random generator, so that this happens outside of `run`. */
void adapter_warm_random(void);

/* table.c: the schemes the library offers, known after adapter_table_fill. */
void adapter_table_fill(void);
size_t adapter_table_count(void);
const mb_scheme *adapter_table_at(size_t i);

#endif
