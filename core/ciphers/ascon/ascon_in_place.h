/*
 * The pieces of ascon_modes.h for a state that lies in memory like the message: little-endian words
 * on a little-endian machine. Bytes are added where they are, and whole words at once if the
 * message is aligned to 32 bits.
 */
#ifndef MOTE_ASCON_IN_PLACE_H
#define MOTE_ASCON_IN_PLACE_H

static inline __attribute__((always_inline)) uint32_t load(const uint8_t *p, uint8_t aligned)
{
    uint32_t v;
    if (!aligned)
        return mote_load32le(p);
    memcpy(&v, __builtin_assume_aligned(p, sizeof v), sizeof v);
    return v;
}

static inline __attribute__((always_inline)) void store(uint8_t *p, uint32_t v, uint8_t aligned)
{
    if (aligned)
        memcpy(__builtin_assume_aligned(p, sizeof v), &v, sizeof v);
    else
        mote_store32le(p, v);
}

static inline uint8_t is_aligned(const uint8_t *p)
{
    return ((uintptr_t)p & 3) == 0;
}

/* `n` words of 32 bits. */
static void add_words(uint32_t *to, const uint8_t *in, uint8_t n)
{
    uint32_t *const end = to + n;
    if (is_aligned(in)) {
        for (; to != end; in += 4)
            *to++ ^= load(in, 1);
    } else {
        for (; to != end; in += 4)
            *to++ ^= load(in, 0);
    }
}

static void store_words(uint8_t *out, const uint32_t *from, uint8_t n)
{
    const uint32_t *const end = from + n;
    if (is_aligned(out)) {
        for (; from != end; out += 4)
            store(out, *from++, 1);
    } else {
        for (; from != end; out += 4)
            store(out, *from++, 0);
    }
}

static void absorb(ascon_state *x, uint8_t word, const uint8_t b[WORD])
{
    add_words(x->half + 2 * word, b, 2);
}

static void absorb2(ascon_state *x, uint8_t word, const uint8_t b[2 * WORD])
{
    uint32_t *to = x->half + 2 * word;
    if (is_aligned(b)) {
        to[0] ^= load(b, 1);
        to[1] ^= load(b + 4, 1);
        to[2] ^= load(b + 8, 1);
        to[3] ^= load(b + 12, 1);
    } else {
        add_words(to, b, 4);
    }
}

#define absorb_key absorb2 /* the key is kept as bytes */

static void absorb_part(ascon_state *x, uint8_t at, const uint8_t *in, uint8_t n)
{
    uint8_t *to = x->bytes + at, *const end = to + n;
    while (to != end)
        *to++ ^= *in++;
}

static void pad(ascon_state *x, uint8_t at)
{
    x->bytes[at] ^= 1;
}

static void squeeze(const ascon_state *x, uint8_t word, uint8_t b[WORD])
{
    store_words(b, x->half + 2 * word, 2);
}

static void squeeze_tag(ascon_state *x, const uint8_t key[KEY], uint8_t tag[TAG])
{
    absorb2(x, 3, key);
    store_words(tag, x->half + 6, 4);
}

static void copy_key(uint8_t to[KEY], const uint8_t *key)
{
    uint8_t i;
    for (i = 0; i < KEY; i += 4)
        store(to + i, is_aligned(key) ? load(key + i, 1) : load(key + i, 0), 1);
}

static void initialise(ascon_state *x, uint32_t high, uint32_t low)
{
    x->half[0] = low;
    x->half[1] = high;
    /* Of a loop compilers make memset, which sets bytes on small boards. */
    x->w[1] = x->w[2] = x->w[3] = x->w[4] = 0;
}

/* The states after the first permutation are constants: SP 800-232, table 12. */
static void start_sponge(sponge_state *s, uint8_t xof)
{
    static const uint32_t first[2][10] = {
        {0xe934d681, 0x9b1e5494, 0x333751d2, 0x4bc3a01e, 0x6b34b81a, 0xae65396c, 0xd56a4db3,
         0x3c7fd4a4, 0x06c5976d, 0x1a5c4649},
        {0x8d9447eb, 0xda82ce76, 0x5f1ef969, 0xcc7ce6c7, 0x80085631, 0xe7508fd7, 0x416b58cc,
         0x0ee0ea53, 0xdb6f0bde, 0xe0547524},
    };
    const uint32_t *from = first[xof];
    uint8_t i;
    for (i = 0; i < 10; i++)
        s->x.half[i] = from[i];
    s->filled = 0;
}

static inline __attribute__((always_inline)) void
crypt_word(uint32_t *x, const uint8_t *in, uint8_t *out, uint32_t kept, uint8_t aligned)
{
    const uint32_t from = load(in, aligned), to = from ^ *x;
    store(out, to, aligned);
    *x = to ^ ((to ^ from) & kept);
}

/* A block; what stays of it in the state is the output, or the input under the mask `kept`. */
static void crypt_block(uint32_t *x, const uint8_t *in, uint8_t *out, uint32_t kept)
{
    uint8_t i;
    if (is_aligned(in) && is_aligned(out)) {
        crypt_word(x, in, out, kept, 1);
        crypt_word(x + 1, in + 4, out + 4, kept, 1);
        crypt_word(x + 2, in + 8, out + 8, kept, 1);
        crypt_word(x + 3, in + 12, out + 12, kept, 1);
        return;
    }
    for (i = 0; i < RATE; i += 4)
        crypt_word(x++, in + i, out + i, kept, 0);
}

static void aead_process(aead_state *s, const uint8_t *in, uint8_t *out, size_t len,
                         uint8_t decrypting)
{
    while (len > 0) {
        uint8_t n;
        n = (uint8_t)(RATE - s->filled);
        if (len < n)
            n = (uint8_t)len;
        if (n == RATE) {
            crypt_block(s->x.half, in, out, (uint32_t)0 - decrypting);
        } else {
            uint8_t *state = s->x.bytes + s->filled, i;
            for (i = 0; i < n; i++) {
                const uint8_t from = in[i], to = from ^ state[i];
                out[i] = to;
                state[i] = decrypting ? from : to;
            }
        }
        aead_advance(s, n);
        in += n;
        out += n;
        len -= n;
    }
}

#endif
