/*
 * The calls of the probe, passed on to the functions that serve the scheme's kind: ciphers,
 * digests, signatures, ...
 *
 * A scheme's `param` points to a row that begins with its kind (mb_row). The adapter puts
 * mb_kind_open and so on into its mb_adapter and has one mb_kind for each kind of scheme. Functions
 * that are not offered are NULL.
 */
#ifndef MOTEBENCH_SUPPORT_KIND_H
#define MOTEBENCH_SUPPORT_KIND_H

#include <stdbool.h>

#include "motebench/adapter.h"

/* Functions of one kind of scheme; they have the meaning of those of mb_adapter. */
typedef struct mb_kind {
    mb_status (*open)(mb_job *job);
    mb_status (*start)(mb_job *job);
    mb_status (*run)(mb_job *job, uint32_t n);
    mb_status (*update)(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out,
                        size_t *out_len);
    mb_status (*final)(mb_job *job, uint8_t *out, size_t *out_len);
    /* Also called after an `open` that failed; the state is as `open` left it. */
    void (*close)(mb_job *job);
    mb_status (*public_key)(mb_job *job);
} mb_kind;

/* The part that all rows have in common, first in each of them. */
typedef struct mb_row { const mb_kind *kind; } mb_row;

/* Records a text for mb_adapter.error, a literal; returns `status`. */
#define mb_note(status, literal) mb_note_text(status, MB_TEXT(literal))

/*
 * The same with a text that stays; and with words that do not, of which 159 characters are kept
 * (not on an AVR).
 */
mb_status mb_note_text(mb_status status, mb_text text);
mb_status mb_note_words(mb_status status, const char *words);

/* Key and, if asked, nonce against the scheme's range: MB_OK or MB_UNSUPPORTED. */
mb_status mb_check_lengths(const mb_job *job, bool nonce);
/*
 * The tag length of this job: the one asked for where the operation has a tag, else the scheme's
 * longest. MB_UNSUPPORTED if the scheme does not take it.
 */
mb_status mb_tag_length(const mb_job *job, size_t *len);

mb_status mb_kind_open(mb_job *job);
mb_status mb_kind_start(mb_job *job);
mb_status mb_kind_run(mb_job *job, uint32_t n);
/* These two with MB_STREAMING only. */
mb_status mb_kind_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out,
                         size_t *out_len);
mb_status mb_kind_final(mb_job *job, uint8_t *out, size_t *out_len);
void mb_kind_close(mb_job *job);
mb_status mb_kind_public_key(mb_job *job);
mb_text mb_kind_error(void);

#endif
