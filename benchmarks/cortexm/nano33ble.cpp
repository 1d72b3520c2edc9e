/*
 * A bare nRF52840 that runs NIST's benchmark, with the cache of its flash on. memcpy and memset go
 * byte by byte, as in the small newlib that Arduino's core links (newlib/libc/string, with
 * PREFER_SIZE_OVER_SPEED).
 */
#include "nano33ble.hpp"

static volatile uint32_t &at(uintptr_t address)
{
    return *reinterpret_cast<volatile uint32_t *>(address);
}

extern uint8_t data_begin[], data_end[], data_image[], bss_begin[], bss_end[], stack_top[];
int do_experiments();
extern "C" [[noreturn]] void begin();

extern "C" __attribute__((section(".vectors"), used)) void *const vectors[64] = {
    stack_top, reinterpret_cast<void *>(begin)};

Port Serial;

void Port::print(char text)
{
    enum : uintptr_t { SENT = 0x4000211C, SEND = 0x4000251C };
    at(SENT) = 0;
    at(SEND) = static_cast<uint8_t>(text);
    while (at(SENT) == 0) {
    }
}

void Port::print(const char *text)
{
    while (*text != '\0')
        print(*text++);
}

void Port::print(unsigned long value)
{
    char digits[12], *first = digits + sizeof digits - 1;
    *first = '\0';
    do {
        *--first = static_cast<char>('0' + value % 10);
        value /= 10;
    } while (value != 0);
    print(first);
}

void Port::print(unsigned value)
{
    print(static_cast<unsigned long>(value));
}

void Port::print(int value)
{
    if (value < 0)
        print('-');
    print(static_cast<unsigned long>(value < 0 ? -value : value));
}

void Port::println()
{
    print('\n');
}

extern "C" void *memset(void *to, int byte, size_t size)
{
    char *next = static_cast<char *>(to);
    while (size-- != 0)
        *next++ = static_cast<char>(byte);
    return to;
}

extern "C" void *memcpy(void *to, const void *from, size_t size)
{
    char *next = static_cast<char *>(to);
    const char *read = static_cast<const char *>(from);
    while (size-- != 0)
        *next++ = *read++;
    return to;
}

extern "C" void begin()
{
    at(0x40002500) = 4; /* UART0: on, and sending */
    at(0x40002008) = 1;
    at(0xE000ED88) |= 15 << 20; /* floating-point unit */
    at(0x4001E540) = 1;         /* the cache */
    memcpy(data_begin, data_image, static_cast<size_t>(data_end - data_begin));
    memset(bss_begin, 0, static_cast<size_t>(bss_end - bss_begin));
    Serial.print(do_experiments());
    for (;;) /* nothing ends it: the simulator reports a lock-up */
        __asm__ volatile("cpsid i\n\twfi");
}
