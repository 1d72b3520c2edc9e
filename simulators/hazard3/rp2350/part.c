/*
 * RP2350 with its Hazard3 cores, of which one runs: Raspberry Pi, RP2350 data sheet, 2.2 (address
 * map), 3.2 (interrupts), 7.5 (resets), 8.1 (clocks), 8.2 (XOSC), 8.6 (PLL), 12.1 (UART). The
 * program lies in SRAM0 to 3, data in SRAM4 to 7: the core fetches from other banks than it loads
 * from, so neither waits (2.2.3).
 */
#include "../board/board.h"
#include "bytes.h"
#include "raspberrypi.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

enum {
    RESETS = 0x40020000,
    CLOCKS = 0x40010000,
    XOSC = 0x40048000,
    PLL_SYS = 0x40050000,
    UART0 = 0x40070000,
    SUBSYSTEMS = 0x1fffffff,
    UART0_IRQ = 33
};

static void clocks_read(hz_board *board, uint8_t *registers, uint32_t offset)
{
    (void)board;
    (void)offset;
    sim_rp_clocks_read(registers);
}

static void crystal_read(hz_board *board, uint8_t *registers, uint32_t offset)
{
    (void)board;
    (void)offset;
    sim_rp_crystal_read(registers);
}

static void pll_reset(hz_board *board, uint8_t *registers)
{
    (void)board;
    sim_rp_pll_reset(registers);
}

static void pll_read(hz_board *board, uint8_t *registers, uint32_t offset)
{
    (void)board;
    (void)offset;
    sim_rp_pll_read(registers);
}

static void resets_reset(hz_board *board, uint8_t *registers)
{
    (void)board;
    sim_put32(registers + SIM_RP_RESET, SUBSYSTEMS);
}

static void resets_read(hz_board *board, uint8_t *registers, uint32_t offset)
{
    (void)board;
    (void)offset;
    sim_rp_resets_read(registers, SUBSYSTEMS);
}

/*
 * UART0: a byte is sent in no time; a received byte is there as soon as the program waits for one,
 * and not before, so what is timed does not depend on when the outside sends.
 */
static void uart_show(hz_board *board, uint8_t *registers)
{
    const bool full = board->input[1] != 0;
    const bool asked = sim_rp_uart_show(registers, full, full ? SIM_UART_RX | SIM_UART_TIMEOUT : 0);
    hz_core_interrupt(&board->core, UART0_IRQ, asked);
}

static void uart_reset(hz_board *board, uint8_t *registers)
{
    uart_show(board, registers);
}

static void uart_read(hz_board *board, uint8_t *registers, uint32_t offset)
{
    if (offset == SIM_UART_DR) {
        sim_put32(registers + SIM_UART_DR, board->input[0]);
        board->input[1] = 0;
    } else if (offset == SIM_UART_FR && board->input[1] == 0 &&
               ++board->polls >= HZ_PATIENT_POLLS) {
        board->asks = board->core.halt = true;
    }
    uart_show(board, registers);
}

static void uart_written(hz_board *board, uint8_t *registers, uint32_t offset, uint32_t value)
{
    board->polls = 0;
    if (offset == SIM_UART_DR)
        board->send((uint8_t)value);
    else if (offset != SIM_UART_FR && offset != SIM_UART_RIS && offset != SIM_UART_MIS &&
             offset != SIM_UART_ICR)
        sim_put32(registers + offset, value);
    uart_show(board, registers);
}

static bool listens(const hz_board *board)
{
    return sim_rp_uart_listens(hz_block_at((hz_board *)(uintptr_t)board, UART0));
}

static void feed(hz_board *board, uint8_t byte)
{
    board->input[0] = byte;
    board->input[1] = 1;
    uart_show(board, hz_block_at(board, UART0));
}

static const hz_block blocks[] = {
    {.base = CLOCKS, .size = 0xd4, .read = clocks_read},
    {.base = RESETS, .size = 0x0c, .reset = resets_reset, .read = resets_read},
    {.base = 0x40028000, .size = 0x320}, /* IO_BANK0 */
    {.base = 0x40038000, .size = 0xcc},  /* PADS_BANK0 */
    {.base = XOSC, .size = 0x14, .read = crystal_read},
    {.base = PLL_SYS, .size = 0x10, .reset = pll_reset, .read = pll_read},
    {.base = UART0, .size = 0x4c, .reset = uart_reset, .read = uart_read, .written = uart_written},
};
_Static_assert(COUNT(blocks) <= HZ_BLOCKS_MAX, "a board has room for every block");

const hz_part hz_rp2350 = {
    .name = "rp2350-hazard3",
    .code_base = 0x20000000,
    .code_size = 0x40000,
    .ram_base = 0x20040000,
    .ram_size = 0x40000,
    .clock_max = 150000000,
    .blocks = blocks,
    .block_count = COUNT(blocks),
    .listens = listens,
    .feed = feed,
};
