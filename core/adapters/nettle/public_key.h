/*
 * Private header of the Nettle adapter: the state of a public-key job.
 */
#ifndef MOTEBENCH_NETTLE_PUBLIC_KEY_H
#define MOTEBENCH_NETTLE_PUBLIC_KEY_H

#include <nettle/dsa.h>
#include <nettle/ecc.h>
#include <nettle/rsa.h>

#include "nettle_adapter.h"

struct adapter_pk_ctx {
    mb_sign_state sign; /* first: see support/signatures.h */
    bool live;          /* the family's init was called */
    adapter_hash_state hash;
    union {
        struct {
            struct rsa_public_key public;
            struct rsa_private_key private;
            mpz_t signature;
        } rsa;
        struct {
            struct ecc_point public;
            struct ecc_scalar private;
            struct dsa_signature signature;
        } ecdsa;
    } u;
};

static inline const adapter_pk *adapter_pk_of(const mb_job *job)
{
    return job->scheme->param;
}

#endif
