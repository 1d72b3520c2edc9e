/* Galois/counter mode: SP 800-38D. */
#include "block.h"
#include "ghash.h"
#include "mote/bytes.h"

enum { SIZE = 16, COUNTER = 4, USUAL_NONCE = 12 };

static void bind(void *state, const mote_block_cipher *cipher, const void *schedule)
{
    mote_gcm_state *s = state;
    uint8_t *block = s->first;
    s->ctr.cipher = cipher;
    s->ctr.schedule = schedule;
    memset(block, 0, SIZE);
    cipher->encrypt(schedule, block, block);
    for (uint8_t i = 0; i < 4; i++)
        s->h[i] = mote_load32be(block + 4 * i);
}

static void absorb_byte(mote_gcm_state *s, uint8_t byte)
{
    s->y[s->at / 4] ^= (uint32_t)byte << (24 - s->at % 4 * 8);
    if (++s->at == SIZE) {
        mote_ghash_multiply(s->y, s->h);
        s->at = 0;
    }
}

static void absorb(mote_gcm_state *s, const uint8_t *in, size_t len)
{
    for (; len > 0 && s->at > 0; len--)
        absorb_byte(s, *in++);
    for (; len >= SIZE; len -= SIZE, in += SIZE) {
        for (uint8_t i = 0; i < 4; i++)
            s->y[i] ^= mote_load32be(in + 4 * i);
        mote_ghash_multiply(s->y, s->h);
    }
    for (; len > 0; len--)
        absorb_byte(s, *in++);
}

/* Zeros up to the end of the block. */
static void pad(mote_gcm_state *s)
{
    if (s->at > 0)
        mote_ghash_multiply(s->y, s->h);
    s->at = 0;
}

/* The last block: two lengths in bytes, hashed as bits. */
static void absorb_lengths(mote_gcm_state *s, uint64_t first, uint64_t second)
{
    uint8_t block[SIZE];
    pad(s);
    mote_store64be(block, first << 3);
    mote_store64be(block + 8, second << 3);
    absorb(s, block, SIZE);
}

static void clear_hash(mote_gcm_state *s)
{
    memset(s->y, 0, sizeof s->y);
    s->at = 0;
}

static void store_hash(const mote_gcm_state *s, uint8_t *out)
{
    for (uint8_t i = 0; i < 4; i++)
        mote_store32be(out + 4 * i, s->y[i]);
}

static void start(void *state, const mote_aead_message *message)
{
    mote_gcm_state *s = state;
    clear_hash(s);
    if (message->nonce_len == USUAL_NONCE) {
        memcpy(s->ctr.iv, message->nonce, USUAL_NONCE);
        mote_store32be(s->ctr.iv + USUAL_NONCE, 0);
    } else {
        absorb(s, message->nonce, message->nonce_len);
        absorb_lengths(s, 0, message->nonce_len);
        store_hash(s, s->ctr.iv);
        clear_hash(s);
    }
    uint8_t *counter = s->ctr.iv + SIZE - COUNTER;
    if (message->nonce_len == USUAL_NONCE)
        counter[COUNTER - 1] = 1;
    s->ctr.cipher->encrypt(s->ctr.schedule, s->ctr.iv, s->first);
    mote_store32be(counter, mote_load32be(counter) + 1);
    s->ctr.counting = COUNTER;
    s->ctr.hidden = message->nonce_len != USUAL_NONCE;
    s->ctr.used = SIZE;
    s->tag_len = message->tag_len;
    s->aad_len = message->aad_len;
    s->len = 0;
    absorb(s, message->aad, message->aad_len);
    pad(s);
}

static void encrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_gcm_state *s = state;
    mote_ctr.encrypt(&s->ctr, in, out, len);
    absorb(s, out, len);
    s->len += len;
}

static void decrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_gcm_state *s = state;
    absorb(s, in, len);
    mote_ctr.decrypt(&s->ctr, in, out, len);
    s->len += len;
}

static void tag(void *state, uint8_t *out)
{
    mote_gcm_state *s = state;
    uint8_t block[SIZE];
    absorb_lengths(s, s->aad_len, s->len);
    store_hash(s, block);
    for (uint8_t i = 0; i < s->tag_len; i++)
        out[i] = block[i] ^ s->first[i];
    mote_wipe(block, sizeof block);
}

const mote_aead_mode mote_gcm = {
    .steps = {.name = "gcm",
              .nonce_min = 1,
              .nonce_max = 255,
              .tag_min = 4,
              .tag_max = 16,
              .state_len = sizeof(mote_gcm_state),
              .start = start,
              .encrypt = encrypt,
              .decrypt = decrypt,
              .tag = tag},
    .bind = bind,
};
