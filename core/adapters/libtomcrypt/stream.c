/*
 * ChaCha20, ChaCha20-Poly1305 (RFC 8439), RC4.
 *
 * The library (1.18.2) fills the last block of AAD up (RFC 8439 2.8) when text follows, and never
 * when none does: such messages are refused here.
 */
#include "libtomcrypt_adapter.h"

enum { CHACHA_ROUNDS = 20 };

mb_status adapter_chacha20_key(mb_job *job)
{
    adapter_state *s = job->ctx;
    return adapter_check(chacha_setup(&s->u.chacha, job->key, job->key_len, CHACHA_ROUNDS));
}

/*
 * 12 bytes of nonce, or 16: the block counter, little-endian, before it; or 8, as in the original
 * ChaCha.
 */
mb_status adapter_chacha20_begin(mb_job *job, size_t len)
{
    adapter_state *s = job->ctx;
    const uint8_t *at = job->nonce;
    (void)len;
    switch (job->nonce_len) {
    case 8:
        return adapter_check(chacha_ivctr64(&s->u.chacha, at, 8, 0));
    case 12:
        return adapter_check(chacha_ivctr32(&s->u.chacha, at, 12, 0));
    case 16: {
        ulong32 counter =
            (ulong32)at[0] | (ulong32)at[1] << 8 | (ulong32)at[2] << 16 | (ulong32)at[3] << 24;
        return adapter_check(chacha_ivctr32(&s->u.chacha, at + 4, 12, counter));
    }
    default:
        return mb_note(MB_UNSUPPORTED, "nonce must have 8, 12 or 16 bytes");
    }
}

mb_status adapter_chacha20_encrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    adapter_state *s = job->ctx;
    return adapter_check(chacha_crypt(&s->u.chacha, in, len, out));
}

mb_status adapter_chacha20_decrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    return adapter_chacha20_encrypt(job, in, len, out);
}

/* The key comes with the nonce, in `begin`: the end of a message wipes it. */
mb_status adapter_chachapoly_key(mb_job *job)
{
    (void)job;
    return MB_OK;
}

mb_status adapter_chachapoly_begin(mb_job *job, size_t len)
{
    adapter_state *s = job->ctx;
    if (len == 0 && job->aad_len % 16 != 0)
        return mb_note(MB_UNSUPPORTED, "the library's tag is wrong for an empty message with AAD "
                                       "that is not a multiple of 16 bytes");
    int code = chacha20poly1305_init(&s->u.chachapoly, job->key, job->key_len);
    if (code == CRYPT_OK)
        code = chacha20poly1305_setiv(&s->u.chachapoly, job->nonce, job->nonce_len);
    if (code == CRYPT_OK && job->aad_len > 0)
        code = chacha20poly1305_add_aad(&s->u.chachapoly, job->aad, job->aad_len);
    return adapter_check(code);
}

mb_status adapter_chachapoly_encrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    adapter_state *s = job->ctx;
    return adapter_check(chacha20poly1305_encrypt(&s->u.chachapoly, in, len, out));
}

mb_status adapter_chachapoly_decrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    adapter_state *s = job->ctx;
    return adapter_check(chacha20poly1305_decrypt(&s->u.chachapoly, in, len, out));
}

mb_status adapter_chachapoly_tag(mb_job *job, uint8_t *out, size_t len)
{
    adapter_state *s = job->ctx;
    unsigned long written = len;
    return adapter_check(chacha20poly1305_done(&s->u.chachapoly, out, &written));
}

mb_status adapter_rc4_key(mb_job *job)
{
    adapter_state *s = job->ctx;
    return adapter_check(rc4_stream_setup(&s->u.rc4.keyed, job->key, job->key_len));
}

/* RC4 has no nonce: a message starts from the state that the key gave. */
mb_status adapter_rc4_begin(mb_job *job, size_t len)
{
    adapter_state *s = job->ctx;
    (void)len;
    s->u.rc4.now = s->u.rc4.keyed;
    return MB_OK;
}

mb_status adapter_rc4_encrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    adapter_state *s = job->ctx;
    return adapter_check(rc4_stream_crypt(&s->u.rc4.now, in, len, out));
}

mb_status adapter_rc4_decrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    return adapter_rc4_encrypt(job, in, len, out);
}

ADAPTER_BULKS(chacha20)
ADAPTER_BULKS(chachapoly)
ADAPTER_BULKS(rc4)
