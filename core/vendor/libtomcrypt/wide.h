/*
 * GCM and CCM of LibTomCrypt, for ciphers with blocks of 16 bytes; after block.h. CCM expands the
 * key with the lengths of the message.
 */
#include "eax.h"

/*
 * The library takes the text in both directions through pointers that are not const; it only reads
 * its input.
 */
#define INPUT(in) ((unsigned char *)(uintptr_t)(in))

typedef struct gcm_job {
    gcm_state gcm;
    uint8_t tag_len;
} gcm_job;

#define GCM_KEY(len)                                           \
    static void gcm_key_##len(void *state, const uint8_t *key) \
    {                                                          \
        gcm_job *s = state;                                    \
        check(gcm_init(&s->gcm, cipher_index(), key, len));    \
    }

static void gcm_begin(void *state, const mote_aead_message *message)
{
    gcm_job *s = state;
    s->tag_len = message->tag_len;
    check(gcm_reset(&s->gcm));
    check(gcm_add_iv(&s->gcm, message->nonce, message->nonce_len));
    /* With nothing to authenticate too: it ends the IV. */
    check(gcm_add_aad(&s->gcm, message->aad, message->aad_len));
}

static void gcm_run(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    gcm_job *s = state;
    check(gcm_process(&s->gcm, INPUT(in), len, out, GCM_ENCRYPT));
}

static void gcm_back(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    gcm_job *s = state;
    check(gcm_process(&s->gcm, out, len, INPUT(in), GCM_DECRYPT));
}

static void gcm_tag(void *state, uint8_t *tag)
{
    gcm_job *s = state;
    unsigned long len = s->tag_len;
    check(gcm_done(&s->gcm, tag, &len));
}

#define GCM(label, len)            \
    {.name = (label),              \
     .key_len = (len),             \
     .nonce_min = 1,               \
     .nonce_max = UINT8_MAX,       \
     .tag_min = 4,                 \
     .tag_max = 16,                \
     .state_len = sizeof(gcm_job), \
     .set_key = gcm_key_##len,     \
     .start = gcm_begin,           \
     .encrypt = gcm_run,           \
     .decrypt = gcm_back,          \
     .tag = gcm_tag}

typedef struct ccm_job {
    ccm_state ccm;
    uint8_t key_len, tag_len;
    uint8_t key[32];
} ccm_job;

#define CCM_KEY(len)                                           \
    static void ccm_key_##len(void *state, const uint8_t *key) \
    {                                                          \
        ccm_job *s = state;                                    \
        s->key_len = (len);                                    \
        memcpy(s->key, key, len);                              \
    }

static void ccm_begin(void *state, const mote_aead_message *message)
{
    ccm_job *s = state;
    s->tag_len = message->tag_len;
    check(ccm_init(&s->ccm, cipher_index(), s->key, s->key_len, (int)message->message_len,
                   s->tag_len, (int)message->aad_len));
    check(ccm_add_nonce(&s->ccm, message->nonce, message->nonce_len));
    check(ccm_add_aad(&s->ccm, message->aad, message->aad_len));
}

static void ccm_run(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    ccm_job *s = state;
    check(ccm_process(&s->ccm, INPUT(in), len, out, CCM_ENCRYPT));
}

static void ccm_back(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    ccm_job *s = state;
    check(ccm_process(&s->ccm, out, len, INPUT(in), CCM_DECRYPT));
}

static void ccm_tag(void *state, uint8_t *tag)
{
    ccm_job *s = state;
    unsigned long len = s->tag_len;
    check(ccm_done(&s->ccm, tag, &len));
}

static const mote_library_aead ccm_own = {.late_key = 1, .told_len = 1, .takes = mote_ccm_lengths};
#define CCM(label, len)            \
    {.name = (label),              \
     .key_len = (len),             \
     .nonce_min = 7,               \
     .nonce_max = 13,              \
     .tag_min = 4,                 \
     .tag_max = 16,                \
     .state_len = sizeof(ccm_job), \
     .set_key = ccm_key_##len,     \
     .start = ccm_begin,           \
     .encrypt = ccm_run,           \
     .decrypt = ccm_back,          \
     .tag = ccm_tag,               \
     .library = &ccm_own}

/* WIDE_KEYS(16): for all rows with that key length. */
#define WIDE_KEYS(len) GCM_KEY(len) CCM_KEY(len) EAX_KEY(len)

/* WIDE(aes_128, "aes-128", 16): the AEADs of one key length. */
#define WIDE(id, label, len)                    \
    MOTE_PICK(id##_gcm, GCM(label "-gcm", len)) \
    MOTE_PICK(id##_ccm, CCM(label "-ccm", len)) \
    MOTE_PICK(id##_eax, EAX(label "-eax", 16, len))
