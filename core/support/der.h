/*
 * DER (ITU-T X.690) as far as keys and signatures need it: a SEQUENCE of non-negative INTEGERs.
 *
 * That is RSAPublicKey, RSAPrivateKey of version 0 (RFC 8017 A.1) and ECDSA-Sig-Value (RFC 3279
 * 2.2.3).
 */
#ifndef MOTEBENCH_SUPPORT_DER_H
#define MOTEBENCH_SUPPORT_DER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An unsigned big-endian number. Read ones have no leading zeros; 0 has the length 0. */
typedef struct mb_number {
    const uint8_t *at;
    size_t len;
} mb_number;

/*
 * Reads exactly `count` integers, which point into `in`. Strict: shortest length and integer
 * encodings only, no negative numbers, nothing left over, nothing read outside of `in`. False if
 * `in` is anything else.
 */
bool mb_der_read(const uint8_t *in, size_t len, mb_number *numbers, size_t count);

/*
 * Writes `count` integers; leading zeros are dropped. The length written, or 0 if it does not fit
 * into `cap`.
 */
size_t mb_der_write(uint8_t *out, size_t cap, const mb_number *numbers, size_t count);

#endif
