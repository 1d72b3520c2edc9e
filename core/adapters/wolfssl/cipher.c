/*
 * Ciphers without authentication, in the modes of operation that the library has.
 *
 * Timed:
 *   KEY_SETUP            the library's call that sets the key.
 *   ENCRYPT, DECRYPT     its call for data, in place. XTS: each call is one data unit and encrypts
 *                        its number.
 *   ENCRYPT_MESSAGE, DECRYPT_MESSAGE, ENCRYPT_NEW_KEY
 *                        (the key,) the nonce, the data; ECB and CBC: PKCS#7 padding, added and
 *                        checked by support/steps, because wolfCrypt does not pad.
 *
 * Each function here passes on to one of the library's; the casts of lengths are safe
 * (wolfssl_adapter.h). Camellia has CBC only, DES and 3DES have ECB and CBC only: what else there
 * is are single blocks, and a mode built of them would be ours.
 */
#include "wolfssl_adapter.h"

static adapter_cipher_state *state_of(const mb_job *job)
{
    return &((adapter_state *)job->ctx)->cipher;
}

#define SET_KEY(name, call)                            \
    static mb_status name(mb_job *job)                 \
    {                                                  \
        adapter_cipher_state *s = state_of(job);       \
        const bool backwards = mb_steps_decrypts(job); \
        const word32 len = (word32)job->key_len;       \
        (void)backwards, (void)len;                    \
        return adapter_check(call);                    \
    }

#define BEGIN(name, call)                          \
    static mb_status name(mb_job *job, size_t len) \
    {                                              \
        adapter_cipher_state *s = state_of(job);   \
        (void)len;                                 \
        return adapter_check(call);                \
    }

#define STEP(name, call)                                                             \
    static mb_status name(mb_job *job, const uint8_t *in, size_t size, uint8_t *out) \
    {                                                                                \
        adapter_cipher_state *s = state_of(job);                                     \
        const word32 len = (word32)size;                                             \
        return adapter_check(call);                                                  \
    }

