/* GCM, CCM, EAX and OCB (RFC 7253, called OCB3 by the library). */
#include "libtomcrypt_adapter.h"

#include <limits.h>

/*
 * The library takes the text in both directions through pointers that are not const; it only reads
 * its input.
 */
#define INPUT(in) ((unsigned char *)(uintptr_t)(in))

/* The tag as the library writes it: at most `len` bytes, of which there must be as many. */
#define TAG(name)                                                                 \
    mb_status adapter_##name##_tag(mb_job *job, uint8_t *out, size_t len)         \
    {                                                                             \
        adapter_state *s = job->ctx;                                              \
        unsigned long written = len;                                              \
        mb_status status = adapter_check(name##_done(&s->u.name, out, &written)); \
        if (status == MB_OK && written != len)                                    \
            return mb_note(MB_UNSUPPORTED, "tag length is not offered");          \
        return status;                                                            \
    }

mb_status adapter_gcm_key(mb_job *job)
{
    adapter_state *s = job->ctx;
    return adapter_check(gcm_init(&s->u.gcm, s->cipher, job->key, (int)job->key_len));
}

mb_status adapter_gcm_begin(mb_job *job, size_t len)
{
    adapter_state *s = job->ctx;
    (void)len;
    int code = gcm_reset(&s->u.gcm);
    if (code == CRYPT_OK)
        code = gcm_add_iv(&s->u.gcm, job->nonce, job->nonce_len);
    if (code == CRYPT_OK) /* with nothing to authenticate too: this ends the IV */
        code = gcm_add_aad(&s->u.gcm, job->aad, job->aad_len);
    return adapter_check(code);
}

mb_status adapter_gcm_encrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    adapter_state *s = job->ctx;
    return adapter_check(gcm_process(&s->u.gcm, INPUT(in), len, out, GCM_ENCRYPT));
}

mb_status adapter_gcm_decrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    adapter_state *s = job->ctx;
    return adapter_check(gcm_process(&s->u.gcm, out, len, INPUT(in), GCM_DECRYPT));
}

TAG(gcm)

/* CCM authenticates all lengths first: ccm_init takes them with the key. */
static mb_status ccm_lengths(mb_job *job, adapter_state *s, size_t len)
{
    if (len > INT_MAX || job->aad_len > INT_MAX)
        return mb_note(MB_TOO_BIG, "message is too long");
    return adapter_check(ccm_init(&s->u.ccm, s->cipher, job->key, (int)job->key_len, (int)len,
                                  (int)s->steps.tag_len, (int)job->aad_len));
}

mb_status adapter_ccm_key(mb_job *job)
{
    adapter_state *s = job->ctx;
    if (s->steps.tag_len % 2 != 0)
        return mb_note(MB_UNSUPPORTED, "tag length is not offered");
    return ccm_lengths(job, s, job->in_len);
}

/*
 * SP 800-38C A.1: the length field takes what the nonce leaves of 15 bytes; the library would cut
 * the nonce short.
 */
static bool too_long(size_t nonce_len, size_t len)
{
    size_t field = 15 - nonce_len;
    return field < sizeof len && len >> 8 * field != 0;
}

mb_status adapter_ccm_begin(mb_job *job, size_t len)
{
    adapter_state *s = job->ctx;
    if (too_long(job->nonce_len, len))
        return mb_note(MB_UNSUPPORTED, "message is too long for this nonce");
    mb_status status = s->u.ccm.ptlen == len ? MB_OK : ccm_lengths(job, s, len);
    if (status != MB_OK)
        return status;
    int code = ccm_reset(&s->u.ccm);
    if (code == CRYPT_OK)
        code = ccm_add_nonce(&s->u.ccm, job->nonce, job->nonce_len);
    if (code == CRYPT_OK)
        code = ccm_add_aad(&s->u.ccm, job->aad, job->aad_len);
    return adapter_check(code);
}

mb_status adapter_ccm_encrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    adapter_state *s = job->ctx;
    return adapter_check(ccm_process(&s->u.ccm, INPUT(in), len, out, CCM_ENCRYPT));
}

mb_status adapter_ccm_decrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    adapter_state *s = job->ctx;
    return adapter_check(ccm_process(&s->u.ccm, out, len, INPUT(in), CCM_DECRYPT));
}

TAG(ccm)

/* EAX and OCB: the key comes with the nonce, in `begin`. */
mb_status adapter_eax_key(mb_job *job)
{
    (void)job;
    return MB_OK;
}

mb_status adapter_eax_begin(mb_job *job, size_t len)
{
    adapter_state *s = job->ctx;
    (void)len;
    return adapter_check(eax_init(&s->u.eax, s->cipher, job->key, job->key_len, job->nonce,
                                  job->nonce_len, job->aad, job->aad_len));
}

mb_status adapter_eax_encrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    adapter_state *s = job->ctx;
    return adapter_check(eax_encrypt(&s->u.eax, in, out, len));
}

mb_status adapter_eax_decrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    adapter_state *s = job->ctx;
    return adapter_check(eax_decrypt(&s->u.eax, in, out, len));
}

TAG(eax)

mb_status adapter_ocb_key(mb_job *job)
{
    (void)job;
    return MB_OK;
}

mb_status adapter_ocb_begin(mb_job *job, size_t len)
{
    adapter_state *s = job->ctx;
    (void)len;
    s->ended = false;
    int code = ocb3_init(&s->u.ocb, s->cipher, job->key, job->key_len, job->nonce, job->nonce_len,
                         s->steps.tag_len);
    if (code == CRYPT_OK && job->aad_len > 0)
        code = ocb3_add_aad(&s->u.ocb, job->aad, job->aad_len);
    return adapter_check(code);
}

typedef int (*ocb_step)(ocb3_state *ocb, const unsigned char *in, unsigned long len,
                        unsigned char *out);

/* Whole blocks, and what is left over: that is always the end of a message. */
static mb_status ocb_crypt(adapter_state *s, const uint8_t *in, size_t len, uint8_t *out,
                           ocb_step blocks, ocb_step last)
{
    size_t full = len - len % 16;
    int code = full > 0 ? blocks(&s->u.ocb, in, full, out) : CRYPT_OK;
    if (code == CRYPT_OK && len > full) {
        code = last(&s->u.ocb, in + full, len - full, out + full);
        s->ended = true;
    }
    return adapter_check(code);
}

mb_status adapter_ocb_encrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    return ocb_crypt(job->ctx, in, len, out, ocb3_encrypt, ocb3_encrypt_last);
}

mb_status adapter_ocb_decrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    return ocb_crypt(job->ctx, in, len, out, ocb3_decrypt, ocb3_decrypt_last);
}

mb_status adapter_ocb_tag(mb_job *job, uint8_t *out, size_t len)
{
    adapter_state *s = job->ctx;
    unsigned long written = len;
    uint8_t none[1] = {0};
    int code = CRYPT_OK;
    if (!s->ended)
        code = (mb_steps_decrypts(job) ? ocb3_decrypt_last : ocb3_encrypt_last)(
            &s->u.ocb, none, 0, none);
    return adapter_check(code == CRYPT_OK ? ocb3_done(&s->u.ocb, out, &written) : code);
}

ADAPTER_BULKS(gcm)
ADAPTER_BULKS(eax)
ADAPTER_BULKS(ocb)
