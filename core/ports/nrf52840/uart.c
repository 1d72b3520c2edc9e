/*
 * UART0 (Product Specification v1.7, 6.33) on the pins that the development kit connects to its USB. What comes waits
 * in a ring; the core sleeps while there is nothing.
 */
#include "uart.h"

#include "armv6-m/chip.h"
#include "motebench/port.h"
#include "registers.h"
#include "small/ring.h"

enum { TX_PIN = 6, RX_PIN = 8 };

/* The register counts in 16 MHz / 2^32, in steps of 2^12. */
#define RATE ((uint32_t)((((uint64_t)MOTEBENCH_BAUD << 32) / TIMER_HZ + 0x800) & 0xFFFFF000u))

void mb_uart_init(void)
{
    P0_OUTSET = (uint32_t)1 << TX_PIN;
    P0_DIRSET = (uint32_t)1 << TX_PIN;
    UART_PSEL_TXD = TX_PIN;
    UART_PSEL_RXD = RX_PIN;
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

size_t mb_port_read(uint8_t *buf, size_t cap)
{
    return mb_ring_take(buf, cap);
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

bool mb_port_flush(void)
{
    return true;
}
