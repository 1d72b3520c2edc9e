/* The `file` request: a whole file from disk to disk, timed (docs/reference/probe-protocol.md). */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "job.h"
#include "posix.h"

enum { DEFAULT_CHUNK = 65536, PATH_BYTES = 4096 };
static const char IN[] = "in", OUT[] = "out";

typedef struct file_op {
    const char *name;
    mb_operation op; /* MB_OPERATION_COUNT: none, a plain copy */
    bool writes;     /* the output goes to a file */
    bool has_result; /* what `final` gives is the result, not part of the file */
} file_op;

static const file_op FILE_OPS[] = {
    {"encrypt-file", MB_ENCRYPT_MESSAGE, true, false},
    {"decrypt-file", MB_DECRYPT_MESSAGE, true, false},
    {"digest-file", MB_DIGEST, false, true},
    {"mac-file", MB_MAC, false, true},
    {"sign-file", MB_SIGN, false, true},
    {"verify-file", MB_VERIFY, false, false},
    {"copy-file", MB_OPERATION_COUNT, true, false},
};

/* One whole-file operation under way. */
typedef struct transfer {
    const file_op *what;
    char in_path[PATH_BYTES], out_path[PATH_BYTES];
    size_t chunk;
    bool cold, sync;
    mb_work *work; /* NULL: copy */
    int in_fd, out_fd;
    bool out_is_file; /* a regular file that was opened here: to be removed on failure */
    uint64_t total, read, written;
} transfer;

static bool system_failed(mb_reply *reply, const char *where)
{
    return mb_fail(reply, MB_KIND_ERROR, where, strerror(errno));
}

static bool read_path(mb_item request, const char *key, char path[PATH_BYTES], mb_reply *reply)
{
    mb_item item;
    const char *text;
    size_t len;
    if (!mb_cbor_find(request, key, &item) || !mb_cbor_text(item, &text, &len) || len == 0)
        return mb_fail(reply, MB_KIND_BAD_REQUEST, key, "missing, or not a path");
    if (len >= PATH_BYTES || memchr(text, 0, len) != NULL)
        return mb_fail(reply, MB_KIND_BAD_REQUEST, key, "not a possible path on this system");
    memcpy(path, text, len);
    path[len] = '\0';
    return true;
}

static bool read_what(mb_item request, transfer *t, mb_reply *reply)
{
    mb_item item;
    const char *name;
    size_t len;
    if (!mb_cbor_find(request, "op", &item) || !mb_cbor_text(item, &name, &len))
        return mb_fail(reply, MB_KIND_BAD_REQUEST, "op", "missing, or no text");
    for (size_t i = 0; i < sizeof FILE_OPS / sizeof FILE_OPS[0]; i++) {
        if (strlen(FILE_OPS[i].name) == len && memcmp(FILE_OPS[i].name, name, len) == 0) {
            t->what = &FILE_OPS[i];
            return true;
        }
    }
    return mb_fail(reply, MB_KIND_UNSUPPORTED, "op", "not a whole-file operation");
}

static bool read_request(mb_item request, transfer *t, mb_work *work, mb_reply *reply)
{
    uint32_t chunk = DEFAULT_CHUNK;
    if (!read_what(request, t, reply) || !read_path(request, IN, t->in_path, reply) ||
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): mb_fail is false */
        (t->what->writes && !read_path(request, OUT, t->out_path, reply)) ||
        !mb_request_uint(request, "chunk", 1, (uint32_t)mb_port_buffers()->data_cap, &chunk,
                         reply) ||
        !mb_request_bool(request, "cold", &t->cold, reply) ||
        !mb_request_bool(request, "sync", &t->sync, reply))
        return false;
    t->chunk = chunk;
    if (t->what->op == MB_OPERATION_COUNT)
        return true;
    t->work = work;
    if (!mb_work_read(request, MB_READ_FILE, &t->what->op, work, reply))
        return false;
    if (!work->job.scheme->can_stream)
        return mb_fail(reply, MB_KIND_UNSUPPORTED, "scheme",
                       "the implementation cannot process it piece by piece");
    return true;
}

