/*
 * Blocks of registers that the RP2040 and the RP2350 have alike, as far as firmware that measures
 * needs them: everything is ready at once. Registers are bytes, little-endian. Sources: Raspberry
 * Pi, RP2040 data sheet, 2.14 (resets), 2.15 (clocks), 2.16 (XOSC), 2.18 (PLL), 4.2 (UART); RP2350
 * data sheet, 7.5, 8.1, 8.2, 8.6, 12.1.
 */
#ifndef MOTEBENCH_SIMULATOR_RASPBERRYPI_H
#define MOTEBENCH_SIMULATOR_RASPBERRYPI_H

#include <stdbool.h>
#include <stdint.h>

/* CLOCKS: each clock has switched to what was selected. */
void sim_rp_clocks_read(uint8_t *registers);

/* XOSC: stable, if it is on. */
void sim_rp_crystal_read(uint8_t *registers);

/* A PLL: locked, if it has power. */
void sim_rp_pll_reset(uint8_t *registers);
void sim_rp_pll_read(uint8_t *registers);

/* RESETS: those of `subsystems` that are not held in reset are out of it. */
enum { SIM_RP_RESET = 0x00 };
void sim_rp_resets_read(uint8_t *registers, uint32_t subsystems);

/* UART, a PL011: registers; flags; what raises an interrupt. */
enum {
    SIM_UART_DR = 0x00,
    SIM_UART_FR = 0x18,
    SIM_UART_LCR_H = 0x2c,
    SIM_UART_CR = 0x30,
    SIM_UART_IMSC = 0x38,
    SIM_UART_RIS = 0x3c,
    SIM_UART_MIS = 0x40,
    SIM_UART_ICR = 0x44,
    SIM_UART_RXFE = 1 << 4,
    SIM_UART_TXFE = 1 << 7,
    SIM_UART_RX = 1 << 4,
    SIM_UART_TX = 1 << 5,
    SIM_UART_TIMEOUT = 1 << 6
};

/* Shows in its registers whether a byte was received, and what is raised. True: an interrupt is
 * asked for. */
bool sim_rp_uart_show(uint8_t *registers, bool full, uint32_t raised);

/* Will an interrupt tell the program of a byte? */
bool sim_rp_uart_listens(const uint8_t *registers);

#endif
