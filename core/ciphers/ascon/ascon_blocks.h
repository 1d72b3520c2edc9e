/*
 * The pieces of ascon_modes.h for ARMv7-M, where functions in assembly (ascon_armv7m.S) have the
 * state in registers from block to block. They separate even and odd bits of what comes in, and
 * join them in what goes out. The key is kept separated.
 */
#ifndef MOTE_ASCON_BLOCKS_H
#define MOTE_ASCON_BLOCKS_H

/* Zero but for the first word. */
void mote_ascon_begin(ascon_state *x, uint32_t high, uint32_t low);

/*
 * Even bits of eight bytes, then odd ones turned right by four, as words; `to` is aligned to words.
 */
void mote_ascon_interleave(uint8_t to[WORD], const uint8_t bytes[WORD]);

void mote_ascon_add(ascon_state *x, uint8_t word, const uint8_t bytes[WORD]);
void mote_ascon_get(const ascon_state *x, uint8_t word, uint8_t bytes[WORD]);

/* At least one byte from byte `at` of the state on, all in one word. */
void mote_ascon_add_part(ascon_state *x, uint8_t at, const uint8_t *in, uint8_t n);

/* At least one byte from byte `at` of the rate on. */
void mote_ascon_crypt_part(ascon_state *x, const uint8_t *in, uint8_t *out, uint8_t n, uint8_t at,
                           uint8_t decrypting);

/*
 * `len` bytes, at least one block of 16; eight rounds between two, but neither before the first nor
 * after the last.
 */
void mote_ascon_crypt(ascon_state *x, const uint8_t *in, uint8_t *out, size_t len,
                      uint8_t decrypting);

/*
 * `len` bytes, at least one block: of one word, each followed by twelve rounds, or of two words,
 * each followed by eight.
 */
void mote_ascon_absorb(ascon_state *x, const uint8_t *in, size_t len, uint8_t words);

static void absorb(ascon_state *x, uint8_t word, const uint8_t b[WORD])
{
    mote_ascon_add(x, word, b);
}

static void squeeze(const ascon_state *x, uint8_t word, uint8_t b[WORD])
{
    mote_ascon_get(x, word, b);
}

static void absorb2(ascon_state *x, uint8_t word, const uint8_t b[2 * WORD])
{
    absorb(x, word, b);
    absorb(x, (uint8_t)(word + 1), b + WORD);
}

static void copy_key(uint8_t to[KEY], const uint8_t *key)
{
    mote_ascon_interleave(to, key);
    mote_ascon_interleave(to + WORD, key + WORD);
}

static uint32_t key_word(const uint8_t *key)
{
    uint32_t v;
    memcpy(&v, __builtin_assume_aligned(key, sizeof v), sizeof v);
    return v;
}

static void absorb_key(ascon_state *x, uint8_t word, const uint8_t key[KEY])
{
    x->even[word] ^= key_word(key);
    x->odd[word] ^= key_word(key + 4);
    x->even[word + 1] ^= key_word(key + 8);
    x->odd[word + 1] ^= key_word(key + 12);
}

static void absorb_part(ascon_state *x, uint8_t at, const uint8_t *in, uint8_t n)
{
    if (n > 0)
        mote_ascon_add_part(x, at, in, n);
}

/* The lowest bit of a byte is an even one. */
static void pad(ascon_state *x, uint8_t at)
{
    x->even[at >> 3] ^= UINT32_C(1) << 4 * (at & 7);
}

static void initialise(ascon_state *x, uint32_t high, uint32_t low)
{
    mote_ascon_begin(x, high, low);
}

static void squeeze_tag(ascon_state *x, const uint8_t key[KEY], uint8_t *tag)
{
    absorb_key(x, 3, key);
    squeeze(x, 3, tag);
    squeeze(x, 4, tag + WORD);
}

/* The states after the first permutation are constants: SP 800-232, table 12. */
static void start_sponge(sponge_state *s, uint8_t xof)
{
    static const ascon_state first[2] = {
        {{0x56e696e1, 0x990657dc, 0x2b5a9644, 0x6fe2f8b5, 0x4ea92b7b},
         {0x8b308e49, 0x939c3550, 0x3f46674e, 0xd678c872, 0x63212189}},
        {{0xc0ae36b9, 0xaeabf6d9, 0xbc3f00e5, 0x288d99ca, 0x8ef2db1e},
         {0xfb9b5a81, 0x6a6d933e, 0x4d0b9821, 0xa3cf1072, 0xbc044b73}},
    };
    s->x = first[xof];
    s->filled = 0;
}

static void aead_process(aead_state *s, const uint8_t *in, uint8_t *out, size_t len,
                         uint8_t decrypting)
{
    while (len > 0) {
        size_t n;
        if (s->filled == 0 && len >= RATE) {
            n = len & ~(size_t)(RATE - 1);
            mote_ascon_crypt(&s->x, in, out, n, decrypting);
            permute(&s->x, SHORT);
        } else {
            n = (size_t)(RATE - s->filled);
            if (len < n)
                n = len;
            mote_ascon_crypt_part(&s->x, in, out, (uint8_t)n, s->filled, decrypting);
            aead_advance(s, (uint8_t)n);
        }
        in += n;
        out += n;
        len -= n;
    }
}

#endif
