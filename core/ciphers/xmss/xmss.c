/*
 * Verification of XMSS and XMSS^MT signatures, for little RAM.
 *
 * RFC 8391, with the sets of SP 800-208; the Winternitz parameter is 16. The signature is read once
 * from front to back; the ends of the chains are joined to the L-tree as they come, so that a path
 * of at most seven nodes is kept in place of 67. With SHA-256 and 32 bytes, the block that all keys
 * and masks begin with is compressed once. Everything is public, and time depends on it.
 */
#include "mote/xmss.h"

#include <string.h>

#include "../sha2/sha256_state.h"
#include "mote/bytes.h"
#include "mote/sha3.h"

/* Offsets of the parts of an address (RFC 8391, section 2.5), and its types. */
enum {
    ADDRESS = 32,
    AT_LAYER = 3,
    AT_TREE = 4,
    AT_TYPE = 15,
    AT_LEAF = 16,
    AT_CHAIN = 20,
    AT_STEP = 24,
    AT_PART = 31
};
enum { AT_HEIGHT = AT_CHAIN, AT_INDEX = AT_STEP };
enum { OTS = 0, L_TREE = 1, TREE = 2 };
/* The domains of the four functions (section 5.1). */
enum { D_F = 0, D_H = 1, D_MESSAGE = 2, D_PRF = 3 };
enum { N_MAX = 32, BLOCK = 64, KEY = 0, MASK = 1, L_TREE_MAX = 7, CHECKSUM_DIGITS = 3, LAST = 15 };

typedef union state {
    mote_sha256_state sha256;
    mote_sha3 shake;
} state;

typedef struct work {
    const mote_xmss_set *set;
    const uint8_t *seed;
    uint32_t keyed[8]; /* SHA-256 with 32 bytes: after the block of domain and seed */
    uint8_t address[ADDRESS];
    state hash;
} work;

struct mote_xmss_hash {
    void (*prepare)(work *w);
    void (*prf)(work *w, uint8_t *out); /* of seed and address */
    void (*start)(work *w, uint8_t domain);
    void (*update)(work *w, const uint8_t *in, size_t len);
    void (*finish)(work *w, uint8_t *out);
};

static const mote_md_kind sha256_kind = {
    .block_len = BLOCK, .length_len = 8, .big_endian = 1, .compress = mote_sha256_compress};

/* toByte(domain, 32), or of the sets with 24 bytes toByte(domain, 4). */
static void pad(work *w, uint8_t domain, void (*update)(work *, const uint8_t *, size_t))
{
    const uint8_t len = w->set->n == 24 ? 4 : 32;
    uint8_t bytes[N_MAX] = {0};
    bytes[len - 1] = domain;
    update(w, bytes, len);
}

static void sha256_update(work *w, const uint8_t *in, size_t len)
{
    mote_sha256_update(&sha256_kind, &w->hash.sha256, in, len);
}

static void sha256_start(work *w, uint8_t domain)
{
    mote_sha256_start(&w->hash.sha256);
    pad(w, domain, sha256_update);
}

static void sha256_finish(work *w, uint8_t *out)
{
    mote_sha256_finish(&sha256_kind, &w->hash.sha256, out, w->set->n);
}

static void sha256_prepare(work *w)
{
    sha256_start(w, D_PRF);
    sha256_update(w, w->seed, w->set->n);
    memcpy(w->keyed, w->hash.sha256.h, sizeof w->keyed);
}

static void sha256_prf(work *w, uint8_t *out)
{
    mote_sha256_state *s = &w->hash.sha256;
    if (w->set->n == N_MAX) {
        memcpy(s->h, w->keyed, sizeof w->keyed);
        s->bytes = BLOCK;
    } else {
        sha256_start(w, D_PRF);
        sha256_update(w, w->seed, w->set->n);
    }
    sha256_update(w, w->address, ADDRESS);
    sha256_finish(w, out);
}

static void shake_update(work *w, const uint8_t *in, size_t len)
{
    mote_sha3_absorb(&w->hash.shake, in, len);
}

