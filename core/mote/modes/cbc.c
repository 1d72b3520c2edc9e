/* Cipher block chaining: SP 800-38A 6.2. */
#include "block.h"

static void encrypt(mote_chain *chain, const uint8_t *in, uint8_t *out, size_t len)
{
    const mote_block_cipher *cipher = chain->cipher;
    const size_t size = cipher->block_len;
    for (; len > 0; len -= size, in += size, out += size) {
        mote_xor(chain->iv, chain->iv, in, size);
        cipher->encrypt(chain->schedule, chain->iv, out);
        mote_copy(chain->iv, out, size);
    }
}

static void decrypt_blocks(mote_chain *chain, const uint8_t *in, uint8_t *out, size_t blocks)
{
    const mote_block_cipher *cipher = chain->cipher;
    const size_t size = cipher->block_len;
    _Alignas(uint32_t) mote_batch ciphertext;
    while (blocks > 0) {
        const size_t n = mote_batch_of(blocks), last = (n - 1) * size;
        memcpy(ciphertext, in, n * size);
        cipher->decrypt_blocks(chain->schedule, in, out, n);
        mote_xor(out, out, chain->iv, size);
        mote_xor(out + size, out + size, ciphertext, last);
        mote_copy(chain->iv, ciphertext + last, size);
        blocks -= n;
        in += n * size;
        out += n * size;
    }
}

static void decrypt(mote_chain *chain, const uint8_t *in, uint8_t *out, size_t len)
{
    const mote_block_cipher *cipher = chain->cipher;
    const size_t size = cipher->block_len;
    uint8_t ciphertext[MOTE_BLOCK_MAX];
    if (MOTE_BATCH > 1 && cipher->decrypt_blocks != NULL) {
        decrypt_blocks(chain, in, out, mote_blocks_in(len, size));
        return;
    }
    for (; len > 0; len -= size, in += size, out += size) {
        mote_copy(ciphertext, in, size);
        cipher->decrypt(chain->schedule, in, out);
        mote_xor(out, out, chain->iv, size);
        mote_copy(chain->iv, ciphertext, size);
    }
}

const mote_mode mote_cbc = {
    .name = "cbc", .has_iv = 1, .whole_blocks = 1, .inverts = 1, .encrypt = encrypt, .decrypt = decrypt};