/*
 * Look at the input before the clock runs: it must be a regular file and not the output; drop it
 * from the cache.
 */
static bool prepare_input(transfer *t, mb_reply *reply)
{
    struct stat in, out;
    int fd = open(t->in_path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return system_failed(reply, IN);
    bool good = fstat(fd, &in) == 0 || system_failed(reply, IN);
    if (good && !S_ISREG(in.st_mode))
        good = mb_fail(reply, MB_KIND_BAD_REQUEST, IN, "not a regular file");
    if (good && t->what->writes && stat(t->out_path, &out) == 0 && in.st_dev == out.st_dev &&
        in.st_ino == out.st_ino)
        good = mb_fail(reply, MB_KIND_BAD_REQUEST, OUT, "the same file as the input");
    if (good && t->cold) {
        /*
         * Only clean pages can be dropped. A file system without fsync for readers has none to
         * write.
         */
        (void)fsync(fd);
        int error = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
        if (error != 0) {
            errno = error;
            good = system_failed(reply, IN);
        }
    }
    (void)close(fd);
    t->total = good ? (uint64_t)in.st_size : 0;
    return good;
}

static bool open_files(transfer *t, mb_reply *reply)
{
    struct stat out;
    t->in_fd = open(t->in_path, O_RDONLY | O_CLOEXEC);
    if (t->in_fd < 0)
        return system_failed(reply, IN);
    if (!t->what->writes)
        return true;
    t->out_fd = open(t->out_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (t->out_fd < 0)
        return system_failed(reply, OUT);
    t->out_is_file = fstat(t->out_fd, &out) == 0 && S_ISREG(out.st_mode);
    return true;
}

static bool write_all(transfer *t, const uint8_t *data, size_t len, mb_reply *reply)
{
    while (len > 0) {
        ssize_t put = write(t->out_fd, data, len);
        if (put < 0 && errno == EINTR)
            continue;
        if (put == 0)
            errno = EIO;
        if (put <= 0)
            return system_failed(reply, OUT);
        data += put;
        len -= (size_t)put;
        t->written += (size_t)put;
    }
    return true;
}

/* Fill one chunk, short only at the end of the file. */
static bool read_chunk(transfer *t, uint8_t *data, size_t *len, mb_reply *reply)
{
    *len = 0;
    while (*len < t->chunk) {
        ssize_t got = read(t->in_fd, data + *len, t->chunk - *len);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return system_failed(reply, IN);
        if (got == 0)
            break;
        *len += (size_t)got;
    }
    t->read += *len;
    return t->read <= t->total || mb_fail(reply, MB_KIND_ERROR, IN, "grew while it was read");
}

/* Finish the message; what `final` gives goes to the file, or stays in job.out as the result. */
static bool finish(transfer *t, mb_status *status, mb_reply *reply)
{
    mb_job *job = &t->work->job;
    size_t len = job->out_cap;
    *status = mb_the_adapter.final(job, job->out, &len);
    if (*status == MB_REJECTED)
        return true;
    if (*status != MB_OK)
        return mb_fail_status(reply, *status);
    job->out_len = len;
    return !t->what->writes || write_all(t, job->out, len, reply);
}

static bool process(transfer *t, mb_status *status, mb_reply *reply)
{
    const mb_buffers *buffers = mb_port_buffers();
    size_t len;
    do {
        if (!read_chunk(t, buffers->in, &len, reply))
            return false;
        const uint8_t *result = buffers->in;
        size_t result_len = len;
        if (t->work != NULL && len > 0) {
            result = buffers->out;
            result_len = t->work->job.out_cap;
            *status =
                mb_the_adapter.update(&t->work->job, buffers->in, len, buffers->out, &result_len);
            if (*status != MB_OK)
                return *status == MB_REJECTED || mb_fail_status(reply, *status);
        }
        if (t->what->writes && !write_all(t, result, result_len, reply))
            return false;
    } while (len == t->chunk);
    if (t->read != t->total)
        return mb_fail(reply, MB_KIND_ERROR, IN, "shrank while it was read");
    return t->work == NULL || finish(t, status, reply);
}

/* Close what is open; an error of the output's last write may show only here. */
static bool close_files(transfer *t, bool good, mb_reply *reply)
{
    if (good && t->sync && t->out_fd >= 0 && t->out_is_file && fsync(t->out_fd) != 0)
        good = system_failed(reply, OUT);
    if (t->out_fd >= 0 && close(t->out_fd) != 0 && good)
        good = system_failed(reply, OUT);
    if (t->in_fd >= 0)
        (void)close(t->in_fd);
    return good;
}

/* A moment: wall clock, processor time of the process, and how the kernel splits it. */
typedef struct moment { uint64_t wall, cpu, user, system; } moment;

static uint64_t nanoseconds(struct timeval t)
{
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

static void split(moment *m)
{
    struct rusage usage;
    m->user = m->system = 0;
    if (getrusage(RUSAGE_SELF, &usage) == 0) {
        m->user = nanoseconds(usage.ru_utime);
        m->system = nanoseconds(usage.ru_stime);
    }
}

static void put_times(mb_map *map, const moment *begin, const moment *end)
{
    /*
     * Processor time is exact to the nanosecond, its split only to what the kernel samples: share
     * it out.
     */
    const uint64_t cpu = end->cpu - begin->cpu;
    const uint64_t user = end->user - begin->user, system = end->system - begin->system;
    const uint64_t sum = user + system;
    const uint64_t user_ns =
        sum == 0 ? cpu : (uint64_t)((double)cpu * ((double)user / (double)sum));
    mb_map_uint(map, "elapsed", end->wall - begin->wall);
    mb_map_uint(map, "user", user_ns < cpu ? user_ns : cpu);
    mb_map_uint(map, "system", user_ns < cpu ? cpu - user_ns : 0);
}

static bool put_reply(const transfer *t, const moment *begin, const moment *end, mb_reply *reply)
{
    uint64_t peak = 0;
    mb_map *map = mb_reply_begin(reply);
    put_times(map, begin, end);
    mb_map_uint(map, "read", t->read);
    mb_map_uint(map, "written", t->written);
    (void)mb_peak_resident(&peak);
    mb_map_uint(map, "peak", peak);
    if (t->work == NULL)
        return true;
    const mb_job *job = &t->work->job;
    if (t->what->has_result)
        mb_map_bytes(map, "result", job->out, job->out_len);
    else if (mb_work_has_second(t->work))
        mb_map_bytes(map, "result", job->tag_out, job->tag_out_len);
    return true;
}

static bool run(transfer *t, mb_reply *reply)
{
    moment begin, end;
    mb_status status = MB_OK;
    split(&begin);
    begin.cpu = mb_nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
    begin.wall = mb_port_clock();
    bool good = open_files(t, reply) && process(t, &status, reply);
    good = close_files(t, good, reply);
    end.wall = mb_port_clock();
    end.cpu = mb_nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
    split(&end);
    if ((!good || status == MB_REJECTED) && t->out_is_file)
        (void)unlink(t->out_path);
    if (good && status == MB_REJECTED)
        mb_reply_rejected(reply);
    else if (good)
        good = put_reply(t, &begin, &end, reply);
    return good;
}

static bool do_request(mb_item request, transfer *t, mb_work *work, mb_reply *reply)
{
    if (!read_request(request, t, work, reply) || !prepare_input(t, reply))
        return false;
    work->job.total_len = t->total;
    if (t->work != NULL && !mb_work_open(work, reply))
        return false;
    if (t->work != NULL) {
        mb_status status = mb_work_restart(work);
        if (status != MB_OK) {
            mb_fail_status(reply, status);
            mb_work_close(work);
            return false;
        }
    }
    bool good = run(t, reply);
    mb_work_close(work);
    return good;
}

bool mb_handle_file(mb_item request, mb_reply *reply)
{
    static transfer t; /* two paths are too much for some stacks */
    mb_work work = {.is_open = false};
    memset(&t, 0, sizeof t);
    t.in_fd = t.out_fd = -1;
    const bool good = do_request(request, &t, &work, reply);
    t.work = NULL;
    return good;
}
