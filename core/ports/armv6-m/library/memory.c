/*
 * memcpy and its like as firmware for such parts has them. The Arm GNU toolchain, which Arduino and
 * PlatformIO bring, has its newlib-nano built for size: one byte at a time, 10 cycles for each that
 * is copied, 8 for each that is set. Other builds of the same library, Debian's among them, copy
 * words, and Schwaemm then takes 6 % less. With these, a firmware takes the same cycles whoever
 * built the library: docs/explain/cortexm.md has what was compared.
 *
 * Compiled with -Os, and not to be turned into calls of themselves
 * (motebench/targets/firmware/build.py).
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t len)
{
    char *d = to;
    const char *s = from;
    while (len--)
        *d++ = *s++;
    return to;
}

void *memmove(void *to, const void *from, size_t len)
{
    char *d = to;
    const char *s = from;
    if ((uintptr_t)s < (uintptr_t)d && (uintptr_t)d < (uintptr_t)s + len) {
        while (len--)
            d[len] = s[len];
    } else {
        while (len--)
            *d++ = *s++;
    }
    return to;
}

void *memset(void *to, int byte, size_t len)
{
    char *d = to;
    while (len--)
        *d++ = (char)byte;
    return to;
}

int memcmp(const void *left, const void *right, size_t len)
{
    const unsigned char *l = left, *r = right;
    for (; len--; l++, r++)
        if (*l != *r)
            return *l - *r;
    return 0;
}
