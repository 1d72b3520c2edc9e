/*
 * BearSSL's AES in the library's modes: CBC, CTR (a counter of 32 bits behind 12 bytes of nonce),
 * GCM, CCM, EAX. There is no ECB. Included once by each file that defines VARIANT, the middle of
 * the library's names: aes_small.
 */
#include <string.h>

#include <bearssl_aead.h>

#include "bear.h"

#define CBC_ENCRYPT_KEYS BEAR(VARIANT, cbcenc_keys)
#define CBC_DECRYPT_KEYS BEAR(VARIANT, cbcdec_keys)
#define CTR_KEYS BEAR(VARIANT, ctr_keys)
#define CTRCBC_KEYS BEAR(VARIANT, ctrcbc_keys)

typedef union keys {
    CBC_ENCRYPT_KEYS encrypt;
    CBC_DECRYPT_KEYS decrypt;
    CTR_KEYS ctr;
} keys;

#define CIPHER(label, len) \
    {.name = (label), .block_len = 16, .key_len = (len), .schedule_len = sizeof(keys)}
static const mote_block_cipher ciphers[] = {MOTE_PICK(aes_128, CIPHER("aes-128", 16)) MOTE_PICK(
    aes_192, CIPHER("aes-192", 24)) MOTE_PICK(aes_256, CIPHER("aes-256", 32))};

static void cbc_key(const mote_block_cipher *cipher, void *schedule, const uint8_t *key,
                    uint8_t decrypts)
{
    keys *all = schedule;
    if (decrypts)
        BEAR(VARIANT, cbcdec_init)(&all->decrypt, key, cipher->key_len);
    else
        BEAR(VARIANT, cbcenc_init)(&all->encrypt, key, cipher->key_len);
}

static void cbc_encrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_chain *chain = state;
    const keys *all = chain->schedule;
    bear_place(out, in, len);
    BEAR(VARIANT, cbcenc_run)(&all->encrypt, chain->iv, out, len);
}

static void cbc_decrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_chain *chain = state;
    const keys *all = chain->schedule;
    bear_place(out, in, len);
    BEAR(VARIANT, cbcdec_run)(&all->decrypt, chain->iv, out, len);
}

static void ctr_key(const mote_block_cipher *cipher, void *schedule, const uint8_t *key,
                    uint8_t decrypts)
{
    keys *all = schedule;
    (void)decrypts;
    BEAR(VARIANT, ctr_init)(&all->ctr, key, cipher->key_len);
}

static void ctr_run(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_chain *chain = state;
    const keys *all = chain->schedule;
    const uint32_t counter = bear_counter(chain->iv);
    bear_place(out, in, len);
    bear_set_counter(chain->iv, BEAR(VARIANT, ctr_run)(&all->ctr, chain->iv, counter, out, len));
}

static const mote_library_mode cbc_own = {.set_key = cbc_key};
static const mote_mode cbc = {
    .name = "cbc",
    .has_iv = 1,
    .whole_blocks = 1,
    .inverts = 1,
    .encrypt = cbc_encrypt,
    .decrypt = cbc_decrypt,
    .library = &cbc_own};
static const mote_library_mode ctr_own = {
    .set_key = ctr_key, .begin = bear_counts, .whole_pieces = 1};
static const mote_mode ctr = {
    .name = "ctr", .has_iv = 1, .encrypt = ctr_run, .decrypt = ctr_run, .library = &ctr_own};
static const mote_mode *const modes[] = {MOTE_PICK(cbc, &cbc) MOTE_PICK(ctr, &ctr)};

typedef struct gcm_state {
    CTR_KEYS keys;
    br_gcm_context gcm;
    uint8_t tag_len;
} gcm_state;

typedef struct eax_state {
    CTRCBC_KEYS keys;
    br_eax_context eax;
    uint8_t tag_len;
} eax_state;

typedef struct ccm_state {
    CTRCBC_KEYS keys;
    br_ccm_context ccm;
} ccm_state;

