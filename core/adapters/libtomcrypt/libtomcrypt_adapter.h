/*
 * Private header of the LibTomCrypt adapter.
 *
 * The library has one layer of modes for all its block ciphers, named by descriptors. It ends the
 * process when it is given a NULL pointer (ARGTYPE 0, the default of distributions), so every
 * pointer handed to it must be valid, also those to nothing. The `done` functions of its ciphers
 * have nothing to free and are not called.
 *
 * A scheme's `param` points to a row that begins with its mb_kind (support/kind.h), whose
 * operations the driver repeats (support/driver.h).
 *
 *     adapter.c -> table.c -> cipher.c -> modes.c -> aead.c, stream.c      all -> state.c
 *                             digest.c, mac.c, cipher_mac.c
 *                             signature.c -> rsa.c, ecdsa.c
 */
#ifndef MOTEBENCH_LIBTOMCRYPT_ADAPTER_H
#define MOTEBENCH_LIBTOMCRYPT_ADAPTER_H

#include <tomcrypt.h>

#include "support/hashes.h"
#include "support/kind.h"
#include "support/signatures.h"
#include "support/steps.h"

/* Modes of operation: index of adapter_modes. The stream ciphers are modes of themselves. */
enum {
    ADAPTER_ECB,
    ADAPTER_CBC,
    ADAPTER_CFB,
    ADAPTER_OFB,
    ADAPTER_CTR,
    ADAPTER_GCM,
    ADAPTER_CCM,
    ADAPTER_EAX,
    ADAPTER_OCB,
    ADAPTER_XTS,
    ADAPTER_CHACHA20,
    ADAPTER_CHACHA20_POLY1305,
    ADAPTER_RC4,
    ADAPTER_MODE_COUNT
};

#define ADAPTER_IN(mode) (1u << (mode))

/* State of one job of a cipher. */
typedef struct adapter_state {
    mb_steps_state steps; /* first: see support/steps.h */
    int cipher;           /* the library's index of it */
    uint8_t tweak[16];    /* XTS: of the data unit under way */
    bool ended;           /* OCB: the last part has been processed */
    union {
        symmetric_ECB ecb;
        symmetric_CBC cbc;
        symmetric_CFB cfb;
        symmetric_OFB ofb;
        symmetric_CTR ctr;
        symmetric_xts xts;
        gcm_state gcm;
        ccm_state ccm;
        eax_state eax;
        ocb3_state ocb;
        chacha_state chacha;
        chacha20poly1305_state chachapoly;
        struct { rc4_state keyed, now; /* as the key left it; as the message goes on */ } rc4;
    } u;
} adapter_state;

typedef struct adapter_mode {
    const char *suffix; /* after the cipher's name */
    mb_steps steps;
    /* Bytes; nonce ADAPTER_BLOCK: the cipher's block. */
    uint8_t nonce_min, nonce_max, tag_min, tag_max;
    bool no_key_setup; /* every message takes the key */
    bool no_streaming; /* files are not offered */
} adapter_mode;

#define ADAPTER_BLOCK 0xffu

/* The rows of the table; each begins with its mb_kind, as support/kind.h wants it. */
typedef struct adapter_cipher {
    const mb_kind *kind;
    const char *name;
    const struct ltc_cipher_descriptor *descriptor; /* NULL: a stream cipher */
    uint8_t key_len;                                /* bytes; XTS takes two keys of this length */
    uint16_t modes;                                 /* ADAPTER_IN(...) | ... */
} adapter_cipher;

typedef struct adapter_digest {
    const mb_kind *kind;
    const char *name;
    const struct ltc_hash_descriptor *descriptor; /* NULL: SHAKE */
    int shake;                                    /* 128 or 256 */
    uint8_t out_len;                              /* bytes */
} adapter_digest;