static void shake_start(work *w, uint8_t domain)
{
    mote_sha3_start(&w->hash.shake, MOTE_SHAKE256_RATE);
    pad(w, domain, shake_update);
}

static void shake_finish(work *w, uint8_t *out)
{
    mote_sha3_end(&w->hash.shake, MOTE_SHAKE_SUFFIX);
    mote_sha3_squeeze(&w->hash.shake, out, w->set->n);
}

static void shake_prepare(work *w)
{
    (void)w;
}

static void shake_prf(work *w, uint8_t *out)
{
    shake_start(w, D_PRF);
    shake_update(w, w->seed, w->set->n);
    shake_update(w, w->address, ADDRESS);
    shake_finish(w, out);
}

const mote_xmss_hash mote_xmss_sha256 = {
    sha256_prepare, sha256_prf, sha256_start, sha256_update, sha256_finish};
const mote_xmss_hash mote_xmss_shake256 = {
    shake_prepare, shake_prf, shake_start, shake_update, shake_finish};

static uint8_t layers_of(const mote_xmss_set *set)
{
    return set->layers > 0 ? set->layers : 1;
}

static uint8_t chains(const mote_xmss_set *set)
{
    return (uint8_t)(2 * set->n + CHECKSUM_DIGITS);
}

static uint8_t index_len(const mote_xmss_set *set)
{
    return (uint8_t)(set->layers > 0 ? (set->height * set->layers + 7) / 8 : 4);
}

size_t mote_xmss_public_len(const mote_xmss_set *set)
{
    return 4u + 2u * set->n;
}

size_t mote_xmss_signature_len(const mote_xmss_set *set)
{
    return index_len(set) + (1u + layers_of(set) * (size_t)(chains(set) + set->height)) * set->n;
}

static void xor_prf(work *w, uint8_t part, uint8_t *node)
{
    uint8_t mask[N_MAX], i;
    w->address[AT_PART] = part;
    w->set->hash->prf(w, mask);
    for (i = 0; i < w->set->n; i++)
        node[i] ^= mask[i];
}

/* Begins F or H with the key that belongs to the address. */
static void start_keyed(work *w, uint8_t domain)
{
    uint8_t key[N_MAX];
    w->address[AT_PART] = KEY;
    w->set->hash->prf(w, key);
    w->set->hash->start(w, domain);
    w->set->hash->update(w, key, w->set->n);
}

/*
 * Algorithm 7: two nodes, which are overwritten, to the one above them; `out` may be one of them.
 */
static void join(work *w, uint8_t height, uint32_t index, uint8_t *left, uint8_t *right,
                 uint8_t *out)
{
    mote_store32be(w->address + AT_HEIGHT, height);
    mote_store32be(w->address + AT_INDEX, index);
    xor_prf(w, MASK, left);
    xor_prf(w, MASK + 1, right);
    start_keyed(w, D_H);
    w->set->hash->update(w, left, w->set->n);
    w->set->hash->update(w, right, w->set->n);
    w->set->hash->finish(w, out);
}

static uint8_t digit(const uint8_t *bytes, uint8_t i)
{
    return (uint8_t)(bytes[i / 2] >> (i & 1 ? 0 : 4) & LAST);
}

static void begin_address(work *w, uint8_t type, uint32_t leaf)
{
    memset(w->address + AT_TYPE, 0, ADDRESS - AT_TYPE);
    w->address[AT_TYPE] = type;
    mote_store32be(w->address + AT_LEAF, leaf);
}

/* The rest of a chain from `value` on, in its place (algorithm 2). */
static void chain_end(work *w, uint32_t leaf, uint8_t number, uint8_t from, uint8_t *value)
{
    begin_address(w, OTS, leaf);
    w->address[AT_CHAIN + 3] = number;
    for (; from < LAST; from++) {
        w->address[AT_STEP + 3] = from;
        xor_prf(w, MASK, value);
        start_keyed(w, D_F);
        w->set->hash->update(w, value, w->set->n);
        w->set->hash->finish(w, value);
    }
}

