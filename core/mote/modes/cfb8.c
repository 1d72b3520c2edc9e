/* Cipher feedback of single bytes: SP 800-38A 6.3 with s = 8. */
#include "block.h"

static void crypt(mote_chain *chain, const uint8_t *in, uint8_t *out, size_t len, uint8_t decrypts)
{
    const mote_block_cipher *cipher = chain->cipher;
    const size_t last = cipher->block_len - 1u;
    for (size_t i = 0; i < len; i++) {
        cipher->encrypt(chain->schedule, chain->iv, chain->stream);
        const uint8_t before = in[i];
        out[i] = before ^ chain->stream[0];
        memmove(chain->iv, chain->iv + 1, last);
        chain->iv[last] = decrypts ? before : out[i];
    }
}

static void encrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_chain *chain = state;
    crypt(chain, in, out, len, 0);
}

static void decrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_chain *chain = state;
    crypt(chain, in, out, len, 1);
}

const mote_mode mote_cfb8 = {.name = "cfb8", .has_iv = 1, .encrypt = encrypt, .decrypt = decrypt};
