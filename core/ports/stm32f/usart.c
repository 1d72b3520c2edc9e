/*
 * USART2 with one data register and one of flags. What comes waits in a ring; the core sleeps while
 * there is nothing.
 */
#include "usart.h"

#include "armv6-m/chip.h"
#include "motebench/port.h"
#include "registers.h"
#include "small/ring.h"

void mb_stm32f_usart_init(uint32_t bus_hz)
{
    USART_BRR = (bus_hz + MOTEBENCH_BAUD / 2) / MOTEBENCH_BAUD;
    USART_CR1 = USART_UE | USART_RE | USART_TE | USART_RXNEIE;
    (&NVIC_ISER)[IRQ_USART2 / 32] = (uint32_t)1 << IRQ_USART2 % 32;
    mb_interrupts_on();
}

/* Reading the data takes back the flag of a byte that came too early, too: the flags were read. */
void mb_chip_interrupt(void)
{
    const uint32_t flags = USART_SR;
    const uint8_t byte = (uint8_t)USART_DR;
    if (flags & USART_RXNE)
        mb_ring_put(byte);
}

bool mb_port_write(const uint8_t *buf, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        while (!(USART_SR & USART_TXE))
            ;
        USART_DR = buf[i];
    }
    return true;
}
