/*
 * Private header of the Nettle adapter.
 *
 * A scheme's `param` points to a row that begins with its mb_kind (support/kind.h). Nettle's contexts are plain
 * structures, so all state of a job lies in `job->ctx`, and only public-key numbers (GMP) must be freed.
 *
 * Functions that return mb_status give MB_UNSUPPORTED for a key, nonce or tag length outside the scheme's range, and
 * leave a text for mb_adapter.error.
 */
#ifndef MOTEBENCH_NETTLE_NT_H
#define MOTEBENCH_NETTLE_NT_H

#include <nettle/aes.h>
#include <nettle/arcfour.h>
#include <nettle/arctwo.h>
#include <nettle/blowfish.h>
#include <nettle/camellia.h>
#include <nettle/cast128.h>
#include <nettle/ccm.h>
#include <nettle/chacha-poly1305.h>
#include <nettle/chacha.h>
#include <nettle/des.h>
#include <nettle/eax.h>
#include <nettle/gcm.h>
#include <nettle/md5.h>
#include <nettle/nettle-meta.h>
#include <nettle/ripemd160.h>
#include <nettle/salsa20.h>
#include <nettle/serpent.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/sha3.h>
#include <nettle/twofish.h>
#include <stdbool.h>

#include "motebench/adapter.h"
#include "support/block_buffer.h"
#include "support/kind.h"

/* Modes of operation: index of nt_modes, and a scheme's `native`. The stream ciphers are modes of themselves. */
enum {
    NT_ECB, NT_CBC, NT_CFB, NT_CFB8, NT_CTR, NT_GCM, NT_CCM, NT_EAX, NT_XTS,
    NT_RC4, NT_SALSA20, NT_SALSA20_12, NT_CHACHA20, NT_POLY1305, NT_MODE_COUNT
};

typedef void nt_cbc_func(const void *key, uint8_t *iv, size_t len, uint8_t *out, const uint8_t *in);

/* A cipher with one key length. */
typedef struct nt_cipher {
    const mb_kind *kind;
    const struct nettle_cipher *block; /* NULL for stream ciphers */
    nt_cbc_func *own_cbc;              /* what Nettle has for this cipher beside the general cbc_encrypt; or NULL */
} nt_cipher;

/* What Nettle's tables do not have: block.c. */
extern const struct nettle_cipher nt_des, nt_3des, nt_blowfish128, nt_blowfish256, nt_blowfish448;
nt_cbc_func nt_cbc_aes128, nt_cbc_aes192, nt_cbc_aes256;

typedef union nt_key {
    struct aes128_ctx aes128;
    struct aes192_ctx aes192;
    struct aes256_ctx aes256;
    struct arcfour_ctx rc4;
    struct arctwo_ctx rc2;
    struct blowfish_ctx blowfish;
    struct camellia256_ctx camellia;
    struct cast128_ctx cast128;
    struct chacha_ctx chacha;
    struct chacha_poly1305_ctx poly1305;
    struct des3_ctx des3;
    struct salsa20_ctx salsa20;
    struct serpent_ctx serpent;
    struct twofish_ctx twofish;
} nt_key;

typedef struct nt_mode nt_mode;

typedef struct nt_cipher_ctx {
    nt_key key;
    nt_key second;        /* XTS: the tweak's key; RC4: the state that the key gave */
    nettle_cipher_func *f; /* block cipher in the direction that `key` is for */
    const nt_cipher *cipher;
    const nt_mode *mode;
    size_t block;         /* of the cipher, in bytes */
    size_t tag_len;
    uint8_t iv[16];
    union {
        struct {
            struct gcm_key key;
            struct gcm_ctx message;
        } gcm;
        struct {
            struct eax_key key;
            struct eax_ctx message;
        } eax;
        struct ccm_ctx ccm;
    } u;
    mb_block_buffer buffer;         /* streaming: bytes that wait for the rest of their block */
} nt_cipher_ctx;

/* `n` times the next `len` bytes of the message; in == out is allowed. */
typedef void nt_crypt(nt_cipher_ctx *ctx, const uint8_t *in, size_t len, uint8_t *out, uint32_t n);

