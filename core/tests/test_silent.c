/*
 * Ends with status 0 before check_end, as a test would that dies quietly: must be reported as a
 * failure.
 */
#include <stdlib.h>

#include "check.h"

int main(void)
{
    check_begin();
    CHECK(true);
    exit(0);
}
