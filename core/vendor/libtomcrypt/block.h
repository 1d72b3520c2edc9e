/*
 * LibTomCrypt's modes over one of its block ciphers. Included once by each file that defines
 * DESCRIPTOR, the cipher's: aes_desc.
 *
 * A schedule is the library's state of the mode, which its *_start makes of key and IV.
 */
#include <string.h>
#include <tomcrypt.h>

#include "mote/library.h"
#include "vendor/lengths.h"
#include "vendor/pick.h"

typedef union schedule {
#if !defined MOTE_PICKED || defined MOTE_PICK_ecb
    symmetric_ECB ecb;
#endif
#if !defined MOTE_PICKED || defined MOTE_PICK_cbc
    symmetric_CBC cbc;
#endif
#if !defined MOTE_PICKED || defined MOTE_PICK_cfb
    symmetric_CFB cfb;
#endif
#if !defined MOTE_PICKED || defined MOTE_PICK_ofb
    symmetric_OFB ofb;
#endif
#if !defined MOTE_PICKED || defined MOTE_PICK_ctr
    symmetric_CTR ctr;
#endif
    int index;
} schedule;

/* The library changes what begins with `schedule`: it keeps IV and position there. */
#define LTC_STATE(chain) ((void *)(uintptr_t)(chain)->schedule)

static void check(int code)
{
    mote_library_check(code != CRYPT_OK);
}

/* The cipher's place in the library's table. */
static int cipher_index(void)
{
    static int index = -1;
    if (index < 0)
        index = register_cipher(&DESCRIPTOR);
    return index;
}

static void ecb_key(const mote_block_cipher *cipher, void *s, const uint8_t *key, uint8_t decrypts)
{
    (void)decrypts;
    check(ecb_start(cipher_index(), key, cipher->key_len, 0, s));
}

static void ecb_run(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    const mote_chain *chain = state;
    check(ecb_encrypt(in, out, len, LTC_STATE(chain)));
}

static void ecb_back(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    const mote_chain *chain = state;
    check(ecb_decrypt(in, out, len, LTC_STATE(chain)));
}

/* The functions of a mode with IV; `start` is the call that expands the key. */
#define MODE(id, start)                                                                \
    static void id##_key(const mote_block_cipher *cipher, void *s, const uint8_t *key, \
                         uint8_t decrypts)                                             \
    {                                                                                  \
        static const uint8_t iv[MOTE_BLOCK_MAX];                                       \
        (void)decrypts;                                                                \
        check(start);                                                                  \
    }                                                                                  \
    static uint8_t id##_begin(mote_chain *chain, size_t len)                           \
    {                                                                                  \
        (void)len;                                                                     \
        check(id##_setiv(chain->iv, chain->cipher->block_len, LTC_STATE(chain)));      \
        return 1;                                                                      \
    }                                                                                  \
    static void id##_run(void *state, const uint8_t *in, uint8_t *out, size_t len)     \
    {                                                                                  \
        const mote_chain *chain = state;                                               \
        check(id##_encrypt(in, out, len, LTC_STATE(chain)));                           \
    }                                                                                  \
    static void id##_back(void *state, const uint8_t *in, uint8_t *out, size_t len)    \
    {                                                                                  \
        const mote_chain *chain = state;                                               \
        check(id##_decrypt(in, out, len, LTC_STATE(chain)));                           \
    }                                                                                  \
    static const mote_library_mode id##_own = {.set_key = id##_key, .begin = id##_begin};
MODE(cbc, cbc_start(cipher_index(), iv, key, cipher->key_len, 0, s))
MODE(cfb, cfb_start(cipher_index(), iv, key, cipher->key_len, 0, s))
MODE(ofb, ofb_start(cipher_index(), iv, key, cipher->key_len, 0, s))
MODE(ctr, ctr_start(cipher_index(), iv, key, cipher->key_len, 0, CTR_COUNTER_BIG_ENDIAN, s))

static const mote_library_mode ecb_own = {.set_key = ecb_key};
static const mote_mode ecb_mode = {
    .name = "ecb", .whole_blocks = 1, .encrypt = ecb_run, .decrypt = ecb_back, .library = &ecb_own};
static const mote_mode cbc_mode = {
    .name = "cbc",
    .has_iv = 1,
    .whole_blocks = 1,
    .encrypt = cbc_run,
    .decrypt = cbc_back,
    .library = &cbc_own};
static const mote_mode cfb_mode = {
    .name = "cfb", .has_iv = 1, .encrypt = cfb_run, .decrypt = cfb_back, .library = &cfb_own};
static const mote_mode ofb_mode = {
    .name = "ofb", .has_iv = 1, .encrypt = ofb_run, .decrypt = ofb_back, .library = &ofb_own};
static const mote_mode ctr_mode = {
    .name = "ctr", .has_iv = 1, .encrypt = ctr_run, .decrypt = ctr_back, .library = &ctr_own};
static const mote_mode *const modes[] = {MOTE_PICK(ecb, &ecb_mode) MOTE_PICK(
    cbc, &cbc_mode) MOTE_PICK(cfb, &cfb_mode) MOTE_PICK(ofb, &ofb_mode) MOTE_PICK(ctr, &ctr_mode)};

/* Schemes of one key length; `size` is the block's. */
#define CIPHER(label, size, len) \
    {.name = (label), .block_len = (size), .key_len = (len), .schedule_len = sizeof(schedule)}
