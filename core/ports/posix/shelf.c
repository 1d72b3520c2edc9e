#include "shelf.h"

#include <string.h>
#include <sys/mman.h>

#define SHELF_BYTES ((size_t)128 << 20)
#define LINE ((size_t)64)

bool mb_shelf_reserve(mb_shelf *shelf)
{
    uint8_t *const at = mmap(NULL, SHELF_BYTES, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return false;
    *shelf = (mb_shelf){.begin = at, .at = at, .end = at + SHELF_BYTES};
    return true;
}

void mb_shelf_release(const mb_shelf *shelf)
{
    (void)munmap(shelf->begin, SHELF_BYTES);
}

uint8_t *mb_shelf_take(mb_shelf *shelf, size_t len)
{
    const size_t whole = (len + LINE - 1) / LINE * LINE;
    if (whole < len || whole > (size_t)(shelf->end - shelf->at))
        return NULL;
    uint8_t *const piece = shelf->at;
    shelf->at += whole;
    return piece;
}

bool mb_shelf_copy(mb_shelf *shelf, const uint8_t **data, size_t len)
{
    uint8_t *const piece = mb_shelf_take(shelf, len);
    if (piece == NULL)
        return false;
    if (len > 0)
        memcpy(piece, *data, len);
    *data = piece;
    return true;
}
