/*
 * Implementations that are no ciphers: they have every form that descriptors allow, so that the
 * modes and the tests meet each of them whatever core/ciphers has. `toy` claims constant time and
 * keeps to it; `toy_leak` does not keep to it.
 */
#include <string.h>

#include "mote/cipher.h"

typedef struct toy_key { uint8_t bytes[16]; } toy_key;

static void set_key(void *schedule, const uint8_t *key)
{
    memcpy(schedule, key, sizeof(toy_key));
}

/* A schedule of its own for decryption: the complement. */
static void set_decrypt_key(void *schedule, const uint8_t *key)
{
    toy_key *s = schedule;
    for (size_t i = 0; i < sizeof s->bytes; i++)
        s->bytes[i] = (uint8_t)~key[i];
}

enum { ROUNDS = 3 };

/* Effect of byte i on the next one. */
static uint8_t mix(const toy_key *key, uint8_t byte, size_t i)
{
    return (uint8_t)(((unsigned)byte ^ key->bytes[i]) * 157u >> 3 ^ byte);
}

static void forth(const toy_key *key, const uint8_t *in, uint8_t *out, size_t size)
{
    memmove(out, in, size);
    for (size_t i = 0; i < ROUNDS * size; i++)
        out[(i + 1) % size] = (uint8_t)(out[(i + 1) % size] + mix(key, out[i % size], i % size));
}

/* With the complement of the key. */
static void back(const toy_key *key, const uint8_t *in, uint8_t *out, size_t size)
{
    toy_key right;
    for (size_t i = 0; i < sizeof right.bytes; i++)
        right.bytes[i] = (uint8_t)~key->bytes[i];
    memmove(out, in, size);
    for (size_t i = ROUNDS * size; i-- > 0;)
        out[(i + 1) % size] = (uint8_t)(out[(i + 1) % size] - mix(&right, out[i % size], i % size));
}

static void encrypt8(const void *schedule, const uint8_t *in, uint8_t *out)
{
    forth(schedule, in, out, 8);
}

static void decrypt8(const void *schedule, const uint8_t *in, uint8_t *out)
{
    back(schedule, in, out, 8);
}

static void encrypt16(const void *schedule, const uint8_t *in, uint8_t *out)
{
    forth(schedule, in, out, 16);
}

static void decrypt16(const void *schedule, const uint8_t *in, uint8_t *out)
{
    back(schedule, in, out, 16);
}

#define BLOCKS(name, size)                                                    \
    static void name##_blocks(                                                \
        const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks) \
    {                                                                         \
        for (; blocks > 0; blocks--, in += (size), out += (size))             \
            name(schedule, in, out);                                          \
    }
BLOCKS(encrypt8, 8)
BLOCKS(decrypt8, 8)
BLOCKS(encrypt16, 16)
BLOCKS(decrypt16, 16)

#define CIPHER(label, size)                                                                  \
    .name = (label), .block_len = (size), .key_len = sizeof(toy_key),                        \
    .schedule_len = sizeof(toy_key), .set_key = set_key, .set_decrypt_key = set_decrypt_key, \
    .encrypt = encrypt##size, .decrypt = decrypt##size

static const mote_block_cipher ciphers[] = {
    {CIPHER("toy-8", 8)},
    {CIPHER("toy-16", 16)},
    {CIPHER("toy-8-blocks", 8), .encrypt_blocks = encrypt8_blocks,
     .decrypt_blocks = decrypt8_blocks},
    {CIPHER("toy-16-blocks", 16), .encrypt_blocks = encrypt16_blocks,
     .decrypt_blocks = decrypt16_blocks},
};

/*
 * Stream, AEAD and hash share a state: a key, and a number that everything goes into (as in FNV).
 */
typedef struct toy_state {
    uint64_t done;
    uint32_t sum;
    uint8_t key[16], tag_len;
} toy_state;

static void state_key(void *state, const uint8_t *key)
{
    toy_state *s = state;
    memcpy(s->key, key, sizeof s->key);
}

static void restart(void *state, const uint8_t *nonce, size_t nonce_len)
{
    toy_state *s = state;
    s->done = 0;
    s->sum = 1;
    for (size_t i = 0; i < nonce_len; i++)
        s->sum = (s->sum ^ nonce[i]) * 16777619u;
}

