/* The toy KEM of the fake: described in fake.c. */
#ifndef MOTEBENCH_FAKE_KEM_H
#define MOTEBENCH_FAKE_KEM_H

#include "motebench/adapter.h"

enum {
    FAKE_PUBLIC = 24,
    FAKE_PRIVATE = 40,
    FAKE_CIPHERTEXT = 32,
    FAKE_SECRET = 12,
    FAKE_SEED = 16
};

/*
 * KEYGEN, ENCAPSULATE or DECAPSULATE, once. MB_UNSUPPORTED for keys, seeds and ciphertexts of other
 * lengths.
 */
mb_status fake_kem(mb_job *job);

/* The public key of `job->key`, to `job->out`. */
mb_status fake_kem_public(mb_job *job);

#endif
