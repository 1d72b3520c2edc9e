/*
 * Counter mode: SP 800-38A 6.5, with the incrementing function of B.1 on the last `counting` bytes.
 */
#include "block.h"
#include "mote/assembly.h"
#include "mote/bytes.h"

#if MOTE_SMALL
static void count(mote_chain *chain)
{
    uint8_t *p = chain->iv + chain->cipher->block_len;
    uint8_t n = chain->counting;
    if (!chain->hidden) {
        while (n-- > 0 && ++*--p == 0)
            ;
        return;
    }
    /* No branch on what the counter is. */
    for (uint16_t carry = 1; n > 0; n--) {
        carry = (uint16_t)(carry + *--p);
        *p = (uint8_t)carry;
        carry >>= 8;
    }
}
#else
/*
 * No branch on what the counter is. Messages that count less than 8 bytes are not long enough to
 * leave them (CCM).
 */
static inline void count(mote_chain *chain)
{
    uint8_t *end = chain->iv + chain->cipher->block_len;
    if (chain->counting == 4) {
        mote_store32be(end - 4, mote_load32be(end - 4) + 1);
        return;
    }
    const uint64_t low = mote_load64be(end - 8) + 1;
    mote_store64be(end - 8, low);
    if (chain->counting == 16)
        mote_store64be(chain->iv, mote_load64be(chain->iv) + (low == 0));
}
#endif

#if MOTE_ASSEMBLY_ARMV7M
/* ctr_armv7m.S: blocks of 16 bytes, at least one, for a cipher with encrypt_blocks. */
void mote_ctr_blocks(mote_chain *chain, const uint8_t *in, uint8_t *out, size_t blocks);
_Static_assert(offsetof(mote_chain, cipher) == 0 && offsetof(mote_chain, schedule) == 4 &&
                   offsetof(mote_chain, iv) == 8 && offsetof(mote_chain, counting) == 41 &&
                   offsetof(mote_block_cipher, encrypt_blocks) == 24 && MOTE_BATCH == 8,
               "as in ctr_armv7m.S");
/* Its key stream is not on the stack as well where that function has one. */
#define ALONE __attribute__((noinline))
#else
#define ALONE
#endif

static ALONE void many_blocks(mote_chain *chain, const uint8_t *in, uint8_t *out, size_t blocks)
{
    const size_t size = chain->cipher->block_len;
    const size_t used = mote_batch_of(blocks) * size;
    _Alignas(uint32_t) mote_batch stream;
    while (blocks > 0) {
        const size_t n = mote_batch_of(blocks);
        size_t i = 0;
        do {
            mote_copy(stream + i * size, chain->iv, size);
            count(chain);
        } while (++i < n);
        chain->cipher->encrypt_blocks(chain->schedule, stream, stream, n);
        mote_xor(out, in, stream, n * size);
        blocks -= n;
        in += n * size;
        out += n * size;
    }
    mote_wipe(stream, used);
}

static void crypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_chain *chain = state;
    const mote_block_cipher *cipher = chain->cipher;
    const uint8_t size = cipher->block_len;
    for (; len > 0 && chain->used < size; len--)
        *out++ = *in++ ^ chain->stream[chain->used++];
#if MOTE_ASSEMBLY_ARMV7M
    if (size == 16 && cipher->encrypt_blocks != NULL && len >= 16) {
        const size_t n = len & ~(size_t)15;
        mote_ctr_blocks(chain, in, out, n / 16);
        len -= n, in += n, out += n;
    } else
#endif
        if (MOTE_BATCH > 1 && cipher->encrypt_blocks != NULL && len > size) {
        const size_t n = len - (len & (size - 1));
        many_blocks(chain, in, out, mote_blocks_in(n, size));
        len -= n, in += n, out += n;
    }
    for (; len >= size; len -= size, in += size, out += size) {
        cipher->encrypt(chain->schedule, chain->iv, chain->stream);
        count(chain);
        mote_xor(out, in, chain->stream, size);
    }
    if (len == 0)
        return;
    cipher->encrypt(chain->schedule, chain->iv, chain->stream);
    count(chain);
    for (chain->used = 0; len > 0; len--)
        *out++ = *in++ ^ chain->stream[chain->used++];
}

const mote_mode mote_ctr = {.name = "ctr", .has_iv = 1, .encrypt = crypt, .decrypt = crypt};
