/*
 * Verification of LMS and HSS signatures, for little RAM.
 *
 * RFC 8554, with the sets of SP 800-208. The signature is read once from front to back; the ends of
 * the chains go into the hash of the one-time key as they come, so that two hash states and one
 * block are all that is kept. With SHA-256 a step of a chain is one compression: its 47 or 55 bytes
 * fit a block. Everything is public, and time depends on it.
 */
#include "mote/lms.h"

#include <string.h>

#include "../sha2/sha256_state.h"
#include "mote/bytes.h"
#include "mote/sha3.h"

/*
 * Offsets of the parts of a hashed string: identifier, leaf or node, index or domain, step, hash
 * (RFC 8554, section 4.5).
 */
enum {
    ID = 16,
    AT_NODE = ID,
    AT_INDEX = 20,
    AT_STEP = 22,
    AT_HASH = 23,
    NODE_PREFIX = 22,
    N_MAX = 32,
    BLOCK = 64
};
enum { D_PBLK = 0x8080, D_MESG = 0x8181, D_LEAF = 0x8282, D_INTR = 0x8383 };

typedef union state {
    mote_sha256_state sha256;
    mote_sha3 shake;
} state;

struct mote_lms_hash {
    uint8_t family; /* of type codes: 0, or 2 of SHAKE */
    void (*start)(state *s);
    void (*update)(state *s, const uint8_t *in, size_t len);
    void (*finish)(state *s, uint8_t *out, uint8_t n);
    /* The steps `from` to `to` - 1 of a chain; `block` is the whole padded string of one. */
    void (*chain)(state *s, uint8_t *block, uint8_t n, uint8_t from, uint8_t to);
};

static const mote_md_kind sha256_kind = {
    .block_len = BLOCK, .length_len = 8, .big_endian = 1, .compress = mote_sha256_compress};

static void sha256_start(state *s)
{
    mote_sha256_start(&s->sha256);
}

static void sha256_update(state *s, const uint8_t *in, size_t len)
{
    mote_sha256_update(&sha256_kind, &s->sha256, in, len);
}

static void sha256_finish(state *s, uint8_t *out, uint8_t n)
{
    mote_sha256_finish(&sha256_kind, &s->sha256, out, n);
}

static void sha256_chain(state *s, uint8_t *block, uint8_t n, uint8_t from, uint8_t to)
{
    uint8_t i;
    for (; from < to; from++) {
        block[AT_STEP] = from;
        mote_sha256_start(&s->sha256);
        mote_sha256_compress(s->sha256.h, block);
        for (i = 0; i < n / 4; i++)
            mote_store32be(block + AT_HASH + 4 * i, s->sha256.h[i]);
    }
}

