/*
 * A CH32V003: clock, flash, and the byte stream of a board: USART1 on PD5 (TX) and PD6 (RX), 8 data
 * bits, no parity, one stop bit. Addresses and bits are those of WCH's ch32v00x.h, core_riscv.h and
 * system_ch32v00x.c.
 */
#include "riscv32/chip.h"

#include "motebench/port.h"
#include "riscv32/core.h"
#define MB_RING 64
#include "small/ring.h"

/* Bits a second. */
#ifndef MOTEBENCH_BAUD
#define MOTEBENCH_BAUD 115200UL
#endif

#define RCC_CTLR MB_REGISTER(uint32_t, 0x40021000)
#define RCC_CFGR0 MB_REGISTER(uint32_t, 0x40021004)
#define RCC_APB2PCENR MB_REGISTER(uint32_t, 0x40021018)
#define FLASH_ACTLR MB_REGISTER(uint32_t, 0x40022000)
#define GPIOD_CFGLR MB_REGISTER(uint32_t, 0x40011400)
#define USART_STATR MB_REGISTER(uint32_t, 0x40013800)
#define USART_DATAR MB_REGISTER(uint32_t, 0x40013804)
#define USART_BRR MB_REGISTER(uint32_t, 0x40013808)
#define USART_CTLR1 MB_REGISTER(uint32_t, 0x4001380C)
#define PFIC_IENR2 MB_REGISTER(uint32_t, 0xE000E104)
#define PFIC_SCTLR MB_REGISTER(uint32_t, 0xE000ED10)

enum {
    WAITS = 1, /* above 24 MHz */
    PLL_ON = 1 << 24,
    PLL_READY = 1 << 25,
    CHOOSE_PLL = 2, /* twice the internal oscillator's 24 MHz, not divided */
    CHOSEN = 3 << 2,
    CHOSEN_PLL = 2 << 2,
    APB2_GPIOD = 1 << 5,
    APB2_USART1 = 1 << 14,
    OUT_AND_IN = 0x4B << 20, /* alternate function, push-pull; floating input */
    PINS = 0xFF << 20,
    USART_ON = 1 << 13 | 1 << 3 | 1 << 2,
    USART_RXNEIE = 1 << 5,
    USART_RXNE = 1 << 5,
    USART_TXE = 1 << 7,
    IRQ_USART1 = 1 << 0, /* number 32 */
    /* WFI ends with an interrupt that is held back, too */
    WFI_AS_WFE = 1 << 3,
    EVENT_OF_PENDING = 1 << 4
};

static void clock_init(void)
{
    FLASH_ACTLR = WAITS; /* before the clock gets faster */
    RCC_CFGR0 = 0;
    RCC_CTLR |= PLL_ON;
    while (!(RCC_CTLR & PLL_READY))
        ;
    RCC_CFGR0 = CHOOSE_PLL;
    while ((RCC_CFGR0 & CHOSEN) != CHOSEN_PLL)
        ;
}

void mb_chip_init(void)
{
    clock_init();
    RCC_APB2PCENR |= APB2_GPIOD | APB2_USART1;
    GPIOD_CFGLR = (GPIOD_CFGLR & ~(uint32_t)PINS) | OUT_AND_IN;
    USART_BRR = (F_CPU + MOTEBENCH_BAUD / 2) / MOTEBENCH_BAUD;
    USART_CTLR1 = USART_ON | USART_RXNEIE;
    PFIC_SCTLR = WFI_AS_WFE | EVENT_OF_PENDING;
    PFIC_IENR2 = IRQ_USART1;
    mb_interrupts_on();
}

/* Reading the data takes back the flag of a byte that came too early, too: the flags were read. */
void mb_chip_interrupt(void)
{
    const uint32_t flags = USART_STATR;
    const uint8_t byte = (uint8_t)USART_DATAR;
    if (flags & USART_RXNE)
        mb_ring_put(byte);
}

bool mb_port_write(const uint8_t *buf, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        while (!(USART_STATR & USART_TXE))
            ;
        USART_DATAR = buf[i];
    }
    return true;
}
