/*
 * Decryption of hostile messages by every AEAD: libFuzzer's entry point, which fuzz_aead_main.c
 * drives where there is none.
 *
 * An input is: which AEAD (2 bytes), lengths of nonce, tag and AAD (a byte each), a seed of key and
 * pieces (1), then nonce, tag, AAD, and the message that is left. What is accepted must be what
 * encryption makes; what is refused must leave nothing; whatever happens, nothing beside the output
 * may be written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aeads.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

typedef struct input {
    const uint8_t *at;
    size_t left;
} input;

static const uint8_t *take(input *in, size_t len)
{
    const uint8_t *at = in->at;
    if (len > in->left)
        return NULL;
    in->at += len;
    in->left -= len;
    return at;
}

static void stop(const char *what)
{
    complain();
    (void)fprintf(stderr, "%s\n", what);
    abort();
}

/* The tag that encryption gives for a message that was accepted. */
static void must_be_genuine(aead_subject *s, const mote_aead_message *message, const uint8_t *plain,
                            const uint8_t *cipher, const uint8_t *tag)
{
    guarded again = guarded_new(message->message_len, 0);
    uint8_t made[32];
    s->aead->start(s->state.at, message);
    s->aead->encrypt(s->state.at, plain, again.at, message->message_len);
    s->aead->tag(s->state.at, made);
    if (memcmp(again.at, cipher, message->message_len) != 0 ||
        memcmp(made, tag, message->tag_len) != 0)
        stop("accepted what encryption does not make");
    guarded_free(&again);
}

/*
 * The encrypted message of the input must be accepted; with a bit of the tag changed it must not.
 */
static void must_accept(aead_subject *s, const mote_aead_message *message, const uint8_t *plain,
                        uint8_t seed)
{
    guarded sealed = guarded_new(message->message_len, seed % 8u),
            opened = guarded_new(message->message_len, seed % 3u);
    guarded tag = guarded_new(message->tag_len, seed % 5u);
    const size_t middle = message->message_len > 0 ? seed % message->message_len : 0;
    s->aead->start(s->state.at, message);
    s->aead->encrypt(s->state.at, plain, sealed.at, middle);
    s->aead->encrypt(s->state.at, plain + middle, sealed.at + middle,
                     message->message_len - middle);
    s->aead->tag(s->state.at, tag.at);
    if (mote_open(s->aead, s->state.at, message, sealed.at, opened.at, tag.at) != 0 ||
        memcmp(opened.at, plain, message->message_len) != 0)
        stop("refused what encryption made, or gave something else");
    tag.at[seed % message->tag_len] ^= 0x10;
    if (mote_open(s->aead, s->state.at, message, sealed.at, opened.at, tag.at) != 1 ||
        !all_zero(opened.at, opened.len))
        stop("a forged tag was accepted, or left something");
    if (!guarded_whole(&sealed) || !guarded_whole(&opened) || !guarded_whole(&tag))
        stop("wrote beside the output");
    guarded_free(&sealed);
    guarded_free(&opened);
    guarded_free(&tag);
}

static void decrypt(aead_subject *s, const mote_aead_message *message, const uint8_t *cipher,
                    const uint8_t *tag)
{
    guarded out = guarded_new(message->message_len, number(8));
    if (mote_open(s->aead, s->state.at, message, cipher, out.at, tag) == 0)
        must_be_genuine(s, message, out.at, cipher, tag);
    else if (!all_zero(out.at, out.len))
        stop("refused, and something was left");
    if (!guarded_whole(&out))
        stop("wrote beside the output");
    guarded_free(&out);
}

static size_t subjects(void)
{
    static size_t count;
    aead_subject s;
    while (count == 0 || aead_at(count, &s)) {
        if (count > 0)
            aead_free(&s);
        count++;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    input in = {data, len};
    const uint8_t *head = take(&in, 6);
    aead_subject s;
    if (head == NULL || !aead_at((head[0] | (size_t)head[1] << 8) % subjects(), &s))
        return 0;
    const uint8_t seed = head[5];
    mote_aead_message message = {.nonce_len = head[2], .tag_len = head[3], .aad_len = head[4]};
    const uint8_t *tag = NULL;
    if (message.tag_len <= s.tag_max && (message.nonce = take(&in, message.nonce_len)) != NULL &&
        (tag = take(&in, message.tag_len)) != NULL &&
        (message.aad = take(&in, message.aad_len)) != NULL) {
        message.message_len = in.left;
        if (aead_takes(&s, &message)) {
            uint8_t key[256];
            memset(key, seed, sizeof key);
            aead_set_key(&s, key);
            decrypt(&s, &message, in.at, tag);
            must_accept(&s, &message, in.at, seed);
        }
    }
    aead_free(&s);
    return 0;
}
