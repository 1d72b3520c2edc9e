#include "block.h"

void mote_chain_start(mote_chain *chain, const mote_block_cipher *cipher, const void *schedule,
                      const uint8_t *iv)
{
    chain->cipher = cipher;
    chain->schedule = schedule;
    chain->used = cipher->block_len;
    chain->counting = cipher->block_len;
    chain->hidden = 0;
    if (iv != NULL)
        mote_copy(chain->iv, iv, cipher->block_len);
}
