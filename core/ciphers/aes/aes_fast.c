/*
 * AES for speed: bytes in registers on small machines (aes_fast_bytes.c, and aes_fast_avr.S in
 * assembly), T-tables on others (aes_fast_words.c; in assembly aes_fast_armv6m.S, _armv7m.S and
 * _riscv32.S).
 *
 * Specification: FIPS 197.
 *
 * Trades: flash for time. Machines of 32 bits have 2.5 KiB of tables, of 64 bits 8.5 KiB. Time:
 * tables are looked up at places that depend on secrets, which leaks where there is a data cache;
 * no branch depends on a secret.
 */
#include "aes_fast.h"

#include <stddef.h>

#include "mote/assembly.h"
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

#if MOTE_ASSEMBLY_ARMV6M || MOTE_ASSEMBLY_ARMV7M || MOTE_ASSEMBLY_RISCV32
#define BLOCKS \
    .encrypt_blocks = mote_aes_fast_encrypt_blocks, .decrypt_blocks = mote_aes_fast_decrypt_blocks
#else
#define BLOCKS .encrypt_blocks = NULL, .decrypt_blocks = NULL
#endif

#define AES_FAST(bits)                                     \
    {.name = "aes-" #bits,                                 \
     .block_len = 16,                                      \
     .key_len = bits / 8,                                  \
     .schedule_len = MOTE_AES_FAST_SCHEDULE_LEN(bits / 8), \
     .set_key = set_key_##bits,                            \
     .set_decrypt_key = DECRYPT_KEY(bits),                 \
     .encrypt = mote_aes_fast_encrypt,                     \
     .decrypt = mote_aes_fast_decrypt,                     \
     BLOCKS}

static const mote_block_cipher ciphers[] = {AES_FAST(128), AES_FAST(192), AES_FAST(256)};

MOTE_IMPLEMENTATION(aes_fast) = {.name = "aes-fast", MOTE_BLOCKS(ciphers)};
