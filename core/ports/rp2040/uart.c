/*
 * UART0, a PL011 (data sheet 4.2), on the pins to which the Raspberry Pi Debug Probe connects. What
 * comes waits in a ring; the core sleeps while there is nothing.
 */
#include "uart.h"

#include "armv6-m/chip.h"
#include "motebench/port.h"
#include "registers.h"
#include "small/ring.h"

enum { TX_PIN = 0, RX_PIN = 1 };

/* Divisor of the clock, with 16 samples a bit, in 64ths. */
#define DIVISOR ((4 * F_CPU + MOTEBENCH_BAUD / 2) / MOTEBENCH_BAUD)

void mb_uart_init(void)
{
    GPIO_CTRL(TX_PIN) = GPIO_UART;
    GPIO_CTRL(RX_PIN) = GPIO_UART;
    UART_IBRD = DIVISOR / 64;
    UART_FBRD = DIVISOR % 64;
    UART_LCR_H = UART_8_BITS | UART_FIFO; /* takes the divisor over too */
    /* Told of four bytes, or of fewer when nothing comes any more. */
    UART_IFLS = 0;
    UART_CR = UART_ON;
    UART_IMSC = UART_RX | UART_RX_TIMEOUT;
    NVIC_ISER = (uint32_t)1 << IRQ_UART0;
    mb_interrupts_on();
}

void mb_chip_interrupt(void)
{
    while (!(UART_FR & UART_RXFE))
        mb_ring_put((uint8_t)UART_DR);
}

bool mb_port_write(const uint8_t *buf, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        while (UART_FR & UART_TXFF)
            ;
        UART_DR = buf[i];
    }
    return true;
}
