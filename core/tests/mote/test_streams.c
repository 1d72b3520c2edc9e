/* Every stream cipher: pieces, places, alignments, again and again after one key. */
#include <string.h>

#include "work.h"

enum { UNIT = 16 }; /* what lengths go by */

typedef struct subject {
    const mote_stream_cipher *cipher;
    guarded state;
    uint8_t nonce[255], nonce_len;
} subject;

static void message(const subject *s, bool pieces, const uint8_t *in, uint8_t *out, size_t len)
{
    s->cipher->start(s->state.at, s->nonce, s->nonce_len);
    for (size_t at = 0; at < len;) {
        const size_t n = pieces ? piece(len - at, 1) : len;
        s->cipher->process(s->state.at, in + at, out + at, n);
        at += n;
    }
    EXPECT(guarded_whole(&s->state));
}

static void lengths(const subject *s)
{
    for (size_t len = 0; len != SIZE_MAX; len = next_len(len, UNIT)) {
        guarded plain = guarded_new(len, 0), cipher = guarded_new(len, 0);
        message(s, false, plain.at, cipher.at, len);
        EXPECT(len < UNIT || memcmp(plain.at, cipher.at, len) != 0);
        /* All of them, over the lengths. */
        for (size_t offset = 0; offset < 8; offset += 1 + len % 7) {
            guarded in = guarded_new(len, offset), out = guarded_new(len, (offset * 3 + len) % 8);
            memcpy(in.at, plain.at, len);
            message(s, true, in.at, out.at, len);
            EXPECT(memcmp(out.at, cipher.at, len) == 0 && memcmp(in.at, plain.at, len) == 0);
            message(s, offset % 2 != 0, in.at, in.at, len);
            EXPECT(memcmp(in.at, cipher.at, len) == 0);
            message(s, offset % 2 == 0, in.at, in.at, len);
            EXPECT(memcmp(in.at, plain.at, len) == 0);
            EXPECT(guarded_whole(&in) && guarded_whole(&out));
            guarded_free(&in);
            guarded_free(&out);
        }
        guarded_free(&plain);
        guarded_free(&cipher);
    }
}

static void stream_cipher(const mote_implementation *impl, const mote_stream_cipher *cipher)
{
    guarded key = guarded_new(cipher->key_len, number(8));
    subject s = {.cipher = cipher, .state = guarded_new(cipher->state_len, 0)};
    about(impl, cipher->name, "");
    cipher->set_key(s.state.at, key.at);
    fill(s.nonce, sizeof s.nonce);
    s.nonce_len = cipher->nonce_min;
    lengths(&s);
    if (cipher->nonce_max != cipher->nonce_min) {
        s.nonce_len = cipher->nonce_max;
        lengths(&s);
    }
    EXPECT(guarded_whole(&key));
    guarded_free(&key);
    guarded_free(&s.state);
}

int main(void)
{
    check_begin();
    CHECK(implementations[0] != NULL);
    for (size_t i = 0; implementations[i] != NULL; i++) {
        for (uint8_t k = 0; k < implementations[i]->stream_count; k++)
            stream_cipher(implementations[i], &implementations[i]->streams[k]);
    }
    return check_end();
}