/* With the loop of it. */
#define CRYPT(name, call) \
    STEP(name, call)      \
    MB_BULK(name##_bulk, name)

/* CFB, OFB and CTR use the cipher forwards both ways. */
SET_KEY(aes_key_forwards, wc_AesSetKey(&s->u.aes, job->key, len, NULL, AES_ENCRYPTION))
SET_KEY(aes_key,
        wc_AesSetKey(&s->u.aes, job->key, len, NULL, backwards ? AES_DECRYPTION : AES_ENCRYPTION))
BEGIN(aes_begin, wc_AesSetIV(&s->u.aes, job->nonce))
CRYPT(aes_ecb_encrypt, wc_AesEcbEncrypt(&s->u.aes, out, in, len))
CRYPT(aes_ecb_decrypt, wc_AesEcbDecrypt(&s->u.aes, out, in, len))
CRYPT(aes_cbc_encrypt, wc_AesCbcEncrypt(&s->u.aes, out, in, len))
CRYPT(aes_cbc_decrypt, wc_AesCbcDecrypt(&s->u.aes, out, in, len))
CRYPT(aes_cfb_encrypt, wc_AesCfbEncrypt(&s->u.aes, out, in, len))
CRYPT(aes_cfb_decrypt, wc_AesCfbDecrypt(&s->u.aes, out, in, len))
CRYPT(aes_cfb8_encrypt, wc_AesCfb8Encrypt(&s->u.aes, out, in, len))
CRYPT(aes_cfb8_decrypt, wc_AesCfb8Decrypt(&s->u.aes, out, in, len))
CRYPT(aes_ofb_encrypt, wc_AesOfbEncrypt(&s->u.aes, out, in, len))
CRYPT(aes_ofb_decrypt, wc_AesOfbDecrypt(&s->u.aes, out, in, len))
CRYPT(aes_ctr, wc_AesCtrEncrypt(&s->u.aes, out, in, len))

/*
 * XTS in place takes whole blocks only: with ciphertext stealing, wc_AesXtsEncrypt (5.5.4) writes
 * over the end of the input before it has read it. From one buffer to another it is right. Setting
 * a key sets up both keys' contexts anew; there is nothing in them to free.
 */
SET_KEY(xts_key, wc_AesXtsSetKey(&s->u.xts, job->key, len,
                                 backwards ? AES_DECRYPTION : AES_ENCRYPTION, NULL, INVALID_DEVID))
STEP(xts_encrypt, wc_AesXtsEncrypt(&s->u.xts, out, in, len, job->nonce, AES_BLOCK_SIZE))
STEP(xts_decrypt, wc_AesXtsDecrypt(&s->u.xts, out, in, len, job->nonce, AES_BLOCK_SIZE))

static mb_status xts_begin(mb_job *job, size_t len)
{
    (void)job;
    return len < AES_BLOCK_SIZE ? mb_note(MB_UNSUPPORTED, "XTS needs at least 16 bytes") : MB_OK;
}

SET_KEY(camellia_key, wc_CamelliaSetKey(&s->u.camellia, job->key, len, NULL))
BEGIN(camellia_begin, wc_CamelliaSetIV(&s->u.camellia, job->nonce))
CRYPT(camellia_cbc_encrypt, wc_CamelliaCbcEncrypt(&s->u.camellia, out, in, len))
CRYPT(camellia_cbc_decrypt, wc_CamelliaCbcDecrypt(&s->u.camellia, out, in, len))

SET_KEY(des_key,
        wc_Des_SetKey(&s->u.des, job->key, NULL, backwards ? DES_DECRYPTION : DES_ENCRYPTION))
BEGIN(des_begin, (wc_Des_SetIV(&s->u.des, job->nonce), 0))
CRYPT(des_ecb, wc_Des_EcbEncrypt(&s->u.des, out, in, len))
CRYPT(des_cbc_encrypt, wc_Des_CbcEncrypt(&s->u.des, out, in, len))
CRYPT(des_cbc_decrypt, wc_Des_CbcDecrypt(&s->u.des, out, in, len))

SET_KEY(des3_key,
        wc_Des3_SetKey(&s->u.des3, job->key, NULL, backwards ? DES_DECRYPTION : DES_ENCRYPTION))
BEGIN(des3_begin, wc_Des3_SetIV(&s->u.des3, job->nonce))
CRYPT(des3_ecb, wc_Des3_EcbEncrypt(&s->u.des3, out, in, len))
CRYPT(des3_cbc_encrypt, wc_Des3_CbcEncrypt(&s->u.des3, out, in, len))
CRYPT(des3_cbc_decrypt, wc_Des3_CbcDecrypt(&s->u.des3, out, in, len))

/* RC4 has no nonce: a message starts from the state that the key gave. */
static mb_status rc4_key(mb_job *job)
{
    return adapter_check(wc_Arc4SetKey(&state_of(job)->keyed, job->key, (word32)job->key_len));
}

static mb_status rc4_begin(mb_job *job, size_t len)
{
    adapter_cipher_state *s = state_of(job);
    (void)len;
    s->u.arc4 = s->keyed;
    return MB_OK;
}

CRYPT(rc4, wc_Arc4Process(&s->u.arc4, out, in, len))

SET_KEY(chacha_key, wc_Chacha_SetKey(&s->u.chacha, job->key, len))

/*
 * 12 bytes: the nonce of RFC 8439, counting from 0. 16 bytes: the counter, little-endian, and the
 * nonce.
 */
static mb_status chacha_begin(mb_job *job, size_t len)
{
    const uint8_t *n = job->nonce;
    word32 counter = 0;
    (void)len;
    if (job->nonce_len == CHACHA_IV_BYTES + sizeof counter) {
        counter = (word32)n[0] | (word32)n[1] << 8 | (word32)n[2] << 16 | (word32)n[3] << 24;
        n += sizeof counter;
    } else if (job->nonce_len != CHACHA_IV_BYTES) {
        return mb_note(MB_UNSUPPORTED, "nonce must have 12 or 16 bytes");
    }
    return adapter_check(wc_Chacha_SetIV(&state_of(job)->u.chacha, n, counter));
}

CRYPT(chacha, wc_Chacha_Process(&s->u.chacha, out, in, len))

static int aes_init(adapter_cipher_state *s)
{
    return wc_AesInit(&s->u.aes, NULL, INVALID_DEVID);
}

static int des3_init(adapter_cipher_state *s)
{
    return wc_Des3Init(&s->u.des3, NULL, INVALID_DEVID);
}

static int rc4_init(adapter_cipher_state *s)
{
    return wc_Arc4Init(&s->keyed, NULL, INVALID_DEVID);
}

#define CIPHER(label, key, iv_min, iv_max, ini, set, beg, enc, dec, ...)        \
    {                                                                           \
        {&adapter_cipher_kind, label}, key, iv_min, iv_max, ini,                \
        {                                                                       \
            .set_key = set, .begin = beg, .encrypt = enc, .decrypt = dec,       \
            .runs = {.encrypt = enc##_bulk, .decrypt = dec##_bulk}, __VA_ARGS__ \
        }                                                                       \
    }
#define BLOCKS(label, key, iv, size, ini, set, beg, enc, dec) \
    CIPHER(label, key, iv, iv, ini, set, beg, enc, dec, .block = size, .padded = true)
#define STREAM(label, key, iv_min, iv_max, ini, set, beg, enc, dec) \
    CIPHER(label, key, iv_min, iv_max, ini, set, beg, enc, dec, .block = 1)
#define AES_STREAM(label, key, enc, dec) \
    STREAM(label, key, 16, 16, aes_init, aes_key_forwards, aes_begin, enc, dec)
#define AES(bits, key)                                                                          \
    BLOCKS("aes-" #bits "-ecb", key, 0, 16, aes_init, aes_key, NULL, aes_ecb_encrypt,           \
           aes_ecb_decrypt),                                                                    \
        BLOCKS("aes-" #bits "-cbc", key, 16, 16, aes_init, aes_key, aes_begin, aes_cbc_encrypt, \
               aes_cbc_decrypt),                                                                \
        AES_STREAM("aes-" #bits "-cfb", key, aes_cfb_encrypt, aes_cfb_decrypt),                 \
        AES_STREAM("aes-" #bits "-cfb8", key, aes_cfb8_encrypt, aes_cfb8_decrypt),              \
        AES_STREAM("aes-" #bits "-ofb", key, aes_ofb_encrypt, aes_ofb_decrypt),                 \
        AES_STREAM("aes-" #bits "-ctr", key, aes_ctr, aes_ctr)
#define XTS(bits, key)                                                      \
    {                                                                       \
        {&adapter_cipher_kind, "aes-" #bits "-xts"}, key, 16, 16, NULL,     \
        {                                                                   \
            .set_key = xts_key, .begin = xts_begin, .encrypt = xts_encrypt, \
            .decrypt = xts_decrypt, .block = 16, .whole_message = true      \
        }                                                                   \
    }
#define CAMELLIA(bits, key)                                                           \
    BLOCKS("camellia-" #bits "-cbc", key, 16, 16, NULL, camellia_key, camellia_begin, \
           camellia_cbc_encrypt, camellia_cbc_decrypt)

const adapter_cipher adapter_ciphers[] = {
    AES(128, 16),
    AES(192, 24),
    AES(256, 32),
    XTS(128, 32),
    XTS(256, 64),
    CAMELLIA(128, 16),
    CAMELLIA(192, 24),
    CAMELLIA(256, 32),
    BLOCKS("des-ecb", 8, 0, 8, NULL, des_key, NULL, des_ecb, des_ecb),
    BLOCKS("des-cbc", 8, 8, 8, NULL, des_key, des_begin, des_cbc_encrypt, des_cbc_decrypt),
    BLOCKS("3des-ecb", 24, 0, 8, des3_init, des3_key, NULL, des3_ecb, des3_ecb),
    BLOCKS("3des-cbc", 24, 8, 8, des3_init, des3_key, des3_begin, des3_cbc_encrypt,
           des3_cbc_decrypt),
    STREAM("rc4-40", 5, 0, 0, rc4_init, rc4_key, rc4_begin, rc4, rc4),
    STREAM("rc4-128", 16, 0, 0, rc4_init, rc4_key, rc4_begin, rc4, rc4),
    STREAM("chacha20", 32, 12, 16, NULL, chacha_key, chacha_begin, chacha, chacha),
};

const size_t adapter_cipher_count = sizeof adapter_ciphers / sizeof adapter_ciphers[0];

static mb_status cipher_open(mb_job *job)
{
    const adapter_cipher *cipher = job->scheme->param;
    mb_status status = cipher->init != NULL ? adapter_check(cipher->init(state_of(job))) : MB_OK;
    return status == MB_OK ? mb_steps_open(job, &cipher->steps) : status;
}

/*
 * The contexts hold no memory of their own in builds without hardware devices: nothing has to be
 * closed.
 */
const mb_kind adapter_cipher_kind = {
    .open = cipher_open,
    .start = mb_steps_start,
    .run = mb_drive_run,
    .update = mb_steps_update,
    .final = mb_steps_final,
};
