/*
 * The ciphers without authentication, in the modes of operation that the library has.
 *
 * Each function here passes on to one of the library's; the casts of lengths are safe (ws.h). Camellia has CBC only,
 * DES and 3DES have ECB and CBC only: what else there is are single blocks, and a mode built of them would be ours.
 */
#include "ws.h"

#define AES_KEY(name, direction)                                               \
    static int name(ws_cipher_state *s, const uint8_t *key, word32 len)         \
    {                                                                           \
        return wc_AesSetKey(&s->u.aes, key, len, NULL, direction);              \
    }

#define CRYPT(name, function, member)                                                        \
    static int name(ws_cipher_state *s, uint8_t *out, const uint8_t *in, word32 len)          \
    {                                                                                         \
        return function(&s->u.member, out, in, len);                                          \
    }

static int aes_init(ws_cipher_state *s)
{
    return wc_AesInit(&s->u.aes, NULL, INVALID_DEVID);
}

static int aes_begin(ws_cipher_state *s)
{
    return wc_AesSetIV(&s->u.aes, s->job->nonce);
}

/* CFB, OFB and CTR use the cipher forwards both ways. */
AES_KEY(aes_key_forwards, AES_ENCRYPTION)
AES_KEY(aes_key, s->encrypt ? AES_ENCRYPTION : AES_DECRYPTION)
CRYPT(aes_ecb_encrypt, wc_AesEcbEncrypt, aes)
CRYPT(aes_ecb_decrypt, wc_AesEcbDecrypt, aes)
CRYPT(aes_cbc_encrypt, wc_AesCbcEncrypt, aes)
CRYPT(aes_cbc_decrypt, wc_AesCbcDecrypt, aes)
CRYPT(aes_cfb_encrypt, wc_AesCfbEncrypt, aes)
CRYPT(aes_cfb_decrypt, wc_AesCfbDecrypt, aes)
CRYPT(aes_cfb8_encrypt, wc_AesCfb8Encrypt, aes)
CRYPT(aes_cfb8_decrypt, wc_AesCfb8Decrypt, aes)
CRYPT(aes_ofb_encrypt, wc_AesOfbEncrypt, aes)
CRYPT(aes_ofb_decrypt, wc_AesOfbDecrypt, aes)
CRYPT(aes_ctr, wc_AesCtrEncrypt, aes)

/*
 * XTS in place takes whole blocks only: with ciphertext stealing, wc_AesXtsEncrypt (5.5.4) writes over the end of the
 * input before it has read it. From one buffer to another it is right.
 */

/* Sets up both keys' contexts anew; there is nothing in them to free. */
static int xts_key(ws_cipher_state *s, const uint8_t *key, word32 len)
{
    return wc_AesXtsSetKey(&s->u.xts, key, len, s->encrypt ? AES_ENCRYPTION : AES_DECRYPTION, NULL, INVALID_DEVID);
}

static int xts_encrypt(ws_cipher_state *s, uint8_t *out, const uint8_t *in, word32 len)
{
    return wc_AesXtsEncrypt(&s->u.xts, out, in, len, s->job->nonce, AES_BLOCK_SIZE);
}

static int xts_decrypt(ws_cipher_state *s, uint8_t *out, const uint8_t *in, word32 len)
{
    return wc_AesXtsDecrypt(&s->u.xts, out, in, len, s->job->nonce, AES_BLOCK_SIZE);
}

static int camellia_key(ws_cipher_state *s, const uint8_t *key, word32 len)
{
    return wc_CamelliaSetKey(&s->u.camellia, key, len, NULL);
}

static int camellia_begin(ws_cipher_state *s)
{
    return wc_CamelliaSetIV(&s->u.camellia, s->job->nonce);
}

CRYPT(camellia_cbc_encrypt, wc_CamelliaCbcEncrypt, camellia)
CRYPT(camellia_cbc_decrypt, wc_CamelliaCbcDecrypt, camellia)

static int des_key(ws_cipher_state *s, const uint8_t *key, word32 len)
{
    (void)len;
    return wc_Des_SetKey(&s->u.des, key, NULL, s->encrypt ? DES_ENCRYPTION : DES_DECRYPTION);
}

static int des_begin(ws_cipher_state *s)
{
    wc_Des_SetIV(&s->u.des, s->job->nonce);
    return 0;
}

CRYPT(des_ecb, wc_Des_EcbEncrypt, des)
CRYPT(des_cbc_encrypt, wc_Des_CbcEncrypt, des)
CRYPT(des_cbc_decrypt, wc_Des_CbcDecrypt, des)

static int des3_init(ws_cipher_state *s)
{
    return wc_Des3Init(&s->u.des3, NULL, INVALID_DEVID);
}

static int des3_key(ws_cipher_state *s, const uint8_t *key, word32 len)
{
    (void)len;
    return wc_Des3_SetKey(&s->u.des3, key, NULL, s->encrypt ? DES_ENCRYPTION : DES_DECRYPTION);
}

static int des3_begin(ws_cipher_state *s)
{
    return wc_Des3_SetIV(&s->u.des3, s->job->nonce);
}

