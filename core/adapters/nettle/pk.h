/*
 * Private header of the Nettle adapter: the state of a public-key job.
 */
#ifndef MOTEBENCH_NETTLE_PK_H
#define MOTEBENCH_NETTLE_PK_H

#include <nettle/dsa.h>
#include <nettle/ecc.h>
#include <nettle/rsa.h>

#include "nt.h"

struct nt_pk_ctx {
    bool live; /* the family's init was called */
    nt_hash_state hash;
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

static inline const nt_pk *nt_pk_of(const mb_job *job)
{
    return job->scheme->param;
}

#endif
