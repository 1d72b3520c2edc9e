/*
 * SERCOM5 as USART (data sheet DS40001882, SERCOM USART): TX on PB22, pad 2, RX on PB23, pad 3,
 * which an Arduino MKR calls Serial1. What comes waits in a ring; the core sleeps while there is
 * nothing.
 */
#include "usart.h"

#include "armv6-m/chip.h"
#include "motebench/port.h"
#include "registers.h"
#include "small/ring.h"

enum { TX_PIN = 22, RX_PIN = 23 };

/* Divisor of the clock, with 16 samples a bit. */
#define EIGHTHS ((F_CPU + MOTEBENCH_BAUD) / (2 * MOTEBENCH_BAUD))

void mb_usart_init(void)
{
    PM_APBCMASK |= PM_SERCOM5;
    GCLK_CLKCTRL = GCLK_ID_SERCOM5_CORE | GCLK_CLKCTRL_CLKEN;
    while (GCLK_STATUS & GCLK_STATUS_SYNCBUSY)
        ;
    PORTB_PMUX(TX_PIN) = PMUX_BOTH_D;
    PORTB_PINCFG(TX_PIN) = PINCFG_PMUXEN;
    PORTB_PINCFG(RX_PIN) = PINCFG_PMUXEN | PINCFG_INEN;
    USART_CTRLA = USART_INTERNAL_CLOCK | USART_16_FRACTIONAL | USART_TX_PAD_2 | USART_RX_PAD_3 |
                  USART_LSB_FIRST;
    USART_BAUD = (uint16_t)(EIGHTHS % 8 << 13 | EIGHTHS / 8);
    USART_CTRLB = USART_TXEN | USART_RXEN;
    while (USART_SYNCBUSY)
        ;
    USART_CTRLA |= USART_ENABLE;
    while (USART_SYNCBUSY)
        ;
    USART_INTENSET = USART_RXC;
    NVIC_ISER = (uint32_t)1 << IRQ_SERCOM5;
    mb_interrupts_on();
}

void mb_chip_interrupt(void)
{
    while (USART_INTFLAG & USART_RXC)
        mb_ring_put((uint8_t)USART_DATA);
}

bool mb_port_write(const uint8_t *buf, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        while (!(USART_INTFLAG & USART_DRE))
            ;
        USART_DATA = buf[i];
    }
    return true;
}
