/*
 * Verification of SLH-DSA signatures, for little RAM.
 *
 * FIPS 205. The signature is read once from front to back; roots of FORS trees and ends of chains
 * go into the hash above them as they come, so that two hash states are kept. With SHA-2, the block
 * of the public seed is compressed once, and a step of a chain is one compression. Everything is
 * public, and time depends on it.
 */
#include "mote/slh_dsa.h"

#include <string.h>

#include "../sha2/sha256_state.h"
#include "../sha2/sha512_state.h"
#include "mote/bytes.h"
#include "mote/sha3.h"

/* Offsets of the parts of an address (FIPS 205, section 4.2), and its types. */
enum {
    ADDRESS = 32,
    AT_LAYER = 3,
    AT_TREE = 8,
    AT_TYPE = 19,
    AT_KEY_PAIR = 20,
    AT_CHAIN = 24,
    AT_STEP = 28
};
enum { AT_HEIGHT = AT_CHAIN, AT_INDEX = AT_STEP };
enum { WOTS_HASH = 0, WOTS_KEY = 1, TREE = 2, FORS_TREE = 3, FORS_ROOTS = 4 };
enum {
    N_MAX = 32,
    BLOCK = 64,
    BLOCK_512 = 128,
    SHORT_ADDRESS = 22,
    CHECKSUM_DIGITS = 3,
    LAST = 15
};
enum { DIGEST_MAX = 49, HASH_MAX = 64 };

typedef union state {
    mote_sha256_state sha256;
    mote_sha512_state sha512;
    mote_sha3 shake;
} state;

typedef struct work {
    const mote_slh_set *set;
    const uint8_t *seed;
    uint32_t seeded[8];     /* SHA-256 after the block of the seed */
    uint64_t seeded_512[8]; /* the same of SHA-512 */
    uint8_t block[BLOCK];   /* SHA-256: the string of F, padded */
    uint8_t address[ADDRESS];
    state step, above;
} work;

struct mote_slh_hash {
    void (*prepare)(work *w);
    /* The digest of the message: prefix and bytes. */
    void (*message)(work *w, const uint8_t *public, const uint8_t *randomiser,
                    const uint8_t *prefix, uint8_t prefix_len, const mote_slh_message *message,
                    uint8_t *digest, uint8_t digest_len);
    void (*chain)(work *w, uint8_t *value, uint8_t from, uint8_t to); /* F, again and again */
    void (*leaf)(work *w, uint8_t *value);                            /* F, once */
    /* H and T: seed and address, then nodes. */
    void (*start)(work *w, state *s);
    void (*update)(state *s, const uint8_t *in, size_t len);
    void (*finish)(state *s, uint8_t *out, uint8_t n);
};

static const mote_md_kind sha256_kind = {
    .block_len = BLOCK, .length_len = 8, .big_endian = 1, .compress = mote_sha256_compress};

/* The address as SHA-2 takes it (section 11.2). */
static void shorten(const work *w, uint8_t *out)
{
    out[0] = w->address[AT_LAYER];
    memcpy(out + 1, w->address + AT_TREE, 8);
    memcpy(out + 9, w->address + AT_TYPE, 13);
}

static void sha256_update(state *s, const uint8_t *in, size_t len)
{
    mote_sha256_update(&sha256_kind, &s->sha256, in, len);
}

static void sha256_finish(state *s, uint8_t *out, uint8_t n)
{
    mote_sha256_finish(&sha256_kind, &s->sha256, out, n);
}

static void sha256_prepare(work *w)
{
    const uint8_t n = w->set->n, zeros[BLOCK] = {0};
    mote_sha256_start(&w->step.sha256);
    sha256_update(&w->step, w->seed, n);
    sha256_update(&w->step, zeros, (size_t)(BLOCK - n));
    memcpy(w->seeded, w->step.sha256.h, sizeof w->seeded);
    memset(w->block, 0, sizeof w->block);
    w->block[SHORT_ADDRESS + n] = 0x80;
    mote_store16be(w->block + BLOCK - 2, (uint16_t)((BLOCK + SHORT_ADDRESS + n) * 8));
}

static void sha256_start(work *w, state *s)
{
    uint8_t address[SHORT_ADDRESS];
    shorten(w, address);
    memcpy(s->sha256.h, w->seeded, sizeof w->seeded);
    s->sha256.bytes = BLOCK;
    sha256_update(s, address, SHORT_ADDRESS);
}

