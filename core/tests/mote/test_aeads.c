/*
 * Every AEAD, and every block cipher in every mode that authenticates: pieces, places, alignments,
 * forgeries.
 */
#include <string.h>

#include "aeads.h"

enum { AAD_MOST = 70, TAG_MOST = 32 };

typedef struct text {
    guarded plain, cipher;
    uint8_t nonce[255], aad[AAD_MOST], tag[TAG_MOST];
    mote_aead_message message;
} text;

/* Encrypts or decrypts `text` from `in` to `out` and compares what comes out and the tag. */
static void pass(const aead_subject *s, const text *t, bool decrypt, bool pieces, const uint8_t *in,
                 uint8_t *out)
{
    void *state = s->state.at;
    const size_t len = t->message.message_len;
    guarded tag = guarded_new(t->message.tag_len, number(8));
    s->aead->start(state, &t->message);
    for (size_t at = 0; at < len;) {
        const size_t n = pieces ? piece(len - at, 1) : len;
        (decrypt ? s->aead->decrypt : s->aead->encrypt)(state, in + at, out + at, n);
        at += n;
    }
    s->aead->tag(state, tag.at);
    EXPECT(memcmp(out, decrypt ? t->plain.at : t->cipher.at, len) == 0);
    EXPECT(memcmp(tag.at, t->tag, t->message.tag_len) == 0);
    EXPECT(guarded_whole(&s->state) && guarded_whole(&s->schedule) && guarded_whole(&tag));
    guarded_free(&tag);
}

static void every_way(const aead_subject *s, const text *t)
{
    const size_t len = t->message.message_len;
    for (size_t offset = 0; offset < 8; offset += 1 + len % 7) { /* all of them, over the lengths */
        const bool pieces = offset % 2 != 0;
        guarded in = guarded_new(len, offset), out = guarded_new(len, (offset * 3 + len) % 8);
        memcpy(in.at, t->plain.at, len);
        pass(s, t, false, pieces, in.at, out.at);
        pass(s, t, true, !pieces, out.at, out.at);
        pass(s, t, false, !pieces, in.at, in.at);
        pass(s, t, true, pieces, in.at, out.at);
        EXPECT(guarded_whole(&in) && guarded_whole(&out));
        guarded_free(&in);
        guarded_free(&out);
    }
}

/* A message with one bit changed somewhere is refused, and nothing of it is left. */
static void refused(const aead_subject *s, const text *t, const uint8_t *changed,
                    const uint8_t *tag, bool in_place)
{
    guarded out = guarded_new(t->message.message_len, number(8));
    if (in_place)
        memcpy(out.at, changed, out.len);
    EXPECT(mote_open(s->aead, s->state.at, &t->message, in_place ? out.at : changed, out.at, tag) ==
           1);
    EXPECT(all_zero(out.at, out.len));
    EXPECT(guarded_whole(&out));
    guarded_free(&out);
}

static void flip(uint8_t *bytes, size_t len)
{
    bytes[number(len)] ^= (uint8_t)(1u << number(8));
}

static void forgeries(const aead_subject *s, text *t)
{
    const size_t len = t->message.message_len;
    guarded out = guarded_new(len, number(8)), changed = guarded_new(len, number(8));
    EXPECT(mote_open(s->aead, s->state.at, &t->message, t->cipher.at, out.at, t->tag) == 0);
    EXPECT(memcmp(out.at, t->plain.at, len) == 0);
    EXPECT(guarded_whole(&out));
    for (uint8_t at = 0; at < t->message.tag_len; at++) {
        uint8_t tag[TAG_MOST];
        memcpy(tag, t->tag, sizeof tag);
        tag[at] ^= (uint8_t)(1u << number(8));
        refused(s, t, t->cipher.at, tag, at % 2 != 0);
    }
    if (t->message.tag_len >= 4) { /* shorter ones are guessed now and then */
        memcpy(changed.at, t->cipher.at, len);
        if (len > 0) {
            flip(changed.at, len);
            refused(s, t, changed.at, t->tag, true);
        }
        if (t->message.aad_len > 0) {
            flip(t->aad, t->message.aad_len);
            refused(s, t, t->cipher.at, t->tag, false);
        }
        if (t->message.nonce_len > 0) {
            flip(t->nonce, t->message.nonce_len);
            refused(s, t, t->cipher.at, t->tag, false);
        }
    }
    guarded_free(&out);
    guarded_free(&changed);
}

/* Lengths of nonce, AAD and tag that differ from message to message. */
static void choose_lengths(const aead_subject *s, text *t, size_t len)
{
    static const uint8_t nonces[] = {12, 0, 1, 255, 16, 8, 17, 13, 7};
    static const uint8_t aads[] = {0, 1, 8, 13, 16, 17, 32, 7, AAD_MOST};
    mote_aead_message *m = &t->message;
    *m = (mote_aead_message){.nonce = t->nonce, .aad = t->aad, .message_len = len};
    do {
        const size_t i = number(sizeof nonces);
        m->nonce_len = i == 0 ? s->aead->nonce_min : i == 1 ? s->aead->nonce_max : nonces[i];
        m->tag_len = (uint8_t)(number(2) ? s->tag_max : s->aead->tag_min + number(s->tag_max));
    } while (!aead_takes(s, m));
    m->aad_len = aads[number(sizeof aads)];
    if (m->aad_len == 0)
        m->aad = NULL;
    fill(t->nonce, sizeof t->nonce);
    fill(t->aad, sizeof t->aad);
}

static void aead(aead_subject *s)
{
    guarded key = guarded_new(s->key_len, number(8));
    aead_set_key(s, key.at);
    for (size_t len = 0; len != SIZE_MAX; len = next_len(len, s->unit)) {
        text t = {.plain = guarded_new(len, 0), .cipher = guarded_new(len, 0)};
        choose_lengths(s, &t, len);
        s->aead->start(s->state.at, &t.message);
        s->aead->encrypt(s->state.at, t.plain.at, t.cipher.at, len);
        s->aead->tag(s->state.at, t.tag);
        EXPECT(len < 8 || memcmp(t.plain.at, t.cipher.at, len) != 0);
        EXPECT(guarded_whole(&t.cipher));
        every_way(s, &t);
        forgeries(s, &t);
        guarded_free(&t.plain);
        guarded_free(&t.cipher);
    }
    EXPECT(guarded_whole(&key));
    guarded_free(&key);
}

int main(void)
{
    check_begin();
    aead_subject s;
    for (size_t i = 0; aead_at(i, &s); i++) {
        aead(&s);
        aead_free(&s);
    }
    return check_end();
}
