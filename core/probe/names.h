/* The names that the protocol has for operations, and for what they take and give. */
#ifndef MOTEBENCH_NAMES_H
#define MOTEBENCH_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "motebench/adapter.h"
#include "motebench/text.h"

/*
 * Number of operations with names here: without MB_PUBLIC_KEY those of ciphers, hash functions and
 * MACs.
 */
enum { MB_NAMED = MB_PUBLIC_KEY ? MB_OPERATION_COUNT : MB_KEYGEN };

/* The name of an operation, one of the first MB_NAMED. */
mb_text mb_operation_name(mb_operation op);

/* The operation of that name; false if there is none. */
bool mb_operation_find(const char *name, size_t len, mb_operation *op);

/* The places of mb_job that have other names in other operations: nonce, in, tag, out, tag_out. */
typedef enum mb_place {
    MB_BESIDE,  /* nonce, context, seed */
    MB_INPUT,   /* data, peer, ciphertext */
    MB_CHECKED, /* tag, signature */
    MB_OUTPUT,  /* out, signature, private, secret, ciphertext */
    MB_SECOND,  /* tag, public, secret */
    MB_PLACE_COUNT
} mb_place;

/*
 * The key of a request or reply for that place of the job; empty where the operation has no such
 * thing.
 */
#if MB_PUBLIC_KEY
mb_text mb_key_of(mb_operation op, mb_place place);
#else
static inline mb_text mb_key_of(mb_operation op, mb_place place)
{
    (void)op;
    return place == MB_BESIDE   ? MB_TEXT("nonce")
           : place == MB_INPUT  ? MB_TEXT("data")
           : place == MB_OUTPUT ? MB_TEXT("out")
                                : MB_TEXT("tag");
}
#endif

#endif
