/* Counter with CBC-MAC: SP 800-38C, formatted as its appendix A says. */
#include "block.h"

static void bind(void *state, const mote_block_cipher *cipher, const void *schedule)
{
    mote_ccm_state *s = state;
    s->ctr.cipher = cipher;
    s->ctr.schedule = schedule;
}

static uint8_t takes(const mote_aead_message *message)
{
    const uint8_t len_bytes = (uint8_t)(15 - message->nonce_len);
    return message->tag_len % 2 == 0 &&
           (len_bytes >= 8 || (uint64_t)message->message_len >> len_bytes * 8 == 0);
}

static void mac_block(mote_ccm_state *s)
{
    s->ctr.cipher->encrypt(s->ctr.schedule, s->mac, s->mac);
    s->at = 0;
}

static void absorb(mote_ccm_state *s, const uint8_t *in, size_t len)
{
    for (; len > 0 && s->at > 0; len--) {
        s->mac[s->at++] ^= *in++;
        if (s->at == MOTE_BLOCK_MAX)
            mac_block(s);
    }
    for (; len >= MOTE_BLOCK_MAX; len -= MOTE_BLOCK_MAX, in += MOTE_BLOCK_MAX) {
        mote_xor(s->mac, s->mac, in, MOTE_BLOCK_MAX);
        mac_block(s);
    }
    for (; len > 0; len--)
        s->mac[s->at++] ^= *in++;
}

/* Zeros up to the end of the block. */
static void pad(mote_ccm_state *s)
{
    if (s->at > 0)
        mac_block(s);
}

/* A.2.2: how long the AAD is. */
static void absorb_aad_len(mote_ccm_state *s, uint64_t len)
{
    uint8_t text[10] = {0xff, len > UINT32_MAX ? 0xff : 0xfe};
    uint8_t bytes = len < 0xff00 ? 2 : len <= UINT32_MAX ? 4 : 8;
    const uint8_t head = bytes > 2 ? 2 : 0;
    for (uint8_t i = bytes; i > 0; i--, len >>= 8)
        text[head + i - 1] = (uint8_t)len;
    absorb(s, text, (size_t)(head + bytes));
}

static void start(void *state, const mote_aead_message *message)
{
    mote_ccm_state *s = state;
    const uint8_t len_bytes = (uint8_t)(15 - message->nonce_len);
    uint64_t len = message->message_len;
    s->tag_len = message->tag_len;
    /* A.2.1: the first block of the MAC */
    s->mac[0] = (uint8_t)((message->aad_len > 0 ? 0x40 : 0) | (message->tag_len - 2) / 2 << 3 |
                          (len_bytes - 1));
    memcpy(s->mac + 1, message->nonce, message->nonce_len);
    for (uint8_t i = MOTE_BLOCK_MAX - 1; i > message->nonce_len; i--, len >>= 8)
        s->mac[i] = (uint8_t)len;
    /* A.3: counter blocks */
    memset(s->ctr.iv, 0, sizeof s->ctr.iv);
    s->ctr.iv[0] = (uint8_t)(len_bytes - 1);
    memcpy(s->ctr.iv + 1, message->nonce, message->nonce_len);
    s->ctr.counting = len_bytes;
    s->ctr.hidden = 0;
    s->ctr.used = MOTE_BLOCK_MAX;
    s->ctr.cipher->encrypt(s->ctr.schedule, s->ctr.iv, s->first);
    s->ctr.iv[MOTE_BLOCK_MAX - 1] = 1;
    mac_block(s);
    if (message->aad_len > 0) {
        absorb_aad_len(s, message->aad_len);
        absorb(s, message->aad, message->aad_len);
        pad(s);
    }
}

static void encrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_ccm_state *s = state;
    absorb(s, in, len);
    mote_ctr.encrypt(&s->ctr, in, out, len);
}

static void decrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_ccm_state *s = state;
    mote_ctr.decrypt(&s->ctr, in, out, len);
    absorb(s, out, len);
}

static void tag(void *state, uint8_t *out)
{
    mote_ccm_state *s = state;
    pad(s);
    for (uint8_t i = 0; i < s->tag_len; i++)
        out[i] = s->mac[i] ^ s->first[i];
}

const mote_aead_mode mote_ccm = {
    .steps = {.name = "ccm",
              .nonce_min = 7,
              .nonce_max = 13,
              .tag_min = 4,
              .tag_max = 16,
              .state_len = sizeof(mote_ccm_state),
              .start = start,
              .encrypt = encrypt,
              .decrypt = decrypt,
              .tag = tag},
    .told_len = 1,
    .takes = takes,
    .bind = bind,
};
