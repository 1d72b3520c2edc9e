/*
 * MACs as libraries do them: what their wrappers share. Included after the library's headers by a
 * wrapper that then defines its job_state, whose first member is an mb_hash_state, set_key, begin,
 * update and finish (see hashes.h), OPEN(job), which makes the state ready (mb_status), and
 * includes vendor/mac_kind.h and vendor/public_key.h.
 */
#ifndef MOTE_VENDOR_MAC_H
#define MOTE_VENDOR_MAC_H

#include <stdint.h>
#include <string.h>

#include "motebench/adapter.h"
#include "support/hashes.h"
#include "support/kind.h"
#include "vendor/pick.h"

/* The row of a scheme: its kind, and what the wrapper needs beside. */
typedef struct mac_row {
    const mb_kind *kind;
    const void *what;
} mac_row;

static inline const void *mac_what(const mb_job *job)
{
    const mac_row *row = job->scheme->param;
    return row->what;
}

#define MAC_SCHEME(label, keys_min, keys_max, len, row)               \
    {.name = (label),                                                 \
     .operations = (uint16_t)(MB_CAN(MB_MAC) | MB_CAN(MB_KEY_SETUP)), \
     .can_stream = 1,                                                 \
     .key_min = (keys_min),                                           \
     .key_max = (keys_max),                                           \
     .tag_min = (len),                                                \
     .tag_max = (len),                                                \
     .block = 1,                                                      \
     .param = (row)}

#endif
