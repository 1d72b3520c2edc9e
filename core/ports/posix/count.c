/* Instructions, where an emulator counts them and shows the count in a page of memory. */
#include "posix.h"

#ifdef __linux__
#include "motebench/count.h"

#include <sys/mman.h>
#include <sys/stat.h>

static const volatile mb_count_page *page;

/* One load, so that the count cannot change between its halves. */
bool mb_count_read(uint64_t *count)
{
#if defined __arm__
    __asm__ volatile("ldrd %Q0, %R0, [%1]" : "=r"(*count) : "r"(&page->instructions) : "memory");
#else
    *count = page->instructions;
#endif
    return true;
}

/* Twice the same number: nobody counts. */
static bool counts(void)
{
    uint64_t before, after;
    (void)mb_count_read(&before);
    (void)mb_count_read(&after);
    return after > before;
}

bool mb_count_open(mb_clock *counter)
{
    /* Any other file may be open there: one that is shorter could not be read. */
    struct stat file;
    if (fstat(MB_COUNT_FD, &file) != 0 || !S_ISREG(file.st_mode) || file.st_size != MB_COUNT_BYTES)
        return false;
    void *map = mmap(NULL, MB_COUNT_BYTES, PROT_READ, MAP_SHARED, MB_COUNT_FD, 0);
    if (map == MAP_FAILED)
        return false;
    page = map;
    if (page->magic != MB_COUNT_MAGIC || !counts()) {
        (void)munmap(map, MB_COUNT_BYTES);
        return false;
    }
    *counter = (mb_clock){.name = "instructions", .hz = 0};
    return true;
}
#else
bool mb_count_open(mb_clock *counter)
{
    (void)counter;
    return false;
}

bool mb_count_read(uint64_t *count)
{
    (void)count;
    return false;
}
#endif
