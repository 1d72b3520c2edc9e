/* Cipher block chaining: SP 800-38A 6.2. */
#include "block.h"

static void encrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_chain *chain = state;
    const mote_block_cipher *cipher = chain->cipher;
    const size_t size = cipher->block_len;
    const uint8_t *before = chain->iv;
    for (; len > 0; len -= size, in += size, out += size) {
        mote_xor(out, in, before, size);
        cipher->encrypt(chain->schedule, out, out);
        before = out;
    }
    if (before != chain->iv)
        mote_copy(chain->iv, before, size);
}

static void decrypt_blocks(mote_chain *chain, const uint8_t *in, uint8_t *out, size_t blocks)
{
    const mote_block_cipher *cipher = chain->cipher;
    const size_t size = cipher->block_len;
    _Alignas(uint32_t) mote_batch ciphertext;
    while (blocks > 0) {
        const size_t n = mote_batch_of(blocks), last = (n - 1) * size;
        mote_copy_blocks(ciphertext, in, n, size);
        cipher->decrypt_blocks(chain->schedule, in, out, n);
        mote_xor(out, out, chain->iv, size);
        mote_xor(out + size, out + size, ciphertext, last);
        mote_copy(chain->iv, ciphertext + last, size);
        blocks -= n;
        in += n * size;
        out += n * size;
    }
}

static void decrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_chain *chain = state;
    const mote_block_cipher *cipher = chain->cipher;
    const size_t size = cipher->block_len;
    uint8_t last[MOTE_BLOCK_MAX];
    if (MOTE_BATCH > 1 && cipher->decrypt_blocks != NULL && len > size) {
        decrypt_blocks(chain, in, out, mote_blocks_in(len, size));
        return;
    }
    if (len == 0)
        return;
    /* The last one first: then `out` may be `in`, and nothing but the last one has to be kept. */
    len -= size;
    mote_copy(last, in + len, size);
    for (; len > 0; len -= size) {
        cipher->decrypt(chain->schedule, in + len, out + len);
        mote_xor(out + len, out + len, in + len - size, size);
    }
    cipher->decrypt(chain->schedule, in, out);
    mote_xor(out, out, chain->iv, size);
    mote_copy(chain->iv, last, size);
}

const mote_mode mote_cbc = {
    .name = "cbc",
    .has_iv = 1,
    .whole_blocks = 1,
    .inverts = 1,
    .encrypt = encrypt,
    .decrypt = decrypt};
