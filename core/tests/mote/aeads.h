/* An AEAD under test: one of its own, or a block cipher in a mode that authenticates. */
#ifndef MOTEBENCH_TESTS_AEADS_H
#define MOTEBENCH_TESTS_AEADS_H

#include "mote/modes.h"
#include "work.h"

typedef struct aead_subject {
    const mote_implementation *implementation;
    const mote_aead *aead;
    const mote_aead_mode *mode;      /* NULL: `aead` is one of its own */
    const mote_block_cipher *cipher; /* of `mode` */
    size_t unit;                     /* bytes that lengths go by */
    uint8_t key_len, tag_max;
    guarded state, schedule;
} aead_subject;

/* Number `i` of all AEADs of all implementations, without a key; false behind the last one. */
bool aead_at(size_t i, aead_subject *s);
/* Checks the guards, too. */
void aead_free(aead_subject *s);

void aead_set_key(aead_subject *s, const uint8_t *key);

/* True if a message can have these lengths. */
bool aead_takes(const aead_subject *s, const mote_aead_message *message);

#endif
