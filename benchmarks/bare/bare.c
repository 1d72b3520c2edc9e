/* Start and output of a bare program. */
#include "bare.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

extern uint32_t loaded[], data_begin[], data_end[], bss_begin[], bss_end[];
void mb_bare_reset(void);

__attribute__((section(".vectors"), used)) void *const mb_bare_vectors[16] = {
    (void *)RAM_END, (void *)mb_bare_reset};

static void send(char byte)
{
    REGISTER(SENT) = (unsigned char)byte;
}

void mb_bare_say(const char *name, uint32_t number)
{
    char digits[10];
    unsigned count = 0;
    while (*name != '\0')
        send(*name++);
    send(' ');
    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    while (count > 0)
        send(digits[--count]);
    send('\n');
}

void mb_bare_reset(void)
{
    const uint32_t *from = loaded;
    for (uint32_t *to = data_begin; to < data_end; to++)
        *to = *from++;
    for (uint32_t *to = bss_begin; to < bss_end; to++)
        *to = 0;
    REGISTER(FLASH_ACR) = SETTINGS;
#ifdef STARTS_SENDING
    REGISTER(STARTS_SENDING) = 1;
#else
    REGISTER(0x4000440C) = UINT32_C(1) << 13 | 1 << 3; /* USART2 on, and sending: STM32F */
    REGISTER(0x40004400) = 1 << 3 | 1;                 /* the same: STM32L4, STM32WL */
#endif
    REGISTER(0xE000ED88) = 15 << 20; /* a floating-point unit, if there is one */
    REGISTER(0xE000EDFC) = 1 << 24;
    REGISTER(0xE0001000) |= 1;
    mb_bare_main();
    __asm__ volatile("bkpt 0");
}
