/* Cipher feedback of whole blocks: SP 800-38A 6.3 with s = b. A message may end within a block. */
#include "block.h"

/* The next bytes up to the end of the block that is under way. */
static size_t within_block(mote_chain *chain, const uint8_t *in, uint8_t *out, size_t len,
                           uint8_t decrypts)
{
    const uint8_t size = chain->cipher->block_len;
    size_t n = 0;
    for (; n < len && chain->used < size; n++, chain->used++) {
        const uint8_t byte = in[n];
        out[n] = byte ^ chain->stream[chain->used];
        chain->iv[chain->used] = decrypts ? byte : out[n];
    }
    return n;
}

static void begin_block(mote_chain *chain)
{
    chain->cipher->encrypt(chain->schedule, chain->iv, chain->stream);
    chain->used = 0;
}

static void encrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_chain *chain = state;
    const mote_block_cipher *cipher = chain->cipher;
    const size_t size = cipher->block_len;
    size_t n = within_block(chain, in, out, len, 0);
    for (len -= n, in += n, out += n; len >= size; len -= size, in += size, out += size) {
        cipher->encrypt(chain->schedule, chain->iv, chain->iv);
        mote_xor(chain->iv, chain->iv, in, size);
        mote_copy(out, chain->iv, size);
    }
    if (len > 0) {
        begin_block(chain);
        within_block(chain, in, out, len, 0);
    }
}

/* Key streams of several blocks depend on the ciphertext only. */
static void decrypt_blocks(mote_chain *chain, const uint8_t *in, uint8_t *out, size_t blocks)
{
    const size_t size = chain->cipher->block_len;
    const size_t used = mote_batch_of(blocks) * size;
    _Alignas(uint32_t) mote_batch stream;
    while (blocks > 0) {
        const size_t n = mote_batch_of(blocks), last = (n - 1) * size;
        mote_copy(stream, chain->iv, size);
        mote_copy_blocks(stream + size, in, n - 1, size);
        mote_copy(chain->iv, in + last, size);
        chain->cipher->encrypt_blocks(chain->schedule, stream, stream, n);
        mote_xor(out, in, stream, n * size);
        blocks -= n;
        in += n * size;
        out += n * size;
    }
    mote_wipe(stream, used);
}

static void decrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_chain *chain = state;
    const mote_block_cipher *cipher = chain->cipher;
    const size_t size = cipher->block_len;
    size_t n = within_block(chain, in, out, len, 1);
    len -= n, in += n, out += n;
    if (MOTE_BATCH > 1 && cipher->encrypt_blocks != NULL && len > size) {
        n = len - (len & (size - 1));
        decrypt_blocks(chain, in, out, mote_blocks_in(n, size));
        len -= n, in += n, out += n;
    }
    for (; len >= size; len -= size, in += size, out += size) {
        cipher->encrypt(chain->schedule, chain->iv, chain->stream);
        mote_copy(chain->iv, in, size);
        mote_xor(out, in, chain->stream, size);
    }
    if (len > 0) {
        begin_block(chain);
        within_block(chain, in, out, len, 1);
    }
}

const mote_mode mote_cfb = {.name = "cfb", .has_iv = 1, .encrypt = encrypt, .decrypt = decrypt};
