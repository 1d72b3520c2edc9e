#include "support/driver.h"

#include "support/kind.h"

#if !MB_STREAMING
__attribute__((noinline)) mb_status mb_repeat(mb_job *job, uint32_t n, mb_once *once)
{
    return mb_loop(job, n, once);
}
#endif

mb_status mb_drive(mb_job *job, mb_run *run)
{
    mb_driven *driven = job->ctx;
    driven->run = run;
    return run != NULL ? MB_OK
                       : mb_note(MB_UNSUPPORTED, "operation is not offered for this scheme");
}

mb_status mb_drive_run(mb_job *job, uint32_t n)
{
    const mb_driven *driven = job->ctx;
    return driven->run(job, n);
}

/* The compiler takes it for an operation, and keeps the loop. */
static mb_status no_op(mb_job *job)
{
    __asm__ volatile("" : : "r"(job) : "memory");
    return MB_OK;
}

MB_REPEAT(no_ops, no_op)

void mb_drive_idle(mb_job *job)
{
    static mb_driven state = {no_ops};
#if MB_STREAMING
    static const mb_kind kind = {.run = mb_drive_run};
    static const mb_row row = {&kind};
    static const mb_scheme scheme = {
        .name = "no-op", .operations = MB_CAN(MB_KEY_SETUP), .block = 1, .param = &row};
    *job = (mb_job){.scheme = &scheme, .op = MB_KEY_SETUP, .ctx = &state};
#else
    /* A firmware has one kind of scheme, and no room for another. */
    *job = (mb_job){.scheme = mb_the_adapter.scheme_at(0), .op = MB_KEY_SETUP, .ctx = &state};
#endif
}
