/*
 * PRESENT with both key lengths for a file that has defined `encrypt` and `decrypt` before;
 * PRESENT_SET_KEY and PRESENT_SCHEDULE_LEN if it keeps keys in a way of its own, and PRESENT_MANY
 * if it takes several blocks at once.
 */
#ifndef MOTE_PRESENT_CIPHERS_H
#define MOTE_PRESENT_CIPHERS_H

#include <stddef.h>

#include "mote/cipher.h"
#include "present_schedule.h"

#ifndef PRESENT_SET_KEY
#define PRESENT_SET_KEY(bits) mote_present_set_key_##bits
#endif
#ifndef PRESENT_SCHEDULE_LEN
#define PRESENT_SCHEDULE_LEN PRESENT_SCHEDULE
#endif
#ifndef PRESENT_MANY
#define PRESENT_MANY .encrypt_blocks = NULL, .decrypt_blocks = NULL
#endif

static const mote_block_cipher ciphers[] = {
    {.name = "present-80",
     .block_len = 8,
     .key_len = 10,
     .schedule_len = PRESENT_SCHEDULE_LEN,
     .set_key = PRESENT_SET_KEY(80),
     .encrypt = encrypt,
     .decrypt = decrypt,
     PRESENT_MANY},
    {.name = "present-128",
     .block_len = 8,
     .key_len = 16,
     .schedule_len = PRESENT_SCHEDULE_LEN,
     .set_key = PRESENT_SET_KEY(128),
     .encrypt = encrypt,
     .decrypt = decrypt,
     PRESENT_MANY},
};

#endif
