/*
 * The configuration of LibTomCrypt, included first in its files and the wrappers: small
 * code, no tests, no files, no assembly. A firmware has MOTE_ONLY and the one cipher that
 * source.toml defines for it; hosts have all.
 */
#ifndef MOTE_VENDOR_LIBTOMCRYPT_CONFIG_H
#define MOTE_VENDOR_LIBTOMCRYPT_CONFIG_H

#include <stddef.h>

#define LTC_SOURCE
#define LTC_NOTHING
#define LTC_NO_FILE
#define LTC_NO_TEST
#define LTC_NO_ASM
#define LTC_NO_FAST
#define LTC_SMALL_CODE
#define ARGTYPE 4  /* wrong arguments are errors that are returned */
#define TAB_SIZE 1 /* one cipher is registered */

#define LTC_ECB_MODE
#define LTC_CBC_MODE
#define LTC_CFB_MODE
#define LTC_OFB_MODE
#define LTC_CTR_MODE
#define LTC_GCM_MODE
#define LTC_CCM_MODE
#define LTC_EAX_MODE
#define LTC_OMAC

#ifndef MOTE_ONLY
#define LTC_RIJNDAEL
#define LTC_BLOWFISH
#define LTC_TWOFISH
#define LTC_RC2
#define LTC_RC5
#define LTC_RC6
#define LTC_DES
#define LTC_CAST5
#define LTC_KSEED
#define LTC_CAMELLIA
#define LTC_XTEA
#endif
#ifdef LTC_TWOFISH
#define LTC_TWOFISH_SMALL /* S-boxes are computed for each byte: 128 B of state, not 4 KiB */
#endif

/* EAX allocates while it begins and ends: block.h has the memory. */
#define XMALLOC mote_heap_alloc
#define XFREE mote_heap_free
void *mote_heap_alloc(size_t size);
void mote_heap_free(void *block);

#endif
