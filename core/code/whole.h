/*
 * The adapter of user code whose operations are whole calls. Included at the end of a file that
 * defines SCHEMES, state, open_job, start and IDLE.
 */
#ifndef MOTEBENCH_CODE_WHOLE_H
#define MOTEBENCH_CODE_WHOLE_H

static size_t scheme_count(void)
{
    return sizeof SCHEMES / sizeof SCHEMES[0];
}

static const mb_scheme *scheme_at(size_t i)
{
    return &SCHEMES[i];
}

static mb_status init(void)
{
    return MB_OK;
}

static const char *version(void)
{
    return MB_CODE_VERSION;
}

static mb_status update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out,
                        size_t *out_len)
{
    (void)job, (void)in, (void)in_len, (void)out, (void)out_len;
    return MB_UNSUPPORTED;
}

static mb_status final(mb_job *job, uint8_t *out, size_t *out_len)
{
    (void)job, (void)out, (void)out_len;
    return MB_UNSUPPORTED;
}

static void close_job(mb_job *job)
{
    (void)job;
}

const mb_adapter mb_the_adapter = {
    .implementation = MB_CODE_NAME,
    .scheme_count = scheme_count,
    .scheme_at = scheme_at,
    .ctx_size = sizeof(state),
    .init = init,
    .version = version,
    .open = open_job,
    .start = start,
    .run = MB_CODE_RUN,
    .update = update,
    .final = final,
    .close = close_job,
    .error = mb_kind_error,
    .idle = IDLE,
};

#endif
