/* Work for a Cortex-M0+ without peripherals: ChaCha20 blocks, a CRC by table, sorting; ends at a breakpoint. */
#include <stdint.h>

enum { ROUNDS = 20000, WORDS = 64 };

int main(void);
uint32_t work(void);

static uint32_t state[16], list[WORDS], table[256];

__attribute__((section(".vectors"), used)) void *const vectors[16] = {(void *)0x20003000, (void *)main};

static inline uint32_t rotate(uint32_t value, unsigned by)
{
    return value << by | value >> (32 - by);
}

#define QUARTER(a, b, c, d)                                                                                            \
    do {                                                                                                               \
        a += b, d = rotate(d ^ a, 16);                                                                                 \
        c += d, b = rotate(b ^ c, 12);                                                                                 \
        a += b, d = rotate(d ^ a, 8);                                                                                  \
        c += d, b = rotate(b ^ c, 7);                                                                                  \
    } while (0)

static void chacha(uint32_t x[16])
{
    for (unsigned i = 0; i < 10; i++) {
        QUARTER(x[0], x[4], x[8], x[12]);
        QUARTER(x[1], x[5], x[9], x[13]);
        QUARTER(x[2], x[6], x[10], x[14]);
        QUARTER(x[3], x[7], x[11], x[15]);
        QUARTER(x[0], x[5], x[10], x[15]);
        QUARTER(x[1], x[6], x[11], x[12]);
        QUARTER(x[2], x[7], x[8], x[13]);
        QUARTER(x[3], x[4], x[9], x[14]);
    }
}

static uint32_t crc(const uint8_t *bytes, unsigned count)
{
    uint32_t sum = ~0u;
    while (count-- > 0)
        sum = sum >> 8 ^ table[(sum ^ *bytes++) & 0xff];
    return ~sum;
}

static void sort(uint32_t *values, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        const uint32_t value = values[i];
        unsigned at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

uint32_t work(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (unsigned bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (0xedb88320u & (0u - (table[i] & 1)));
    }
    for (uint32_t i = 0; i < 16; i++)
        state[i] = i;
    for (unsigned round = 0; round < ROUNDS; round++) {
        chacha(state);
        for (unsigned i = 0; i < WORDS; i++)
            list[i] = state[i % 16] * (i + 1);
        sort(list, WORDS);
        state[0] ^= crc((const uint8_t *)list, sizeof list);
    }
    return state[0];
}

/* One wait state where there is a flash controller of a SAM D21; then the work; then SYS_EXIT of semihosting. */
int main(void)
{
#ifdef SAMD21
    *(volatile uint32_t *)0x41004004 = 1 << 1;
#endif
    register uint32_t digest __asm__("r4") = work();
    if (digest != DIGEST)
        __builtin_trap();
    __asm__ volatile("movs r0, #0x18\n ldr r1, =0x20026\n bkpt 0xab" ::"r"(digest) : "r0", "r1");
    return 0;
}
