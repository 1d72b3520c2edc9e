/*
 * A cipher that does nothing, for the empty firmware: what an implementation adds to it is what the
 * implementation takes.
 *
 * MOTE_KINDS   sum of MOTE_KIND_... (mote_adapter.h): what it is
 */
#include "mote/cipher.h"

#if MOTE_KINDS & (1 | 32)
static void set_key(void *schedule, const uint8_t *key)
{
    (void)schedule, (void)key;
}

static void block(const void *schedule, const uint8_t *in, uint8_t *out)
{
    (void)schedule, (void)in, (void)out;
}

static const mote_block_cipher blocks[] = {
    {.name = "null",
     .block_len = 16,
     .key_len = 16,
     .set_key = set_key,
     .encrypt = block,
     .decrypt = block}};
MOTE_IMPLEMENTATION(null) = {.name = "null", MOTE_BLOCKS(blocks)};

#elif MOTE_KINDS & 2
static void set_key(void *state, const uint8_t *key)
{
    (void)state, (void)key;
}

static void start(void *state, const uint8_t *nonce, uint8_t nonce_len)
{
    (void)state, (void)nonce, (void)nonce_len;
}

static void process(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    (void)state, (void)in, (void)out, (void)len;
}

static const mote_stream_cipher streams[] = {
    {.name = "null", .key_len = 16, .set_key = set_key, .start = start, .process = process}};
MOTE_IMPLEMENTATION(null) = {.name = "null", MOTE_STREAMS(streams)};

#elif MOTE_KINDS & 4
static void set_key(void *state, const uint8_t *key)
{
    (void)state, (void)key;
}

static void start(void *state, const mote_aead_message *message)
{
    (void)state, (void)message;
}

static void process(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    (void)state, (void)in, (void)out, (void)len;
}

static void tag(void *state, uint8_t *out)
{
    (void)state, (void)out;
}

static const mote_aead aeads[] = {
    {.name = "null",
     .key_len = 16,
     .tag_min = 16,
     .tag_max = 16,
     .set_key = set_key,
     .start = start,
     .encrypt = process,
     .decrypt = process,
     .tag = tag}};
MOTE_IMPLEMENTATION(null) = {.name = "null", MOTE_AEADS(aeads)};

#else
static void start(void *state)
{
    (void)state;
}

static void update(void *state, const uint8_t *in, size_t len)
{
    (void)state, (void)in, (void)len;
}

static void finish(void *state, uint8_t *digest)
{
    (void)state, (void)digest;
}

static const mote_hash hashes[] = {
    {.name = "null",
     .digest_len = 16,
     .block_len = 16,
     .start = start,
     .update = update,
     .finish = finish}};
MOTE_IMPLEMENTATION(null) = {.name = "null", MOTE_HASHES(hashes)};
#endif
