/*
 * GCM and CCM of Mbed TLS, which reach the cipher through the library's cipher layer; from 3.6 on
 * without it, where it is not configured. Included once by the file of a cipher that defines ID,
 * its mbedtls_cipher_id_t, and CONTEXT, the type of its context.
 *
 * GCM takes whole blocks but for the last piece, CCM a whole message with its tag.
 */
#include "tls.h"

#if defined MBEDTLS_GCM_C || defined MBEDTLS_CCM_C
#include <mbedtls/ccm.h>
#include <mbedtls/gcm.h>
#include <string.h>

#include "vendor/lengths.h"
#endif

#if defined MBEDTLS_CIPHER_C
/*
 * Memory that the cipher layer allocates: one context, as the one before is freed before a key is
 * set anew.
 */
static CONTEXT slot;

void *mote_slot_calloc(size_t count, size_t size)
{
    memset(&slot, 0, sizeof slot);
    return count == 1 && size <= sizeof slot ? &slot : NULL;
}

void mote_slot_free(void *block)
{
    (void)block;
}
#endif

#if defined MBEDTLS_GCM_C
typedef struct gcm_state {
    mbedtls_gcm_context gcm;
    const uint8_t *nonce, *aad;
    size_t nonce_len, aad_len;
    uint8_t tag_len;
    uint8_t begun;
} gcm_state;

TLS_KEY(gcm_key_16, gcm_state, mbedtls_gcm_setkey(&s->gcm, ID, key, 128))
TLS_KEY(gcm_key_24, gcm_state, mbedtls_gcm_setkey(&s->gcm, ID, key, 192))
TLS_KEY(gcm_key_32, gcm_state, mbedtls_gcm_setkey(&s->gcm, ID, key, 256))

/* The library wants to be told the direction with the nonce. */
static void gcm_start(void *state, const mote_aead_message *message)
{
    gcm_state *s = state;
    s->nonce = message->nonce;
    s->nonce_len = message->nonce_len;
    s->aad = message->aad;
    s->aad_len = message->aad_len;
    s->tag_len = message->tag_len;
    s->begun = 0;
}

#if MBEDTLS_VERSION_MAJOR >= 3
static int gcm_starts(gcm_state *s, int mode)
{
    const int code = mbedtls_gcm_starts(&s->gcm, mode, s->nonce, s->nonce_len);
    return code != 0 ? code : mbedtls_gcm_update_ad(&s->gcm, s->aad, s->aad_len);
}

static int gcm_update(gcm_state *s, const uint8_t *in, uint8_t *out, size_t len)
{
    return mbedtls_gcm_update(&s->gcm, in, len, out, len, &len);
}

static int gcm_finish(gcm_state *s, uint8_t *tag)
{
    size_t len;
    return mbedtls_gcm_finish(&s->gcm, NULL, 0, &len, tag, s->tag_len);
}
#else
#define gcm_starts(s, mode) \
    mbedtls_gcm_starts(&(s)->gcm, mode, (s)->nonce, (s)->nonce_len, (s)->aad, (s)->aad_len)
#define gcm_update(s, in, out, len) mbedtls_gcm_update(&(s)->gcm, len, in, out)
#define gcm_finish(s, tag) mbedtls_gcm_finish(&(s)->gcm, tag, (s)->tag_len)
#endif

static void gcm_begin(gcm_state *s, int mode)
{
    if (!s->begun)
        mote_library_check(gcm_starts(s, mode) != 0);
    s->begun = 1;
}

static void gcm_encrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    gcm_state *s = state;
    gcm_begin(s, MBEDTLS_GCM_ENCRYPT);
    mote_library_check(gcm_update(s, in, out, len) != 0);
}

static void gcm_decrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    gcm_state *s = state;
    gcm_begin(s, MBEDTLS_GCM_DECRYPT);
    mote_library_check(gcm_update(s, in, out, len) != 0);
}

