/*
 * Private header of the adapter that makes a probe of one mote_implementation.
 *
 * What is built in, which matters where flash is counted (definitions of the compiler):
 *
 * MOTE_SYMBOL           the implementation: mote_aes_small. Must be given to adapter.c
 * MOTE_NAME             its name as a string, "mote/aes-small". Must be given to adapter.c
 * MOTE_MODES            modes of block ciphers, as MODE(ecb) MODE(cbc) ...; all by default. Others
 *                       are not linked
 * MOTE_AEAD_MODES       the same for MODE(gcm) MODE(ccm) MODE(eax)
 * MOTE_LIBRARY_VERSION  the library behind it and its version, where the code is not ours
 * MOTE_KINDS            sum of MOTE_KIND_...; all by default
 */
#ifndef MOTE_ADAPTER_H
#define MOTE_ADAPTER_H

#include "mote/hmac.h"
#include "mote/library.h"
#include "mote/modes.h"
#include "motebench/adapter.h"
#include "support/hashes.h"
#include "support/kind.h"
#include "support/steps.h"

#include "../modes/gmac.h"

#define MOTE_KIND_BLOCKS 1
#define MOTE_KIND_STREAMS 2
#define MOTE_KIND_AEADS 4
#define MOTE_KIND_HASHES 8
#define MOTE_KIND_HMAC 16
#define MOTE_KIND_CMAC 32
#define MOTE_KIND_GMAC 64

#ifndef MOTE_KINDS
#define MOTE_KINDS 127
#endif
#ifndef MOTE_MODES
#define MOTE_MODES MODE(ecb) MODE(cbc) MODE(cfb) MODE(cfb8) MODE(ofb) MODE(ctr)
#endif
#ifndef MOTE_AEAD_MODES
#define MOTE_AEAD_MODES MODE(gcm) MODE(ccm) MODE(eax)
#endif

/* 1: modes are those of the library that is wrapped. */
#ifdef MOTE_LIBRARY_VERSION
#define MOTE_LIBRARY_MODES 1
#else
#define MOTE_LIBRARY_MODES 0
#endif

/* Number of motebench's own modes. */
#define MODE(id) +1
enum { MOTE_MODE_COUNT = 0 MOTE_MODES, MOTE_AEAD_MODE_COUNT = 0 MOTE_AEAD_MODES };
#undef MODE

extern const mote_implementation *const mote_the_implementation;

/* Target of a scheme's `param`: the functions that serve it, and the values that its kind needs. */
typedef struct mote_row {
    const mb_kind *kind;
    const mote_block_cipher *block;
    const mote_mode *mode;
    const mote_aead_mode *aead_mode;
    const mote_stream_cipher *stream;
    const mote_aead *aead; /* also the steps of aead_mode */
    const mote_hash *hash;
} mote_row;

extern const mb_kind mote_chain_kind, mote_stream_kind, mote_aead_kind, mote_digest_kind,
    mote_hmac_kind, mote_cmac_kind, mote_gmac_kind;

/* The state of a cipher's job. */
typedef struct mote_cipher_job {
    mb_steps_state steps;
    mb_steps how;
    const mote_row *row;
    /* Of what is built in. */
    union {
        mote_chain
            chain[(MOTE_MODE_COUNT > 0 || MOTE_LIBRARY_MODES) && (MOTE_KINDS & MOTE_KIND_BLOCKS)];
        mote_aead_mode_state aead[MOTE_AEAD_MODE_COUNT > 0 && (MOTE_KINDS & MOTE_KIND_BLOCKS)];
    } mode;
    uint64_t state[]; /* schedule, or state of stream cipher or AEAD */
} mote_cipher_job;

/* The state of a digest's or a MAC's job. */
typedef struct mote_hash_job {
    mb_hash_state driver;
    mote_hmac hmac; /* of a digest: its hash function alone */
    uint64_t state[];
} mote_hash_job;

/* The state of a job of CMAC. */
typedef struct mote_cmac_job {
    mb_hash_state driver;
    mote_cmac cmac;
    uint8_t twice[MOTE_BLOCK_MAX]; /* the first subkey */
    uint64_t schedule[];
} mote_cmac_job;

/* The state of a job of GMAC. */
typedef struct mote_gmac_job {
    mb_hash_state driver;
    mote_gmac gmac;
    uint64_t schedule[];
} mote_gmac_job;

/* Wipes the job's state: `close` of every kind. */
void mote_close(mb_job *job);

/* table.c */
size_t mote_scheme_count(void);
const mb_scheme *mote_scheme_at(size_t i);

#endif
