/*
 * Ed25519 (RFC 8032) and X25519 (RFC 7748).
 *
 * Timed: crypto_sign_ed25519_detached (with the public key, which `open` computes) and
 * _verify_detached; crypto_scalarmult_curve25519, which refuses peers of small order; KEYGEN:
 * crypto_sign_ed25519_keypair and crypto_box_keypair. Ed25519 reads the message twice, therefore it
 * cannot be streamed.
 */
#include "libsodium_adapter.h"

#include <string.h>

enum { KEY = 32, SIGNATURE = crypto_sign_ed25519_BYTES };

static mb_status ed25519_generate(mb_job *job)
{
    adapter_state *s = adapter_state_of(job);
    return adapter_check(crypto_sign_ed25519_keypair(s->curve25519.public, s->curve25519.secret));
}

static mb_status ed25519_generate_all(mb_job *job, uint32_t n)
{
    mb_status status = mb_repeat(job, n, ed25519_generate);
    memcpy(job->out, adapter_state_of(job)->curve25519.secret, KEY); /* the seed comes first */
    job->out_len = KEY;
    return status;
}

static mb_status ed25519_load(mb_job *job, bool secret)
{
    adapter_state *s = adapter_state_of(job);
    if (!secret)
        return MB_OK;
    return adapter_check(
        crypto_sign_ed25519_seed_keypair(s->curve25519.public, s->curve25519.secret, job->key));
}

static mb_status ed25519_sign(mb_job *job, const uint8_t *message, size_t len, uint8_t *out,
                              size_t *out_len)
{
    const adapter_state *s = adapter_state_of(job);
    *out_len = SIGNATURE;
    return adapter_check(
        crypto_sign_ed25519_detached(out, NULL, message, len, s->curve25519.secret));
}

static mb_status ed25519_verify(mb_job *job, const uint8_t *message, size_t len)
{
    const bool good =
        job->signature_len == SIGNATURE &&
        crypto_sign_ed25519_verify_detached(job->signature, message, len, job->key) == 0;
    return good ? MB_OK : MB_REJECTED;
}

static mb_status ed25519_open(mb_job *job)
{
    static const mb_signing how = {
        .load = ed25519_load,
        .generate = ed25519_generate_all,
        .sign = ed25519_sign,
        .verify = ed25519_verify,
        .room = SIGNATURE};
    return mb_sign_open(job, &how);
}

static mb_status ed25519_public_key(mb_job *job)
{
    uint8_t secret[crypto_sign_ed25519_SECRETKEYBYTES];
    mb_status status = mb_check_lengths(job, false);
    job->out_len = KEY;
    return status == MB_OK
               ? adapter_check(crypto_sign_ed25519_seed_keypair(job->out, secret, job->key))
               : status;
}

static mb_status x25519_generate(mb_job *job)
{
    return adapter_check(crypto_box_keypair(adapter_state_of(job)->curve25519.public, job->out));
}

static mb_status x25519_agree(mb_job *job)
{
    return crypto_scalarmult_curve25519(job->out, job->key, job->peer) == 0
               ? MB_OK
               : mb_note(MB_ERROR, "libsodium refuses this public key: its order is small");
}

MB_REPEAT(x25519_generate_all, x25519_generate)
MB_REPEAT(x25519_agree_all, x25519_agree)

static mb_status x25519_open(mb_job *job)
{
    if (job->op == MB_KEYGEN)
        return mb_drive(job, x25519_generate_all);
    if (job->peer_len != KEY)
        return mb_note(MB_UNSUPPORTED, "a public key has 32 bytes");
    mb_status status = mb_check_lengths(job, false);
    return status == MB_OK ? mb_drive(job, x25519_agree_all) : status;
}

static mb_status x25519_start(mb_job *job)
{
    job->out_len = KEY;
    return MB_OK;
}

static mb_status x25519_public_key(mb_job *job)
{
    mb_status status = mb_check_lengths(job, false);
    job->out_len = KEY;
    return status == MB_OK ? adapter_check(crypto_scalarmult_curve25519_base(job->out, job->key))
                           : status;
}

const mb_kind adapter_ed25519_kind = {
    .open = ed25519_open,
    .start = mb_sign_start,
    .run = mb_drive_run,
    .public_key = ed25519_public_key};
const mb_kind adapter_x25519_kind = {
    .open = x25519_open,
    .start = x25519_start,
    .run = mb_drive_run,
    .public_key = x25519_public_key};
