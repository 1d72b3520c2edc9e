/*
 * Functions that third-party code needs beyond cipher.h and modes.h: libraries whose sources are
 * pinned in core/vendor, each implementation one file there that wraps the library's own functions
 * into descriptors.
 *
 * The library's own modes are measured, not those of mote/modes.h: they are what people ship.
 */
#ifndef MOTE_LIBRARY_H
#define MOTE_LIBRARY_H

#include "mote/modes.h"

/* The rest of a mote_mode. NULL: as modes of mote/modes.h do it. */
typedef struct mote_library_mode {
    /*
     * In place of the cipher's, where key schedules belong to a mode. `decrypts`: the key is for
     * decrypt of the mode.
     */
    void (*set_key)(const mote_block_cipher *cipher, void *schedule, const uint8_t *key,
                    uint8_t decrypts);
    /*
     * After mote_chain_start, which puts the IV into chain->iv, before `len` bytes. 0: not possible
     * for these lengths.
     */
    uint8_t (*begin)(mote_chain *chain, size_t len);
    /*
     * 1: pieces of a message are whole blocks, but for the last one; whole messages have any
     * length.
     */
    uint8_t whole_pieces;
} mote_library_mode;

/* The rest of a mote_aead. */
typedef struct mote_library_aead {
    /*
     * Decrypts all of a message and checks its tag: 0 good, 1 forged, all in one call. NULL:
     * decrypt and tag do it. With it `decrypt` is NULL.
     */
    uint8_t (*open)(void *state, const uint8_t *in, uint8_t *out, size_t len, const uint8_t *tag);
    /* set_key only keeps the key, which is expanded by `start`: nothing to be timed */
    uint8_t late_key;
    uint8_t told_len; /* depends on message_len: no byte more than that, and none less */
    /* Takes all of a message in one call; `nonce` and `aad` stay valid until then. */
    uint8_t one_call;
    /* Pieces of a message are whole blocks of 16 bytes, but for the last one. */
    uint8_t whole_pieces;
    /* As in mote_aead_mode. */
    uint8_t (*takes)(const mote_aead_message *message);
} mote_library_aead;

/*
 * Notes whether a function of the library failed: the adapter then makes a failure of what was done
 * with it.
 */
void mote_library_check(int failed);

#endif
