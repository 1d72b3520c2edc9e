/*
 * Private header of the Nettle adapter.
 *
 * A scheme's `param` points to a row that begins with its mb_kind (support/kind.h), whose
 * operations the driver repeats (support/driver.h). Nettle's contexts are plain structures, so all
 * state of a job lies in `job->ctx`, and only public-key numbers (GMP) must be freed.
 *
 *     adapter.c -> table.c -> cipher.c -> modes.c, block.c
 *                             digest.c, mac.c, cmac.c, gmac.c
 *                             signature.c, rsa.c, ecdsa.c (public_key.h), curve25519.c -> random.c
 *
 * Functions that return mb_status give MB_UNSUPPORTED for a key, nonce or tag length outside the
 * scheme's range, and leave a text for mb_adapter.error.
 */
#ifndef MOTEBENCH_NETTLE_ADAPTER_H
#define MOTEBENCH_NETTLE_ADAPTER_H

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
    ADAPTER_CTR,
    ADAPTER_GCM,
    ADAPTER_CCM,
    ADAPTER_EAX,
    ADAPTER_XTS,
    ADAPTER_RC4,
    ADAPTER_SALSA20,
    ADAPTER_SALSA20_12,
    ADAPTER_CHACHA20,
    ADAPTER_POLY1305,
    ADAPTER_MODE_COUNT
};

typedef void adapter_cbc_func(const void *key, uint8_t *iv, size_t len, uint8_t *out,
                              const uint8_t *in);

/* A cipher with one key length. */
typedef struct adapter_cipher {
    const mb_kind *kind;
    const struct nettle_cipher *block; /* NULL for stream ciphers */
    /* Nettle's own function for CBC with this cipher; NULL: the general cbc_encrypt. */
    adapter_cbc_func *own_cbc;
} adapter_cipher;

/* Ciphers that Nettle's tables lack: block.c. */
extern const struct nettle_cipher adapter_des, adapter_3des, adapter_blowfish128,
    adapter_blowfish256, adapter_blowfish448;
adapter_cbc_func adapter_cbc_aes128, adapter_cbc_aes192, adapter_cbc_aes256;

typedef union adapter_key {
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
} adapter_key;

typedef struct adapter_cipher_ctx {
    mb_steps_state steps; /* first: see support/steps.h */
    mb_steps how;
    adapter_key key;
    adapter_key second;    /* XTS: the tweak's key; RC4: the state that the key gave */
    nettle_cipher_func *f; /* block cipher in the direction that `key` is for */
    const adapter_cipher *cipher;
    size_t block; /* of the cipher, in bytes */
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
} adapter_cipher_ctx;

/* Steps of each mode. `block` 0: the cipher's. No step can fail once the lengths are right. */
extern const mb_steps adapter_modes[ADAPTER_MODE_COUNT];

extern const mb_kind adapter_cipher_kind; /* cipher.c */

typedef union adapter_hash_state {
    struct md5_ctx md5;
    struct ripemd160_ctx ripemd160;
    struct sha1_ctx sha1;
    struct sha256_ctx sha256;
    struct sha512_ctx sha512;
    struct sha3_224_ctx sha3_224;
    struct sha3_256_ctx sha3_256;
    struct sha3_384_ctx sha3_384;
    struct sha3_512_ctx sha3_512;
} adapter_hash_state;

/* Digests and MACs. */
typedef struct adapter_hash {
    const mb_kind *kind;
    const struct nettle_hash *hash;
} adapter_hash;

extern const struct nettle_hash adapter_shake256;           /* digest.c: 64 bytes of it */
extern const mb_kind adapter_digest_kind, adapter_mac_kind; /* digest.c, mac.c */
extern const mb_kind adapter_cmac_kind, adapter_gmac_kind;  /* cmac.c, gmac.c */

typedef struct adapter_pk_ctx adapter_pk_ctx;

/* Differences of the schemes that sign a digest: RSA and ECDSA. `out` has ADAPTER_PK_ROOM bytes. */
typedef struct adapter_pk_family {
    void (*init)(adapter_pk_ctx *ctx);
    void (*clear)(adapter_pk_ctx *ctx);
    mb_status (*load)(const mb_job *job, bool secret); /* the job's key */
    mb_status (*sign)(mb_job *job, const uint8_t *digest, uint8_t *out, size_t *out_len);
    mb_status (*verify)(mb_job *job, const uint8_t *digest); /* of job->signature */
    mb_status (*generate)(mb_job *job);                      /* a new private key to job->out */
    /* Of the private key that was loaded, to job->out. */
    mb_status (*export_public)(mb_job *job);
} adapter_pk_family;

struct adapter_rsa_padding;

typedef struct adapter_pk {
    const mb_kind *kind;
    const adapter_pk_family *family;
    const struct nettle_hash *hash;
    const struct adapter_rsa_padding *padding;
    uint16_t bits; /* RSA: of the modulus */
} adapter_pk;

#define ADAPTER_PK_ROOM 4096u /* holds everything that RSA-4096 writes */
#define ADAPTER_MAX_DIGEST 64u

extern const adapter_pk_family adapter_rsa_family, adapter_ecdsa_family; /* rsa.c, ecdsa.c */
/* rsa.c */
extern const struct adapter_rsa_padding adapter_pkcs1_sha1, adapter_pkcs1_sha256,
    adapter_pkcs1_sha384, adapter_pkcs1_sha512;
extern const struct adapter_rsa_padding adapter_pss_sha256, adapter_pss_sha384, adapter_pss_sha512;
extern const mb_kind adapter_signature_kind;                    /* signature.c */
extern const mb_kind adapter_ed25519_kind, adapter_x25519_kind; /* curve25519.c */
extern const mb_kind adapter_ecdh_kind;                         /* ecdh.c */

/* random.c: Yarrow, as nettle_random_func; the first argument is not used. */
void adapter_random(void *unused, size_t len, uint8_t *out);
/* random.c: seeds it from the system; false if there is nothing to seed it with. */
bool adapter_seed_random(void);

/* table.c */
size_t adapter_scheme_count(void);
const mb_scheme *adapter_scheme_at(size_t i);

#endif
