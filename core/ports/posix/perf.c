/* CPU cycles from the kernel's perf events, counted in user mode only. */
#include "posix.h"

#ifdef __linux__
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fd = -1;

static bool read_by_call(uint64_t *ticks)
{
    return read(fd, ticks, sizeof *ticks) == (ssize_t)sizeof *ticks;
}

#if defined __x86_64__ || defined __i386__
static const volatile struct perf_event_mmap_page *page;

/* The protocol of the mapped page (linux/perf_event.h): retry while the kernel changes it. */
static bool read_by_instruction(uint64_t *ticks)
{
    uint32_t seq, index, width;
    uint64_t count;
    do {
        seq = page->lock;
        __asm__ volatile("" ::: "memory");
        index = page->index;
        width = page->pmc_width;
        count = (uint64_t)page->offset;
        if (index == 0 || !page->cap_user_rdpmc || width == 0 || width > 64)
            return read_by_call(ticks);
        uint32_t low, high;
        __asm__ volatile("lfence\n\trdpmc" : "=a"(low), "=d"(high) : "c"(index - 1));
        /* The hardware counter is `width` bits wide and signed. */
        int64_t value = (int64_t)(((uint64_t)high << 32 | low) << (64 - width)) >> (64 - width);
        count += (uint64_t)value;
        __asm__ volatile("" ::: "memory");
    } while (page->lock != seq);
    *ticks = count;
    return true;
}

static bool map_page(void)
{
    void *map = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        return false;
    page = map;
    return page->cap_user_rdpmc;
}

bool mb_perf_read(uint64_t *ticks)
{
    return page != NULL ? read_by_instruction(ticks) : read_by_call(ticks);
}
#else
static bool map_page(void)
{
    return false;
}

bool mb_perf_read(uint64_t *ticks)
{
    return read_by_call(ticks);
}
#endif

/* Some virtual machines open the event and then count nothing. */
static bool counts(void)
{
    uint64_t before, after;
    volatile unsigned sink = 0;
    if (!mb_perf_read(&before))
        return false;
    for (unsigned i = 0; i < 10000; i++)
        sink = i;
    (void)sink;
    return mb_perf_read(&after) && after - before >= 1000 && after > before;
}

bool mb_perf_open(mb_clock *counter)
{
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_HARDWARE;
    attr.config = PERF_COUNT_HW_CPU_CYCLES;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    attr.pinned = 1; /* never shared in time: a reading is exact or fails */
    fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0)
        return false;
    const bool direct = map_page();
    if (!counts()) {
        (void)close(fd);
        fd = -1;
        return false;
    }
    counter->name = direct ? "perf_event:cpu-cycles:u (rdpmc)" : "perf_event:cpu-cycles:u";
    counter->hz = 0;
    return true;
}
#else
bool mb_perf_open(mb_clock *counter)
{
    (void)counter;
    return false;
}

bool mb_perf_read(uint64_t *ticks)
{
    (void)ticks;
    return false;
}
#endif
