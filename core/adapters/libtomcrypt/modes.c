/* The modes without a tag, and the table of all modes. */
#include "libtomcrypt_adapter.h"

#include <string.h>

/* Written over by `begin`: the library wants an IV when the key is set. */
static const uint8_t NO_IV[MAXBLOCKSIZE];

#define KEY(name, call)                      \
    static mb_status name##_key(mb_job *job) \
    {                                        \
        adapter_state *s = job->ctx;         \
        const int len = (int)job->key_len;   \
        return adapter_check(call);          \
    }
#define BEGIN(name)                                                                 \
    static mb_status name##_begin(mb_job *job, size_t len)                          \
    {                                                                               \
        adapter_state *s = job->ctx;                                                \
        (void)len;                                                                  \
        return adapter_check(name##_setiv(job->nonce, job->nonce_len, &s->u.name)); \
    }
#define BOTH_WAYS(name)                                                                       \
    static mb_status encrypt_##name(mb_job *job, const uint8_t *in, size_t len, uint8_t *out) \
    {                                                                                         \
        adapter_state *s = job->ctx;                                                          \
        return adapter_check(name##_encrypt(in, out, len, &s->u.name));                       \
    }                                                                                         \
    static mb_status decrypt_##name(mb_job *job, const uint8_t *in, size_t len, uint8_t *out) \
    {                                                                                         \
        adapter_state *s = job->ctx;                                                          \
        return adapter_check(name##_decrypt(in, out, len, &s->u.name));                       \
    }                                                                                         \
    MB_BULK(encrypt_##name##_bulk, encrypt_##name)                                            \
    MB_BULK(decrypt_##name##_bulk, decrypt_##name)

KEY(ecb, ecb_start(s->cipher, job->key, len, 0, &s->u.ecb))
BOTH_WAYS(ecb)
KEY(cbc, cbc_start(s->cipher, NO_IV, job->key, len, 0, &s->u.cbc))
BEGIN(cbc)
BOTH_WAYS(cbc)
KEY(cfb, cfb_start(s->cipher, NO_IV, job->key, len, 0, &s->u.cfb))
BEGIN(cfb)
BOTH_WAYS(cfb)
KEY(ofb, ofb_start(s->cipher, NO_IV, job->key, len, 0, &s->u.ofb))
BEGIN(ofb)
BOTH_WAYS(ofb)
KEY(ctr, ctr_start(s->cipher, NO_IV, job->key, len, 0, CTR_COUNTER_BIG_ENDIAN, &s->u.ctr))
BEGIN(ctr)
BOTH_WAYS(ctr)

KEY(xts, xts_start(s->cipher, job->key, job->key + len / 2, (unsigned long)len / 2, 0, &s->u.xts))

static mb_status xts_begin(mb_job *job, size_t len)
{
    adapter_state *s = job->ctx;
    (void)len;
    memcpy(s->tweak, job->nonce, sizeof s->tweak);
    return MB_OK;
}

/* A data unit a call; the library counts its number on, at the price of one more block. */
static mb_status encrypt_xts(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    adapter_state *s = job->ctx;
    return adapter_check(xts_encrypt(in, len, out, s->tweak, &s->u.xts));
}

static mb_status decrypt_xts(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    adapter_state *s = job->ctx;
    return adapter_check(xts_decrypt(in, len, out, s->tweak, &s->u.xts));
}

#define WHOLE(name)                                                              \
    .set_key = name##_key, .encrypt = encrypt_##name, .decrypt = decrypt_##name, \
    .whole_message = true
#define PLAIN(name)                                                              \
    .set_key = name##_key, .encrypt = encrypt_##name, .decrypt = decrypt_##name, \
    .runs = {.encrypt = encrypt_##name##_bulk, .decrypt = decrypt_##name##_bulk}
#define STEPS(name)                                                   \
    .set_key = adapter_##name##_key, .begin = adapter_##name##_begin, \
    .encrypt = adapter_##name##_encrypt, .decrypt = adapter_##name##_decrypt
#define KEYED(name)                                                 \
    STEPS(name), .runs = {.encrypt = adapter_##name##_encrypt_bulk, \
                          .decrypt = adapter_##name##_decrypt_bulk}
#define TAGGED(name) KEYED(name), .tag = adapter_##name##_tag
#define IV .nonce_min = ADAPTER_BLOCK, .nonce_max = ADAPTER_BLOCK
#define MODES(size)                                                                                \
    [ADAPTER_ECB] = {.suffix = "-ecb", .steps = {PLAIN(ecb), .block = size, .padded = true}},      \
    [ADAPTER_CBC] = {.suffix = "-cbc",                                                             \
                     .steps = {PLAIN(cbc), .begin = cbc_begin, .block = size, .padded = true},     \
                     IV},                                                                          \
    [ADAPTER_CFB] = {.suffix = "-cfb", .steps = {PLAIN(cfb), .begin = cfb_begin, .block = 1}, IV}, \
    [ADAPTER_OFB] = {.suffix = "-ofb", .steps = {PLAIN(ofb), .begin = ofb_begin, .block = 1}, IV}, \
    [ADAPTER_CTR] = {.suffix = "-ctr", .steps = {PLAIN(ctr), .begin = ctr_begin, .block = 1}, IV}, \
    [ADAPTER_EAX] = {.suffix = "-eax",                                                             \
                     .steps = {TAGGED(eax), .block = 1},                                           \
                     .nonce_min = 1,                                                               \
                     .nonce_max = UINT8_MAX,                                                       \
                     .tag_min = 1,                                                                 \
                     .tag_max = size,                                                              \
                     .no_key_setup = true}

const adapter_mode adapter_modes_64[ADAPTER_MODE_COUNT] = {MODES(8)};

const adapter_mode adapter_modes_128[ADAPTER_MODE_COUNT] = {
    MODES(16),
    [ADAPTER_GCM] = {.suffix = "-gcm",
                     .steps = {TAGGED(gcm), .block = 1},
                     .nonce_min = 1,
                     .nonce_max = UINT8_MAX,
                     .tag_min = 4,
                     .tag_max = 16},
    [ADAPTER_CCM] = {.suffix = "-ccm",
                     .steps = {STEPS(ccm), .tag = adapter_ccm_tag, .block = 1,
                               .whole_message = true},
                     .nonce_min = 7,
                     .nonce_max = 13,
                     .tag_min = 4,
                     .tag_max = 16},
    [ADAPTER_OCB] = {.suffix = "-ocb",
                     .steps = {TAGGED(ocb), .block = 16},
                     .nonce_min = 1,
                     .nonce_max = 15,
                     .tag_min = 1,
                     .tag_max = 16,
                     .no_key_setup = true},
    [ADAPTER_XTS] = {.suffix = "-xts",
                     .steps = {WHOLE(xts), .begin = xts_begin, .block = 1},
                     IV,
                     .no_streaming = true},
    [ADAPTER_CHACHA20] =
        {.suffix = "", .steps = {KEYED(chacha20), .block = 1}, .nonce_min = 8, .nonce_max = 16},
    [ADAPTER_CHACHA20_POLY1305] = {.suffix = "-poly1305",
                                   .steps = {TAGGED(chachapoly), .block = 1},
                                   .nonce_min = 12,
                                   .nonce_max = 12,
                                   .tag_min = 16,
                                   .tag_max = 16,
                                   .no_key_setup = true},
    [ADAPTER_RC4] = {.suffix = "", .steps = {KEYED(rc4), .block = 1}},
};
