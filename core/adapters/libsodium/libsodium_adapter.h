/*
 * Private header of the libsodium adapter.
 *
 * A scheme's `param` points to a row that begins with its mb_kind (support/kind.h), whose
 * operations the driver repeats (support/driver.h). libsodium's states are plain structures, so all
 * of a job lies in `job->ctx` and nothing has to be freed.
 *
 *     adapter.c -> table.c -> stream.c, aead.c, digest.c, mac.c, curve25519.c
 *
 * Most of the library takes the key with each call: what it does not separate from the message is
 * no KEY_SETUP here.
 */
#ifndef MOTEBENCH_LIBSODIUM_ADAPTER_H
#define MOTEBENCH_LIBSODIUM_ADAPTER_H

#include <sodium.h>

#include "support/hashes.h"
#include "support/kind.h"
#include "support/signatures.h"
#include "support/steps.h"

/* The library's state of one job. */
typedef union adapter_state {
    crypto_aead_aes256gcm_state aes256gcm;
    crypto_hash_sha256_state sha256;
    crypto_hash_sha512_state sha512;
    crypto_generichash_blake2b_state blake2b;
    struct { crypto_auth_hmacsha256_state keyed, message; } hmac_sha256;
    struct { crypto_auth_hmacsha512_state keyed, message; } hmac_sha512;
    struct {
        uint8_t secret[crypto_sign_ed25519_SECRETKEYBYTES];
        uint8_t public[crypto_sign_ed25519_PUBLICKEYBYTES];
    } curve25519;
} adapter_state;

/* The state of one job. */
typedef struct adapter_ctx {
    union { /* first: state of the driver */
        mb_steps_state steps;
        mb_hash_state hash;
        mb_sign_state sign;
        mb_driven driven;
    } driver;
    mb_steps how;            /* ciphers */
    const uint8_t *nonce;    /* stream ciphers: without the counter that may come before it */
    uint64_t first, counter; /* stream ciphers: block that a message begins with; the next one */
    /* Some states have to be aligned more than job->ctx is: adapter_state_of. */
    uint8_t state[sizeof(adapter_state) + _Alignof(adapter_state) - 1];
} adapter_ctx;

static inline adapter_state *adapter_state_of(const mb_job *job)
{
    adapter_ctx *ctx = job->ctx;
    const uintptr_t alignment = _Alignof(adapter_state);
    return (adapter_state *)(((uintptr_t)ctx->state + alignment - 1) / alignment * alignment);
}

typedef struct adapter_stream {
    const mb_kind *kind;
    mb_process process; /* goes on from chunk to chunk */
    uint8_t nonce_len;  /* bytes; what the job has more is the first counter, before the nonce */
    mb_run *bulk, *message;
} adapter_stream;

typedef struct adapter_aead {
    const mb_kind *kind;
    mb_run *encrypt, *encrypt_new_key, *decrypt; /* whole messages */
    mb_once *set_key;
    mb_run *set_keys;
} adapter_aead;

typedef struct adapter_digest {
    const mb_kind *kind;
    mb_hashing how;
} adapter_digest;

extern const mb_kind adapter_stream_kind, adapter_aead_kind, adapter_digest_kind, adapter_mac_kind,
    adapter_ed25519_kind, adapter_x25519_kind;
/* stream.c */
extern const adapter_stream adapter_chacha20, adapter_salsa20, adapter_salsa20_12;
/* aead.c */
extern const adapter_aead adapter_aes256gcm, adapter_chacha20_poly1305, adapter_xchacha20_poly1305;
extern const adapter_digest adapter_sha256, adapter_sha512, adapter_blake2b; /* digest.c */
extern const adapter_digest adapter_hmac_sha256, adapter_hmac_sha512;        /* mac.c */

/* Meaning of the library's return codes. */
static inline mb_status adapter_check(int code)
{
    return code == 0 ? MB_OK : mb_note(MB_ERROR, "libsodium reported a failure");
}

/* table.c: the schemes; those the processor lacks are left out. */
void adapter_table_fill(void);
size_t adapter_table_count(void);
const mb_scheme *adapter_table_at(size_t i);

#endif
