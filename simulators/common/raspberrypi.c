#include "raspberrypi.h"

#include "bytes.h"

enum { REF_CTRL = 0x30, REF_SELECTED = 0x38, SYS_CTRL = 0x3c, SYS_SELECTED = 0x44 };

void sim_rp_clocks_read(uint8_t *registers)
{
    sim_put32(registers + REF_SELECTED, 1u << (sim_get32(registers + REF_CTRL) & 3));
    sim_put32(registers + SYS_SELECTED, 1u << (sim_get32(registers + SYS_CTRL) & 1));
}

enum { XOSC_CTRL = 0x00, XOSC_STATUS = 0x04, XOSC_ON = 0xfab };

void sim_rp_crystal_read(uint8_t *registers)
{
    const bool on = sim_get32(registers + XOSC_CTRL) >> 12 == XOSC_ON;
    sim_put32(registers + XOSC_STATUS, on ? 0x80001000u : 0); /* stable, enabled */
}

enum { PLL_CS = 0x00, PLL_PWR = 0x04, PLL_DOWN = 0x21 /* the PLL or its oscillator */ };
#define PLL_LOCK 0x80000000u

void sim_rp_pll_reset(uint8_t *registers)
{
    sim_put32(registers + PLL_CS, 1);
    sim_put32(registers + PLL_PWR, 0x2d);
}

void sim_rp_pll_read(uint8_t *registers)
{
    const uint32_t set = sim_get32(registers + PLL_CS) & ~PLL_LOCK;
    sim_put32(registers + PLL_CS,
              (sim_get32(registers + PLL_PWR) & PLL_DOWN) == 0 ? set | PLL_LOCK : set);
}

enum { RESET_DONE = 0x08 };

void sim_rp_resets_read(uint8_t *registers, uint32_t subsystems)
{
    sim_put32(registers + RESET_DONE, subsystems & ~sim_get32(registers + SIM_RP_RESET));
}

bool sim_rp_uart_show(uint8_t *registers, bool full, uint32_t raised)
{
    const uint32_t asked = raised & sim_get32(registers + SIM_UART_IMSC);
    sim_put32(registers + SIM_UART_FR, SIM_UART_TXFE | (full ? 0 : SIM_UART_RXFE));
    sim_put32(registers + SIM_UART_RIS, raised);
    sim_put32(registers + SIM_UART_MIS, asked);
    return asked != 0;
}

bool sim_rp_uart_listens(const uint8_t *registers)
{
    return (sim_get32(registers + SIM_UART_IMSC) & (SIM_UART_RX | SIM_UART_TIMEOUT)) != 0;
}
