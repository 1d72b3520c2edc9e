/*
 * PRESENT with both key lengths for a file that has defined `encrypt` and `decrypt` before, and PRESENT_SET_KEY if it
 * sets keys in a way of its own.
 */
#ifndef MOTE_PRESENT_CIPHERS_H
#define MOTE_PRESENT_CIPHERS_H

#include "mote/cipher.h"
#include "present_schedule.h"

#ifndef PRESENT_SET_KEY
#define PRESENT_SET_KEY(bits) mote_present_set_key_##bits
#endif

static const mote_block_cipher ciphers[] = {
    {.name = "present-80",
     .block_len = 8,
     .key_len = 10,
     .schedule_len = PRESENT_SCHEDULE,
     .set_key = PRESENT_SET_KEY(80),
     .encrypt = encrypt,
     .decrypt = decrypt},
    {.name = "present-128",
     .block_len = 8,
     .key_len = 16,
     .schedule_len = PRESENT_SCHEDULE,
     .set_key = PRESENT_SET_KEY(128),
     .encrypt = encrypt,
     .decrypt = decrypt},
};

#endif
