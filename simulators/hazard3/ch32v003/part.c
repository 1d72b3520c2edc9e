/*
 * WCH CH32V003: reference manual CH32V003RM, 2 (memory and flash), 3 (RCC), 6 (PFIC, SysTick), 7
 * (pins), 12 (USART), by the addresses and bits of WCH's ch32v00x.h and core_riscv.h. Flash is at
 * 0, where the core starts; its alias at 0x08000000 is not modelled.
 */
#include "../board/board.h"
#include "bytes.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

enum {
    RCC = 0x40021000,
    FLASH = 0x40022000,
    USART = 0x40013800,
    PORT_D = 0x40011400,
    SYSTICK_SIZE = 0x18,
    USART_IRQ = 32,
    /* RCC: CTLR with HSION, PLLON, both ready; CFGR0 with SW, SWS, HPRE */
    CFGR0 = 0x04,
    HSI_ON = 1 << 0,
    HSI_READY = 1 << 1,
    PLL_READY_AT = 25,
    PLL_AT = 24,
    CLOCK_DIVIDED = 0x20, /* by 3, after a reset */
    /* USART */
    STATR = 0x00,
    DATAR = 0x04,
    CTLR1 = 0x0c,
    RXNE = 1 << 5,
    SENT = 3 << 6, /* TC and TXE */
    RXNEIE = 1 << 5,
    USART_ON = 1 << 13 | 1 << 2,
    /* PFIC */
    ENABLED = 0x000,
    PENDING = 0x020,
    ENABLE = 0x100,
    DISABLE = 0x180,
    /* SysTick */
    CTLR = 0x00,
    CNT = 0x08,
    STE = 1 << 0,
    STCLK = 1 << 2,
    SLOW = 8
};
#define PFIC 0xe000e000u
#define SYSTICK 0xe000f000u

/* --- clocks and flash ------------------------------------------------------------------------- */

static void rcc_reset(hz_board *board, uint8_t *registers)
{
    (void)board;
    sim_put32(registers, HSI_ON);
    sim_put32(registers + CFGR0, CLOCK_DIVIDED);
}

/* Oscillators that are on are ready at once, and the chosen clock is used. */
static void rcc_read(hz_board *board, uint8_t *registers, uint32_t offset)
{
    (void)board;
    (void)offset;
    const uint32_t control = sim_get32(registers), chosen = sim_get32(registers + CFGR0);
    const uint32_t ready = HSI_READY | (control >> PLL_AT & 1) << PLL_READY_AT;
    sim_put32(registers, (control & ~(HSI_READY | UINT32_C(1) << PLL_READY_AT)) | ready);
    sim_put32(registers + CFGR0, (chosen & ~12u) | (chosen & 3) << 2);
}

/* LATENCY. Settings 2 and 3 are none of the manual's; jnk0le measured 3 or 4 states: taken as 3. */
static void flash_written(hz_board *board, uint8_t *registers, uint32_t offset, uint32_t value)
{
    sim_put32(registers + offset, value);
    if (offset == 0)
        hz_board_wait(board, (value & 3) > 1 ? 3 : value & 3);
}

/* --- USART1 ----------------------------------------------------------------------------------- */

/*
 * A byte is sent in no time; a received byte is there as soon as the program waits for one, and not
 * before, so what is timed does not depend on when the outside sends.
 */
static void usart_show(hz_board *board, uint8_t *registers)
{
    const bool full = board->input[1] != 0;
    sim_put32(registers + STATR, SENT | (full ? RXNE : 0));
    hz_core_interrupt(&board->core, USART_IRQ,
                      full && (sim_get32(registers + CTLR1) & RXNEIE) != 0);
}

static void usart_reset(hz_board *board, uint8_t *registers)
{
    usart_show(board, registers);
}

static void usart_read(hz_board *board, uint8_t *registers, uint32_t offset)
{
    if (offset == DATAR) {
        sim_put32(registers + DATAR, board->input[0]);
        board->input[1] = 0;
    } else if (offset == STATR && board->input[1] == 0 && ++board->polls >= HZ_PATIENT_POLLS) {
        board->asks = board->core.halt = true;
    }
    usart_show(board, registers);
}

