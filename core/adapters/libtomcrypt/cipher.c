/*
 * Ciphers: what all of them have in common; the steps are in modes.c, aead.c and stream.c.
 *
 * Timed: KEY_SETUP: the library's *_start, which besides the key schedule takes an IV (CFB
 * encrypts it), gcm_init (tables of GHASH) or ccm_init; ENCRYPT, DECRYPT: *_encrypt, *_process in
 * place; messages: setting the IV, AAD, data, tag. PKCS#7 padding is ours, as the library does not
 * pad. EAX and OCB take key and nonce in one call, and ChaCha20-Poly1305 forgets the key after each
 * message: with them every message pays for its key, and KEY_SETUP is not offered.
 */
#include "libtomcrypt_adapter.h"

const adapter_mode *adapter_mode_of(const adapter_cipher *cipher, unsigned mode)
{
    bool small = cipher->descriptor != NULL && cipher->descriptor->block_length == 8;
    return small ? &adapter_modes_64[mode] : &adapter_modes_128[mode];
}

static mb_status cipher_open(mb_job *job)
{
    const adapter_cipher *cipher = job->scheme->param;
    adapter_state *s = job->ctx;
    if (cipher->descriptor != NULL)
        s->cipher = find_cipher(cipher->descriptor->name);
    return mb_steps_open(job, &adapter_mode_of(cipher, job->scheme->native)->steps);
}

const mb_kind adapter_cipher_kind = {
    .open = cipher_open,
    .start = mb_steps_start,
    .run = mb_drive_run,
    .update = mb_steps_update,
    .final = mb_steps_final,
};
