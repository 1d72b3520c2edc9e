/*
 * Secrets of a job, marked for a simulator that follows where they flow: in firmware that is built
 * for that (MB_MARKS); elsewhere the functions do nothing.
 */
#ifndef MOTEBENCH_PROBE_MARKS_H
#define MOTEBENCH_PROBE_MARKS_H

#include "job.h"
#include "motebench/marks.h"

#ifdef MB_MARKS
enum { MB_SECRETS = 8, MB_SECRET_BYTES = 5 };

/* Some bytes of one of the job's inputs. */
typedef struct mb_secret {
    uint8_t place; /* as its number in the request, and as an origin */
    uint16_t offset, len;
} mb_secret;

typedef struct mb_secrets {
    mb_secret at[MB_SECRETS];
    uint8_t count;
} mb_secrets;

/* "secret" of a request: bytes, for each secret the place, and offset and length, two bytes each,
 * the higher first. To be read before the job, which takes the request's place. */
bool mb_secrets_read(mb_item request, mb_secrets *secrets, mb_reply *reply);

/* Begins to follow, if there are secrets, and marks them. */
void mb_secrets_mark(const mb_secrets *secrets, const mb_work *work);

/* Does the operation once, as mb_work_run. When it is over, what it made is the host's, and no
 * secret. */
mb_status mb_secrets_run(const mb_secrets *secrets, mb_work *work);
#else
typedef struct mb_secrets { uint8_t none; } mb_secrets;

static inline bool mb_secrets_read(mb_item request, mb_secrets *secrets, mb_reply *reply)
{
    (void)request, (void)secrets, (void)reply;
    return true;
}

static inline void mb_secrets_mark(const mb_secrets *secrets, const mb_work *work)
{
    (void)secrets, (void)work;
}

static inline mb_status mb_secrets_run(const mb_secrets *secrets, mb_work *work)
{
    (void)secrets;
    return mb_work_run(work, 1);
}
#endif

#endif
