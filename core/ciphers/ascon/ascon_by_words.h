/*
 * The pieces of ascon_modes.h for any state: all goes through words of 64 bits, as little-endian
 * bytes. For a file that has defined before
 *
 *     static void absorb(ascon_state *x, uint8_t word, const uint8_t b[8]);
 *         x[word] ^= b, little-endian
 *     static void squeeze(const ascon_state *x, uint8_t word, uint8_t b[8]);
 *         b = x[word]
 *     static void crypt_word(ascon_state *x, uint8_t word, const uint8_t in[8], uint8_t out[8],
 *                            uint8_t decrypting);
 *         out = in ^ x[word]; x[word] = ciphertext
 */
#ifndef MOTE_ASCON_BY_WORDS_H
#define MOTE_ASCON_BY_WORDS_H

/* 16 bytes of key, nonce or padding into two words. */
static void absorb2(ascon_state *x, uint8_t word, const uint8_t b[2 * WORD])
{
    absorb(x, word, b);
    absorb(x, (uint8_t)(word + 1), b + WORD);
}

#define absorb_key absorb2 /* the key is kept as bytes */

/* `n` bytes from byte `at` of the rate on, all in one word. */
static void absorb_part(ascon_state *x, uint8_t at, const uint8_t *in, uint8_t n)
{
    uint8_t b[WORD] = {0};
    memcpy(b + (at & 7), in, n);
    absorb(x, at >> 3, b);
    mote_wipe(b, sizeof b);
}

static void pad(ascon_state *x, uint8_t at)
{
    static const uint8_t one = 1;
    absorb_part(x, at, &one, 1);
}

static void initialise(ascon_state *x, uint32_t high, uint32_t low)
{
    uint8_t iv[WORD];
    memset(x, 0, sizeof *x);
    mote_store32le(iv, low);
    mote_store32le(iv + 4, high);
    absorb(x, 0, iv);
}

static void copy_key(uint8_t to[KEY], const uint8_t *key)
{
    mote_copy_words(to, key, KEY / 4);
}

static void squeeze_tag(ascon_state *x, const uint8_t key[KEY], uint8_t *tag)
{
    uint8_t i;
    squeeze(x, 3, tag);
    squeeze(x, 4, tag + WORD);
    for (i = 0; i < TAG; i++)
        tag[i] ^= key[i];
}

static void aead_process(aead_state *s, const uint8_t *in, uint8_t *out, size_t len,
                         uint8_t decrypting)
{
    uint8_t b[WORD], plain[WORD], i;
    while (len > 0) {
        const uint8_t at = s->filled & 7, n = piece(s->filled, len);
        if (n == WORD) {
            crypt_word(&s->x, s->filled >> 3, in, out, decrypting);
        } else {
            squeeze(&s->x, s->filled >> 3, b);
            memset(plain, 0, sizeof plain);
            for (i = 0; i < n; i++) {
                const uint8_t from = in[i], to = from ^ b[at + i];
                plain[at + i] = decrypting ? to : from;
                out[i] = to;
            }
            absorb(&s->x, s->filled >> 3, plain);
        }
        aead_advance(s, n);
        in += n;
        out += n;
        len -= n;
    }
    mote_wipe(b, sizeof b);
    mote_wipe(plain, sizeof plain);
}

#endif
