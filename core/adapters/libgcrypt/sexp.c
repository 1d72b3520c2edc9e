/* Shared by keys and signatures: numbers of S-expressions, random numbers. */
#include "libgcrypt_adapter.h"

#include <string.h>

mb_status adapter_extract(gcry_sexp_t sexp, const char *name, uint8_t *out, size_t width)
{
    uint8_t number[ADAPTER_RSA_MAX_BYTES + 1]; /* the library may put a zero in front */
    gcry_buffer_t buffer = {.size = sizeof number, .data = number};
    mb_status status = adapter_check(gcry_sexp_extract_param(sexp, NULL, name, &buffer, NULL));
    if (status != MB_OK)
        return status;
    const uint8_t *at = number;
    size_t len = buffer.len;
    while (len > width && *at == 0) {
        at++;
        len--;
    }
    if (len > width)
        return mb_note(MB_ERROR, "the library's number is longer than expected");
    memset(out, 0, width - len);
    memcpy(out + (width - len), at, len);
    return MB_OK;
}

void adapter_warm_random(void)
{
    uint8_t byte;
    gcry_randomize(&byte, sizeof byte, GCRY_VERY_STRONG_RANDOM);
}
