/* Output feedback: SP 800-38A 6.4. */
#include "block.h"

static void crypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_chain *chain = state;
    const mote_block_cipher *cipher = chain->cipher;
    const uint8_t size = cipher->block_len;
    /* The key stream is what goes into the cipher next, so that one block serves as both. */
    for (; len > 0 && chain->used < size; len--)
        *out++ = *in++ ^ chain->iv[chain->used++];
    for (; len >= size; len -= size, in += size, out += size) {
        cipher->encrypt(chain->schedule, chain->iv, chain->iv);
        mote_xor(out, in, chain->iv, size);
    }
    if (len == 0)
        return;
    cipher->encrypt(chain->schedule, chain->iv, chain->iv);
    for (chain->used = 0; len > 0; len--)
        *out++ = *in++ ^ chain->iv[chain->used++];
}

const mote_mode mote_ofb = {.name = "ofb", .has_iv = 1, .encrypt = crypt, .decrypt = crypt};
