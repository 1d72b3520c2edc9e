/*
 * Assertions that are counted. A test program that ends without reaching check_end, or without
 * having checked anything, fails: silence is no success.
 */
#ifndef MOTEBENCH_CHECK_H
#define MOTEBENCH_CHECK_H

#include <stdbool.h>

/* Count an assertion; a false one is reported and the test goes on. Gives the condition back. */
#define CHECK(condition) check_that((condition), #condition, __FILE__, __LINE__)

/* Call first. */
void check_begin(void);
bool check_that(bool condition, const char *text, const char *file, int line);

/*
 * Call last, and return its value from main: 0 if every assertion held and there was one at least.
 */
int check_end(void);

#endif
