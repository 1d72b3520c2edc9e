/*
 * AES-GMAC of BearSSL: its GCM with additional data and no text, its AES and GHASH of constant
 * time.
 *
 * Timed for MAC: br_gcm_reset, aad_inject, flip and get_tag; KEY_SETUP: br_aes_ct_ctr_init and
 * br_gcm_init.
 */
#include <bearssl_aead.h>
#include <bearssl_block.h>

#include "bear.h"
#include "vendor/mac.h"

enum { NONCE = 12, TAG = 16 };

typedef struct job_state {
    mb_hash_state hash;
    br_aes_ct_ctr_keys keys;
    br_gcm_context gcm;
} job_state;

#define OPEN(job) ((job)->op == MB_KEY_SETUP ? MB_OK : mb_check_lengths(job, true))

static mb_status set_key(mb_job *job)
{
    job_state *s = job->ctx;
    br_aes_ct_ctr_init(&s->keys, job->key, job->key_len);
    br_gcm_init(&s->gcm, &s->keys.vtable, BEAR_GHASH);
    return MB_OK;
}

static mb_status begin(mb_job *job)
{
    job_state *s = job->ctx;
    br_gcm_reset(&s->gcm, job->nonce, job->nonce_len);
    return MB_OK;
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    job_state *s = job->ctx;
    br_gcm_aad_inject(&s->gcm, in, len);
    return MB_OK;
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    job_state *s = job->ctx;
    br_gcm_flip(&s->gcm);
    br_gcm_get_tag(&s->gcm, out);
    return MB_OK;
}

#include "vendor/mac_kind.h"

static const mac_row row = {&mac_kind, NULL};
#define GMAC(label, key)                                              \
    {.name = (label),                                                 \
     .operations = (uint16_t)(MB_CAN(MB_MAC) | MB_CAN(MB_KEY_SETUP)), \
     .can_stream = 1,                                                 \
     .key_min = (key),                                                \
     .key_max = (key),                                                \
     .nonce_min = NONCE,                                              \
     .nonce_max = NONCE,                                              \
     .tag_min = TAG,                                                  \
     .tag_max = TAG,                                                  \
     .block = 1,                                                      \
     .param = &row}
static const mb_scheme schemes[] = {MOTE_PICK(aes_128_gmac, GMAC("aes-128-gmac", 16)) MOTE_PICK(
    aes_192_gmac, GMAC("aes-192-gmac", 24)) MOTE_PICK(aes_256_gmac, GMAC("aes-256-gmac", 32))};

MOTE_ADAPTER(bearssl_gmac)
#include "vendor/public_key.h"
