/*
 * Private header of the Mbed TLS adapter: the library's low-level functions, as firmware uses them (its generic cipher
 * layer lacks CFB8 and XTEA and takes ECB one block a call). Releases 2.28 and 3.x; what a build of the library leaves
 * out is left out here.
 */
#ifndef MOTEBENCH_MBEDTLS_MT_H
#define MOTEBENCH_MBEDTLS_MT_H

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

#include "support/kind.h"
#include "support/steps.h"

#define MT_VERSION_3 (MBEDTLS_VERSION_NUMBER >= 0x03000000)

/* State of one job of a cipher. */
typedef struct mt_state {
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
} mt_state;

/* One algorithm in one mode. */
typedef struct mt_mode {
    mb_steps steps;
    void (*init)(mt_state *s);
    void (*free)(mt_state *s);
    uint8_t nonce_min, nonce_max, tag_min, tag_max; /* bytes */
    bool no_bulk;   /* ENCRYPT and DECRYPT are not offered */
    bool no_pieces; /* files are not offered */
} mt_mode;

/* The rows of the table; each begins with its mb_kind, as support/kind.h wants it. */
typedef struct mt_cipher {
    const mb_kind *kind;
    const char *name;
    uint8_t key_len; /* bytes */
    const mt_mode *mode;
} mt_cipher;

typedef struct mt_digest {
    const mb_kind *kind;
    const char *name;
    mbedtls_md_type_t md;
} mt_digest;

typedef struct mt_signature {
    const mb_kind *kind;
    const char *name;
    mbedtls_md_type_t md;
    uint16_t bits; /* of an RSA modulus; 0: ECDSA with P-256 */
    bool pss;
} mt_signature;

/* adapter.c */
mb_status mt_fail(int code); /* records the library's text for a code that is not 0 */
int mt_random(void *unused, unsigned char *out, size_t len); /* the random generator as the library wants it */

static inline mb_status mt_check(int code)
{
    return code == 0 ? MB_OK : mt_fail(code);
}

/* cipher.c */
extern const mb_kind mt_cipher_kind;
mb_status mt_begin_iv(mb_job *job, size_t len); /* the nonce to iv, no key stream */

/* block.c */
extern const mt_mode mt_aes_ecb, mt_aes_cbc, mt_aes_cfb, mt_aes_cfb8, mt_aes_ofb, mt_aes_ctr, mt_aes_xts;
extern const mt_mode mt_camellia_ecb, mt_camellia_cbc, mt_camellia_cfb, mt_camellia_ctr;
#if defined(MBEDTLS_ARIA_C)
extern const mt_mode mt_aria_ecb, mt_aria_cbc, mt_aria_cfb, mt_aria_ctr;
#endif

/* small.c: blocks of 64 bits */
extern const mt_mode mt_des_ecb, mt_des_cbc, mt_des3_ecb, mt_des3_cbc;
#if defined(MBEDTLS_BLOWFISH_C)
extern const mt_mode mt_blowfish_ecb, mt_blowfish_cbc, mt_blowfish_cfb, mt_blowfish_ctr;
#endif
#if defined(MBEDTLS_XTEA_C)
extern const mt_mode mt_xtea_ecb, mt_xtea_cbc;
#endif

/* stream.c */
extern const mt_mode mt_chacha20, mt_chachapoly;
#if defined(MBEDTLS_ARC4_C)
extern const mt_mode mt_arc4;
#endif

/* aead.c */
extern const mt_mode mt_aes_gcm, mt_camellia_gcm, mt_aes_ccm, mt_camellia_ccm;
#if defined(MBEDTLS_ARIA_C)
extern const mt_mode mt_aria_gcm, mt_aria_ccm;
#endif

extern const mb_kind mt_digest_kind, mt_mac_kind; /* digest.c */
extern const mb_kind mt_signature_kind;           /* signature.c */
extern const mb_kind mt_x25519_kind;              /* x25519.c */

/* table.c: the schemes the library offers, known after mt_table_fill. */
void mt_table_fill(void);
size_t mt_table_count(void);
const mb_scheme *mt_table_at(size_t i);

#endif
