/*
 * A SAM3X8E: clock, flash, the coarse counter, and the byte stream of a board: the UART on PA8 (RX)
 * and PA9 (TX), 8 data bits, no parity, one stop bit. Addresses and numbers are those of Atmel's
 * sam3x8e.h; chapters of data sheet 11057C were not looked up again: 16 (WDT), 18 (EEFC), 28 (PMC),
 * 31 (PIO), 34 (UART), 36 (TC).
 */
#include "armv6-m/chip.h"

#include "armv6-m/core.h"
#include "motebench/port.h"
#include "small/ring.h"

/* Bits a second. The UART samples 16 times a bit: with 84 MHz 250,000 is exact. */
#ifndef MOTEBENCH_BAUD
#define MOTEBENCH_BAUD 250000UL
#endif

#define PMC_PCER0 MB_REGISTER(uint32_t, 0x400E0610)
#define CKGR_MOR MB_REGISTER(uint32_t, 0x400E0620)
#define CKGR_PLLAR MB_REGISTER(uint32_t, 0x400E0628)
#define PMC_MCKR MB_REGISTER(uint32_t, 0x400E0630)
#define PMC_SR MB_REGISTER(uint32_t, 0x400E0668)
#define EEFC0_FMR MB_REGISTER(uint32_t, 0x400E0A00)
#define EEFC1_FMR MB_REGISTER(uint32_t, 0x400E0C00)
#define WDT_MR MB_REGISTER(uint32_t, 0x400E1A54)
#define PIOA_PDR MB_REGISTER(uint32_t, 0x400E0E04)
#define PIOA_ABSR MB_REGISTER(uint32_t, 0x400E0E70)
#define UART_CR MB_REGISTER(uint32_t, 0x400E0800)
#define UART_MR MB_REGISTER(uint32_t, 0x400E0804)
#define UART_IER MB_REGISTER(uint32_t, 0x400E0808)
#define UART_SR MB_REGISTER(uint32_t, 0x400E0814)
#define UART_RHR MB_REGISTER(uint32_t, 0x400E0818)
#define UART_THR MB_REGISTER(uint32_t, 0x400E081C)
#define UART_BRGR MB_REGISTER(uint32_t, 0x400E0820)
#define TC0_CCR MB_REGISTER(uint32_t, 0x40080000)
#define TC0_CMR MB_REGISTER(uint32_t, 0x40080004)
#define TC0_CV MB_REGISTER(uint32_t, 0x40080010)

enum {
    MOR_KEY = 0x37 << 16,
    MOR_CRYSTAL = 1 << 0,
    MOR_INTERNAL = 1 << 3,
    MOR_STARTUP = 8 << 8,
    MOR_FROM_CRYSTAL = 1 << 24,
    SR_CRYSTAL = 1 << 0,
    SR_PLLA = 1 << 1,
    SR_MASTER = 1 << 3,
    SR_CHOSEN = 1 << 16,
    PLLAR_ALWAYS = 1 << 29, /* has to be written as 1 */
    PLLAR_MULTIPLIER_AT = 16,
    PLLAR_COUNT = 0x3f << 8,
    MCKR_MAIN = 1,
    MCKR_PLLA = 2,
    MCKR_HALF = 1 << 4,
    FMR_WAITS = 4 << 8, /* reads of 128 bits, and code ahead, as after a reset */
    WDT_OFF = 1 << 15,
    ID_UART = 8, /* its interrupt, too */
    ID_TC0 = 27,
    PINS = 3 << 8, /* PA8 and PA9, peripheral A */
    UART_ON = 1 << 6 | 1 << 4,
    UART_NO_PARITY = 4 << 9,
    UART_RXRDY = 1 << 0,
    UART_TXRDY = 1 << 1,
    TC_CLOCK4 = 3,
    TC_WAVE = 1 << 15, /* it counts to its end, and nothing stops it */
    TC_START = 1 | 4,
    PRESCALER = 128 /* of TC_CLOCK4 */
};
#define CRYSTAL_HZ 12000000UL

const uint32_t mb_chip_coarse_cycles = PRESCALER;
const char mb_chip_timer_name[] = "SysTick, TC0";

static void until(uint32_t flags)
{
    while (!(PMC_SR & flags))
        ;
}

static void clock_init(void)
{
    EEFC0_FMR = FMR_WAITS; /* before the clock gets faster */
    EEFC1_FMR = FMR_WAITS;
    CKGR_MOR = MOR_KEY | MOR_STARTUP | MOR_INTERNAL | MOR_CRYSTAL;
    until(SR_CRYSTAL);
    CKGR_MOR = MOR_KEY | MOR_STARTUP | MOR_INTERNAL | MOR_CRYSTAL | MOR_FROM_CRYSTAL;
    until(SR_CHOSEN);
    PMC_MCKR = MCKR_MAIN;
    until(SR_MASTER);
    CKGR_PLLAR =
        PLLAR_ALWAYS | (2 * F_CPU / CRYSTAL_HZ - 1) << PLLAR_MULTIPLIER_AT | PLLAR_COUNT | 1;
    until(SR_PLLA);
    PMC_MCKR = MCKR_HALF | MCKR_MAIN; /* divided first: the PLL is too fast */
    until(SR_MASTER);
    PMC_MCKR = MCKR_HALF | MCKR_PLLA;
    until(SR_MASTER);
}

void mb_chip_init(void)
{
    WDT_MR = WDT_OFF;
    clock_init();
    PMC_PCER0 = 1 << ID_UART | 1 << ID_TC0;
    TC0_CMR = TC_WAVE | TC_CLOCK4;
    TC0_CCR = TC_START;
    PIOA_ABSR &= ~(uint32_t)PINS;
    PIOA_PDR = PINS;
    UART_MR = UART_NO_PARITY;
    UART_BRGR = (F_CPU + 8 * MOTEBENCH_BAUD) / (16 * MOTEBENCH_BAUD);
    UART_CR = UART_ON;
    UART_IER = UART_RXRDY;
    NVIC_ISER = 1 << ID_UART;
    mb_interrupts_on();
}

MB_FROM_RAM(mb_chip_coarse)
uint32_t mb_chip_coarse(void)
{
    return TC0_CV;
}

/* There is no cache: what is measured replaces what the buffers of the flash hold by its first. */
MB_FROM_RAM(mb_chip_cold)
void mb_chip_cold(void)
{
    __asm__ volatile("isb" ::: "memory");
}

void mb_chip_interrupt(void)
{
    if (UART_SR & UART_RXRDY)
        mb_ring_put((uint8_t)UART_RHR);
}

bool mb_port_write(const uint8_t *buf, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        while (!(UART_SR & UART_TXRDY))
            ;
        UART_THR = buf[i];
    }
    return true;
}