static void gcm_tag(void *state, uint8_t *tag)
{
    gcm_state *s = state;
    gcm_begin(s, MBEDTLS_GCM_ENCRYPT); /* nothing but AAD: the direction does not matter */
    mote_library_check(gcm_finish(s, tag) != 0);
}

static const mote_library_aead gcm_own = {.whole_pieces = 1};
#define GCM(label, len)              \
    {.name = (label),                \
     .key_len = (len),               \
     .nonce_min = 1,                 \
     .nonce_max = UINT8_MAX,         \
     .tag_min = 4,                   \
     .tag_max = 16,                  \
     .state_len = sizeof(gcm_state), \
     .set_key = gcm_key_##len,       \
     .start = gcm_start,             \
     .encrypt = gcm_encrypt,         \
     .decrypt = gcm_decrypt,         \
     .tag = gcm_tag,                 \
     .library = &gcm_own}
#endif

#if defined MBEDTLS_CCM_C
typedef struct ccm_state {
    mbedtls_ccm_context ccm;
    mote_aead_message message;
    uint8_t tag[16];
} ccm_state;

TLS_KEY(ccm_key_16, ccm_state, mbedtls_ccm_setkey(&s->ccm, ID, key, 128))
TLS_KEY(ccm_key_24, ccm_state, mbedtls_ccm_setkey(&s->ccm, ID, key, 192))
TLS_KEY(ccm_key_32, ccm_state, mbedtls_ccm_setkey(&s->ccm, ID, key, 256))

static void ccm_start(void *state, const mote_aead_message *message)
{
    ccm_state *s = state;
    s->message = *message;
}

static void ccm_encrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    ccm_state *s = state;
    const mote_aead_message *m = &s->message;
    mote_library_check(mbedtls_ccm_encrypt_and_tag(&s->ccm, len, m->nonce, m->nonce_len, m->aad,
                                                   m->aad_len, in, out, s->tag, m->tag_len) != 0);
}

static uint8_t ccm_open(void *state, const uint8_t *in, uint8_t *out, size_t len,
                        const uint8_t *tag)
{
    ccm_state *s = state;
    const mote_aead_message *m = &s->message;
    const int code = mbedtls_ccm_auth_decrypt(
        &s->ccm, len, m->nonce, m->nonce_len, m->aad, m->aad_len, in, out, tag, m->tag_len);
    mote_library_check(code != 0 && code != MBEDTLS_ERR_CCM_AUTH_FAILED);
    return code != 0;
}

static void ccm_tag(void *state, uint8_t *tag)
{
    const ccm_state *s = state;
    memcpy(tag, s->tag, s->message.tag_len);
}

static const mote_library_aead ccm_own = {
    .open = ccm_open, .one_call = 1, .takes = mote_ccm_lengths};
#define CCM(label, len)              \
    {.name = (label),                \
     .key_len = (len),               \
     .nonce_min = 7,                 \
     .nonce_max = 13,                \
     .tag_min = 4,                   \
     .tag_max = 16,                  \
     .state_len = sizeof(ccm_state), \
     .set_key = ccm_key_##len,       \
     .start = ccm_start,             \
     .encrypt = ccm_encrypt,         \
     .tag = ccm_tag,                 \
     .library = &ccm_own}
#endif

/* AEAD_ROWS(aes_128, "aes-128", 16): the rows of one key length, of what is configured. */
#if defined MBEDTLS_GCM_C
#define GCM_ROW(id, label, len) MOTE_PICK(id##_gcm, GCM(label "-gcm", len))
#else
#define GCM_ROW(id, label, len)
#endif
#if defined MBEDTLS_CCM_C
#define CCM_ROW(id, label, len) MOTE_PICK(id##_ccm, CCM(label "-ccm", len))
#else
#define CCM_ROW(id, label, len)
#endif
#define AEAD_ROWS(id, label, len) GCM_ROW(id, label, len) CCM_ROW(id, label, len)
