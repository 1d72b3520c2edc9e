/* Hash functions of BearSSL as descriptors. */
#include "bear.h"

/*
 * HASH(sha256): start, update, finish of br_sha256_...; then HASH_ROW(sha256, "sha256", length) is
 * its row.
 */
#define HASH(id)                                                        \
    static void id##_start(void *state)                                 \
    {                                                                   \
        br_##id##_init(state);                                          \
    }                                                                   \
    static void id##_update(void *state, const uint8_t *in, size_t len) \
    {                                                                   \
        br_##id##_update(state, in, len);                               \
    }                                                                   \
    static void id##_finish(void *state, uint8_t *digest)               \
    {                                                                   \
        br_##id##_out(state, digest);                                   \
    }
#define HASH_ROW(id)                                       \
    MOTE_PICK(id, {.name = #id,                            \
                   .digest_len = br_##id##_SIZE,           \
                   .state_len = sizeof(br_##id##_context), \
                   .start = id##_start,                    \
                   .update = id##_update,                  \
                   .finish = id##_finish})
