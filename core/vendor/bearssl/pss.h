/*
 * EMSA-PSS (RFC 8017 9.1), of which BearSSL 0.6 has none: made of the library's hashes and of its
 * MGF1, which it has for OAEP. The salt is as long as the hash; the modulus has a multiple of 8
 * bits, so the highest bit of the block is 0.
 */
#ifndef MOTE_VENDOR_BEAR_PSS_H
#define MOTE_VENDOR_BEAR_PSS_H

#include <inner.h> /* br_mgf1_xor */

#include "public.h"

enum { PSS_SALT = 0x01, PSS_END = 0xbc, PSS_HIGHEST = 0x80 };

/* Hash of eight zeros, the message's digest and the salt: `to` may be one of them. */
static inline void bear_pss_hash(const br_hash_class *hash, size_t len, const uint8_t *digest,
                                 const uint8_t *salt, uint8_t *to)
{
    static const uint8_t zeros[8];
    br_hash_compat_context context;
    hash->init(&context.vtable);
    hash->update(&context.vtable, zeros, sizeof zeros);
    hash->update(&context.vtable, digest, len);
    hash->update(&context.vtable, salt, len);
    hash->out(&context.vtable, to);
}

/* A block of `em_len` bytes for a digest of `len`; false if these and as much salt do not fit. */
static inline bool bear_pss_encode(const br_hash_class *hash, size_t len, const uint8_t *digest,
                                   const uint8_t *salt, uint8_t *em, size_t em_len)
{
    if (em_len < 2 * len + 2)
        return false;
    const size_t db_len = em_len - len - 1;
    uint8_t *const h = em + db_len;
    memset(em, 0, db_len);
    em[db_len - len - 1] = PSS_SALT;
    memcpy(em + db_len - len, salt, len);
    bear_pss_hash(hash, len, digest, salt, h);
    br_mgf1_xor(em, db_len, hash, h, len);
    em[0] &= (uint8_t)~PSS_HIGHEST;
    em[em_len - 1] = PSS_END;
    return true;
}

/* True if a block belongs to a digest; its mask is taken off in place. */
static inline bool bear_pss_check(const br_hash_class *hash, size_t len, const uint8_t *digest,
                                  uint8_t *em, size_t em_len)
{
    if (em_len < 2 * len + 2 || em[em_len - 1] != PSS_END || (em[0] & PSS_HIGHEST) != 0)
        return false;
    const size_t db_len = em_len - len - 1;
    uint8_t *const h = em + db_len;
    uint8_t expected[64], wrong = 0;
    br_mgf1_xor(em, db_len, hash, h, len);
    em[0] &= (uint8_t)~PSS_HIGHEST;
    for (size_t i = 0; i < db_len - len - 1; i++)
        wrong |= em[i];
    wrong |= em[db_len - len - 1] ^ PSS_SALT;
    bear_pss_hash(hash, len, digest, em + db_len - len, expected);
    return wrong == 0 && memcmp(expected, h, len) == 0;
}

#endif