static void sha256_chain(work *w, uint8_t *value, uint8_t from, uint8_t to)
{
    const uint8_t n = w->set->n;
    uint8_t i, *const at = w->block + SHORT_ADDRESS;
    shorten(w, w->block);
    memcpy(at, value, n);
    for (; from < to; from++) {
        w->block[SHORT_ADDRESS - 1] = from;
        memcpy(w->step.sha256.h, w->seeded, sizeof w->seeded);
        mote_sha256_compress(w->step.sha256.h, w->block);
        for (i = 0; i < n / 4; i++)
            mote_store32be(at + 4 * i, w->step.sha256.h[i]);
    }
    memcpy(value, at, n);
}

static void sha256_leaf(work *w, uint8_t *value)
{
    sha256_start(w, &w->step);
    sha256_update(&w->step, value, w->set->n);
    sha256_finish(&w->step, value, w->set->n);
}

/* MGF1 (RFC 8017, B.2.1) of randomiser, seed and hash, which are in `inner`. */
static void sha256_message(work *w, const uint8_t *public, const uint8_t *randomiser,
                           const uint8_t *prefix, uint8_t prefix_len,
                           const mote_slh_message *message, uint8_t *digest, uint8_t digest_len)
{
    enum { HASH = 32 };
    const uint8_t n = w->set->n;
    uint8_t inner[HASH], counter[4] = {0}, at;
    state *s = &w->above;
    mote_sha256_start(&s->sha256);
    sha256_update(s, randomiser, n);
    sha256_update(s, public, 2u * n);
    sha256_update(s, prefix, prefix_len);
    sha256_update(s, message->context, message->context_len);
    sha256_update(s, message->identifier, message->identifier_len);
    sha256_update(s, message->bytes, message->len);
    sha256_finish(s, inner, HASH);
    for (at = 0; at < digest_len; at = (uint8_t)(at + HASH), counter[3]++) {
        uint8_t out[HASH];
        mote_sha256_start(&s->sha256);
        sha256_update(s, randomiser, n);
        sha256_update(s, public, n);
        sha256_update(s, inner, HASH);
        sha256_update(s, counter, sizeof counter);
        sha256_finish(s, out, HASH);
        memcpy(digest + at, out, digest_len - at < HASH ? (size_t)(digest_len - at) : HASH);
    }
}

static void sha512_update(state *s, const uint8_t *in, size_t len)
{
    mote_sha512_update(&s->sha512, in, len);
}

static void sha512_finish(state *s, uint8_t *out, uint8_t n)
{
    mote_sha512_finish(&s->sha512, out, n);
}

static void sha512_prepare(work *w)
{
    const uint8_t n = w->set->n, zeros[BLOCK_512] = {0};
    mote_sha512_start(&w->step.sha512);
    sha512_update(&w->step, w->seed, n);
    sha512_update(&w->step, zeros, (size_t)(BLOCK_512 - n));
    memcpy(w->seeded_512, w->step.sha512.h, sizeof w->seeded_512);
    sha256_prepare(w);
}

static void sha512_start(work *w, state *s)
{
    uint8_t address[SHORT_ADDRESS];
    shorten(w, address);
    memcpy(s->sha512.h, w->seeded_512, sizeof w->seeded_512);
    s->sha512.bytes = BLOCK_512;
    sha512_update(s, address, SHORT_ADDRESS);
}

static void sha512_message(work *w, const uint8_t *public, const uint8_t *randomiser,
                           const uint8_t *prefix, uint8_t prefix_len,
                           const mote_slh_message *message, uint8_t *digest, uint8_t digest_len)
{
    const uint8_t n = w->set->n, counter[4] = {0};
    uint8_t inner[HASH_MAX];
    state *s = &w->above;
    mote_sha512_start(&s->sha512);
    sha512_update(s, randomiser, n);
    sha512_update(s, public, 2u * n);
    sha512_update(s, prefix, prefix_len);
    sha512_update(s, message->context, message->context_len);
    sha512_update(s, message->identifier, message->identifier_len);
    sha512_update(s, message->bytes, message->len);
    sha512_finish(s, inner, HASH_MAX);
    mote_sha512_start(&s->sha512); /* one block of MGF1 is enough */
    sha512_update(s, randomiser, n);
    sha512_update(s, public, n);
    sha512_update(s, inner, HASH_MAX);
    sha512_update(s, counter, sizeof counter);
    sha512_finish(s, inner, HASH_MAX);
    memcpy(digest, inner, digest_len);
}