typedef struct adapter_signature {
    const mb_kind *kind;
    const char *name;
    const struct ltc_hash_descriptor *hash;
    uint16_t bits; /* of an RSA modulus; 0: ECDSA with P-256 */
    int padding;   /* RSA: LTC_PKCS_1_* */
} adapter_signature;

/* state.c */
mb_status adapter_fail(int code); /* records the library's text for a code that is not CRYPT_OK */
prng_state *adapter_random(void); /* a random generator that is seeded, and its index */
int adapter_random_index(void);
int adapter_seed_random(void); /* CRYPT_OK, or a code of the library */

static inline mb_status adapter_check(int code)
{
    return code == CRYPT_OK ? MB_OK : adapter_fail(code);
}

/* cipher.c, modes.c, aead.c, stream.c */
extern const mb_kind adapter_cipher_kind;
/* By the cipher's block. */
extern const adapter_mode adapter_modes_64[ADAPTER_MODE_COUNT],
    adapter_modes_128[ADAPTER_MODE_COUNT];
const adapter_mode *adapter_mode_of(const adapter_cipher *cipher, unsigned mode);
#define ADAPTER_STEPS(name)                                                                       \
    mb_status adapter_##name##_begin(mb_job *job, size_t len);                                    \
    mb_status adapter_##name##_key(mb_job *job);                                                  \
    mb_status adapter_##name##_encrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out); \
    mb_status adapter_##name##_decrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out); \
    mb_status adapter_##name##_tag(mb_job *job, uint8_t *out, size_t len);                        \
    mb_run adapter_##name##_encrypt_bulk, adapter_##name##_decrypt_bulk
ADAPTER_STEPS(gcm);
ADAPTER_STEPS(ccm);
ADAPTER_STEPS(eax);
ADAPTER_STEPS(ocb);
ADAPTER_STEPS(chacha20);
ADAPTER_STEPS(chachapoly);
ADAPTER_STEPS(rc4);

/* Defines the two loops. */
#define ADAPTER_BULKS(name)                                          \
    MB_BULK(name##_encrypt_loop, adapter_##name##_encrypt)           \
    MB_BULK(name##_decrypt_loop, adapter_##name##_decrypt)           \
    mb_status adapter_##name##_encrypt_bulk(mb_job *job, uint32_t n) \
    {                                                                \
        return name##_encrypt_loop(job, n);                          \
    }                                                                \
    mb_status adapter_##name##_decrypt_bulk(mb_job *job, uint32_t n) \
    {                                                                \
        return name##_decrypt_loop(job, n);                          \
    }

extern const mb_kind adapter_digest_kind, adapter_mac_kind; /* digest.c, mac.c */
extern const mb_kind adapter_cmac_kind, adapter_gmac_kind;  /* cipher_mac.c */
extern const mb_kind adapter_signature_kind;                /* signature.c */

/*
 * Differences of the signatures: rsa.c, ecdsa.c. Keys as in mb_job; codes are those of the library.
 */
typedef union adapter_key {
    rsa_key rsa;
    ecc_key ecc;
} adapter_key;

typedef struct adapter_family {
    /* Nothing is to be freed after a failure. */
    int (*load)(const mb_job *job, bool secret, adapter_key *key);
    int (*generate)(const mb_job *job, adapter_key *key);
    void (*free)(adapter_key *key);
    int (*sign)(const mb_job *job, adapter_key *key, const uint8_t *digest, uint8_t *out,
                unsigned long *out_len);
    int (*verify)(const mb_job *job, adapter_key *key, const uint8_t *digest, int *good);
    int (*export_secret)(adapter_key *key, uint8_t *out, unsigned long *out_len);
    int (*export_public)(adapter_key *key, uint8_t *out, unsigned long *out_len);
} adapter_family;
extern const adapter_family adapter_rsa_family, adapter_ecdsa_family;

/* table.c: the schemes. */
void adapter_table_fill(void);
size_t adapter_table_count(void);
const mb_scheme *adapter_table_at(size_t i);

#endif
