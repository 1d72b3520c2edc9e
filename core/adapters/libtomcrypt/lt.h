/*
 * Private header of the LibTomCrypt adapter.
 *
 * The library has one layer of modes for all its block ciphers, named by descriptors. It ends the process when it is
 * given a NULL pointer (ARGTYPE 0, the default of distributions), so every pointer handed to it must be valid, also
 * those to nothing. The `done` functions of its ciphers have nothing to free and are not called.
 */
#ifndef MOTEBENCH_LIBTOMCRYPT_LT_H
#define MOTEBENCH_LIBTOMCRYPT_LT_H

#include <tomcrypt.h>

#include "support/kind.h"
#include "support/steps.h"

/* Modes of operation: index of lt_modes. The stream ciphers are modes of themselves. */
enum {
    LT_ECB, LT_CBC, LT_CFB, LT_OFB, LT_CTR, LT_GCM, LT_CCM, LT_EAX, LT_OCB, LT_XTS,
    LT_CHACHA20, LT_CHACHA20_POLY1305, LT_RC4, LT_MODE_COUNT
};

#define LT_IN(mode) (1u << (mode))

/* State of one job of a cipher. */
typedef struct lt_state {
    mb_steps_state steps; /* first: see support/steps.h */
    int cipher;           /* the library's index of it */
    uint8_t tweak[16];    /* XTS: of the data unit under way */
    bool ended;           /* OCB: the last piece has been processed */
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
        struct {
            rc4_state keyed, now; /* as the key left it; as the message goes on */
        } rc4;
    } u;
} lt_state;

typedef struct lt_mode {
    const char *suffix; /* after the cipher's name */
    mb_steps steps;
    uint8_t nonce_min, nonce_max, tag_min, tag_max; /* bytes; nonce LT_BLOCK: the cipher's block */
    bool no_key_setup; /* every message takes the key */
    bool no_pieces;    /* files are not offered */
} lt_mode;

#define LT_BLOCK 0xffu

/* The rows of the table; each begins with its mb_kind, as support/kind.h wants it. */
typedef struct lt_cipher {
    const mb_kind *kind;
    const char *name;
    const struct ltc_cipher_descriptor *descriptor; /* NULL: a stream cipher */
    uint8_t key_len;                                /* bytes; XTS takes two keys of this length */
    uint16_t modes;                                 /* LT_IN(...) | ... */
} lt_cipher;

typedef struct lt_digest {
    const mb_kind *kind;
    const char *name;
    const struct ltc_hash_descriptor *descriptor; /* NULL: SHAKE */
    int shake;                                    /* 128 or 256 */
    uint8_t out_len;                              /* bytes */
} lt_digest;

typedef struct lt_signature {
    const mb_kind *kind;
    const char *name;
    const struct ltc_hash_descriptor *hash;
    uint16_t bits; /* of an RSA modulus; 0: ECDSA with P-256 */
    int padding;   /* RSA: LTC_PKCS_1_* */
} lt_signature;

/* adapter.c */
mb_status lt_fail(int code);  /* records the library's text for a code that is not CRYPT_OK */
prng_state *lt_random(void);  /* a random generator that is seeded, and its index */
int lt_random_index(void);

static inline mb_status lt_check(int code)
{
    return code == CRYPT_OK ? MB_OK : lt_fail(code);
}

/* cipher.c, modes.c, aead.c, stream.c */
extern const mb_kind lt_cipher_kind;
extern const lt_mode lt_modes_64[LT_MODE_COUNT], lt_modes_128[LT_MODE_COUNT]; /* by the cipher's block */
const lt_mode *lt_mode_of(const lt_cipher *cipher, unsigned mode);
#define LT_STEPS(name) \
    mb_status lt_##name##_begin(mb_job *job, size_t len); \
    mb_status lt_##name##_key(mb_job *job); \
    mb_status lt_##name##_encrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out); \
    mb_status lt_##name##_decrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out); \
    mb_status lt_##name##_tag(mb_job *job, uint8_t *out, size_t len)
LT_STEPS(gcm);
LT_STEPS(ccm);
LT_STEPS(eax);
LT_STEPS(ocb);
LT_STEPS(chacha20);
LT_STEPS(chachapoly);
LT_STEPS(rc4);

extern const mb_kind lt_digest_kind, lt_mac_kind; /* digest.c, mac.c */
extern const mb_kind lt_signature_kind;           /* signature.c */

/* What the signatures differ in: rsa.c, ecdsa.c. Keys as in mb_job; codes are those of the library. */
typedef union lt_key {
    rsa_key rsa;
    ecc_key ecc;
} lt_key;

typedef struct lt_family {
    int (*load)(const mb_job *job, bool secret, lt_key *key); /* nothing is to be freed after a failure */
    int (*generate)(const mb_job *job, lt_key *key);
    void (*free)(lt_key *key);
    int (*sign)(const mb_job *job, lt_key *key, const uint8_t *digest, uint8_t *out, unsigned long *out_len);
    int (*verify)(const mb_job *job, lt_key *key, const uint8_t *digest, int *good);
    int (*export_secret)(lt_key *key, uint8_t *out, unsigned long *out_len);
    int (*export_public)(lt_key *key, uint8_t *out, unsigned long *out_len);
} lt_family;
extern const lt_family lt_rsa_family, lt_ecdsa_family;

/* table.c: the schemes. */
void lt_table_fill(void);
size_t lt_table_count(void);
const mb_scheme *lt_table_at(size_t i);

#endif
