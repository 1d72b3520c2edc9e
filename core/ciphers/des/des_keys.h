/* The key schedules of DES and 3DES, for the implementations that prepare them. */
#ifndef MOTE_DES_KEYS_H
#define MOTE_DES_KEYS_H

#include <stdint.h>

#include "mote/cipher.h"

/*
 * The six bits of a round's key for each S-box, times 4: those of S1, S3, S5 and S7 are the bytes
 * of `odd`, of S2, S4, S6 and S8 those of `even`, the first one highest.
 */
typedef struct mote_des_round { uint32_t odd, even; } mote_des_round;

/* In the order of use. Decryption is encryption with the rounds the other way round. */
void mote_des_set_key(void *schedule, const uint8_t *key);
void mote_des_set_decrypt_key(void *schedule, const uint8_t *key);
void mote_3des_set_key(void *schedule, const uint8_t *key);
void mote_3des_set_decrypt_key(void *schedule, const uint8_t *key);

/* Fields that the descriptors of an implementation's DES and 3DES share. */
#define MOTE_DES                                                                              \
    .name = "des", .block_len = 8, .key_len = 8, .schedule_len = 16 * sizeof(mote_des_round), \
    .set_key = mote_des_set_key, .set_decrypt_key = mote_des_set_decrypt_key
#define MOTE_3DES                                                                               \
    .name = "3des", .block_len = 8, .key_len = 24, .schedule_len = 48 * sizeof(mote_des_round), \
    .set_key = mote_3des_set_key, .set_decrypt_key = mote_3des_set_decrypt_key

#endif
