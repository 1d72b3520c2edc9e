/* Memory for the inputs of one request, handed out from its beginning in whole lines. */
#ifndef MOTEBENCH_POSIX_SHELF_H
#define MOTEBENCH_POSIX_SHELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mb_shelf { uint8_t *begin, *at, *end; } mb_shelf;

/* Reserve 128 MiB, of which a page costs nothing until it is touched; false: there is no room. */
bool mb_shelf_reserve(mb_shelf *shelf);
void mb_shelf_release(const mb_shelf *shelf);

/* NULL: it is full. */
uint8_t *mb_shelf_take(mb_shelf *shelf, size_t len);

/* Copy `*data` to the shelf, and point it there; false: it is full. */
bool mb_shelf_copy(mb_shelf *shelf, const uint8_t **data, size_t len);

#endif
