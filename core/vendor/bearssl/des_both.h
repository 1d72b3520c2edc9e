/*
 * BearSSL's DES and 3DES, which it has in CBC only. Included once by each file that defines
 * VARIANT, the middle of the library's names: des_tab.
 */
#include "bear.h"

typedef union keys {
    BEAR(VARIANT, cbcenc_keys) encrypt;
    BEAR(VARIANT, cbcdec_keys) decrypt;
} keys;

#define CIPHER(label, len) \
    {.name = (label), .block_len = 8, .key_len = (len), .schedule_len = sizeof(keys)}
static const mote_block_cipher ciphers[] = {
    MOTE_PICK(des, CIPHER("des", 8)) MOTE_PICK(3des, CIPHER("3des", 24))};

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

static const mote_library_mode cbc_own = {.set_key = cbc_key};
static const mote_mode cbc = {
    .name = "cbc",
    .has_iv = 1,
    .whole_blocks = 1,
    .inverts = 1,
    .encrypt = cbc_encrypt,
    .decrypt = cbc_decrypt,
    .library = &cbc_own};
static const mote_mode *const modes[] = {MOTE_PICK(cbc, &cbc)};
