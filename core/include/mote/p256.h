/*
 * P-256 (SP 800-186, 3.2.1.3; secp256r1): key agreement (SP 800-56A, 5.7.1.2), ECDSA (FIPS 186-5),
 * deterministic (RFC 6979) or with a given nonce, and keys. For tests and measurements, not for
 * production: docs/reference/ciphers.md.
 *
 * Numbers are 32 bytes, the highest first. A private key is from 1 to n - 1, n the order of the
 * curve. Public keys are points (SEC 1, 2.3): 65 bytes uncompressed or 33 compressed. Every
 * function that takes something from outside returns 0, or -1 for what the standards refuse; then
 * nothing useful is in its output.
 *
 * Neither a branch nor an address depends on a private key, a nonce or a shared secret, and nor
 * does the time of an instruction, on processors that docs/reference/ciphers.md names. That a
 * private key or a nonce is refused shows. Verification takes public data, and its time depends on
 * them.
 */
#ifndef MOTE_P256_H
#define MOTE_P256_H

#include <stddef.h>
#include <stdint.h>

enum {
    MOTE_P256_NUMBER = 32,
    MOTE_P256_POINT = 65,
    MOTE_P256_COMPRESSED = 33,
    MOTE_P256_SIGNATURE = 64 /* r, then s */
};

/*
 * A key of random bytes (FIPS 186-5, A.2.2): -1 if they are no private key, which random bytes are
 * once in 2^32 times. `key` may be `random`.
 */
int mote_p256_keygen(uint8_t key[32], uint8_t point[65], const uint8_t random[32]);

/* The public key of a private key. */
int mote_p256_public_key(uint8_t point[65], const uint8_t key[32]);

/* 65 bytes to 33, which are not checked; and back: -1 if no point has this x. */
void mote_p256_compress(uint8_t compressed[33], const uint8_t point[65]);
int mote_p256_decompress(uint8_t point[65], const uint8_t compressed[33]);

/* 0 if it is a point of the curve, in either form; the point at infinity is none. */
int mote_p256_check(const uint8_t *point, size_t point_len);

/* The x coordinate of the common point. The peer's key is checked first. */
int mote_p256_agree(uint8_t secret[32], const uint8_t key[32], const uint8_t *peer,
                    size_t peer_len);

/*
 * Signs a digest of SHA-256; the nonce by RFC 6979, 3.2, with SHA-256, or given: it has to be
 * secret, unpredictable, from 1 to n - 1, and never the same for two digests.
 */
int mote_p256_sign(uint8_t signature[64], const uint8_t key[32], const uint8_t digest[32]);
int mote_p256_sign_with(uint8_t signature[64], const uint8_t key[32], const uint8_t digest[32],
                        const uint8_t nonce[32]);

/* 0 if the signature is right. s above n / 2 is as good as n - s (FIPS 186-5, 6.4.2). */
int mote_p256_verify(const uint8_t *point, size_t point_len, const uint8_t digest[32],
                     const uint8_t signature[64]);

#endif
