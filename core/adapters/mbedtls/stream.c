/* ChaCha20, ChaCha20-Poly1305 (RFC 8439), RC4. */
#include "steps_of.h"

#include <string.h>

enum { CHACHA_NONCE = 12, CHACHA_COUNTED = 16 };

ADAPTER_CONTEXT(chacha20, chacha20)
ADAPTER_KEY(chacha20_key, mbedtls_chacha20_setkey(&s->u.chacha20, key))

/* 12 bytes of nonce, or 16: the block counter, little-endian, before it. */
static mb_status chacha20_begin(mb_job *job, size_t len)
{
    adapter_state *s = job->ctx;
    const uint8_t *at = job->nonce;
    uint32_t counter = 0;
    (void)len;
    if (job->nonce_len == CHACHA_COUNTED) {
        counter =
            (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        at += CHACHA_COUNTED - CHACHA_NONCE;
    } else if (job->nonce_len != CHACHA_NONCE) {
        return mb_note(MB_UNSUPPORTED, "nonce must have 12 or 16 bytes");
    }
    return adapter_check(mbedtls_chacha20_starts(&s->u.chacha20, at, counter));
}

ADAPTER_CRYPT(chacha20_crypt, mbedtls_chacha20_update(&s->u.chacha20, len, in, out))
const adapter_mode adapter_chacha20 = {
    .steps = {.set_key = chacha20_key,
              .begin = chacha20_begin,
              ADAPTER_BULK(chacha20_crypt, chacha20_crypt),
              .block = 1},
    .init = chacha20_init,
    .free = chacha20_free,
    .nonce_min = CHACHA_NONCE,
    .nonce_max = CHACHA_COUNTED,
};

ADAPTER_CONTEXT(chachapoly, chachapoly)
ADAPTER_KEY(chachapoly_key, mbedtls_chachapoly_setkey(&s->u.chachapoly, key))

static mb_status chachapoly_begin(mb_job *job, size_t len)
{
    adapter_state *s = job->ctx;
    (void)len;
    int code = mbedtls_chachapoly_starts(
        &s->u.chachapoly, job->nonce,
        mb_steps_decrypts(job) ? MBEDTLS_CHACHAPOLY_DECRYPT : MBEDTLS_CHACHAPOLY_ENCRYPT);
    if (code == 0 && job->aad_len > 0)
        code = mbedtls_chachapoly_update_aad(&s->u.chachapoly, job->aad, job->aad_len);
    return adapter_check(code);
}

ADAPTER_CRYPT(chachapoly_crypt, mbedtls_chachapoly_update(&s->u.chachapoly, len, in, out))

static mb_status chachapoly_tag(mb_job *job, uint8_t *out, size_t len)
{
    adapter_state *s = job->ctx;
    (void)len; /* always 16 */
    return adapter_check(mbedtls_chachapoly_finish(&s->u.chachapoly, out));
}

const adapter_mode adapter_chachapoly = {
    .steps = {.set_key = chachapoly_key,
              .begin = chachapoly_begin,
              ADAPTER_BULK(chachapoly_crypt, chachapoly_crypt),
              .tag = chachapoly_tag,
              .block = 1},
    .init = chachapoly_init,
    .free = chachapoly_free,
    .nonce_min = CHACHA_NONCE,
    .nonce_max = CHACHA_NONCE,
    .tag_min = 16,
    .tag_max = 16,
};

#if defined(MBEDTLS_ARC4_C)
static void arc4_init(adapter_state *s)
{
    mbedtls_arc4_init(&s->u.arc4.keyed);
    mbedtls_arc4_init(&s->u.arc4.now);
}

static void arc4_free(adapter_state *s)
{
    mbedtls_arc4_free(&s->u.arc4.keyed);
    mbedtls_arc4_free(&s->u.arc4.now);
}

static mb_status arc4_key(mb_job *job)
{
    adapter_state *s = job->ctx;
    mbedtls_arc4_setup(&s->u.arc4.keyed, job->key, (unsigned)job->key_len);
    return MB_OK;
}

/* RC4 has no nonce: a message starts from the state that the key gave. */
static mb_status arc4_begin(mb_job *job, size_t len)
{
    adapter_state *s = job->ctx;
    (void)len;
    s->u.arc4.now = s->u.arc4.keyed;
    return MB_OK;
}

ADAPTER_CRYPT(arc4_crypt, mbedtls_arc4_crypt(&s->u.arc4.now, len, in, out))
const adapter_mode adapter_arc4 = {
    .steps = {.set_key = arc4_key,
              .begin = arc4_begin,
              ADAPTER_BULK(arc4_crypt, arc4_crypt),
              .block = 1},
    .init = arc4_init,
    .free = arc4_free,
};
#endif