static void shake_update(state *s, const uint8_t *in, size_t len)
{
    mote_sha3_absorb(&s->shake, in, len);
}

static void shake_finish(state *s, uint8_t *out, uint8_t n)
{
    mote_sha3_end(&s->shake, MOTE_SHAKE_SUFFIX);
    mote_sha3_squeeze(&s->shake, out, n);
}

static void shake_prepare(work *w)
{
    (void)w;
}

static void shake_start(work *w, state *s)
{
    mote_sha3_start(&s->shake, MOTE_SHAKE256_RATE);
    shake_update(s, w->seed, w->set->n);
    shake_update(s, w->address, ADDRESS);
}

static void shake_leaf(work *w, uint8_t *value)
{
    shake_start(w, &w->step);
    shake_update(&w->step, value, w->set->n);
    shake_finish(&w->step, value, w->set->n);
}

static void shake_chain(work *w, uint8_t *value, uint8_t from, uint8_t to)
{
    for (; from < to; from++) {
        w->address[AT_STEP + 3] = from;
        shake_leaf(w, value);
    }
}

static void shake_message(work *w, const uint8_t *public, const uint8_t *randomiser,
                          const uint8_t *prefix, uint8_t prefix_len,
                          const mote_slh_message *message, uint8_t *digest, uint8_t digest_len)
{
    state *s = &w->above;
    mote_sha3_start(&s->shake, MOTE_SHAKE256_RATE);
    shake_update(s, randomiser, w->set->n);
    shake_update(s, public, 2u * w->set->n);
    shake_update(s, prefix, prefix_len);
    shake_update(s, message->context, message->context_len);
    shake_update(s, message->identifier, message->identifier_len);
    shake_update(s, message->bytes, message->len);
    shake_finish(s, digest, digest_len);
}

const mote_slh_hash mote_slh_sha2_16 = {sha256_prepare, sha256_message, sha256_chain, sha256_leaf,
                                        sha256_start,   sha256_update,  sha256_finish};
const mote_slh_hash mote_slh_sha2_32 = {sha512_prepare, sha512_message, sha256_chain, sha256_leaf,
                                        sha512_start,   sha512_update,  sha512_finish};
const mote_slh_hash mote_slh_shake = {
    shake_prepare, shake_message, shake_chain, shake_leaf, shake_start, shake_update, shake_finish};

static uint8_t chains(const mote_slh_set *set)
{
    return (uint8_t)(2 * set->n + CHECKSUM_DIGITS);
}

size_t mote_slh_public_len(const mote_slh_set *set)
{
    return 2u * set->n;
}

size_t mote_slh_signature_len(const mote_slh_set *set)
{
    return (1u + set->fors_trees * (1u + set->fors_height) +
            set->layers * (size_t)(chains(set) + set->height)) *
           set->n;
}

/* setTypeAndClear, and the key pair. */
static void begin_address(work *w, uint8_t type, uint32_t key_pair)
{
    memset(w->address + AT_TYPE, 0, ADDRESS - AT_TYPE);
    w->address[AT_TYPE] = type;
    mote_store32be(w->address + AT_KEY_PAIR, key_pair);
}

/*
 * From a node at the foot of a tree up along a path; `index` is the node's, among those of all
 * trees.
 */
static void climb(work *w, uint8_t height, uint32_t index, const uint8_t *path, uint8_t *node)
{
    const mote_slh_hash *hash = w->set->hash;
    const uint8_t n = w->set->n;
    uint8_t level;
    for (level = 1; level <= height; level++, path += n, index >>= 1) {
        mote_store32be(w->address + AT_HEIGHT, level);
        mote_store32be(w->address + AT_INDEX, index >> 1);
        hash->start(w, &w->step);
        hash->update(&w->step, index & 1 ? path : node, n);
        hash->update(&w->step, index & 1 ? node : path, n);
        hash->finish(&w->step, node, n);
    }
}

/* Bits `at` to `at` + `count` - 1 of a string, the first one highest (algorithm 4). */
static uint32_t bits(const uint8_t *bytes, uint16_t at, uint8_t count)
{
    uint32_t value = 0;
    for (; count > 0; count--, at++)
        value = value << 1 | (bytes[at >> 3] >> (7 - (at & 7)) & 1);
    return value;
}

