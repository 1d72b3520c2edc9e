/* Bytes that the output of an operation takes. */
#include "job.h"

/*
 * Shared secrets, whose length the scheme does not give; what a verification may work in
 * (RSA-4096).
 */
enum { SECRET_BYTES = 64, VERIFY_BYTES = 512 };

#ifdef MB_GUARDED /* user code, which alone may need the room twice */
#define VERIFY_ROOM scheme->joined
#else
#define VERIFY_ROOM 1
#endif

size_t mb_out_bytes(const mb_job *job, mb_operation op)
{
    const mb_scheme *scheme = job->scheme;
    if (mb_is_kem(scheme)) {
        return op == MB_KEYGEN        ? scheme->private_bytes
               : op == MB_ENCAPSULATE ? scheme->ciphertext_bytes
               : op == MB_DECAPSULATE ? scheme->secret_bytes
                                      : scheme->public_bytes;
    }
    switch (op) {
    case MB_ENCRYPT:
    case MB_DECRYPT:
        return job->in_len;
    case MB_KEY_SETUP:
    case MB_DIGEST:
    case MB_MAC:
        return scheme->tag_max;
    case MB_SIGN:
        return scheme->tag_max + (scheme->joined ? job->in_len : 0);
    case MB_ENCRYPT_MESSAGE:
    case MB_DECRYPT_MESSAGE:
    case MB_ENCRYPT_NEW_KEY:
        return job->in_len + mb_longer_bytes(scheme);
    case MB_KEYGEN:
        return scheme->key_max;
    case MB_VERIFY:
        return scheme->joined                   ? VERIFY_ROOM * (job->in_len + scheme->tag_max)
               : scheme->tag_max > VERIFY_BYTES ? 0
                                                : scheme->tag_max;
    default: /* a shared secret, a public key */
        return job->in_len + scheme->key_max + SECRET_BYTES;
    }
}
