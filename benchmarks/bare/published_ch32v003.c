/*
 * Cycles of jnk0le's AES on a CH32V003, one call each: the instruction that calls and the function,
 * less the reading of SysTick. Macro of the command line: WAITS, for the flash's register ACTLR.
 * The line "wrong" counts results that are not those of FIPS 197, C.1 to C.3.
 */
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SYSTICK 0xE000F000
#define USART_DATAR 0x40013804
#define FLASH_ACTLR 0x40022000

enum { BLOCK = 16, KEYS = 15 * BLOCK, READING = 2, FROM_CLOCK = 1 | 4 };
enum { ROUNDS_128 = 10, ROUNDS_192 = 12, ROUNDS_256 = 14 };

static uint8_t keys[KEYS] __attribute__((aligned(4))), key[2 * BLOCK] __attribute__((aligned(4))),
    text[BLOCK] __attribute__((aligned(4))), result[BLOCK] __attribute__((aligned(4)));
static const uint8_t answers[3][4] = {
    {0x69, 0xc4, 0xe0, 0xd8}, {0xdd, 0xa9, 0x7c, 0xa4}, {0x8e, 0xa2, 0xb7, 0xca}};
static uint32_t wrong;

void mb_bare_reset(void);

__attribute__((naked, used, section(".vectors"))) void mb_bare_start(void)
{
    __asm__ volatile("li sp, 0x20000800\n\tj mb_bare_reset");
}

static void say(const char *name, uint32_t number)
{
    char digits[8]; /* hexadecimal: there is no divider */
    while (*name != '\0')
        REGISTER(USART_DATAR) = (uint8_t)*name++;
    REGISTER(USART_DATAR) = ' ';
    for (unsigned i = 0; i < sizeof digits; i++)
        digits[i] = "0123456789abcdef"[number >> (28 - 4 * i) & 15];
    for (unsigned i = 0; i < sizeof digits; i++)
        REGISTER(USART_DATAR) = (uint8_t)digits[i];
    REGISTER(USART_DATAR) = '\n';
}

/* Arguments are in their registers before the first reading. */
#define MEASURE(name, function, one, two, three, four)                                             \
    do {                                                                                           \
        register uintptr_t a0 __asm__("a0") = (uintptr_t)(one);                                    \
        register uintptr_t a1 __asm__("a1") = (uintptr_t)(two);                                    \
        register uintptr_t a2 __asm__("a2") = (uintptr_t)(three);                                  \
        register uintptr_t a3 __asm__("a3") = (four);                                              \
        register uint32_t s0 __asm__("s0"), s1 __asm__("s1") = SYSTICK, end __asm__("a5");         \
        __asm__ volatile(".balign 4\n\tlw %0, 8(%1)\n\tjal " function "\n\tlw %2, 8(%1)"           \
                         : "=&r"(s0), "+r"(s1), "=&r"(end), "+r"(a0), "+r"(a1), "+r"(a2), "+r"(a3) \
                         :                                                                         \
                         : "a4", "t0", "t1", "t2", "ra", "memory");                                \
        say(name, end - s0 - READING);                                                             \
    } while (0)

static void check(const uint8_t *block, const uint8_t *expected)
{
    for (unsigned i = 0; i < 4; i++)
        wrong += block[i] != expected[i];
}

void mb_bare_reset(void)
{
    REGISTER(FLASH_ACTLR) = WAITS;
    REGISTER(SYSTICK) = FROM_CLOCK;
    for (unsigned i = 0; i < sizeof key; i++)
        key[i] = (uint8_t)i;
    for (unsigned i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(i << 4 | i);
    MEASURE("setEncKey<128>", "QKv2_sBOX_AES128_keyschedule_enc", keys, key, 0, 0);
    MEASURE("encrypt<128>", "QKv2_sBOX_AES_encrypt", keys, text, result, ROUNDS_128);
    check(result, answers[0]);
    MEASURE("decrypt<128>", "QKv2_sBOX_AES_decrypt", keys, result, result, ROUNDS_128);
    check(result, text);
    MEASURE("setEncKey<192>", "QKv2_sBOX_AES192_keyschedule_enc", keys, key, 0, 0);
    MEASURE("encrypt<192>", "QKv2_sBOX_AES_encrypt", keys, text, result, ROUNDS_192);
    check(result, answers[1]);
    MEASURE("decrypt<192>", "QKv2_sBOX_AES_decrypt", keys, result, result, ROUNDS_192);
    check(result, text);
    MEASURE("setEncKey<256>", "QKv2_sBOX_AES256_keyschedule_enc", keys, key, 0, 0);
    MEASURE("encrypt<256>", "QKv2_sBOX_AES_encrypt", keys, text, result, ROUNDS_256);
    check(result, answers[2]);
    MEASURE("decrypt<256>", "QKv2_sBOX_AES_decrypt", keys, result, result, ROUNDS_256);
    check(result, text);
    say("wrong", wrong);
    __asm__ volatile("ebreak");
}
