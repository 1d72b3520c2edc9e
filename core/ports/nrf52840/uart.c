/*
 * UART0 (Product Specification v1.7, 6.33). What comes waits in a ring; the core sleeps while there
 * is nothing. A boot loader may have left interrupts on, of this or another peripheral.
 */
#include "uart.h"

#include "armv6-m/chip.h"
#include "motebench/port.h"
#include "registers.h"
#include "small/ring.h"

/* The register counts in 16 MHz / 2^32, in steps of 2^12. */
#define RATE ((uint32_t)((((uint64_t)MOTEBENCH_BAUD << 32) / TIMER_HZ + 0x800) & 0xFFFFF000u))

/*
 * Hides the number from the compiler: code is as long for every pin, and nothing behind it moves.
 */
static inline uint32_t hidden(uint32_t pin)
{
    __asm__("" : "+r"(pin));
    return pin;
}

void mb_uart_init(void)
{
    const uint32_t tx = hidden(MOTEBENCH_TX_PIN), rx = hidden(MOTEBENCH_RX_PIN);
    NVIC_ICER(0) = UINT32_MAX;
    NVIC_ICER(1) = UINT32_MAX;
    UART_INTENCLR = UINT32_MAX;
    GPIO_OUTSET(tx) = (uint32_t)1 << tx % 32;
    GPIO_DIRSET(tx) = (uint32_t)1 << tx % 32;
    GPIO_CNF(rx) = CNF_INPUT_PULL_UP;
    UART_PSEL_TXD = tx;
    UART_PSEL_RXD = rx;
    UART_BAUDRATE = RATE;
    UART_ENABLE = UART_ENABLED;
    UART_EVENTS_RXDRDY = 0;
    UART_TASKS_STARTRX = 1;
    UART_TASKS_STARTTX = 1;
    UART_INTENSET = UART_RXDRDY;
    NVIC_ISER = (uint32_t)1 << IRQ_UART;
    mb_interrupts_on();
}

void mb_chip_interrupt(void)
{
    while (UART_EVENTS_RXDRDY != 0) {
        UART_EVENTS_RXDRDY = 0; /* before the byte is read: the next one sets it again */
        mb_ring_put((uint8_t)UART_RXD);
    }
}

bool mb_port_write(const uint8_t *buf, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        UART_EVENTS_TXDRDY = 0;
        UART_TXD = buf[i];
        while (UART_EVENTS_TXDRDY == 0)
            ;
    }
    return true;
}
