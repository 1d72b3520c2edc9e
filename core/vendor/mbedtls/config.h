/*
 * The configuration of Mbed TLS: MBEDTLS_CONFIG_FILE. A firmware has MOTE_ONLY, and MOTE_ONLY_ with
 * the algorithm and with the scheme's mode (source.toml): nothing else is configured then, as a
 * firmware engineer would do. Hosts have all.
 */
#ifndef MOTE_VENDOR_MBEDTLS_CONFIG_H
#define MOTE_VENDOR_MBEDTLS_CONFIG_H

#define MBEDTLS_NO_PLATFORM_ENTROPY
#define MBEDTLS_AES_ROM_TABLES /* else they are computed into RAM at the first key */

#if !defined MOTE_ONLY || defined MOTE_ONLY_AES
#define MBEDTLS_AES_C
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_CAMELLIA
#define MBEDTLS_CAMELLIA_C
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_DES
#define MBEDTLS_DES_C
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_BLOWFISH
#define MBEDTLS_BLOWFISH_C
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_XTEA
#define MBEDTLS_XTEA_C
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_RC4
#define MBEDTLS_ARC4_C
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_CHACHA20
#define MBEDTLS_CHACHA20_C
#define MBEDTLS_POLY1305_C
#define MBEDTLS_CHACHAPOLY_C
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_HASH
#define MBEDTLS_MD5_C
#define MBEDTLS_SHA1_C
#define MBEDTLS_SHA256_C
#define MBEDTLS_SHA512_C
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_HMAC
#define MBEDTLS_MD_C
#endif
#if defined MOTE_ONLY_HMAC_SHA1
#define MBEDTLS_SHA1_C
#endif
#if defined MOTE_ONLY_HMAC_SHA256
#define MBEDTLS_SHA256_C
#endif
#if defined MOTE_ONLY_HMAC_SHA512
#define MBEDTLS_SHA512_C
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_cmac
#define MBEDTLS_CMAC_C
#endif

#if !defined MOTE_ONLY || defined MOTE_ONLY_cbc
#define MBEDTLS_CIPHER_MODE_CBC
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_cfb || defined MOTE_ONLY_cfb8
#define MBEDTLS_CIPHER_MODE_CFB
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_ofb
#define MBEDTLS_CIPHER_MODE_OFB
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_ctr
#define MBEDTLS_CIPHER_MODE_CTR
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_gcm || defined MOTE_ONLY_gmac
#define MBEDTLS_GCM_C
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_ccm
#define MBEDTLS_CCM_C
#endif
#if defined MBEDTLS_GCM_C || defined MBEDTLS_CCM_C || defined MBEDTLS_CMAC_C
#define MBEDTLS_CIPHER_C
#endif
#if defined MBEDTLS_CIPHER_C || defined MBEDTLS_MD_C
#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_PLATFORM_CALLOC_MACRO mote_slot_calloc
#define MBEDTLS_PLATFORM_FREE_MACRO mote_slot_free
#include <stddef.h>
void *mote_slot_calloc(size_t count, size_t size);
void mote_slot_free(void *slot);
#endif

#endif
