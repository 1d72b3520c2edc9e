/*
 * AES for speed: bytes in registers on small machines (aes_fast_bytes.c), T-tables on others (aes_fast_words.c).
 *
 * Specification: FIPS 197.
 *
 * Trades: flash for time. ATmega2560, avr-gcc 5.4 -O2: 3,208 bytes of flash, 512 of them tables; AES-128 takes 3,628
 * cycles to encrypt a block, 5,198 to decrypt one, 2,426 to set a key (-Os: 3,102 bytes; 3,942 and 4,783). The two
 * S-boxes begin at multiples of 256. T-tables and S-boxes are 2.5 KiB on machines of 32 bits, 8.5 KiB on those of
 * 64.
 * RAM: 177, 209 or 241 bytes of schedule (T-tables: 180, 212, 244); stack on the AVR: 31 bytes.
 * Time: tables are looked up at places that depend on secrets, which leaks where there is a data cache; no branch
 * depends on a secret.
 */
#include "aes_fast.h"

#include <stddef.h>

#include "mote/cipher.h"

static void set_key_128(void *schedule, const uint8_t *key)
{
    mote_aes_fast_set_key(schedule, key, 16);
}

static void set_key_192(void *schedule, const uint8_t *key)
{
    mote_aes_fast_set_key(schedule, key, 24);
}

static void set_key_256(void *schedule, const uint8_t *key)
{
    mote_aes_fast_set_key(schedule, key, 32);
}

#if MOTE_SMALL
#define DECRYPT_KEY(bits) NULL
#else
#define DECRYPT_KEY(bits) set_decrypt_key_##bits

static void set_decrypt_key_128(void *schedule, const uint8_t *key)
{
    mote_aes_fast_set_decrypt_key(schedule, key, 16);
}

static void set_decrypt_key_192(void *schedule, const uint8_t *key)
{
    mote_aes_fast_set_decrypt_key(schedule, key, 24);
}

static void set_decrypt_key_256(void *schedule, const uint8_t *key)
{
    mote_aes_fast_set_decrypt_key(schedule, key, 32);
}
#endif

#define AES_FAST(bits)                                                                                                 \
    {.name = "aes-" #bits, .block_len = 16, .key_len = bits / 8, .schedule_len = MOTE_AES_FAST_SCHEDULE_LEN(bits / 8), \
     .set_key = set_key_##bits, .set_decrypt_key = DECRYPT_KEY(bits), .encrypt = mote_aes_fast_encrypt,               \
     .decrypt = mote_aes_fast_decrypt}

static const mote_block_cipher ciphers[] = {AES_FAST(128), AES_FAST(192), AES_FAST(256)};

MOTE_IMPLEMENTATION(aes_fast) = {.name = "aes-fast", MOTE_BLOCKS(ciphers)};
