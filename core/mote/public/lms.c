/*
 * LMS and HSS (RFC 8554, SP 800-208): verification. mote/lms
 *
 * Timed is hashing the message and everything else; the time depends on the message,
 * because digits of its hash say how much of each chain is left.
 */
#include "mote/lms.h"

#include "verifying.h"

typedef struct set {
    mb_row row;
    mote_lms_set lms;
} set;

static mb_status verify(mb_job *job)
{
    const set *s = job->scheme->param;
    return mote_lms_verify(&s->lms, job->key, job->message, job->message_len, job->signature) == 0
               ? MB_OK
               : MB_REJECTED;
}

/* Bytes of a signature of one tree: 12, randomiser, chains, path. */
#define TREE_BYTES(n, chains, height) (12 + (n) * (1 + (chains) + (height)))
#define SET(hash, n, w, levels, top, bottom) \
    &(const set){{&verifying}, {&mote_lms_##hash, n, w, levels, {top, bottom}}}
#define LMS(id, label, hash, n, w, chains, height)                            \
    MOTE_PICK(id, VERIFIES(label, 24 + (n), TREE_BYTES(n, chains, height), 0, \
                           SET(hash, n, w, 0, height, 0)))
#define HSS(id, label, hash, n, w, chains, height)                                \
    MOTE_PICK(id, VERIFIES(label, 28 + (n), 4 + TREE_BYTES(n, chains, height), 0, \
                           SET(hash, n, w, 1, height, 0)))
#define TWO(id, label, hash, n, chains, top, bottom)                                              \
    MOTE_PICK(id,                                                                                 \
              VERIFIES(label, 28 + (n),                                                           \
                       4 + TREE_BYTES(n, chains, top) + 24 + (n) + TREE_BYTES(n, chains, bottom), \
                       0, SET(hash, n, 8, 2, top, bottom)))

#define HEIGHTS(row, id, label, hash, n, w, chains)                           \
    row(id##_h5_w##w, label "-h5-w" #w, hash, n, w, chains, 5)                \
        row(id##_h10_w##w, label "-h10-w" #w, hash, n, w, chains, 10)         \
            row(id##_h15_w##w, label "-h15-w" #w, hash, n, w, chains, 15)     \
                row(id##_h20_w##w, label "-h20-w" #w, hash, n, w, chains, 20) \
                    row(id##_h25_w##w, label "-h25-w" #w, hash, n, w, chains, 25)
#define DIGITS_32(row, id, label, hash)                    \
    HEIGHTS(row, id##_m32, label "-m32", hash, 32, 1, 265) \
    HEIGHTS(row, id##_m32, label "-m32", hash, 32, 2, 133) \
    HEIGHTS(row, id##_m32, label "-m32", hash, 32, 4, 67)  \
    HEIGHTS(row, id##_m32, label "-m32", hash, 32, 8, 34)
#define DIGITS_24(row, id, label, hash)                    \
    HEIGHTS(row, id##_m24, label "-m24", hash, 24, 1, 200) \
    HEIGHTS(row, id##_m24, label "-m24", hash, 24, 2, 101) \
    HEIGHTS(row, id##_m24, label "-m24", hash, 24, 4, 51)  \
    HEIGHTS(row, id##_m24, label "-m24", hash, 24, 8, 26)
#define BELOW(id, label, n, chains, top)                                             \
    TWO(id##_h##top##_h5_w8, label "-h" #top "-h5-w8", sha256, n, chains, top, 5)    \
    TWO(id##_h##top##_h10_w8, label "-h" #top "-h10-w8", sha256, n, chains, top, 10) \
    TWO(id##_h##top##_h15_w8, label "-h" #top "-h15-w8", sha256, n, chains, top, 15)
#define LEVELS(id, label, n, chains) \
    BELOW(id, label, n, chains, 5)   \
    BELOW(id, label, n, chains, 10)  \
    BELOW(id, label, n, chains, 15)  \
    BELOW(id, label, n, chains, 20)

static const mb_scheme schemes[] = {
    DIGITS_32(LMS, lms_sha256, "lms-sha256", sha256) DIGITS_24(
        LMS, lms_sha256, "lms-sha256", sha256) DIGITS_32(LMS, lms_shake, "lms-shake", shake256)
        DIGITS_24(LMS, lms_shake, "lms-shake", shake256) DIGITS_32(
            HSS, hss_sha256, "hss-sha256", sha256) DIGITS_24(HSS, hss_sha256, "hss-sha256", sha256)
            LEVELS(hss_sha256_m32, "hss-sha256-m32", 32, 34)
                LEVELS(hss_sha256_m24, "hss-sha256-m24", 24, 26)};

MOTE_ADAPTER(lms)
#include "vendor/public_key.h"