CRYPT(des3_ecb, wc_Des3_EcbEncrypt, des3)
CRYPT(des3_cbc_encrypt, wc_Des3_CbcEncrypt, des3)
CRYPT(des3_cbc_decrypt, wc_Des3_CbcDecrypt, des3)

static int rc4_init(ws_cipher_state *s)
{
    return wc_Arc4Init(&s->u.arc4, NULL, INVALID_DEVID);
}

static int rc4_key(ws_cipher_state *s, const uint8_t *key, word32 len)
{
    int err = wc_Arc4SetKey(&s->u.arc4, key, len);
    s->keyed = s->u.arc4;
    return err;
}

static int rc4_begin(ws_cipher_state *s)
{
    s->u.arc4 = s->keyed;
    return 0;
}

CRYPT(rc4, wc_Arc4Process, arc4)

static int chacha_key(ws_cipher_state *s, const uint8_t *key, word32 len)
{
    return wc_Chacha_SetKey(&s->u.chacha, key, len);
}

/* 12 bytes: the nonce of RFC 8439, counting from 0. 16 bytes: the counter, little-endian, and the nonce. */
static int chacha_begin(ws_cipher_state *s)
{
    const uint8_t *n = s->job->nonce;
    if (s->job->nonce_len == CHACHA_IV_BYTES)
        return wc_Chacha_SetIV(&s->u.chacha, n, 0);
    word32 counter = (word32)n[0] | (word32)n[1] << 8 | (word32)n[2] << 16 | (word32)n[3] << 24;
    return wc_Chacha_SetIV(&s->u.chacha, n + sizeof counter, counter);
}

CRYPT(chacha, wc_Chacha_Process, chacha)

/* clang-format off */
#define CIPHER(label, key, iv_min, iv_max, block_len, pad, whole, ini, set, beg, enc, dec) \
    {{&ws_cipher_kind, label}, key, iv_min, iv_max, block_len, pad, whole, ini, set, beg, enc, dec}
#define BLOCKS(label, key, iv, block, ini, set, beg, enc, dec) \
    CIPHER(label, key, iv, iv, block, true, false, ini, set, beg, enc, dec)
#define AES_STREAM(label, key, enc, dec) \
    CIPHER(label, key, 16, 16, 1, false, false, aes_init, aes_key_forwards, aes_begin, enc, dec)
#define AES(bits, key) \
    BLOCKS("aes-" #bits "-ecb", key, 0, 16, aes_init, aes_key, NULL, aes_ecb_encrypt, aes_ecb_decrypt), \
    BLOCKS("aes-" #bits "-cbc", key, 16, 16, aes_init, aes_key, aes_begin, aes_cbc_encrypt, aes_cbc_decrypt), \
    AES_STREAM("aes-" #bits "-cfb", key, aes_cfb_encrypt, aes_cfb_decrypt), \
    AES_STREAM("aes-" #bits "-cfb8", key, aes_cfb8_encrypt, aes_cfb8_decrypt), \
    AES_STREAM("aes-" #bits "-ofb", key, aes_ofb_encrypt, aes_ofb_decrypt), \
    AES_STREAM("aes-" #bits "-ctr", key, aes_ctr, aes_ctr)
#define XTS(bits, key) \
    CIPHER("aes-" #bits "-xts", key, 16, 16, 16, false, true, NULL, xts_key, NULL, xts_encrypt, xts_decrypt)
#define CAMELLIA(bits, key) \
    BLOCKS("camellia-" #bits "-cbc", key, 16, 16, NULL, camellia_key, camellia_begin, camellia_cbc_encrypt, \
           camellia_cbc_decrypt)
#define STREAM(label, key, iv_min, iv_max, ini, set, beg, crypt) \
    CIPHER(label, key, iv_min, iv_max, 1, false, false, ini, set, beg, crypt, crypt)

const ws_cipher ws_ciphers[] = {
    AES(128, 16), AES(192, 24), AES(256, 32),
    XTS(128, 32), XTS(256, 64),
    CAMELLIA(128, 16), CAMELLIA(192, 24), CAMELLIA(256, 32),
    BLOCKS("des-ecb", 8, 0, 8, NULL, des_key, NULL, des_ecb, des_ecb),
    BLOCKS("des-cbc", 8, 8, 8, NULL, des_key, des_begin, des_cbc_encrypt, des_cbc_decrypt),
    BLOCKS("3des-ecb", 24, 0, 8, des3_init, des3_key, NULL, des3_ecb, des3_ecb),
    BLOCKS("3des-cbc", 24, 8, 8, des3_init, des3_key, des3_begin, des3_cbc_encrypt, des3_cbc_decrypt),
    STREAM("rc4-40", 5, 0, 0, rc4_init, rc4_key, rc4_begin, rc4),
    STREAM("rc4-128", 16, 0, 0, rc4_init, rc4_key, rc4_begin, rc4),
    STREAM("chacha20", 32, 12, 16, NULL, chacha_key, chacha_begin, chacha),
};
/* clang-format on */

const size_t ws_cipher_count = sizeof ws_ciphers / sizeof ws_ciphers[0];
