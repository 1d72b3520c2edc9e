/* Lengths that are possible together: as mote_library_aead's `takes`. */
#ifndef MOTE_VENDOR_LENGTHS_H
#define MOTE_VENDOR_LENGTHS_H

#include "mote/cipher.h"

/*
 * CCM, SP 800-38C A.1: tags have even lengths; the length of the message has what the nonce leaves
 * of 15 bytes.
 */
static inline uint8_t mote_ccm_lengths(const mote_aead_message *message)
{
    const unsigned field = 15u - message->nonce_len;
    return message->tag_len % 2 == 0 &&
           (field >= sizeof message->message_len || message->message_len >> 8 * field == 0);
}

#endif
