/*
 * GMAC against GCM of a message without a text, in pieces; Ascon-CXOF128 with customization strings
 * of other lengths than the implementation's.
 */
#include <string.h>

#include "../../ciphers/ascon/ascon_cxof.h"
#include "../../mote/modes/gmac.h"
#include "work.h"

enum { TAG = 16, LONGEST = 70, DIGEST = 32 };

static void by_gcm(const mote_block_cipher *cipher, const void *schedule, const uint8_t *nonce,
                   const uint8_t *data, size_t len, uint8_t *tag)
{
    mote_gcm_state state;
    const mote_aead_message message = {
        .nonce = nonce, .aad = data, .nonce_len = MOTE_GMAC_NONCE, .tag_len = TAG, .aad_len = len};
    mote_gcm.bind(&state, cipher, schedule);
    mote_gcm.steps.start(&state, &message);
    mote_gcm.steps.tag(&state, tag);
}

static void gmac_is_gcm_without_a_text(const mote_block_cipher *cipher)
{
    guarded schedule = guarded_new(cipher->schedule_len, 0), key = guarded_new(cipher->key_len, 0);
    guarded nonce = guarded_new(MOTE_GMAC_NONCE, 1);
    cipher->set_key(schedule.at, key.at);
    for (size_t len = 0; len <= LONGEST; len++) {
        guarded data = guarded_new(len, len % 4), tag = guarded_new(TAG, 1);
        uint8_t expected[TAG];
        mote_gmac gmac;
        by_gcm(cipher, schedule.at, nonce.at, data.at, len, expected);
        mote_gmac_bind(&gmac, cipher, schedule.at);
        for (int message = 0; message < 3; message++) {
            mote_gmac_start(&gmac, nonce.at);
            for (size_t at = 0; at < len;) {
                const size_t n = piece(len - at, 1);
                mote_gmac_update(&gmac, data.at + at, n);
                at += n;
            }
            mote_gmac_finish(&gmac, tag.at);
            EXPECT(memcmp(tag.at, expected, TAG) == 0);
        }
        EXPECT(guarded_whole(&data) && guarded_whole(&tag));
        guarded_free(&data);
        guarded_free(&tag);
    }
    guarded_free(&schedule);
    guarded_free(&key);
    guarded_free(&nonce);
}

/* ascon-c, LWC_CXOF_KAT_128_512.txt: Z is 10 11 ..., the message is empty; the first 8 bytes. */
static const struct {
    uint8_t len, digest[8];
} CUSTOMIZED[] = {
    {0, {0x4f, 0x50, 0x15, 0x9e, 0xf7, 0x0b, 0xb3, 0xda}},
    {1, {0x0c, 0x93, 0xa4, 0x83, 0xe7, 0xd5, 0x74, 0xd4}},
    {7, {0x71, 0x7a, 0x9b, 0xa3, 0xb3, 0xc0, 0x0f, 0x40}},
    {8, {0x61, 0x32, 0x47, 0x66, 0x44, 0x1d, 0xd6, 0xc1}},
    {9, {0x32, 0xfd, 0xe6, 0xb9, 0xd2, 0x90, 0xf5, 0x6f}},
    {16, {0x72, 0xe0, 0x83, 0x9a, 0xeb, 0xcc, 0xc2, 0x11}},
    {31, {0x2e, 0x4a, 0x40, 0x9b, 0xe5, 0xdf, 0xcc, 0x51}},
    {32, {0x51, 0x44, 0x59, 0x9b, 0xd5, 0xf7, 0xac, 0x55}},
};

static void customization_strings_have_any_length(const mote_hash *hash)
{
    guarded state = guarded_new(hash->state_len, 0), digest = guarded_new(hash->digest_len, 0);
    for (size_t i = 0; i < sizeof CUSTOMIZED / sizeof CUSTOMIZED[0]; i++) {
        guarded z = guarded_new(CUSTOMIZED[i].len, i % 4);
        for (size_t at = 0; at < z.len; at++)
            z.at[at] = (uint8_t)(0x10 + at);
        mote_ascon_cxof128_start(state.at, z.at, z.len);
        hash->finish(state.at, digest.at);
        EXPECT(memcmp(digest.at, CUSTOMIZED[i].digest, sizeof CUSTOMIZED[i].digest) == 0);
        EXPECT(guarded_whole(&z) && guarded_whole(&state) && guarded_whole(&digest));
        guarded_free(&z);
    }
    guarded_free(&state);
    guarded_free(&digest);
}

int main(void)
{
    check_begin();
    for (size_t i = 0; implementations[i] != NULL; i++) {
        const mote_implementation *implementation = implementations[i];
        for (uint8_t k = 0; k < implementation->block_count; k++) {
            about(implementation, implementation->blocks[k].name, "gmac");
            if (implementation->blocks[k].block_len == TAG)
                gmac_is_gcm_without_a_text(&implementation->blocks[k]);
        }
        for (uint8_t k = 0; k < implementation->hash_count; k++) {
            about(implementation, implementation->hashes[k].name, "");
            if (strcmp(implementation->hashes[k].name, "ascon-cxof128") == 0)
                customization_strings_have_any_length(&implementation->hashes[k]);
        }
    }
    return check_end();
}
