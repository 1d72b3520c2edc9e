#include "job.h"

static bool unknown(mb_reply *reply)
{
    return mb_fail(reply, MB_KIND_UNSUPPORTED, NULL, MB_TEXT("the system does not tell how much memory is used"));
}

bool mb_handle_memory(mb_item request, mb_reply *reply)
{
    mb_work work = {.batches = 0};
    if (!mb_work_read(request, MB_READ_ALL, NULL, &work, reply))
        return false;
    if (!mb_port_memory_before())
        return unknown(reply);
    if (!mb_work_invert(request, &work, reply))
        return false;
    mb_port_quiet(true); /* what an interrupt puts on the stack is not the operation's */
    mb_port_memory_begin();
    bool opened = mb_work_open(&work, reply);
    mb_status status = opened ? mb_work_run(&work, 1) : MB_OK;
    mb_port_quiet(false);
    if (!opened)
        return false;
    bool good = status == MB_OK || mb_fail_status(reply, status);
    good = mb_work_sound(&work, good, reply);
    /* A reply as short as this one leaves the job alone (MB_SHORT_REPLY), which has to be open still. */
    if (good && !mb_port_memory_held(mb_reply_begin(reply)))
        good = unknown(reply);
    mb_work_close(&work);
    return good;
}
