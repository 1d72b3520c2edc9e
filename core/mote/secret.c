#include <string.h>

#include "mote/assembly.h"
#include "mote/cipher.h"
#include "mote/xor.h"

#if MOTE_STRICT
/* Words of what is aligned, where memset goes byte by byte. How many bytes that were. */
static size_t wipe_words(uint8_t *secret, size_t len)
{
    const uint32_t zero = 0;
    size_t done = 0;
    if (((uintptr_t)secret & 3) == 0)
        for (; len - done >= 4; done += 4) {
            memcpy(__builtin_assume_aligned(secret + done, 4), &zero, 4);
            __asm__ volatile("" : : : "memory"); /* or it would be made a call of memset */
        }
    return done;
}
#endif

void mote_wipe(void *secret, size_t len)
{
    if (len == 0)
        return;
#if MOTE_STRICT
    const size_t done = wipe_words(secret, len);
    secret = (uint8_t *)secret + done;
    len -= done;
#endif
#ifdef __GNUC__
    memset(secret, 0, len);
    /* As if somebody read it. */
    __asm__ volatile("" : : "r"(secret) : "memory");
#else
    volatile uint8_t *p = secret;
    while (len-- > 0)
        *p++ = 0;
#endif
}

void mote_wipe_words(void *secret, size_t len)
{
#if MOTE_ASSEMBLY_ARMV7M
    const uint32_t zero = 0;
    for (uint8_t *p = __builtin_assume_aligned(secret, 4), *end = p + (len & ~(size_t)15); p < end;
         p += 16) {
        memcpy(p, &zero, 4);
        memcpy(p + 4, &zero, 4);
        memcpy(p + 8, &zero, 4);
        memcpy(p + 12, &zero, 4);
        __asm__ volatile("" : : : "memory"); /* or it would be made a call of memset */
    }
    mote_wipe((uint8_t *)secret + (len & ~(size_t)15), len & 15);
#else
    mote_wipe(secret, len);
#endif
}

uint8_t mote_differs(const uint8_t *a, const uint8_t *b, size_t len)
{
    unsigned differs = 0;
    for (size_t i = 0; i < len; i++)
        differs |= (unsigned)(a[i] ^ b[i]);
    return (uint8_t)((differs + 0xffu) >> 8);
}
