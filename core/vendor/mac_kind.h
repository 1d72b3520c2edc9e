/* The mb_kind `mac_kind` of a wrapper of MACs: see mac.h. */
MB_REPEAT(mac_keys, set_key)
MB_HASH_WHOLE(mac_all, begin, update, finish)

static mb_status mac_open(mb_job *job)
{
    static const mb_hashing how = {
        .set_key = set_key,
        .set_keys = mac_keys,
        .whole = mac_all,
        .begin = MB_IF_STREAMING(begin),
        .update = MB_IF_STREAMING(update),
        .finish = MB_IF_STREAMING(finish)};
    const mb_status status = OPEN(job);
    return status == MB_OK ? mb_mac_open(job, &how) : status;
}

static void mac_close(mb_job *job)
{
    volatile uint8_t *at = job->ctx;
    for (size_t i = 0; i < sizeof(job_state); i++)
        at[i] = 0;
}

static const mb_kind mac_kind = {
    .open = mac_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = MB_IF_STREAMING(mb_hash_update),
    .final = MB_IF_STREAMING(mb_hash_final),
    .close = mac_close,
};
