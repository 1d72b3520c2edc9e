/*
 * The driver of C adapters: what lies between two readings of the clock, the same for every
 * library.
 *
 * An adapter writes each operation as a function that does it once, and MB_REPEAT makes of it the
 * loop that is timed, with that function inlined: nothing is called but the library. `open` chooses
 * the loop (mb_drive), mb_drive_run enters it. steps.h does that for ciphers, hashes.h for hash
 * functions and MACs, signatures.h for signatures; agreement and key encapsulation need this file
 * only. C++ has repeat() in work.hpp.
 *
 *     hashes.c, signatures.c, steps.c -> driver.h, kind.h -> motebench/adapter.h
 *     steps.c -> block_buffer.h, pkcs7.h
 */
#ifndef MOTEBENCH_SUPPORT_DRIVER_H
#define MOTEBENCH_SUPPORT_DRIVER_H

#include "motebench/adapter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Does the job's operation once; for other functions of a job too. */
typedef mb_status mb_once(mb_job *job);

/*
 * The loop: `once` n times (not 0), until it fails or rejects. After the last time the way out does
 * not depend on what came of it.
 */
__attribute__((always_inline)) static inline mb_status
mb_loop(mb_job *job, uint32_t n, mb_once *once)
{
    mb_status status;
    do
        status = once(job);
    while (--n > 0 && status == MB_OK);
    return status;
}

/*
 * The same. Small devices have it once: all operations, and the no-op job, are called from one
 * place.
 */
#if MB_STREAMING
static inline mb_status mb_repeat(mb_job *job, uint32_t n, mb_once *once)
{
    return mb_loop(job, n, once);
}
#else
mb_status mb_repeat(mb_job *job, uint32_t n, mb_once *once);
#endif

/* Does the job's operation n times (not 0), until it fails or rejects. */
typedef mb_status mb_run(mb_job *job, uint32_t n);

/* Defines `name`, an mb_run of `once`. */
#define MB_REPEAT(name, once)                      \
    static mb_status name(mb_job *job, uint32_t n) \
    {                                              \
        return mb_repeat(job, n, once);            \
    }

/* The first member of the state of a job that mb_drive_run runs. */
typedef struct mb_driven { mb_run *run; } mb_driven;

/* At the end of `open`: what `run` is. MB_UNSUPPORTED if it is NULL. */
mb_status mb_drive(mb_job *job, mb_run *run);

/* mb_adapter.run, and that of an mb_kind. */
mb_status mb_drive_run(mb_job *job, uint32_t n);

/* mb_adapter.idle: a no-op job, which mb_drive_run and mb_kind_run do as every other. */
void mb_drive_idle(mb_job *job);

#ifdef __cplusplus
}
#endif

#endif
