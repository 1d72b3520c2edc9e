/*
 * Every block cipher in every mode that only encrypts: pieces, places, alignments, both directions.
 */
#include <string.h>

#include "mote/modes.h"
#include "work.h"

static const mote_mode *const MODES[] = {
    &mote_ecb, &mote_cbc, &mote_cfb, &mote_cfb8, &mote_ofb, &mote_ctr};

typedef struct subject {
    const mote_block_cipher *cipher;
    const mote_mode *mode;
    guarded schedule, inverse; /* for encryption, for decryption with this mode */
    guarded chain;
    uint8_t iv[MOTE_BLOCK_MAX];
} subject;

/* One message, in pieces of any length or in one. */
static void message(const subject *s, bool decrypt, bool pieces, const uint8_t *in, uint8_t *out,
                    size_t len)
{
    mote_chain *chain = (mote_chain *)(void *)s->chain.at;
    mote_process *step = decrypt ? s->mode->decrypt : s->mode->encrypt;
    const size_t unit = s->mode->whole_blocks ? s->cipher->block_len : 1;
    const bool inverts = decrypt && s->mode->inverts;
    mote_chain_start(chain, s->cipher, inverts ? s->inverse.at : s->schedule.at,
                     s->mode->has_iv ? s->iv : NULL);
    for (size_t at = 0; at < len;) {
        const size_t n = pieces ? piece(len - at, unit) : len;
        step(chain, in + at, out + at, n);
        at += n;
    }
    EXPECT(guarded_whole(&s->schedule) && guarded_whole(&s->inverse) && guarded_whole(&s->chain));
}

/* `from` gives `to` by every way there is. */
static void every_way(const subject *s, bool decrypt, const uint8_t *from, const uint8_t *to,
                      size_t len)
{
    for (size_t offset = 0; offset < 8; offset += 1 + len % 7) { /* all of them, over the lengths */
        const bool pieces = offset % 2 != 0;
        guarded in = guarded_new(len, offset), out = guarded_new(len, (offset * 3 + len) % 8);
        memcpy(in.at, from, len);
        message(s, decrypt, pieces, in.at, out.at, len);
        EXPECT(memcmp(out.at, to, len) == 0);
        EXPECT(memcmp(in.at, from, len) == 0);
        message(s, decrypt, !pieces, in.at, in.at, len);
        EXPECT(memcmp(in.at, to, len) == 0);
        EXPECT(guarded_whole(&in) && guarded_whole(&out));
        guarded_free(&in);
        guarded_free(&out);
    }
}

static void mode(const mote_implementation *impl, subject *s)
{
    const size_t block_len = s->cipher->block_len;
    about(impl, s->cipher->name, s->mode->name);
    for (size_t len = 0; len != SIZE_MAX; len = next_len(len, block_len)) {
        if (s->mode->whole_blocks && len % block_len != 0)
            continue;
        guarded plain = guarded_new(len, 0), cipher = guarded_new(len, 0);
        message(s, false, false, plain.at, cipher.at, len);
        EXPECT(guarded_whole(&cipher));
        EXPECT(len < block_len || memcmp(plain.at, cipher.at, len) != 0);
        every_way(s, false, plain.at, cipher.at, len);
        every_way(s, true, cipher.at, plain.at, len);
        guarded_free(&plain);
        guarded_free(&cipher);
    }
}