/* How a mode is driven. Nothing of it can fail once the lengths are right. */
struct nt_mode {
    void (*set_key)(nt_cipher_ctx *ctx, const uint8_t *key, size_t len, bool decrypt);
    /* Begins a message of job->total_len bytes: nonce and AAD. */
    void (*begin)(nt_cipher_ctx *ctx, const mb_job *job);
    nt_crypt *encrypt, *decrypt;
    void (*tag)(nt_cipher_ctx *ctx, size_t len, uint8_t *tag); /* of the message so far; NULL: none */
    uint8_t piece;      /* bytes that all calls but the last of a message take a multiple of; 0: the cipher's block */
    bool padded;        /* messages get PKCS#7 padding */
    bool whole_message; /* cannot be continued: every bulk iteration is a message of its own */
};

extern const nt_mode nt_modes[NT_MODE_COUNT];

/* cipher.c, message.c */
extern const mb_kind nt_cipher_kind;
void nt_encrypt_message(mb_job *job, nt_cipher_ctx *ctx);
mb_status nt_decrypt_message(mb_job *job, nt_cipher_ctx *ctx);
mb_status nt_cipher_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len);
mb_status nt_cipher_final(mb_job *job, uint8_t *out, size_t *out_len);

typedef union nt_hash_state {
    struct md5_ctx md5;
    struct ripemd160_ctx ripemd160;
    struct sha1_ctx sha1;
    struct sha256_ctx sha256;
    struct sha512_ctx sha512;
    struct sha3_224_ctx sha3_224;
    struct sha3_256_ctx sha3_256;
    struct sha3_384_ctx sha3_384;
    struct sha3_512_ctx sha3_512;
} nt_hash_state;

/* Digests and MACs. */
typedef struct nt_hash {
    const mb_kind *kind;
    const struct nettle_hash *hash;
} nt_hash;

extern const struct nettle_hash nt_shake256; /* digest.c: 64 bytes of it */
extern const mb_kind nt_digest_kind, nt_mac_kind; /* digest.c, mac.c */

typedef struct nt_pk_ctx nt_pk_ctx;

/* What the schemes that sign a digest differ in: RSA and ECDSA. `out` has NT_PK_ROOM bytes. */
typedef struct nt_pk_family {
    void (*init)(nt_pk_ctx *ctx);
    void (*clear)(nt_pk_ctx *ctx);
    mb_status (*load)(const mb_job *job, bool secret); /* the job's key */
    mb_status (*sign)(mb_job *job, const uint8_t *digest, uint8_t *out, size_t *out_len);
    mb_status (*verify)(mb_job *job, const uint8_t *digest); /* of job->tag */
    mb_status (*generate)(mb_job *job);                      /* a new private key to job->out */
    mb_status (*export_public)(mb_job *job);                 /* of the private key that was loaded, to job->out */
} nt_pk_family;

struct nt_rsa_padding;

typedef struct nt_pk {
    const mb_kind *kind;
    const nt_pk_family *family;
    const struct nettle_hash *hash;
    const struct nt_rsa_padding *padding;
    uint16_t bits; /* RSA: of the modulus */
} nt_pk;

#define NT_PK_ROOM 4096u   /* holds everything that RSA-4096 writes */
#define NT_MAX_DIGEST 64u

extern const nt_pk_family nt_rsa_family, nt_ecdsa_family; /* rsa.c, ecdsa.c */
extern const struct nt_rsa_padding nt_pkcs1_sha1, nt_pkcs1_sha256, nt_pkcs1_sha384, nt_pkcs1_sha512; /* rsa.c */
extern const struct nt_rsa_padding nt_pss_sha256, nt_pss_sha384, nt_pss_sha512;
extern const mb_kind nt_signature_kind;             /* signature.c */
extern const mb_kind nt_ed25519_kind, nt_x25519_kind; /* curve25519.c */

/* adapter.c: Yarrow, as nettle_random_func; the first argument is not used. */
void nt_random(void *unused, size_t len, uint8_t *out);

/* table.c */
size_t nt_scheme_count(void);
const mb_scheme *nt_scheme_at(size_t i);

#endif
