/*
 * Registers of the nRF52840 that the probe uses: Product Specification v1.7, the chapters as named.
 */
#ifndef MOTEBENCH_NRF52840_REGISTERS_H
#define MOTEBENCH_NRF52840_REGISTERS_H

#include "armv6-m/core.h"

#define NVIC_ICER(word) MB_REGISTER(uint32_t, 0xE000E180 + 4 * (word))

/* CLOCK, 5.4 */
#define CLOCK_TASKS_HFCLKSTART MB_REGISTER(uint32_t, 0x40000000)
#define CLOCK_EVENTS_HFCLKSTARTED MB_REGISTER(uint32_t, 0x40000100)

/* NVMC, 4.3: the instruction cache */
#define NVMC_ICACHECNF MB_REGISTER(uint32_t, 0x4001E540)
enum { NVMC_CACHEEN = 1 };

/* GPIO, 6.9: pins 0 to 31 are those of port 0, the next ones those of port 1 */
#define GPIO_PORT(pin) (0x50000000u + 0x300u * ((pin) / 32))
#define GPIO_OUTSET(pin) MB_REGISTER(uint32_t, GPIO_PORT(pin) + 0x508)
#define GPIO_DIRSET(pin) MB_REGISTER(uint32_t, GPIO_PORT(pin) + 0x518)
#define GPIO_CNF(pin) MB_REGISTER(uint32_t, GPIO_PORT(pin) + 0x700 + 4 * ((pin) % 32))
enum { CNF_INPUT_PULL_UP = 3 << 2 };

/* TIMER, 6.30: 16 MHz divided by a power of two */
#define TIMER0_TASKS_START MB_REGISTER(uint32_t, 0x40008000)
#define TIMER0_TASKS_CAPTURE MB_REGISTER(uint32_t, 0x40008040)
#define TIMER0_BITMODE MB_REGISTER(uint32_t, 0x40008508)
#define TIMER0_PRESCALER MB_REGISTER(uint32_t, 0x40008510)
#define TIMER0_CC MB_REGISTER(uint32_t, 0x40008540)
enum { TIMER_HZ = 16000000, TIMER_SHIFT = 9, TIMER_32_BITS = 3 };

/* UART, 6.33 */
#define UART_TASKS_STARTRX MB_REGISTER(uint32_t, 0x40002000)
#define UART_TASKS_STARTTX MB_REGISTER(uint32_t, 0x40002008)
#define UART_EVENTS_RXDRDY MB_REGISTER(uint32_t, 0x40002108)
#define UART_EVENTS_TXDRDY MB_REGISTER(uint32_t, 0x4000211C)
#define UART_INTENSET MB_REGISTER(uint32_t, 0x40002304)
#define UART_INTENCLR MB_REGISTER(uint32_t, 0x40002308)
#define UART_ENABLE MB_REGISTER(uint32_t, 0x40002500)
#define UART_PSEL_TXD MB_REGISTER(uint32_t, 0x4000250C)
#define UART_PSEL_RXD MB_REGISTER(uint32_t, 0x40002514)
#define UART_RXD MB_REGISTER(uint32_t, 0x40002518)
#define UART_TXD MB_REGISTER(uint32_t, 0x4000251C)
#define UART_BAUDRATE MB_REGISTER(uint32_t, 0x40002524)
enum { UART_ENABLED = 4, UART_RXDRDY = 1 << 2, IRQ_UART = 2 };

#endif
