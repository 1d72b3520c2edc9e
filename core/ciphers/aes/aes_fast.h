/*
 * aes-fast: for small machines (MOTE_SMALL) aes_fast_bytes.c has these, for others
 * aes_fast_words.c. `schedule` has MOTE_AES_FAST_SCHEDULE_LEN bytes.
 */
#ifndef MOTE_AES_FAST_H
#define MOTE_AES_FAST_H

#include <stddef.h>
#include <stdint.h>

#include "mote/modes.h"

/* The number of rounds in one word of the machine, then the round keys. */
#define MOTE_AES_FAST_SCHEDULE_LEN(key_len) (16 * ((key_len) / 4 + 7) + (MOTE_SMALL ? 1 : 4))

/* key_len: 16, 24 or 32 bytes. */
void mote_aes_fast_set_key(void *schedule, const uint8_t *key, uint8_t key_len);
/* With words the schedule of decrypt is another one. */
void mote_aes_fast_set_decrypt_key(void *schedule, const uint8_t *key, uint8_t key_len);
void mote_aes_fast_encrypt(const void *schedule, const uint8_t *in, uint8_t *out);
void mote_aes_fast_decrypt(const void *schedule, const uint8_t *in, uint8_t *out);
/* In assembly for ARMv6-M, ARMv7-M and RISC-V only. */
void mote_aes_fast_encrypt_blocks(const void *schedule, const uint8_t *in, uint8_t *out,
                                  size_t blocks);
void mote_aes_fast_decrypt_blocks(const void *schedule, const uint8_t *in, uint8_t *out,
                                  size_t blocks);

#endif
