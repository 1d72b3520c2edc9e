/*
 * The configuration of Mbed TLS 3.6: MBEDTLS_CONFIG_FILE. A firmware has MOTE_ONLY, and MOTE_ONLY_
 * with what it needs (source.toml): nothing else is configured then, as a firmware engineer would
 * do. Hosts have all.
 *
 * A board's memory for allocations is a static buffer, and the library's own allocator hands it
 * out.
 */
#ifndef MOTE_VENDOR_MBEDTLS_3_CONFIG_H
#define MOTE_VENDOR_MBEDTLS_3_CONFIG_H

#define MBEDTLS_HAVE_ASM
#if !defined MOTE_ONLY_AES && !defined MOTE_ONLY_CHACHA20 && !defined MOTE_ONLY_CMAC
#define MBEDTLS_SHA256_C
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_SHA256 || defined MOTE_ONLY_HMAC
#define MBEDTLS_SHA224_C
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_CHACHA20
#define MBEDTLS_CHACHA20_C
#define MBEDTLS_POLY1305_C
#define MBEDTLS_CHACHAPOLY_C
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_HMAC
#define MBEDTLS_MD_C
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_AES || defined MOTE_ONLY_CMAC
#define MBEDTLS_AES_C
#define MBEDTLS_AES_ROM_TABLES /* else they are computed into RAM at the first key */
#define MBEDTLS_BLOCK_CIPHER_NO_DECRYPT
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_CMAC
#define MBEDTLS_CIPHER_C
#define MBEDTLS_CMAC_C
#endif
#if !defined MOTE_ONLY /* CCM and GCM have their own way to the block cipher beside CIPHER_C, too */
#define MBEDTLS_BLOCK_CIPHER_C
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_ccm
#define MBEDTLS_CCM_C
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_gcm
#define MBEDTLS_GCM_C
#endif

#if !defined MOTE_ONLY || defined MOTE_ONLY_P256M
#define MBEDTLS_PSA_P256M_DRIVER_ENABLED
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_P256 || defined MOTE_ONLY_X25519
#define MBEDTLS_BIGNUM_C
#define MBEDTLS_ECP_C
#define MBEDTLS_HMAC_DRBG_C
#if defined MOTE_ONLY
#define MBEDTLS_MD_C
#endif
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_P256
#define MBEDTLS_ASN1_PARSE_C
#define MBEDTLS_ASN1_WRITE_C
#define MBEDTLS_ECDH_C
#define MBEDTLS_ECDSA_C
#define MBEDTLS_ECDSA_DETERMINISTIC
#define MBEDTLS_ECP_DP_SECP256R1_ENABLED
#define MBEDTLS_ECP_NIST_OPTIM
#endif
#if !defined MOTE_ONLY || defined MOTE_ONLY_X25519
#define MBEDTLS_ECP_DP_CURVE25519_ENABLED
#endif
/*
 * LMS, with PSA functions of SHA-256 alone (PSA_WANT_ is here instead of in its own file). What is
 * to be hashed lies in memory that nobody else writes to: it is not copied.
 */
#if !defined MOTE_ONLY || defined MOTE_ONLY_LMS
#define MBEDTLS_LMS_C
#define MBEDTLS_PSA_CRYPTO_C
#define MBEDTLS_PSA_CRYPTO_CONFIG
#define MBEDTLS_PSA_CRYPTO_CONFIG_FILE <vendor/mbedtls-3/config.h>
#define PSA_WANT_ALG_SHA_256 1
#define MBEDTLS_PSA_CRYPTO_EXTERNAL_RNG
#define MBEDTLS_PSA_ASSUME_EXCLUSIVE_BUFFERS
#endif
#if defined MOTE_ONLY && defined MBEDTLS_BIGNUM_C
#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_MEMORY_BUFFER_ALLOC_C
#define MBEDTLS_PLATFORM_NO_STD_FUNCTIONS
#define MBEDTLS_PLATFORM_EXIT_MACRO(status) __builtin_trap()
#endif
/* Memory of HMAC and CMAC is static: hmac.h, cmac_both.h. */
#if defined MOTE_ONLY_HMAC || defined MOTE_ONLY_CMAC
#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_PLATFORM_CALLOC_MACRO mote_slot_calloc
#define MBEDTLS_PLATFORM_FREE_MACRO mote_slot_free
#include <stddef.h>
void *mote_slot_calloc(size_t count, size_t size);
void mote_slot_free(void *slot);
#endif

#endif