/* Algorithm 17: the key of FORS, to `node`. */
static void fors_key(work *w, uint32_t key_pair, const uint8_t *digest, const uint8_t *signature,
                     uint8_t *node)
{
    const mote_slh_set *set = w->set;
    const uint8_t a = set->fors_height;
    uint8_t i;
    begin_address(w, FORS_ROOTS, key_pair);
    set->hash->start(w, &w->above);
    begin_address(w, FORS_TREE, key_pair);
    for (i = 0; i < set->fors_trees; i++, signature += (size_t)(1 + a) * set->n) {
        const uint32_t index = ((uint32_t)i << a) + bits(digest, (uint16_t)(i * a), a);
        mote_store32be(w->address + AT_HEIGHT, 0);
        mote_store32be(w->address + AT_INDEX, index);
        memcpy(node, signature, set->n);
        set->hash->leaf(w, node);
        climb(w, a, index, signature + set->n, node);
        set->hash->update(&w->above, node, set->n);
    }
    set->hash->finish(&w->above, node, set->n);
}

static uint8_t digit(const uint8_t *bytes, uint8_t i)
{
    return (uint8_t)(bytes[i / 2] >> (i & 1 ? 0 : 4) & LAST);
}

/* Algorithm 8: the one-time key that signed `node`, in its place. */
static void one_time_key(work *w, uint32_t leaf, const uint8_t *signature, uint8_t *node)
{
    const mote_slh_hash *hash = w->set->hash;
    const uint8_t n = w->set->n;
    uint8_t digits[N_MAX + 2], i;
    uint16_t sum = 0;
    memcpy(digits, node, n);
    for (i = 0; i < 2 * n; i++)
        sum = (uint16_t)(sum + LAST - digit(digits, i));
    mote_store16be(digits + n, (uint16_t)(sum << 4));
    begin_address(w, WOTS_KEY, leaf);
    hash->start(w, &w->above);
    begin_address(w, WOTS_HASH, leaf);
    for (i = 0; i < chains(w->set); i++, signature += n) {
        w->address[AT_CHAIN + 3] = i;
        memcpy(node, signature, n);
        hash->chain(w, node, digit(digits, i), LAST);
        hash->update(&w->above, node, n);
    }
    hash->finish(&w->above, node, n);
}

static uint64_t number(const uint8_t *bytes, uint8_t bit_count)
{
    uint64_t value = 0;
    uint8_t i;
    for (i = 0; i < (bit_count + 7) / 8; i++)
        value = value << 8 | bytes[i];
    return bit_count == 64 ? value : value & (((uint64_t)1 << bit_count) - 1);
}

/* Algorithms 20 and 24. */
uint8_t mote_slh_verify(const mote_slh_set *set, const uint8_t *public,
                        const mote_slh_message *message, const uint8_t *signature)
{
    const uint8_t n = set->n, tree_bits = (uint8_t)(set->height * (set->layers - 1));
    const uint8_t fors_bytes = (uint8_t)((set->fors_trees * set->fors_height + 7) / 8);
    const uint8_t tree_bytes = (uint8_t)((tree_bits + 7) / 8),
                  leaf_bytes = (uint8_t)((set->height + 7) / 8);
    const uint8_t prefix[2] = {message->identifier_len > 0, message->context_len};
    uint8_t digest[DIGEST_MAX], node[N_MAX], i;
    work w = {.set = set, .seed = public};
    set->hash->message(&w, public, signature, prefix, sizeof prefix, message, digest,
                       (uint8_t)(fors_bytes + tree_bytes + leaf_bytes));
    set->hash->prepare(&w);
    uint64_t tree = number(digest + fors_bytes, tree_bits);
    uint32_t leaf = (uint32_t)number(digest + fors_bytes + tree_bytes, set->height);
    mote_store64be(w.address + AT_TREE, tree);
    signature += n;
    fors_key(&w, leaf, digest, signature, node);
    signature += (size_t)set->fors_trees * (1u + set->fors_height) * n;
    for (i = 0; i < set->layers; i++) {
        w.address[AT_LAYER] = i;
        mote_store64be(w.address + AT_TREE, tree);
        one_time_key(&w, leaf, signature, node);
        signature += (size_t)chains(set) * n;
        begin_address(&w, TREE, 0);
        climb(&w, set->height, leaf, signature, node);
        signature += (size_t)set->height * n;
        leaf = (uint32_t)tree & (((uint32_t)1 << set->height) - 1);
        tree >>= set->height;
    }
    return memcmp(node, public + n, n) != 0;
}
