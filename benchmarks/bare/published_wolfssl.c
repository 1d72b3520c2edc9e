/*
 * wolfCrypt's own benchmark, or with KNOWN_ANSWERS its own test, in a bare program. Time is counted
 * in cycles: a second has CLOCK of them. Its lines, and "status" with what it returned, go to
 * USART2. Seeds of its generator are wolfSSL's for tests.
 */
#include <stddef.h>

#include "bare.h"

double current_time(int reset);
int benchmark_test(void *arguments);
int wolfcrypt_test(void *arguments);
int _write(int file, const char *text, int length);

double current_time(int reset)
{
    static uint64_t total; /* the counter alone has 32 bits; it is read more often than it ends */
    static uint32_t last;
    const uint32_t now = CYCLES;
    total += now - last;
    last = now;
    (void)reset;
    return (double)total / CLOCK;
}

int _write(int file, const char *text, int length)
{
    (void)file;
    for (int i = 0; i < length; i++)
        *(volatile uint32_t *)SENT = (unsigned char)text[i];
    return length;
}

void mb_bare_main(void)
{
#ifdef KNOWN_ANSWERS
    mb_bare_say("status", (uint32_t)wolfcrypt_test(NULL));
#else
    mb_bare_say("status", (uint32_t)benchmark_test(NULL));
#endif
}