static void stream_start(void *state, const uint8_t *nonce, uint8_t nonce_len)
{
    restart(state, nonce, nonce_len);
}

static void process(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    toy_state *s = state;
    for (size_t i = 0; i < len; i++, s->done++)
        out[i] = (uint8_t)(in[i] ^ s->key[s->done % 16] ^ s->sum ^ s->done);
}

static const mote_stream_cipher streams[] = {
    {.name = "toy-stream",
     .key_len = 16,
     .nonce_min = 8,
     .nonce_max = 24,
     .state_len = sizeof(toy_state),
     .set_key = state_key,
     .start = stream_start,
     .process = process},
    {.name = "toy-stream-bare",
     .key_len = 16,
     .state_len = sizeof(toy_state),
     .set_key = state_key,
     .start = stream_start,
     .process = process},
};

static void absorb(void *state, const uint8_t *in, size_t len)
{
    toy_state *s = state;
    for (size_t i = 0; i < len; i++)
        s->sum = (s->sum ^ in[i]) * 16777619u;
}

static void aead_start(void *state, const mote_aead_message *message)
{
    toy_state *s = state;
    restart(state, message->nonce, message->nonce_len);
    absorb(state, message->aad, message->aad_len);
    s->tag_len = message->tag_len;
}

/* The key stream leaves the sum out, which changes with the message. */
static void aead_crypt(toy_state *s, const uint8_t *in, uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++, s->done++)
        out[i] = (uint8_t)(in[i] ^ s->key[s->done % 16] ^ s->done);
}

static void aead_encrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    absorb(state, in, len);
    aead_crypt(state, in, out, len);
}

static void aead_decrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    aead_crypt(state, in, out, len);
    absorb(state, out, len);
}

static void aead_tag(void *state, uint8_t *tag)
{
    toy_state *s = state;
    for (uint8_t i = 0; i < s->tag_len; i++)
        tag[i] = (uint8_t)((s->sum * (2u * i + 1) >> 24) + s->key[i]);
}

static const mote_aead aeads[] = {
    {.name = "toy-aead",
     .key_len = 16,
     .nonce_min = 8,
     .nonce_max = 24,
     .tag_min = 4,
     .tag_max = 16,
     .state_len = sizeof(toy_state),
     .set_key = state_key,
     .start = aead_start,
     .encrypt = aead_encrypt,
     .decrypt = aead_decrypt,
     .tag = aead_tag},
};

static void hash_start(void *state)
{
    restart(state, NULL, 0);
}

static void hash_finish(void *state, uint8_t *digest)
{
    toy_state *s = state;
    for (uint8_t i = 0; i < 20; i++)
        digest[i] = (uint8_t)(s->sum * (2u * i + 1) >> 24);
}

static const mote_hash hashes[] = {
    {.name = "toy-hash",
     .digest_len = 20,
     .block_len = 144,
     .state_len = sizeof(toy_state),
     .start = hash_start,
     .update = absorb,
     .finish = hash_finish},
    {.name = "toy-hash-bare",
     .digest_len = 20,
     .state_len = sizeof(toy_state),
     .start = hash_start,
     .update = absorb,
     .finish = hash_finish},
};

MOTE_IMPLEMENTATION(toy) = {
    .name = "toy",
    MOTE_BLOCKS(ciphers),
    MOTE_STREAMS(streams),
    MOTE_AEADS(aeads),
    MOTE_HASHES(hashes),
    .constant_time = 1};

/* The same with a table that a secret is looked up in. */
static void leaking_process(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    static const uint8_t table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
    toy_state *s = state;
    for (size_t i = 0; i < len; i++, s->done++)
        out[i] = (uint8_t)(in[i] ^ table[s->key[s->done % 16] % 16]);
}

static const mote_stream_cipher leaking[] = {
    {.name = "toy-leak",
     .key_len = 16,
     .state_len = sizeof(toy_state),
     .set_key = state_key,
     .start = stream_start,
     .process = leaking_process},
};

MOTE_IMPLEMENTATION(toy_leak) = {.name = "toy-leak", MOTE_STREAMS(leaking), .constant_time = 1};
