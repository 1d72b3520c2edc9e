/* Ed25519: signatures (RFC 8032, section 5.1). */
#include "mote/ed25519.h"

#include <string.h>

#include "../sha2/sha512_state.h"
#include "ed25519_group.h"
#include "mote/cipher.h"

enum { NUMBER = 32, DIGEST = 64 };

/* The number k of a signature: SHA-512 of R, A and the message, modulo the order. */
static void challenge(mote_ed25519_scalar *k, const uint8_t r[32], const uint8_t a[32],
                      const uint8_t *message, size_t len)
{
    mote_sha512_state state;
    uint8_t digest[DIGEST];
    mote_sha512_start(&state);
    mote_sha512_update(&state, r, NUMBER);
    mote_sha512_update(&state, a, NUMBER);
    mote_sha512_update(&state, message, len);
    mote_sha512_finish(&state, digest, DIGEST);
    mote_ed25519_scalar_reduce(k, digest);
}

void mote_ed25519_expand(mote_ed25519_signer *signer, const uint8_t private_key[32])
{
    mote_sha512_state state;
    uint8_t digest[DIGEST];
    mote_ed25519_scalar scalar;
    mote_ed25519_point point;
    mote_sha512_start(&state);
    mote_sha512_update(&state, private_key, NUMBER);
    mote_sha512_finish(&state, digest, DIGEST);
    digest[0] &= 0xf8;
    digest[31] = (digest[31] & 0x7f) | 0x40;
    memcpy(signer->scalar, digest, NUMBER);
    memcpy(signer->prefix, digest + NUMBER, NUMBER);
    mote_ed25519_scalar_load(&scalar, digest);
    mote_ed25519_base_times(&point, &scalar);
    mote_ed25519_encode(signer->public_key, &point);
    mote_wipe(&state, sizeof state);
    mote_wipe(digest, sizeof digest);
    mote_wipe(&scalar, sizeof scalar);
    mote_wipe(&point, sizeof point);
}

void mote_ed25519_public_key(uint8_t public_key[32], const uint8_t private_key[32])
{
    mote_ed25519_signer signer;
    mote_ed25519_expand(&signer, private_key);
    memcpy(public_key, signer.public_key, NUMBER);
    mote_wipe(&signer, sizeof signer);
}

void mote_ed25519_sign(uint8_t signature[64], const mote_ed25519_signer *signer,
                       const uint8_t *message, size_t len)
{
    mote_sha512_state state;
    uint8_t digest[DIGEST];
    mote_ed25519_scalar nonce, k, scalar;
    mote_ed25519_point point;
    mote_sha512_start(&state);
    mote_sha512_update(&state, signer->prefix, NUMBER);
    mote_sha512_update(&state, message, len);
    mote_sha512_finish(&state, digest, DIGEST);
    mote_ed25519_scalar_reduce(&nonce, digest);
    scalar = nonce;
    mote_ed25519_base_times(&point, &scalar);
    mote_ed25519_encode(digest, &point);
    challenge(&k, digest, signer->public_key, message, len);
    mote_ed25519_scalar_load(&scalar, signer->scalar);
    mote_ed25519_scalar_multiply_add(&k, &k, &scalar, &nonce);
    memcpy(signature, digest, NUMBER);
    mote_ed25519_scalar_store(signature + NUMBER, &k);
    mote_wipe(&state, sizeof state);
    mote_wipe(digest, sizeof digest);
    mote_wipe(&nonce, sizeof nonce);
    mote_wipe(&scalar, sizeof scalar);
    mote_wipe(&point, sizeof point);
}

int mote_ed25519_verify(const uint8_t signature[64], const uint8_t public_key[32],
                        const uint8_t *message, size_t len)
{
    mote_ed25519_scalar s, k;
    mote_ed25519_point r, a;
    mote_ed25519_scalar_load(&s, signature + NUMBER);
    if (!mote_ed25519_scalar_is_canonical(&s) || !mote_ed25519_decode(&r, signature) ||
        !mote_ed25519_decode(&a, public_key))
        return -1;
    challenge(&k, signature, public_key, message, len);
    return mote_ed25519_is_sum(&s, &r, &k, &a) ? 0 : -1;
}
