/* Error texts of the library. */
#include "libgcrypt_adapter.h"

#include <stdio.h>

mb_status adapter_check(gcry_error_t err)
{
    if (!err)
        return MB_OK;
    char text[160];
    snprintf(text, sizeof text, "%s: %s", gcry_strsource(err), gcry_strerror(err));
    switch (gcry_err_code(err)) {
    case GPG_ERR_INV_LENGTH:
    case GPG_ERR_INV_KEYLEN:
    case GPG_ERR_BUFFER_TOO_SHORT:
    case GPG_ERR_NOT_SUPPORTED:
    case GPG_ERR_UNSUPPORTED_ALGORITHM:
        return mb_note_words(MB_UNSUPPORTED, text);
    case GPG_ERR_ENOMEM:
        return mb_note_words(MB_TOO_BIG, text);
    default:
        return mb_note_words(MB_ERROR, text);
    }
}
