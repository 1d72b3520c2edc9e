/*
 * Private header of the libsodium adapter.
 *
 * A scheme's `param` points to a row that begins with its mb_kind (support/kind.h). libsodium's states are plain
 * structures, so all of a job lies in `job->ctx` and nothing has to be freed.
 *
 * Most of the library takes the key with each call: what it does not separate from the message is no KEY_SETUP here.
 */
#ifndef MOTEBENCH_LIBSODIUM_SO_H
#define MOTEBENCH_LIBSODIUM_SO_H

#include <sodium.h>

#include "motebench/adapter.h"
#include "support/block_buffer.h"
#include "support/kind.h"

/* The state of one job. */
typedef union so_ctx {
    struct {
        mb_block_buffer buffer;
        uint64_t counter; /* of the next block */
    } stream;
    crypto_aead_aes256gcm_state aes256gcm;
    crypto_hash_sha256_state sha256;
    crypto_hash_sha512_state sha512;
    crypto_generichash_blake2b_state blake2b;
    struct {
        crypto_auth_hmacsha256_state keyed, message;
    } hmac_sha256;
    struct {
        crypto_auth_hmacsha512_state keyed, message;
    } hmac_sha512;
    struct {
        uint8_t secret[crypto_sign_ed25519_SECRETKEYBYTES];
        uint8_t public[crypto_sign_ed25519_PUBLICKEYBYTES];
    } curve25519;
} so_ctx;

/* Some states have to be aligned more than job->ctx is. */
#define SO_ALIGNMENT ((size_t)_Alignof(so_ctx))
#define SO_CTX_SIZE (sizeof(so_ctx) + SO_ALIGNMENT - 1)

static inline so_ctx *so_ctx_of(const mb_job *job)
{
    uintptr_t at = ((uintptr_t)job->ctx + SO_ALIGNMENT - 1) / SO_ALIGNMENT * SO_ALIGNMENT;
    return (so_ctx *)at;
}

/* `len` bytes xor the key stream from block `counter` on, n times. */
typedef mb_status so_xor(const mb_job *job, const uint8_t *nonce, uint64_t counter, const uint8_t *in, size_t len,
                         uint8_t *out, uint32_t n);

typedef struct so_stream {
    const mb_kind *kind;
    so_xor *xor;
    uint8_t nonce_len; /* bytes; what the job has more is the first counter, before the nonce */
} so_stream;

/* One call, n times, on the whole message of the job. */
typedef mb_status so_aead_func(mb_job *job, const so_ctx *ctx, uint32_t n);

typedef struct so_aead {
    const mb_kind *kind;
    so_aead_func *encrypt, *decrypt;
    /* NULL: the key goes with each call. */
    int (*set_key)(crypto_aead_aes256gcm_state *state, const unsigned char *key);
} so_aead;

typedef struct so_digest {
    const mb_kind *kind;
    uint8_t out_len; /* bytes */
    int (*init)(so_ctx *ctx);
    int (*update)(so_ctx *ctx, const uint8_t *in, size_t len);
    int (*final)(so_ctx *ctx, uint8_t *out);
    int (*whole)(uint8_t *out, const uint8_t *in, size_t len, uint32_t n); /* n times the library's one call for it */
} so_digest;

typedef struct so_mac {
    const mb_kind *kind;
    uint8_t out_len; /* bytes */
    int (*set_key)(so_ctx *ctx, const uint8_t *key, size_t len);
    void (*begin)(so_ctx *ctx);
    int (*update)(so_ctx *ctx, const uint8_t *in, size_t len);
    int (*final)(so_ctx *ctx, uint8_t *out);
} so_mac;

extern const mb_kind so_stream_kind, so_aead_kind, so_digest_kind, so_mac_kind, so_ed25519_kind, so_x25519_kind;
extern const so_stream so_chacha20, so_salsa20, so_salsa20_12;                     /* stream.c */
extern const so_aead so_aes256gcm, so_chacha20_poly1305, so_xchacha20_poly1305;    /* aead.c */
extern const so_digest so_sha256, so_sha512, so_blake2b;                           /* digest.c */
extern const so_mac so_hmac_sha256, so_hmac_sha512;                                /* mac.c */

/* What a return code of the library means. */
static inline mb_status so_check(int code)
{
    return code == 0 ? MB_OK : mb_note(MB_ERROR, "libsodium reported a failure");
}

/* table.c: the schemes; those the processor lacks are left out. */
void so_table_fill(void);
size_t so_table_count(void);
const mb_scheme *so_table_at(size_t i);

#endif
