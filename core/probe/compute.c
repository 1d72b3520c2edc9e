#include "bytes.h"
#include "job.h"
#include "marks.h"

/* The CRC that comes behind the outputs, with its key. */
enum { CRC_BYTES = 16 };

/*
 * Reply about a job that is done and closed. Where the reply takes the place of the request, the
 * output moves down to it: what stands before it in the reply is shorter than any request, so
 * nothing is overwritten that is still to be written.
 */
static void put_result(mb_reply *reply, const mb_work *work, mb_text key, bool brief)
{
    const mb_job *job = &work->job;
    const uint32_t crc = mb_work_crc(work);
    mb_map *map = mb_reply_begin(reply);
    const size_t room = reply->writer.cap - reply->writer.len;
    const size_t other =
        MB_KEYS_BYTES + CRC_BYTES + (mb_work_has_second(work) ? job->tag_out_len : 0);
    brief = brief || room < other || job->out_len > room - other;
    if (brief)
        mb_map_uint(map, MB_TEXT("len"), job->out_len);
    mb_work_put(work, brief ? NULL : key, map);
    mb_map_uint(map, MB_TEXT("crc"), crc);
}

static bool public_key(mb_item request, bool brief, mb_reply *reply)
{
    mb_work work = {.batches = 0};
    if (!MB_PUBLIC_KEY || mb_the_adapter.public_key == NULL)
        return mb_fail(reply, MB_KIND_UNSUPPORTED, MB_TEXT("public"),
                       MB_TEXT("the implementation does not derive public keys"));
    if (!mb_work_read(request, MB_READ_KEY, NULL, &work, reply))
        return false;
    mb_status status = mb_the_adapter.public_key(&work.job);
    if (status != MB_OK)
        return mb_fail_status(reply, status == MB_REJECTED ? MB_ERROR : status);
    put_result(reply, &work, mb_key_of(MB_KEYGEN, MB_SECOND), brief);
    return true;
}

bool mb_handle_compute(mb_item request, mb_reply *reply)
{
    mb_work work = {.batches = 0};
    bool brief, want_public;
    mb_secrets secrets;
    if (!mb_request_bool(request, MB_TEXT("brief"), &brief, reply) ||
        !mb_request_bool(request, MB_TEXT("public"), &want_public, reply) ||
        !mb_secrets_read(request, &secrets, reply))
        return false;
    if (want_public)
        return public_key(request, brief, reply);
    if (!mb_work_read(request, MB_READ_ALL, NULL, &work, reply) || !mb_work_invert(&work, reply))
        return false;
    mb_secrets_mark(&secrets, &work);
    if (!mb_work_open(&work, reply))
        return false;
    mb_status status = mb_secrets_run(&secrets, &work);
    bool good = status == MB_OK || status == MB_REJECTED || mb_fail_status(reply, status);
    if (!mb_work_end(&work, good, reply))
        return false;
    if (status == MB_OK)
        put_result(reply, &work, mb_key_of(work.job.op, MB_OUTPUT), brief);
    else
        mb_reply_rejected(reply);
    return true;
}
