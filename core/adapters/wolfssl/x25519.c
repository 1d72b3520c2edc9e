/*
 * X25519 (RFC 7748).
 *
 * Timed: AGREE: wc_curve25519_shared_secret_ex; KEYGEN: wc_curve25519_make_key, which
 * computes the public key as well. Both keys are read in `open`. RFC 7748 5 wants the highest bit
 * of a public key ignored; the library refuses keys that have it set.
 */
#include "wolfssl_adapter.h"

#include <string.h>

enum { LENGTH = CURVE25519_KEYSIZE };

static int load(const mb_job *job, adapter_pk_state *s)
{
    int err = wc_curve25519_init_ex(&s->key.x25519, NULL, INVALID_DEVID);
    s->have_key = !err;
    return err ? err
               : wc_curve25519_import_private_ex(
                     job->key, LENGTH, &s->key.x25519, EC25519_LITTLE_ENDIAN);
}

static mb_status generate(mb_job *job)
{
    adapter_pk_state *s = &((adapter_state *)job->ctx)->pk;
    word32 len = LENGTH;
    int err = wc_curve25519_make_key(&adapter_rng, LENGTH, &s->key.x25519);
    if (!err)
        err = wc_curve25519_export_private_raw_ex(
            &s->key.x25519, job->out, &len, EC25519_LITTLE_ENDIAN);
    job->out_len = len;
    return adapter_check(err);
}

static mb_status agree(mb_job *job)
{
    adapter_pk_state *s = &((adapter_state *)job->ctx)->pk;
    word32 len = LENGTH;
    int err = wc_curve25519_shared_secret_ex(
        &s->key.x25519, &s->peer, job->out, &len, EC25519_LITTLE_ENDIAN);
    job->out_len = len;
    return adapter_check(err);
}

MB_REPEAT(generate_all, generate)
MB_REPEAT(agree_all, agree)

static mb_status x25519_open(mb_job *job)
{
    adapter_pk_state *s = &((adapter_state *)job->ctx)->pk;
    if (job->out_cap < LENGTH)
        return mb_note(MB_TOO_BIG, "output does not fit");
    if (job->op == MB_KEYGEN) {
        int err = wc_curve25519_init_ex(&s->key.x25519, NULL, INVALID_DEVID);
        s->have_key = !err;
        return err ? adapter_check(err) : mb_drive(job, generate_all);
    }
    mb_status status = mb_check_lengths(job, false);
    if (status != MB_OK)
        return status;
    if (job->peer_len != LENGTH)
        return mb_note(MB_UNSUPPORTED, "a public key has 32 bytes");
    if (job->peer[LENGTH - 1] >= 0x80)
        return mb_note(MB_UNSUPPORTED, "the library rejects public keys of 2^255 or more");
    int err = load(job, s);
    if (!err)
        err = wc_curve25519_init_ex(&s->peer, NULL, INVALID_DEVID);
    s->have_peer = !err;
    if (!err)
        err = wc_curve25519_import_public_ex(job->peer, LENGTH, &s->peer, EC25519_LITTLE_ENDIAN);
    return err ? adapter_check(err) : mb_drive(job, agree_all);
}

static void x25519_close(mb_job *job)
{
    adapter_pk_state *s = &((adapter_state *)job->ctx)->pk;
    if (s->have_key)
        wc_curve25519_free(&s->key.x25519);
    if (s->have_peer)
        wc_curve25519_free(&s->peer);
    memset(s, 0, sizeof *s);
}

static mb_status x25519_public_key(mb_job *job)
{
    adapter_pk_state *s = &((adapter_state *)job->ctx)->pk;
    word32 len = LENGTH;
    mb_status status = mb_check_lengths(job, false);
    if (status != MB_OK)
        return status;
    int err = load(job, s);
    if (!err)
        err = wc_curve25519_export_public_ex(&s->key.x25519, job->out, &len, EC25519_LITTLE_ENDIAN);
    job->out_len = len;
    x25519_close(job);
    return adapter_check(err);
}

const mb_kind adapter_x25519_kind = {
    .open = x25519_open,
    .run = mb_drive_run,
    .close = x25519_close,
    .public_key = x25519_public_key,
};
