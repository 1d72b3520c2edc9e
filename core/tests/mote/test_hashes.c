/* Every hash, and HMAC over those that are meant for it: pieces, alignments, copies of states. */
#include <string.h>

#include "mote/hmac.h"
#include "work.h"

enum { UNIT = 64 }; /* what lengths go by */

/* The digest of `in` in pieces; half-way the state moves to other memory. */
static void digest_in_pieces(const mote_hash *hash, const uint8_t *in, size_t len, uint8_t *digest)
{
    guarded state = guarded_new(hash->state_len, 0), copy = guarded_new(hash->state_len, 0);
    hash->start(state.at);
    for (size_t at = 0; at < len;) {
        const size_t n = piece(len - at, 1);
        hash->update(state.at, in + at, n);
        at += n;
        memcpy(copy.at, state.at, hash->state_len);
        const guarded other = state;
        state = copy;
        copy = other;
    }
    hash->finish(state.at, digest);
    EXPECT(guarded_whole(&state) && guarded_whole(&copy));
    guarded_free(&state);
    guarded_free(&copy);
}

static void digests(const mote_hash *hash)
{
    guarded state = guarded_new(hash->state_len, 0), digest = guarded_new(hash->digest_len, 1);
    for (size_t len = 0; len != SIZE_MAX; len = next_len(len, UNIT)) {
        uint8_t expected[MOTE_DIGEST_MAX];
        guarded plain = guarded_new(len, 0);
        hash->start(state.at);
        hash->update(state.at, plain.at, len);
        hash->finish(state.at, expected);
        for (size_t offset = 0; offset < 8; offset++) {
            guarded in = guarded_new(len, offset);
            memcpy(in.at, plain.at, len);
            digest_in_pieces(hash, in.at, len, digest.at);
            EXPECT(memcmp(digest.at, expected, hash->digest_len) == 0);
            EXPECT(memcmp(in.at, plain.at, len) == 0);
            EXPECT(guarded_whole(&digest) && guarded_whole(&in));
            guarded_free(&in);
        }
        guarded_free(&plain);
    }
    EXPECT(guarded_whole(&state));
    guarded_free(&state);
    guarded_free(&digest);
}

/* RFC 2104, written out: H(key ^ opad, H(key ^ ipad, text)). */
static void by_definition(const mote_hash *hash, const guarded *key, const guarded *text,
                          uint8_t *mac)
{
    guarded state = guarded_new(hash->state_len, 0);
    uint8_t block[255] = {0}, inner[MOTE_DIGEST_MAX];
    if (key->len <= hash->block_len) {
        memcpy(block, key->at, key->len);
    } else {
        hash->start(state.at);
        hash->update(state.at, key->at, key->len);
        hash->finish(state.at, block);
    }
    for (size_t i = 0; i < hash->block_len; i++)
        block[i] ^= 0x36;
    hash->start(state.at);
    hash->update(state.at, block, hash->block_len);
    hash->update(state.at, text->at, text->len);
    hash->finish(state.at, inner);
    for (size_t i = 0; i < hash->block_len; i++)
        block[i] ^= 0x36 ^ 0x5c;
    hash->start(state.at);
    hash->update(state.at, block, hash->block_len);
    hash->update(state.at, inner, hash->digest_len);
    hash->finish(state.at, mac);
    guarded_free(&state);
}

static void macs(const mote_hash *hash)
{
    const size_t keys[] = {
        0, 1, hash->digest_len, hash->block_len - 1u, hash->block_len, hash->block_len + 1u, 300};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        guarded key = guarded_new(keys[k], number(8)),
                states = guarded_new(mote_hmac_states_len(hash), 0);
        guarded mac = guarded_new(hash->digest_len, number(8));
        mote_hmac hmac;
        mote_hmac_set_key(&hmac, hash, states.at, key.at, key.len);
        for (size_t len = 0; len < 200; len += 1 + number(40)) {
            guarded text = guarded_new(len, number(8));
            uint8_t expected[MOTE_DIGEST_MAX];
            by_definition(hash, &key, &text, expected);
            mote_hmac_start(&hmac);
            for (size_t at = 0; at < len;) {
                const size_t n = piece(len - at, 1);
                mote_hmac_update(&hmac, text.at + at, n);
                at += n;
            }
            mote_hmac_finish(&hmac, mac.at);
            EXPECT(memcmp(mac.at, expected, hash->digest_len) == 0);
            EXPECT(guarded_whole(&text) && guarded_whole(&mac) && guarded_whole(&states));
            guarded_free(&text);
        }
        guarded_free(&key);
        guarded_free(&states);
        guarded_free(&mac);
    }
}

int main(void)
{
    check_begin();
    CHECK(implementations[0] != NULL);
    for (size_t i = 0; implementations[i] != NULL; i++) {
        for (uint8_t k = 0; k < implementations[i]->hash_count; k++) {
            const mote_hash *hash = &implementations[i]->hashes[k];
            about(implementations[i], hash->name, "");
            digests(hash);
            about(implementations[i], "hmac", hash->name);
            if (hash->block_len > 0)
                macs(hash);
        }
    }
    return check_end();
}
