#include <string.h>

#include "mote/cipher.h"

void mote_wipe(void *secret, size_t len)
{
    if (len == 0)
        return;
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

uint8_t mote_differs(const uint8_t *a, const uint8_t *b, size_t len)
{
    unsigned differs = 0;
    for (size_t i = 0; i < len; i++)
        differs |= (unsigned)(a[i] ^ b[i]);
    return (uint8_t)((differs + 0xffu) >> 8);
}
