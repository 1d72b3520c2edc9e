/* Memory that this process uses. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cbor.h"
#include "posix.h"

/*
 * VmHWM of /proc/self/status (proc(5)). Not ru_maxrss: that one survives exec and so can be the
 * parent's. Read without stdio, which would allocate. It stays open: a sandbox that is set up later
 * opens nothing.
 */
bool mb_peak_resident(uint64_t *bytes)
{
    static const char field[] = "\nVmHWM:";
    char text[4096];
    size_t len = 0;
    static int fd = -1;
    if (fd < 0)
        fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    while (len < sizeof text - 1) {
        ssize_t got = pread(fd, text + len, sizeof text - 1 - len, (off_t)len);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        len += (size_t)got;
    }
    text[len] = '\0';
    const char *at = strstr(text, field);
    if (at == NULL)
        return false;
    at += sizeof field - 1;
    at += strspn(at, " \t");
    uint64_t kib = 0;
    const char *digits = at;
    for (; *at >= '0' && *at <= '9'; at++)
        kib = kib * 10 + (uint64_t)(*at - '0');
    *bytes = kib * 1024;
    return at > digits;
}

static uint64_t floor_bytes, heap_before;

/* Bytes that the heap has given out, or 0 where the C library does not tell. */
static uint64_t heap_bytes(void)
{
#if defined __GLIBC__ && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

bool mb_port_memory_before(void)
{
    heap_before = heap_bytes();
    return mb_peak_resident(&floor_bytes);
}

/* The floor was noted before; what an inversion takes beside it belongs to the work. */
void mb_port_memory_begin(void) {}

/* `heap`: what the job under way holds on the heap beyond what was held before it. */
bool mb_port_memory_held(mb_map *reply, size_t stack)
{
    (void)stack; /* of small devices */
    uint64_t peak, heap = heap_bytes();
    if (!mb_peak_resident(&peak))
        return false;
    mb_map_uint(reply, "floor", floor_bytes);
    mb_map_uint(reply, "peak", peak < floor_bytes ? floor_bytes : peak);
    if (heap > 0)
        mb_map_uint(reply, "heap", heap > heap_before ? heap - heap_before : 0);
    return true;
}
