#include "job.h"

static bool unknown(mb_reply *reply)
{
    return mb_fail(reply, MB_KIND_UNSUPPORTED, NULL,
                   MB_TEXT("the system does not tell how much memory is used"));
}

#if MB_STREAMING
/* Systems count memory in other ways. */
static size_t stack_around(mb_item request)
{
    (void)request;
    return 0;
}

static size_t stack_used(void)
{
    return 0;
}
#else
/*
 * Depth of the stack around an operation: that of the no-op job, run with no other frame between.
 * Before the job is read, because the no-op job may take the place of its scheme
 * (mb_adapter.scheme_at).
 */
__attribute__((noinline)) static size_t stack_around(mb_item request)
{
    const mb_needs none = {.reply = MB_SHORT_REPLY};
    mb_job job;
    if (mb_the_adapter.idle == NULL || mb_port_buffers()->place(request.end, &none) > 0)
        return 0;
    mb_the_adapter.idle(&job);
    mb_port_quiet(true); /* what an interrupt puts on the stack is not the operation's */
    mb_port_memory_begin();
    (void)mb_the_adapter.run(&job, 1);
    const size_t used = mb_port_memory_used();
    mb_port_quiet(false);
    return used;
}

static size_t stack_used(void)
{
    return mb_port_memory_used();
}
#endif

/* Key set-up, and the operation once. */
static bool use(mb_work *work, size_t *stack, mb_reply *reply)
{
    mb_port_memory_begin();
    if (!mb_work_open(work, reply))
        return false;
    mb_status status = mb_work_restart(work);
#ifdef MB_GUARDED
    mb_port_memory_begin(); /* nothing of user code ran yet */
#endif
    if (status == MB_OK)
        status = mb_the_adapter.run(&work->job, 1);
    *stack = stack_used();
    status = status == MB_OK ? mb_work_checked(work, status) : status;
    return status == MB_OK || mb_fail_status(reply, status);
}

bool mb_handle_memory(mb_item request, mb_reply *reply)
{
    mb_work work = {.batches = 0};
    size_t stack = 0;
    const size_t around = stack_around(request);
    if (!mb_work_read(request, MB_READ_ALL, NULL, &work, reply))
        return false;
    if (!mb_port_memory_before())
        return unknown(reply);
    if (!mb_work_invert(&work, reply))
        return false;
    mb_port_quiet(true);
    bool good = use(&work, &stack, reply);
    mb_port_quiet(false);
    if (!work.is_open)
        return false;
    stack = stack > around ? stack - around : 0;
    good = mb_work_sound(&work, good, reply);
    /*
     * A reply as short as this one leaves the job alone (MB_SHORT_REPLY), which has to be open
     * still.
     */
    if (good && !mb_port_memory_held(mb_reply_begin(reply), stack))
        good = unknown(reply);
    mb_work_close(&work);
    return good;
}
