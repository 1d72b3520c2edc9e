/*
 * Private header of the Mbed TLS adapter: the library's low-level functions, as firmware uses them
 * (its generic cipher layer lacks CFB8 and XTEA and takes ECB one block a call). Releases 2.28 and
 * 3.x; what a build of the library leaves out is left out here.
 *
 * A scheme's `param` points to a row that begins with its mb_kind (support/kind.h), whose
 * operations the driver repeats (support/driver.h).
 *
 *   adapter.c -> table.c -> cipher.c -> block.c, small.c, stream.c, aead.c (steps_of.h) -> state.c
 *                           digest.c, ecdh.c, signature.c, x25519.c -> state.c
 */
#ifndef MOTEBENCH_MBEDTLS_ADAPTER_H
#define MOTEBENCH_MBEDTLS_ADAPTER_H

#include <mbedtls/version.h>
#if MBEDTLS_VERSION_NUMBER < 0x03000000 && !defined(MBEDTLS_CONFIG_FILE)
#include <mbedtls/config.h>
#endif
#include <mbedtls/aes.h>
#include <mbedtls/camellia.h>
#include <mbedtls/ccm.h>
#include <mbedtls/chacha20.h>
#include <mbedtls/chachapoly.h>
#include <mbedtls/des.h>
#include <mbedtls/gcm.h>
#include <mbedtls/md.h>
#if defined(MBEDTLS_ARIA_C)
#include <mbedtls/aria.h>
#endif
#if defined(MBEDTLS_ARC4_C)
#include <mbedtls/arc4.h>
#endif
#if defined(MBEDTLS_BLOWFISH_C)
#include <mbedtls/blowfish.h>
#endif
#if defined(MBEDTLS_XTEA_C)
#include <mbedtls/xtea.h>
#endif

#include "support/hashes.h"
#include "support/kind.h"
#include "support/signatures.h"
#include "support/steps.h"

#define ADAPTER_VERSION_3 (MBEDTLS_VERSION_NUMBER >= 0x03000000)

/* State of one job of a cipher. */
typedef struct adapter_state {
    mb_steps_state steps; /* first: see support/steps.h */
    uint8_t iv[16];       /* IV, feedback register, counter or tweak */
    uint8_t stream[16];   /* key stream of the block under way */
    size_t used;          /* bytes of it that were used */
    uint8_t tag[16];      /* CCM: of the last message */
    union {
        mbedtls_aes_context aes;
        mbedtls_aes_xts_context xts;
        mbedtls_camellia_context camellia;
        mbedtls_gcm_context gcm;
        mbedtls_ccm_context ccm;
        mbedtls_des_context des;
        mbedtls_des3_context des3;
        mbedtls_chacha20_context chacha20;
        mbedtls_chachapoly_context chachapoly;
#if defined(MBEDTLS_ARIA_C)
        mbedtls_aria_context aria;
#endif
#if defined(MBEDTLS_ARC4_C)
        struct {
            mbedtls_arc4_context keyed, now; /* as the key left it; as the message goes on */
        } arc4;
#endif
#if defined(MBEDTLS_BLOWFISH_C)
        mbedtls_blowfish_context blowfish;
#endif
#if defined(MBEDTLS_XTEA_C)
        mbedtls_xtea_context xtea;
#endif
    } u;
} adapter_state;

/* One algorithm in one mode. */
typedef struct adapter_mode {
    mb_steps steps;
    void (*init)(adapter_state *s);
    void (*free)(adapter_state *s);
    uint8_t nonce_min, nonce_max, tag_min, tag_max; /* bytes */
    bool no_bulk;                                   /* ENCRYPT and DECRYPT are not offered */
    bool no_streaming;                              /* files are not offered */
} adapter_mode;

/* The rows of the table; each begins with its mb_kind, as support/kind.h wants it. */
typedef struct adapter_cipher {
    const mb_kind *kind;
    const char *name;
    uint8_t key_len; /* bytes */
    const adapter_mode *mode;
} adapter_cipher;

typedef struct adapter_digest {
    const mb_kind *kind;
    const char *name;
    mbedtls_md_type_t md;
} adapter_digest;

typedef struct adapter_signature {
    const mb_kind *kind;
    const char *name;
    mbedtls_md_type_t md;
    uint16_t bits; /* of an RSA modulus; 0: ECDSA with P-256 */
    bool pss;
} adapter_signature;

/* state.c */
mb_status adapter_fail(int code); /* records the library's text for a code that is not 0 */
int adapter_seed_random(void);    /* 0, or a code of the library */
/* The random generator as the library wants it. */
int adapter_random(void *unused, unsigned char *out, size_t len);
/* The nonce to iv, no key stream. */
mb_status adapter_begin_iv(mb_job *job, size_t len);

static inline mb_status adapter_check(int code)
{
    return code == 0 ? MB_OK : adapter_fail(code);
}

extern const mb_kind adapter_cipher_kind; /* cipher.c */

/* block.c */
extern const adapter_mode adapter_aes_ecb, adapter_aes_cbc, adapter_aes_cfb, adapter_aes_cfb8,
    adapter_aes_ofb, adapter_aes_ctr, adapter_aes_xts;
extern const adapter_mode adapter_camellia_ecb, adapter_camellia_cbc, adapter_camellia_cfb,
    adapter_camellia_ctr;
#if defined(MBEDTLS_ARIA_C)
extern const adapter_mode adapter_aria_ecb, adapter_aria_cbc, adapter_aria_cfb, adapter_aria_ctr;
#endif

/* small.c: blocks of 64 bits */
extern const adapter_mode adapter_des_ecb, adapter_des_cbc, adapter_des3_ecb, adapter_des3_cbc;
#if defined(MBEDTLS_BLOWFISH_C)
extern const adapter_mode adapter_blowfish_ecb, adapter_blowfish_cbc, adapter_blowfish_cfb,
    adapter_blowfish_ctr;
#endif
#if defined(MBEDTLS_XTEA_C)
extern const adapter_mode adapter_xtea_ecb, adapter_xtea_cbc;
#endif

/* stream.c */
extern const adapter_mode adapter_chacha20, adapter_chachapoly;
#if defined(MBEDTLS_ARC4_C)
extern const adapter_mode adapter_arc4;
#endif

/* aead.c */
extern const adapter_mode adapter_aes_gcm, adapter_camellia_gcm, adapter_aes_ccm,
    adapter_camellia_ccm;
#if defined(MBEDTLS_ARIA_C)
extern const adapter_mode adapter_aria_gcm, adapter_aria_ccm;
#endif

extern const mb_kind adapter_digest_kind, adapter_mac_kind; /* digest.c */
extern const mb_kind adapter_cmac_kind;                     /* cmac.c, where the library has CMAC */
extern const mb_kind adapter_gmac_kind;                     /* gmac.c */
extern const mb_kind adapter_ecdh_kind;                     /* ecdh.c */
extern const mb_kind adapter_signature_kind;                /* signature.c */
extern const mb_kind adapter_x25519_kind;                   /* x25519.c */

/* table.c: the schemes the library offers, known after adapter_table_fill. */
void adapter_table_fill(void);
size_t adapter_table_count(void);
const mb_scheme *adapter_table_at(size_t i);

#endif