/*
 * The leaf that signed `node`, in its place: the ends of the chains (algorithm 6) as an L-tree
 * (algorithm 8). A node that has no neighbour rises as it is, until it has one.
 */
static void leaf_of(work *w, uint32_t leaf, const uint8_t *signature, uint8_t *node)
{
    const uint8_t n = w->set->n, count = chains(w->set);
    uint8_t nodes[L_TREE_MAX][N_MAX], heights[L_TREE_MAX], digits[N_MAX + 2], kept = 0, i;
    uint16_t sum = 0;
    memcpy(digits, node, n);
    for (i = 0; i < 2 * n; i++)
        sum = (uint16_t)(sum + LAST - digit(digits, i));
    mote_store16be(digits + n, (uint16_t)(sum << 4));
    for (i = 0; i < count; i++, signature += n) {
        memcpy(nodes[kept], signature, n);
        heights[kept] = 0;
        chain_end(w, leaf, i, digit(digits, i), nodes[kept++]);
        begin_address(w, L_TREE, leaf);
        while (kept > 1 && (heights[kept - 2] == heights[kept - 1] || i + 1 == count)) {
            const uint8_t height = heights[kept - 2];
            join(w, height, (uint32_t)i >> (height + 1), nodes[kept - 2], nodes[kept - 1],
                 nodes[kept - 2]);
            heights[--kept - 1] = (uint8_t)(height + 1);
        }
    }
    memcpy(node, nodes[0], n);
}

/* Algorithm 13: from a leaf to the root, in the same place. */
static void climb(work *w, uint32_t leaf, const uint8_t *path, uint8_t *node)
{
    const uint8_t n = w->set->n;
    uint8_t other[N_MAX], height;
    begin_address(w, TREE, 0);
    for (height = 0; height < w->set->height; height++, path += n) {
        memcpy(other, path, n);
        if (leaf >> height & 1)
            join(w, height, leaf >> height >> 1, other, node, node);
        else
            join(w, height, leaf >> height >> 1, node, other, node);
    }
}

/*
 * The message with its randomiser, the root and the index, which is n bytes long (algorithms 14 and
 * 17).
 */
static void hash_message(work *w, const uint8_t *root, const uint8_t *index, const uint8_t *message,
                         size_t len, uint8_t *node)
{
    const mote_xmss_set *set = w->set;
    const uint8_t zeros[N_MAX] = {0}, index_bytes = index_len(set);
    set->hash->start(w, D_MESSAGE);
    set->hash->update(w, index + index_bytes, set->n);
    set->hash->update(w, root, set->n);
    set->hash->update(w, zeros, (size_t)(set->n - index_bytes));
    set->hash->update(w, index, index_bytes);
    set->hash->update(w, message, len);
    set->hash->finish(w, node);
}

uint8_t mote_xmss_verify(const mote_xmss_set *set, const uint8_t *public, const uint8_t *message,
                         size_t len, const uint8_t *signature)
{
    const uint8_t *at = signature, *root = public + 4;
    const uint8_t layers = layers_of(set);
    uint64_t index = 0;
    uint8_t node[N_MAX], i;
    work w = {.set = set, .seed = root + set->n};
    for (i = 0; i < index_len(set); i++)
        index = index << 8 | *at++;
    if (mote_load32be(public) != set->oid || index >> (set->height * layers) != 0)
        return 1;
    set->hash->prepare(&w);
    hash_message(&w, root, signature, message, len, node);
    at += set->n;
    for (i = 0; i < layers; i++) {
        const uint32_t leaf = (uint32_t)index & (((uint32_t)1 << set->height) - 1);
        index >>= set->height;
        w.address[AT_LAYER] = i;
        mote_store64be(w.address + AT_TREE, index);
        leaf_of(&w, leaf, at, node);
        at += (size_t)chains(set) * set->n;
        climb(&w, leaf, at, node);
        at += (size_t)set->height * set->n;
    }
    return memcmp(node, root, set->n) != 0;
}
