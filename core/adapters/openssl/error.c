/* Error texts of the library, and giving back what a job holds. */
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <stdio.h>

#include "openssl_adapter.h"

mb_status mbo_fail(void)
{
    const char *data = NULL;
    char text[160];
    int flags = 0;
    unsigned long code = ERR_peek_last_error_all(NULL, NULL, NULL, &data, &flags);
    const char *library = ERR_lib_error_string(code), *reason = ERR_reason_error_string(code);

    if (code == 0) {
        snprintf(text, sizeof text, "OpenSSL reported a failure without a reason");
    } else if (reason == NULL) {
        ERR_error_string_n(code, text, sizeof text);
    } else {
        int has_data = (flags & ERR_TXT_STRING) != 0 && data != NULL && data[0] != '\0';
        snprintf(text, sizeof text, "%s: %s%s%s%s", library ? library : "OpenSSL", reason,
                 has_data ? " (" : "", has_data ? data : "", has_data ? ")" : "");
    }
    ERR_clear_error();
    return mb_note_words(MB_ERROR, text);
}

mb_status mbo_reject(void)
{
    ERR_clear_error();
    return MB_REJECTED;
}

void mbo_close(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);

    EVP_CIPHER_CTX_free(state->cipher_ctx);
    EVP_CIPHER_free(state->cipher);
    EVP_MD_CTX_free(state->md_ctx);
    EVP_MD_free(state->md);
    EVP_MAC_CTX_free(state->mac_ctx);
    EVP_MAC_free(state->mac);
    EVP_PKEY_CTX_free(state->key_ctx);
    EVP_PKEY_free(state->key);
    OPENSSL_cleanse(state, sizeof *state);
    ERR_clear_error();
}
