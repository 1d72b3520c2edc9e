/*
 * Shared by BearSSL's public-key wrappers. The library has its arithmetic in words of 31 bits and
 * of 15, these for machines whose multiplication is short: an AVR, a Cortex-M0. BearSSL claims
 * constant time for both.
 */
#ifndef MOTE_VENDOR_BEAR_PUBLIC_H
#define MOTE_VENDOR_BEAR_PUBLIC_H

#include <bearssl_ec.h>
#include <bearssl_hash.h>
#include <bearssl_rand.h>
#include <bearssl_rsa.h>
#include <string.h>

#include "motebench/adapter.h"
#include "support/der.h"
#include "support/driver.h"
#include "support/kind.h"
#include "vendor/pick.h"

#if defined __AVR__ || defined __ARM_ARCH_6M__
#define BEAR_WORDS(before, after) before##15##after
#else
#define BEAR_WORDS(before, after) before##31##after
#endif

/* The library writes to none of what it reads through these. */
#define BEAR_WRITABLE(at) ((unsigned char *)(uintptr_t)(at))

/* A board has no source of randomness: it makes no keys. */
#ifdef MOTE_PICKED
#define BEAR_KEYGEN 0
#else
#define BEAR_KEYGEN MB_CAN(MB_KEYGEN)
#endif

#ifndef MOTE_PICKED
/*
 * A generator that is seeded by the system, once; NULL if the system has nothing to seed it with.
 */
static inline const br_prng_class **bear_random(void)
{
    static br_hmac_drbg_context drbg;
    static int seeded;
    if (!seeded) {
        br_prng_seeder seeder = br_prng_seeder_system(NULL);
        br_hmac_drbg_init(&drbg, &br_sha256_vtable, "motebench", 9);
        seeded = seeder != 0 && seeder(&drbg.vtable);
    }
    return seeded ? &drbg.vtable : NULL;
}
#endif

/* The digest of the job's input. */
static inline void bear_digest(const br_hash_class *hash, const mb_job *job, uint8_t *digest)
{
    br_hash_compat_context context;
    hash->init(&context.vtable);
    hash->update(&context.vtable, job->in, job->in_len);
    hash->out(&context.vtable, digest);
}

#endif
