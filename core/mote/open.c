#include <string.h>

#include "mote/modes.h"
#include "motebench/marks.h"

uint8_t mote_open(const mote_aead *aead, void *state, const mote_aead_message *message,
                  const uint8_t *in, uint8_t *out, const uint8_t *tag)
{
    uint8_t made[MOTE_BLOCK_MAX * 2];
    aead->start(state, message);
    aead->decrypt(state, in, out, message->message_len);
    aead->tag(state, made);
    const uint8_t forged = mote_differs(made, tag, message->tag_len);
    MB_PUBLIC(forged);
    /* The right tag of a forged message is worth something to the forger. */
    mote_wipe(made, sizeof made);
    if (forged)
        mote_wipe(out, message->message_len);
    return forged;
}