static void usart_written(hz_board *board, uint8_t *registers, uint32_t offset, uint32_t value)
{
    board->polls = 0;
    if (offset == DATAR)
        board->send((uint8_t)value);
    else if (offset != STATR)
        sim_put32(registers + offset, value);
    usart_show(board, registers);
}

static bool listens(const hz_board *board)
{
    const uint32_t control = sim_get32(hz_block_at((hz_board *)(uintptr_t)board, USART) + CTLR1);
    return (control & USART_ON) == USART_ON && (control & RXNEIE) != 0 &&
           (board->core.irq_enabled >> USART_IRQ & 1) != 0;
}

static void feed(hz_board *board, uint8_t byte)
{
    board->input[0] = byte;
    board->input[1] = 1;
    usart_show(board, hz_block_at(board, USART));
}

/* --- the core's own --------------------------------------------------------------------------- */

static void pfic_read(hz_board *board, uint8_t *registers, uint32_t offset)
{
    (void)offset;
    for (unsigned i = 0; i < HZ_IRQS / 32; i++) {
        sim_put32(registers + ENABLED + 4 * i, (uint32_t)(board->core.irq_enabled >> 32 * i));
        sim_put32(registers + PENDING + 4 * i, (uint32_t)(board->core.irq_lines >> 32 * i));
    }
}

/* Bits that enable, and others that disable; priorities are not modelled. */
static void pfic_written(hz_board *board, uint8_t *registers, uint32_t offset, uint32_t value)
{
    const unsigned shift = 8 * (offset & 4);
    if (offset - ENABLE < HZ_IRQS / 8)
        board->core.irq_enabled |= (uint64_t)value << shift;
    else if (offset - DISABLE < HZ_IRQS / 8)
        board->core.irq_enabled &= ~((uint64_t)value << shift);
    else
        sim_put32(registers + offset, value);
}

/* The time at which the count was 0: a reserved word of the block holds it. */
enum { BASE = 0x14 };

static uint32_t ticks(const hz_board *board, const uint8_t *registers)
{
    const uint64_t cycles = board->core.cycles;
    return (uint32_t)((sim_get32(registers + CTLR) & STCLK) != 0 ? cycles : cycles / SLOW);
}

/* The count stands while it is off. */
static void systick_read(hz_board *board, uint8_t *registers, uint32_t offset)
{
    if (offset == CNT && (sim_get32(registers + CTLR) & STE) != 0)
        sim_put32(registers + CNT, ticks(board, registers) - sim_get32(registers + BASE));
}

static void systick_written(hz_board *board, uint8_t *registers, uint32_t offset, uint32_t value)
{
    if (offset == BASE)
        return;
    systick_read(board, registers, CNT);
    sim_put32(registers + offset, value);
    sim_put32(registers + BASE, ticks(board, registers) - sim_get32(registers + CNT));
}

static const hz_block blocks[] = {
    {.base = RCC, .size = 0x28, .reset = rcc_reset, .read = rcc_read},
    {.base = FLASH, .size = 0x28, .written = flash_written},
    {.base = PORT_D, .size = 0x1c},
    {.base = USART,
     .size = 0x1c,
     .reset = usart_reset,
     .read = usart_read,
     .written = usart_written},
    {.base = PFIC, .size = 0x200, .read = pfic_read, .written = pfic_written},
    {.base = 0xe000ed10, .size = 4}, /* SCTLR */
    {.base = SYSTICK, .size = SYSTICK_SIZE, .read = systick_read, .written = systick_written},
};
_Static_assert(COUNT(blocks) <= HZ_BLOCKS_MAX, "a board has room for every block");

const hz_part hz_ch32v003 = {
    .name = "ch32v003",
    .qingke = true,
    .code_size = 0x4000,
    .code_most = 0x20000,
    .ram_base = 0x20000000,
    .ram_size = 0x800,
    .clock_max = 48000000,
    .blocks = blocks,
    .block_count = COUNT(blocks),
    .listens = listens,
    .feed = feed,
};
