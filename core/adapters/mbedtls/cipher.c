/*
 * Ciphers: what all of them have in common; the steps are in block.c, small.c, stream.c and aead.c.
 *
 * Timed: KEY_SETUP: the library's setkey; ENCRYPT, DECRYPT: its crypt or update functions
 * in place; messages: loading the nonce, AAD, data, tag. PKCS#7 padding is ours, as the low-level
 * functions do not pad.
 */
#include "mbedtls_adapter.h"

static mb_status cipher_open(mb_job *job)
{
    const adapter_cipher *cipher = job->scheme->param;
    cipher->mode->init(job->ctx);
    return mb_steps_open(job, &cipher->mode->steps);
}

static void cipher_close(mb_job *job)
{
    const adapter_cipher *cipher = job->scheme->param;
    cipher->mode->free(job->ctx);
}

const mb_kind adapter_cipher_kind = {
    .open = cipher_open,
    .start = mb_steps_start,
    .run = mb_drive_run,
    .update = mb_steps_update,
    .final = mb_steps_final,
    .close = cipher_close,
};
