/* Electronic codebook: SP 800-38A 6.1. */
#include "mote/modes.h"

/*
 * Code for several blocks is apart from the code for one block: registers that are kept without
 * need would be a tenth of a block where blocks are quick.
 */
#define APART __attribute__((noinline)) static

typedef void one(const void *schedule, const uint8_t *in, uint8_t *out);
typedef void many(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks);

__attribute__((always_inline)) static inline void
each(const mote_chain *chain, one *crypt, many *crypt_blocks, const uint8_t *in, uint8_t *out,
     size_t len)
{
    const size_t size = chain->cipher->block_len;
    if (crypt_blocks != NULL) {
        crypt_blocks(chain->schedule, in, out, mote_blocks_in(len, size));
        return;
    }
    for (; len > 0; len -= size, in += size, out += size)
        crypt(chain->schedule, in, out);
}

APART void encrypt_each(const mote_chain *chain, const uint8_t *in, uint8_t *out, size_t len)
{
    each(chain, chain->cipher->encrypt, chain->cipher->encrypt_blocks, in, out, len);
}

APART void decrypt_each(const mote_chain *chain, const uint8_t *in, uint8_t *out, size_t len)
{
    each(chain, chain->cipher->decrypt, chain->cipher->decrypt_blocks, in, out, len);
}

static void encrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    const mote_chain *chain = state;
    if (len == chain->cipher->block_len)
        chain->cipher->encrypt(chain->schedule, in, out);
    else
        encrypt_each(chain, in, out, len);
}

static void decrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    const mote_chain *chain = state;
    if (len == chain->cipher->block_len)
        chain->cipher->decrypt(chain->schedule, in, out);
    else
        decrypt_each(chain, in, out, len);
}

const mote_mode mote_ecb = {
    .name = "ecb", .whole_blocks = 1, .inverts = 1, .encrypt = encrypt, .decrypt = decrypt};
