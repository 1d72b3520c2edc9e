/*
 * XMSS and XMSS^MT (RFC 8391, SP 800-208): verification. mote/xmss
 *
 * Timed is hashing the message and everything else; the time depends on the message,
 * because digits of its hash say how much of each chain is left.
 */
#include "mote/xmss.h"

#include "verifying.h"

typedef struct set {
    mb_row row;
    mote_xmss_set xmss;
} set;

static mb_status verify(mb_job *job)
{
    const set *s = job->scheme->param;
    return mote_xmss_verify(&s->xmss, job->key, job->message, job->message_len, job->signature) == 0
               ? MB_OK
               : MB_REJECTED;
}

#define SET(hash, oid, n, height, layers) \
    &(const set){{&verifying}, {&mote_xmss_##hash, oid, n, height, layers}}
#define PUBLIC(n) (4 + 2 * (n))
#define CHAINS(n) (2 * (n) + 3)
#define ONE(id, label, hash, oid, n, height)                                          \
    MOTE_PICK(id, VERIFIES(label, PUBLIC(n), 4 + (n) * (1 + CHAINS(n) + (height)), 0, \
                           SET(hash, oid, n, height, 0)))
#define SEVERAL(id, label, hash, oid, n, height, layers)                                        \
    MOTE_PICK(id, VERIFIES(label, PUBLIC(n),                                                    \
                           ((height) + 7) / 8 + (n) * (1 + (layers) * CHAINS(n) + (height)), 0, \
                           SET(hash, oid, n, (height) / (layers), layers)))

/*
 * Object identifiers: RFC 8391, section 8; SP 800-208, sections 5.1 to 5.4. They count up from the
 * first of each table.
 */
#define XMSS(id, label, hash, first, n, bits)                                      \
    ONE(xmss_##id##_10_##bits, "xmss-" label "-10-" #bits, hash, first, n, 10)     \
    ONE(xmss_##id##_16_##bits, "xmss-" label "-16-" #bits, hash, first + 1, n, 16) \
    ONE(xmss_##id##_20_##bits, "xmss-" label "-20-" #bits, hash, first + 2, n, 20)
#define XMSSMT(id, label, hash, first, n, bits)                                                   \
    SEVERAL(xmssmt_##id##_20_2_##bits, "xmssmt-" label "-20-2-" #bits, hash, first, n, 20, 2)     \
    SEVERAL(xmssmt_##id##_20_4_##bits, "xmssmt-" label "-20-4-" #bits, hash, first + 1, n, 20, 4) \
    SEVERAL(xmssmt_##id##_40_2_##bits, "xmssmt-" label "-40-2-" #bits, hash, first + 2, n, 40, 2) \
    SEVERAL(xmssmt_##id##_40_4_##bits, "xmssmt-" label "-40-4-" #bits, hash, first + 3, n, 40, 4) \
    SEVERAL(xmssmt_##id##_40_8_##bits, "xmssmt-" label "-40-8-" #bits, hash, first + 4, n, 40, 8) \
    SEVERAL(xmssmt_##id##_60_3_##bits, "xmssmt-" label "-60-3-" #bits, hash, first + 5, n, 60, 3) \
    SEVERAL(xmssmt_##id##_60_6_##bits, "xmssmt-" label "-60-6-" #bits, hash, first + 6, n, 60, 6) \
    SEVERAL(xmssmt_##id##_60_12_##bits, "xmssmt-" label "-60-12-" #bits, hash, first + 7, n, 60, 12)

static const mb_scheme schemes[] = {
    XMSS(sha2, "sha2", sha256, 0x01, 32, 256) XMSS(sha2, "sha2", sha256, 0x0d, 24, 192)
        XMSS(shake256, "shake256", shake256, 0x10, 32,
             256) XMSS(shake256, "shake256", shake256, 0x13, 24, 192)
            XMSSMT(sha2, "sha2", sha256, 0x01, 32, 256) XMSSMT(sha2, "sha2", sha256, 0x21, 24, 192)
                XMSSMT(shake256, "shake256", shake256, 0x29, 32, 256)
                    XMSSMT(shake256, "shake256", shake256, 0x31, 24, 192)};

MOTE_ADAPTER(xmss)
#include "vendor/public_key.h"