/* The key with its length, then what the mode derives of it. */
#define INIT_GCM(s) br_gcm_init(&(s)->gcm, &(s)->keys.vtable, BEAR_GHASH)
#define INIT_EAX(s) br_eax_init(&(s)->eax, &(s)->keys.vtable)
#define INIT_CCM(s) br_ccm_init(&(s)->ccm, &(s)->keys.vtable)
#define SET_KEY(mode, family, len, INIT)                          \
    static void mode##_key_##len(void *state, const uint8_t *key) \
    {                                                             \
        mode##_state *s = state;                                  \
        BEAR(VARIANT, family##_init)(&s->keys, key, len);         \
        INIT(s);                                                  \
    }
SET_KEY(gcm, ctr, 16, INIT_GCM)
SET_KEY(gcm, ctr, 24, INIT_GCM)
SET_KEY(gcm, ctr, 32, INIT_GCM)
SET_KEY(eax, ctrcbc, 16, INIT_EAX)
SET_KEY(eax, ctrcbc, 24, INIT_EAX)
SET_KEY(eax, ctrcbc, 32, INIT_EAX)
SET_KEY(ccm, ctrcbc, 16, INIT_CCM)
SET_KEY(ccm, ctrcbc, 24, INIT_CCM)
SET_KEY(ccm, ctrcbc, 32, INIT_CCM)

static void gcm_start(void *state, const mote_aead_message *message)
{
    gcm_state *s = state;
    s->tag_len = message->tag_len;
    br_gcm_reset(&s->gcm, message->nonce, message->nonce_len);
    br_gcm_aad_inject(&s->gcm, message->aad, message->aad_len);
    br_gcm_flip(&s->gcm);
}

static void eax_start(void *state, const mote_aead_message *message)
{
    eax_state *s = state;
    s->tag_len = message->tag_len;
    br_eax_reset(&s->eax, message->nonce, message->nonce_len);
    br_eax_aad_inject(&s->eax, message->aad, message->aad_len);
    br_eax_flip(&s->eax);
}

static void ccm_start(void *state, const mote_aead_message *message)
{
    ccm_state *s = state;
    mote_library_check(!br_ccm_reset(&s->ccm, message->nonce, message->nonce_len, message->aad_len,
                                     message->message_len, message->tag_len));
    br_ccm_aad_inject(&s->ccm, message->aad, message->aad_len);
    br_ccm_flip(&s->ccm);
}

#define CRYPT(mode)                                                                      \
    static void mode##_encrypt(void *state, const uint8_t *in, uint8_t *out, size_t len) \
    {                                                                                    \
        mode##_state *s = state;                                                         \
        bear_place(out, in, len);                                                        \
        br_##mode##_run(&s->mode, 1, out, len);                                          \
    }                                                                                    \
    static void mode##_decrypt(void *state, const uint8_t *in, uint8_t *out, size_t len) \
    {                                                                                    \
        mode##_state *s = state;                                                         \
        bear_place(out, in, len);                                                        \
        br_##mode##_run(&s->mode, 0, out, len);                                          \
    }
CRYPT(gcm)
CRYPT(eax)
CRYPT(ccm)

static void gcm_tag(void *state, uint8_t *tag)
{
    gcm_state *s = state;
    br_gcm_get_tag_trunc(&s->gcm, tag, s->tag_len);
}

static void eax_tag(void *state, uint8_t *tag)
{
    eax_state *s = state;
    br_eax_get_tag_trunc(&s->eax, tag, s->tag_len);
}

static void ccm_tag(void *state, uint8_t *tag)
{
    ccm_state *s = state;
    br_ccm_get_tag(&s->ccm, tag);
}

static const mote_library_aead ccm_own = {.told_len = 1, .takes = mote_ccm_lengths};

#define AEAD(label, mode, len, ...)     \
    {.name = (label),                   \
     .key_len = (len),                  \
     .tag_max = 16,                     \
     .state_len = sizeof(mode##_state), \
     .set_key = mode##_key_##len,       \
     .start = mode##_start,             \
     .encrypt = mode##_encrypt,         \
     .decrypt = mode##_decrypt,         \
     .tag = mode##_tag,                 \
     __VA_ARGS__}
#define GCM(label, len) AEAD(label, gcm, len, .nonce_min = 1, .nonce_max = UINT8_MAX, .tag_min = 4)
#define EAX(label, len) AEAD(label, eax, len, .nonce_min = 0, .nonce_max = UINT8_MAX, .tag_min = 1)
#define CCM(label, len) \
    AEAD(label, ccm, len, .nonce_min = 7, .nonce_max = 13, .tag_min = 4, .library = &ccm_own)
static const mote_aead aeads[] = {
    MOTE_PICK(aes_128_gcm, GCM("aes-128-gcm", 16)) MOTE_PICK(aes_192_gcm, GCM("aes-192-gcm", 24))
        MOTE_PICK(aes_256_gcm, GCM("aes-256-gcm", 32)) MOTE_PICK(
            aes_128_ccm, CCM("aes-128-ccm", 16)) MOTE_PICK(aes_192_ccm, CCM("aes-192-ccm", 24))
            MOTE_PICK(aes_256_ccm, CCM("aes-256-ccm", 32)) MOTE_PICK(
                aes_128_eax, EAX("aes-128-eax", 16)) MOTE_PICK(aes_192_eax, EAX("aes-192-eax", 24))
                MOTE_PICK(aes_256_eax, EAX("aes-256-eax", 32))};
