#include "gmac.h"

#include "block.h"
#include "ghash.h"
#include "mote/bytes.h"

enum { SIZE = 16 };

void mote_gmac_bind(mote_gmac *gmac, const mote_block_cipher *cipher, const void *schedule)
{
    uint8_t *block = gmac->first;
    gmac->cipher = cipher;
    gmac->schedule = schedule;
    memset(block, 0, SIZE);
    cipher->encrypt(schedule, block, block);
    for (uint8_t i = 0; i < 4; i++)
        gmac->h[i] = mote_load32be(block + 4 * i);
}

void mote_gmac_start(mote_gmac *gmac, const uint8_t nonce[MOTE_GMAC_NONCE])
{
    uint8_t *block = gmac->first;
    memcpy(block, nonce, MOTE_GMAC_NONCE);
    mote_store32be(block + MOTE_GMAC_NONCE, 1);
    gmac->cipher->encrypt(gmac->schedule, block, block);
    memset(gmac->y, 0, sizeof gmac->y);
    gmac->len = 0;
}

static void absorb_block(mote_gmac *gmac, const uint8_t block[SIZE])
{
    for (uint8_t i = 0; i < 4; i++)
        gmac->y[i] ^= mote_load32be(block + 4 * i);
    mote_ghash_multiply(gmac->y, gmac->h);
}

void mote_gmac_update(mote_gmac *gmac, const uint8_t *in, size_t len)
{
    uint8_t at = (uint8_t)gmac->len & (SIZE - 1);
    gmac->len += len;
    for (; len > 0; len--) {
        if (at == 0) {
            for (; len >= SIZE; len -= SIZE, in += SIZE)
                absorb_block(gmac, in);
            if (len == 0)
                return;
        }
        gmac->y[at / 4] ^= (uint32_t)*in++ << (24 - at % 4 * 8);
        at = (at + 1) & (SIZE - 1);
        if (at == 0)
            mote_ghash_multiply(gmac->y, gmac->h);
    }
}

void mote_gmac_finish(mote_gmac *gmac, uint8_t tag[MOTE_GMAC_TAG])
{
    uint8_t block[SIZE] = {0};
    if (gmac->len % SIZE != 0)
        mote_ghash_multiply(gmac->y, gmac->h);
    mote_store64be(block, gmac->len << 3); /* in bits; the text has none */
    absorb_block(gmac, block);
    for (uint8_t i = 0; i < 4; i++)
        mote_store32be(tag + 4 * i, gmac->y[i]);
    mote_xor(tag, tag, gmac->first, SIZE);
}
