#include "cmac.h"

#include "block.h"

/*
 * Multiplies by x; the polynomials of SP 800-38B 5.3. Neither a branch nor an index depends on the
 * contents.
 */
static void twice_of(uint8_t *block, uint8_t size)
{
    const uint8_t carry = (uint8_t)(0u - (block[0] >> 7));
    for (uint8_t i = 0; i + 1u < size; i++)
        block[i] = (uint8_t)((unsigned)block[i] << 1 | block[i + 1] >> 7);
    block[size - 1] =
        (uint8_t)((unsigned)block[size - 1] << 1 ^ (carry & (size == 16 ? 0x87u : 0x1bu)));
}

void mote_cmac_subkey(const mote_block_cipher *cipher, const void *schedule, uint8_t *twice)
{
    memset(twice, 0, cipher->block_len);
    cipher->encrypt(schedule, twice, twice);
    twice_of(twice, cipher->block_len);
}

void mote_cmac_start(mote_cmac *cmac, const mote_block_cipher *cipher, const void *schedule,
                     uint8_t prefix)
{
    cmac->cipher = cipher;
    cmac->schedule = schedule;
    memset(cmac->mac, 0, sizeof cmac->mac);
    cmac->mac[cipher->block_len - 1] = prefix;
    cmac->at = cipher->block_len;
}

void mote_cmac_update(mote_cmac *cmac, const uint8_t *in, size_t len)
{
    const mote_block_cipher *cipher = cmac->cipher;
    const uint8_t size = cipher->block_len;
    /* A full block waits, since the last one of the message is treated apart. */
    while (len > 0) {
        if (cmac->at == size) {
            cipher->encrypt(cmac->schedule, cmac->mac, cmac->mac);
            for (; len > size; len -= size, in += size) {
                mote_xor(cmac->mac, cmac->mac, in, size);
                cipher->encrypt(cmac->schedule, cmac->mac, cmac->mac);
            }
            cmac->at = 0;
        }
        for (; len > 0 && cmac->at < size; len--)
            cmac->mac[cmac->at++] ^= *in++;
    }
}

void mote_cmac_finish(mote_cmac *cmac, const uint8_t *twice)
{
    const mote_block_cipher *cipher = cmac->cipher;
    const uint8_t size = cipher->block_len;
    uint8_t subkey[MOTE_BLOCK_MAX];
    memcpy(subkey, twice, size);
    if (cmac->at < size) {
        twice_of(subkey, size);
        cmac->mac[cmac->at] ^= 0x80;
    }
    mote_xor(cmac->mac, cmac->mac, subkey, size);
    cipher->encrypt(cmac->schedule, cmac->mac, cmac->mac);
    mote_wipe(subkey, sizeof subkey);
}
