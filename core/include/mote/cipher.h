/*
 * Descriptors of motebench's own implementations of algorithms, found without a hand-kept list.
 *
 * One implementation is one file, core/ciphers/<algorithm>/<implementation>.c, that says
 *
 *     MOTE_IMPLEMENTATION(aes_small) = {.name = "aes-small", MOTE_BLOCKS(ciphers)};
 *
 * and is measured as `mote/aes-small`. The build finds the line. Its header comment says what it
 * trades, and what it needs. No implementation allocates, has globals that change, or keeps
 * pointers to the caller's memory after a call.
 *
 * States (schedule, state) belong to the caller: as many bytes as the descriptor says, aligned for
 * uint64_t, of any content before the first call; a copy of one is as good (HMAC keeps copies).
 * After the last call mote_wipe them. Buffers of messages need no alignment. `out` is `in` or does
 * not overlap it. Where a length is 0 a pointer may be NULL.
 */
#ifndef MOTE_CIPHER_H
#define MOTE_CIPHER_H

#include <stddef.h>
#include <stdint.h>

/* A block cipher with one key length. All functions handle one block of block_len bytes. */
typedef struct mote_block_cipher {
    const char *name;      /* as schemes have it, without the mode: "aes-128", "3des" */
    uint8_t block_len;     /* bytes, 8 or 16 */
    uint8_t key_len;       /* bytes */
    uint16_t schedule_len; /* bytes */
    void (*set_key)(void *schedule, const uint8_t *key); /* for encrypt */
    /* For decrypt; NULL: the schedule of set_key serves both. */
    void (*set_decrypt_key)(void *schedule, const uint8_t *key);
    void (*encrypt)(const void *schedule, const uint8_t *in, uint8_t *out);
    void (*decrypt)(const void *schedule, const uint8_t *in, uint8_t *out);
    /* `blocks` blocks one after the other, where that is faster than one by one; else NULL. */
    void (*encrypt_blocks)(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks);
    void (*decrypt_blocks)(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks);
} mote_block_cipher;

/*
 * Works on the next `len` bytes of a message; `state` is that of a stream cipher or of an AEAD, or
 * a mote_chain.
 */
typedef void mote_process(void *state, const uint8_t *in, uint8_t *out, size_t len);

/* A stream cipher; encrypting and decrypting are the same. */
typedef struct mote_stream_cipher {
    const char *name;
    uint8_t key_len;
    uint8_t nonce_min, nonce_max; /* bytes: a nonce has the one length or the other; 0: no nonce */
    uint16_t state_len;
    void (*set_key)(void *state, const uint8_t *key);
    /* Begins a message; may be called again and again after one set_key. */
    void (*start)(void *state, const uint8_t *nonce, uint8_t nonce_len);
    mote_process *process; /* in pieces of any length */
    /*
     * Code of others: pieces are a multiple of so many bytes, but for the last one; 0: of any
     * length.
     */
    uint8_t piece;
} mote_stream_cipher;

/* Beginning of an authenticated message. Pointers need to be valid during `start` only. */
typedef struct mote_aead_message {
    const uint8_t *nonce, *aad;
    uint8_t nonce_len;
    uint8_t tag_len;
    size_t aad_len;
    size_t message_len; /* all of it; CCM has to know */
} mote_aead_message;

/* An algorithm or a mode that encrypts and authenticates, with one key length. */
typedef struct mote_aead {
    const char *name;
    uint8_t key_len;
    uint8_t nonce_min, nonce_max, tag_min, tag_max; /* bytes */
    uint16_t state_len;
    void (*set_key)(void *state, const uint8_t *key);
    /* Begins a message; may be called again and again after one set_key. */
    void (*start)(void *state, const mote_aead_message *message);
    /* In pieces of any length. What decrypt returns is not to be used before the tag is checked. */
    mote_process *encrypt, *decrypt;
    /* Ends the message: its tag, of the length that `start` was told. */
    void (*tag)(void *state, uint8_t *tag);
    /* Functions that only third-party code needs (core/vendor/vendor.h); NULL: none. */
    const struct mote_library_aead *library;
} mote_aead;

/* A hash function, or an extendable-output function with its usual output length. */
typedef struct mote_hash {
    const char *name;
    uint8_t digest_len; /* bytes */
    uint8_t block_len;  /* bytes, for HMAC; 0: not meant for HMAC */
    uint16_t state_len;
    void (*start)(void *state);
    void (*update)(void *state, const uint8_t *in, size_t len);
    void (*finish)(void *state, uint8_t *digest);
} mote_hash;

/* Algorithms of one implementation. */
typedef struct mote_implementation {
    const char *name; /* "aes-small" */
    const mote_block_cipher *blocks;
    const mote_stream_cipher *streams;
    const mote_aead *aeads;
    const mote_hash *hashes;
    uint8_t block_count, stream_count, aead_count, hash_count;
    /* The library's own modes, in place of those that all block ciphers share; NULL: those. */
    const struct mote_mode *const *modes;
    uint8_t mode_count;
    /*
     * 1: claims that neither a branch nor an address depends on a key, on a message or on what is
     * made of them (nonces, AAD and lengths are public). The tests hold it to that:
     * core/tests/mote/test_constant_time.c.
     */
    uint8_t constant_time;
} mote_implementation;

#define MOTE_IMPLEMENTATION(symbol)                 \
    extern const mote_implementation mote_##symbol; \
    const mote_implementation mote_##symbol

#define MOTE_COUNT(array) ((uint8_t)(sizeof(array) / sizeof(array)[0]))
#define MOTE_BLOCKS(array) .blocks = (array), .block_count = MOTE_COUNT(array)
#define MOTE_STREAMS(array) .streams = (array), .stream_count = MOTE_COUNT(array)
#define MOTE_AEADS(array) .aeads = (array), .aead_count = MOTE_COUNT(array)
#define MOTE_HASHES(array) .hashes = (array), .hash_count = MOTE_COUNT(array)
#define MOTE_OWN_MODES(array) .modes = (array), .mode_count = MOTE_COUNT(array)

/* Overwrites secrets, also where a compiler sees that nobody reads them again. */
void mote_wipe(void *secret, size_t len);

/* The same of what is aligned for uint32_t and long: faster, where memset goes byte by byte. */
void mote_wipe_words(void *secret, size_t len);

/* Compares `len` bytes in a time that depends on `len` only: 0 if equal, else 1. */
uint8_t mote_differs(const uint8_t *a, const uint8_t *b, size_t len);

#endif
