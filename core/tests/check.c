#include "check.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned long made, failed;
static bool ended;

static void at_exit(void)
{
    if (!ended) {
        (void)fprintf(stderr, "the test ended before its end, after %lu checks\n", made);
        (void)fflush(NULL);
        _Exit(99);
    }
}

void check_begin(void)
{
    (void)atexit(at_exit);
}

bool check_that(bool condition, const char *text, const char *file, int line)
{
    made++;
    if (!condition) {
        failed++;
        (void)fprintf(stderr, "%s:%d: failed: %s\n", file, line, text);
    }
    return condition;
}

int check_end(void)
{
    ended = true;
    (void)fprintf(stderr, "%lu checks, %lu failed\n", made, failed);
    return made > 0 && failed == 0 ? 0 : 1;
}