/* Functions for several blocks do the same as those for one. */
static void several(const mote_implementation *impl, const subject *s, bool decrypt)
{
    const mote_block_cipher *cipher = s->cipher;
    const size_t block_len = cipher->block_len;
    const void *schedule = decrypt ? s->inverse.at : s->schedule.at;
    void (*many)(const void *, const uint8_t *, uint8_t *, size_t) =
        decrypt ? cipher->decrypt_blocks : cipher->encrypt_blocks;
    about(impl, cipher->name, decrypt ? "decrypt_blocks" : "encrypt_blocks");
    for (size_t blocks = 0; blocks <= 2 * MOTE_BATCH + 1 && many != NULL; blocks++) {
        guarded in = guarded_new(blocks * block_len, blocks % 8),
                apart = guarded_new(in.len, (blocks + 3) % 8);
        guarded single = guarded_new(in.len, 0);
        for (size_t at = 0; at < in.len; at += block_len)
            (decrypt ? cipher->decrypt : cipher->encrypt)(schedule, in.at + at, single.at + at);
        many(schedule, in.at, apart.at, blocks);
        many(schedule, in.at, in.at, blocks);
        EXPECT(memcmp(single.at, apart.at, in.len) == 0 && memcmp(single.at, in.at, in.len) == 0);
        EXPECT(guarded_whole(&in) && guarded_whole(&apart));
        guarded_free(&in);
        guarded_free(&apart);
        guarded_free(&single);
    }
}

/* CTR by definition, with a counter that carries through `ones` bytes after seven blocks. */
static void counter(const mote_implementation *impl, const subject *s, size_t ones)
{
    enum { BLOCKS = 20 };
    const size_t block_len = s->cipher->block_len;
    uint8_t block[MOTE_BLOCK_MAX], plain[BLOCKS * MOTE_BLOCK_MAX], made[sizeof plain];
    mote_chain chain;
    about(impl, s->cipher->name, "ctr with a carry");
    fill(plain, sizeof plain);
    fill(block, sizeof block);
    memset(block + block_len - ones, 0xff, ones);
    block[block_len - 1] = 0xf9;
    mote_chain_start(&chain, s->cipher, s->schedule.at, block);
    mote_ctr.encrypt(&chain, plain, made, BLOCKS * block_len);
    for (size_t at = 0; at < BLOCKS * block_len; at += block_len) {
        uint8_t stream[MOTE_BLOCK_MAX], differs = 0;
        s->cipher->encrypt(s->schedule.at, block, stream);
        for (size_t i = 0; i < block_len; i++)
            differs |= (uint8_t)(plain[at + i] ^ stream[i] ^ made[at + i]);
        EXPECT(differs == 0);
        for (size_t i = block_len; i-- > 0 && ++block[i] == 0;)
            ;
    }
}

static void block_cipher(const mote_implementation *impl, const mote_block_cipher *cipher)
{
    guarded key = guarded_new(cipher->key_len, number(8));
    subject s = {.cipher = cipher,
                 .schedule = guarded_new(cipher->schedule_len, 0),
                 .inverse = guarded_new(cipher->schedule_len, 0),
                 .chain = guarded_new(sizeof(mote_chain), 0)};
    cipher->set_key(s.schedule.at, key.at);
    if (cipher->set_decrypt_key != NULL)
        cipher->set_decrypt_key(s.inverse.at, key.at);
    else
        memcpy(s.inverse.at, s.schedule.at, cipher->schedule_len);
    fill(s.iv, sizeof s.iv);
    memset(s.iv + cipher->block_len - 3, 0xff, 3); /* a counter that carries */
    several(impl, &s, false);
    several(impl, &s, true);
    for (size_t i = 0; i < sizeof MODES / sizeof MODES[0]; i++) {
        s.mode = MODES[i];
        mode(impl, &s);
    }
    for (size_t ones = 1; ones <= cipher->block_len; ones++)
        counter(impl, &s, ones);
    EXPECT(guarded_whole(&key));
    guarded_free(&key);
    guarded_free(&s.schedule);
    guarded_free(&s.inverse);
    guarded_free(&s.chain);
}

int main(void)
{
    check_begin();
    for (size_t i = 0; implementations[i] != NULL; i++) {
        for (uint8_t k = 0; k < implementations[i]->block_count; k++)
            block_cipher(implementations[i], &implementations[i]->blocks[k]);
    }
    return check_end();
}
