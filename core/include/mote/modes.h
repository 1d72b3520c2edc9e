/*
 * Modes of operation, once for all block ciphers.
 *
 * The caller keeps the schedule: set by set_key of the cipher, or set_decrypt_key where the mode
 * needs it. A state keeps a pointer to it, so the schedule has to stay where it is until the last
 * call. What is kept of a message is secret: mote_wipe states and schedule afterwards. `out` is
 * `in` or does not overlap it; neither needs alignment.
 */
#ifndef MOTE_MODES_H
#define MOTE_MODES_H

#include "mote/cipher.h"

#define MOTE_BLOCK_MAX 16u
/* 1: code for machines of 8 bits: works byte by byte, and gives one block at a time to ciphers. */
#ifndef MOTE_SMALL
#ifdef __AVR__
#define MOTE_SMALL 1
#else
#define MOTE_SMALL 0
#endif
#endif

/*
 * Blocks that are given to a cipher at once where it has encrypt_blocks; it costs as many on the
 * stack. 1: never more than one, and none of the code for it. (ECB gives all there are.)
 */
#ifndef MOTE_BATCH
#define MOTE_BATCH (MOTE_SMALL ? 1 : 8)
#endif

/* The state of a mode that only encrypts. Begin with mote_chain_start. */
typedef struct mote_chain {
    const mote_block_cipher *cipher;
    const void *schedule;
    /* Next input of the cipher: chain, shift register, counter; aligned to words. */
    uint8_t iv[MOTE_BLOCK_MAX];
    uint8_t stream[MOTE_BLOCK_MAX]; /* CFB, OFB, CTR: key stream */
    uint8_t used;                   /* bytes of `stream` that are used up */
    /* CTR: the last bytes of `iv` that count, 16, 2 to 8; all, after mote_chain_start */
    uint8_t counting;
    uint8_t hidden; /* CTR: 1 if `iv` is secret too; 0 after mote_chain_start */
} mote_chain;

/*
 * A mode that only encrypts (SP 800-38A). Messages come in pieces: of any length, or of whole
 * blocks (also the last one) where `whole_blocks` says so; padding is the caller's.
 */
typedef struct mote_mode {
    const char *name; /* "cbc" */
    uint8_t has_iv;   /* 1: one block; 0: none */
    uint8_t whole_blocks;
    uint8_t inverts;                 /* decrypt needs the schedule of set_decrypt_key */
    mote_process *encrypt, *decrypt; /* of a mote_chain */
    /*
     * The mode of a library that has its own (core/vendor/vendor.h); NULL: a mode of all ciphers.
     */
    const struct mote_library_mode *library;
} mote_mode;

/*
 * ECB; CBC; CFB with whole blocks and with 8 bits fed back; OFB; CTR whose whole block counts, most
 * significant byte first.
 */
extern const mote_mode mote_ecb, mote_cbc, mote_cfb, mote_cfb8, mote_ofb, mote_ctr;

/*
 * Number of whole blocks of `size` bytes, 8 or 16, in `len`; small processors have no division for
 * it.
 */
static inline size_t mote_blocks_in(size_t len, size_t size)
{
    return size == 16 ? len / 16 : len / 8;
}

/* Begins a message. `iv` has block_len bytes; NULL for ECB. */
void mote_chain_start(mote_chain *chain, const mote_block_cipher *cipher, const void *schedule,
                      const uint8_t *iv);

/*
 * A mode that encrypts and authenticates. `bind` takes the place of set_key, after which `steps`
 * are those of any AEAD. In `steps`, state_len is that of the mode's state alone, key_len is 0 and
 * set_key NULL; the longest tag is that of blocks of 16 bytes: no tag is longer than a block.
 */
typedef struct mote_aead_mode {
    mote_aead steps;
    uint8_t small_blocks; /* also defined for blocks of 8 bytes */
    uint8_t told_len;     /* depends on message_len: no byte more than that, and none less */
    /*
     * True if these lengths, which are in the ranges of `steps`, are possible together; NULL: all
     * are.
     */
    uint8_t (*takes)(const mote_aead_message *message);
    /* `schedule` is that of set_key, for decryption too. */
    void (*bind)(void *state, const mote_block_cipher *cipher, const void *schedule);
} mote_aead_mode;

/*
 * CCM: SP 800-38C. Nonces of 7 to 13 bytes leave 15 minus that many for the length of the message,
 *      which must fit; tags have 4, 6, 8, 10, 12, 14 or 16 bytes. The length is told at the start
 *      and must be kept.
 * GCM: SP 800-38D, nonces of 1 to 255 bytes, tags of 4 to 16.
 * EAX: Bellare, Rogaway, Wagner: The EAX Mode of Operation, FSE 2004. Nonces of 0 to 255 bytes,
 * tags of 1 to block_len.
 */
extern const mote_aead_mode mote_ccm, mote_gcm, mote_eax;

typedef struct mote_ccm_state {
    mote_chain ctr;
    uint8_t mac[MOTE_BLOCK_MAX];
    uint8_t first[MOTE_BLOCK_MAX]; /* key stream that hides the tag */
    uint8_t at;                    /* bytes in `mac` that wait for the cipher */
    uint8_t tag_len;
} mote_ccm_state;

typedef struct mote_gcm_state {
    mote_chain ctr;
    uint32_t h[4], y[4];           /* hash key, and hash so far */
    uint8_t first[MOTE_BLOCK_MAX]; /* encrypted first counter block */
    uint8_t at;                    /* bytes in `y` that wait for the multiplication */
    uint8_t tag_len;
    uint64_t aad_len, len;
} mote_gcm_state;

/* CMAC (SP 800-38B) in the making. */
typedef struct mote_cmac {
    const mote_block_cipher *cipher;
    const void *schedule;
    uint8_t mac[MOTE_BLOCK_MAX];
    uint8_t at;
} mote_cmac;

typedef struct mote_eax_state {
    mote_chain ctr;
    mote_cmac cmac;                /* of the ciphertext */
    uint8_t twice[MOTE_BLOCK_MAX]; /* CMAC's first subkey */
    uint8_t hide[MOTE_BLOCK_MAX];  /* CMACs of nonce and AAD */
    uint8_t tag_len;
} mote_eax_state;

/* Big enough for each of the three. */
typedef union mote_aead_mode_state {
    mote_ccm_state ccm;
    mote_gcm_state gcm;
    mote_eax_state eax;
} mote_aead_mode_state;

/*
 * Decrypts a whole message of message->message_len bytes and checks its tag of message->tag_len
 * bytes, in a time that does not depend on either content. `state` is one whose key is set (set_key
 * or bind). 0: `out` has the message. 1: it was forged, and `out` is all zeros.
 */
uint8_t mote_open(const mote_aead *aead, void *state, const mote_aead_message *message,
                  const uint8_t *in, uint8_t *out, const uint8_t *tag);

#endif
