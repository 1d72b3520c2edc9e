/* EAX: Bellare, Rogaway, Wagner: The EAX Mode of Operation, FSE 2004, section 3. */
#include "block.h"
#include "cmac.h"

enum { NONCE, AAD, CIPHERTEXT };

static void bind(void *state, const mote_block_cipher *cipher, const void *schedule)
{
    mote_eax_state *s = state;
    s->ctr.cipher = cipher;
    s->ctr.schedule = schedule;
    mote_cmac_subkey(cipher, schedule, s->twice);
}

static void start(void *state, const mote_aead_message *message)
{
    mote_eax_state *s = state;
    const mote_block_cipher *cipher = s->ctr.cipher;
    const void *schedule = s->ctr.schedule;
    mote_cmac *cmac = &s->cmac;
    mote_cmac_start(cmac, cipher, schedule, NONCE);
    mote_cmac_update(cmac, message->nonce, message->nonce_len);
    mote_cmac_finish(cmac, s->twice);
    mote_chain_start(&s->ctr, cipher, schedule, cmac->mac);
    s->ctr.hidden = 1;
    memcpy(s->hide, cmac->mac, cipher->block_len);
    mote_cmac_start(cmac, cipher, schedule, AAD);
    mote_cmac_update(cmac, message->aad, message->aad_len);
    mote_cmac_finish(cmac, s->twice);
    mote_xor(s->hide, s->hide, cmac->mac, cipher->block_len);
    mote_cmac_start(cmac, cipher, schedule, CIPHERTEXT);
    s->tag_len = message->tag_len;
}

static void encrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_eax_state *s = state;
    mote_ctr.encrypt(&s->ctr, in, out, len);
    mote_cmac_update(&s->cmac, out, len);
}

static void decrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_eax_state *s = state;
    mote_cmac_update(&s->cmac, in, len);
    mote_ctr.decrypt(&s->ctr, in, out, len);
}

static void tag(void *state, uint8_t *out)
{
    mote_eax_state *s = state;
    mote_cmac_finish(&s->cmac, s->twice);
    for (uint8_t i = 0; i < s->tag_len; i++)
        out[i] = s->cmac.mac[i] ^ s->hide[i];
}

const mote_aead_mode mote_eax = {
    .steps = {.name = "eax",
              .nonce_min = 0,
              .nonce_max = 255,
              .tag_min = 1,
              .tag_max = 16,
              .state_len = sizeof(mote_eax_state),
              .start = start,
              .encrypt = encrypt,
              .decrypt = decrypt,
              .tag = tag},
    .small_blocks = 1,
    .bind = bind,
};