static void shake_start(state *s)
{
    mote_sha3_start(&s->shake, MOTE_SHAKE256_RATE);
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

static void shake_chain(state *s, uint8_t *block, uint8_t n, uint8_t from, uint8_t to)
{
    for (; from < to; from++) {
        block[AT_STEP] = from;
        shake_start(s);
        shake_update(s, block, (size_t)AT_HASH + n);
        shake_finish(s, block + AT_HASH, n);
    }
}

const mote_lms_hash mote_lms_sha256 = {0, sha256_start, sha256_update, sha256_finish, sha256_chain};
const mote_lms_hash mote_lms_shake256 = {2, shake_start, shake_update, shake_finish, shake_chain};

/*
 * RFC 8554, appendix B: the digits of a hash and of its checksum, and by how many bits that is
 * shifted.
 */
static uint8_t hash_digits_log(const mote_lms_set *set)
{
    /* Digits of a byte, as a power of 2. */
    return set->w == 1 ? 3 : set->w == 2 ? 2 : set->w == 4 ? 1 : 0;
}

static uint8_t checksum_shift(const mote_lms_set *set)
{
    return set->w == 8 ? 0 : set->w == 4 ? 4 : set->w == 2 ? 6 : set->n == 24 ? 8 : 7;
}

static uint16_t chains(const mote_lms_set *set)
{
    const uint8_t log = hash_digits_log(set);
    return (uint16_t)(((uint16_t)set->n << log) + (16u - checksum_shift(set)) / set->w);
}

/* The type codes of RFC 8554 and SP 800-208. */
static uint8_t group_of(const mote_lms_set *set)
{
    return (uint8_t)(set->hash->family + (set->n == 24));
}

static uint32_t tree_type(const mote_lms_set *set, uint8_t height)
{
    return 4u + 5u * group_of(set) + height / 5u;
}

static uint32_t chain_type(const mote_lms_set *set)
{
    return 4u + 4u * group_of(set) - hash_digits_log(set);
}

static size_t tree_public_len(const mote_lms_set *set)
{
    return 8u + ID + set->n;
}

static size_t tree_signature_len(const mote_lms_set *set, uint8_t level)
{
    return 12u + (1u + chains(set) + set->height[level]) * (size_t)set->n;
}

size_t mote_lms_public_len(const mote_lms_set *set)
{
    return tree_public_len(set) + (set->levels > 0 ? 4 : 0);
}

size_t mote_lms_signature_len(const mote_lms_set *set)
{
    size_t len = tree_signature_len(set, 0);
    uint8_t level;
    for (level = 1; level < set->levels; level++)
        len += tree_public_len(set) + tree_signature_len(set, level);
    return len + (set->levels > 0 ? 4 : 0);
}

static uint8_t digit(const uint8_t *bytes, uint16_t i, const mote_lms_set *set)
{
    const uint8_t log = hash_digits_log(set), mask = (uint8_t)((1u << log) - 1);
    return (uint8_t)((unsigned)bytes[i >> log] >> (set->w * (mask - (i & mask))) &
                     ((1u << set->w) - 1));
}

/* The checksum behind the hash (section 4.4). */
static void add_checksum(uint8_t *hash, const mote_lms_set *set)
{
    const uint16_t digits = (uint16_t)((uint16_t)set->n << hash_digits_log(set));
    uint16_t i, sum = 0;
    for (i = 0; i < digits; i++)
        sum = (uint16_t)(sum + ((1u << set->w) - 1) - digit(hash, i, set));
    mote_store16be(hash + set->n, (uint16_t)(sum << checksum_shift(set)));
}

/* Begins a hash with identifier, number and domain. */
static void begin(const mote_lms_set *set, state *s, uint8_t prefix[NODE_PREFIX], uint32_t number,
                  uint16_t domain)
{
    mote_store32be(prefix + AT_NODE, number);
    mote_store16be(prefix + AT_INDEX, domain);
    set->hash->start(s);
    set->hash->update(s, prefix, NODE_PREFIX);
}

/*
 * The one-time key that signed the message, to `out` (algorithm 4b); `signature` is from the type
 * code on.
 */
static void one_time_key(const mote_lms_set *set, uint8_t block[BLOCK], uint32_t leaf,
                         const uint8_t *signature, const uint8_t *message, size_t len, uint8_t *out)
{
    const uint8_t n = set->n, last = (uint8_t)((1u << set->w) - 1);
    const uint16_t count = chains(set);
    uint8_t hash[N_MAX + 2];
    state ends, step;
    uint16_t i;
    begin(set, &step, block, leaf, D_MESG);
    set->hash->update(&step, signature + 4, n);
    set->hash->update(&step, message, len);
    set->hash->finish(&step, hash, n);
    add_checksum(hash, set);
    begin(set, &ends, block, leaf, D_PBLK);
    memset(block + AT_HASH + n, 0, (size_t)(BLOCK - AT_HASH - n));
    block[AT_HASH + n] = 0x80;
    mote_store16be(block + BLOCK - 2, (uint16_t)((AT_HASH + n) * 8));
    for (i = 0; i < count; i++) {
        mote_store16be(block + AT_INDEX, i);
        memcpy(block + AT_HASH, signature + 4 + (size_t)(i + 1) * n, n);
        set->hash->chain(&step, block, n, digit(hash, i, set), last);
        set->hash->update(&ends, block + AT_HASH, n);
    }
    set->hash->finish(&ends, out, n);
}

/* Algorithm 6. `public` and `signature` are those of one tree. */
static uint8_t tree_verify(const mote_lms_set *set, uint8_t level, const uint8_t *public,
                           const uint8_t *message, size_t len, const uint8_t *signature)
{
    const uint8_t n = set->n, height = set->height[level];
    const uint8_t *path = signature + 8 + (1u + chains(set)) * (size_t)n;
    const uint32_t leaf = mote_load32be(signature);
    uint32_t number = ((uint32_t)1 << height) + leaf;
    uint8_t block[BLOCK], node[N_MAX];
    state s;
    if (mote_load32be(public) != tree_type(set, height) ||
        mote_load32be(public + 4) != chain_type(set) ||
        mote_load32be(signature + 4) != chain_type(set) ||
        mote_load32be(path) != tree_type(set, height) || leaf >> height != 0)
        return 1;
    memcpy(block, public + 8, ID);
    one_time_key(set, block, leaf, signature + 4, message, len, node);
    begin(set, &s, block, number, D_LEAF);
    set->hash->update(&s, node, n);
    set->hash->finish(&s, node, n);
    for (path += 4; number > 1; number >>= 1, path += n) {
        begin(set, &s, block, number >> 1, D_INTR);
        set->hash->update(&s, number & 1 ? path : node, n);
        set->hash->update(&s, number & 1 ? node : path, n);
        set->hash->finish(&s, node, n);
    }
    return memcmp(node, public + 8 + ID, n) != 0;
}

/* Section 6.3: each tree signs the key of the next one. */
uint8_t mote_lms_verify(const mote_lms_set *set, const uint8_t *public, const uint8_t *message,
                        size_t len, const uint8_t *signature)
{
    uint8_t level;
    if (set->levels == 0)
        return tree_verify(set, 0, public, message, len, signature);
    if (mote_load32be(public) != set->levels || mote_load32be(signature) + 1 != set->levels)
        return 1;
    public += 4;
    signature += 4;
    for (level = 0; level + 1 < set->levels; level++) {
        const uint8_t *next = signature + tree_signature_len(set, level);
        if (tree_verify(set, level, public, next, tree_public_len(set), signature))
            return 1;
        public = next;
        signature = next + tree_public_len(set);
    }
    return tree_verify(set, level, public, message, len, signature);
}
