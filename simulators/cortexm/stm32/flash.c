/*
 * FLASH, RM0351 3.7.1, RM0453 4.10.1: wait states, caches and reading ahead, as the program sets
 * them. Caches are on after a reset; a cache is emptied only while it is off. Erasing and writing
 * are not modelled.
 */
#include "stm32.h"

enum {
    ACR = 0x00,
    AFTER_RESET = 0x600,
    LATENCY = 7,
    PRFTEN = 1 << 8,
    ICEN = 1 << 9,
    DCEN = 1 << 10,
    ICRST = 1 << 11,
    DCRST = 1 << 12
};

static void obey(cm_unit *unit)
{
    const uint32_t control = cm_register(unit, ACR, 4);
    cm7_accelerator *is = unit->board->v7m.accelerator;
    if ((control & (ICEN | ICRST)) == ICRST)
        cm7_cache_empty(&is->code);
    if ((control & (DCEN | DCRST)) == DCRST)
        cm7_cache_empty(&is->data);
    cm_board_accelerate(unit->board, control & LATENCY, (control & ICEN) != 0,
                        (control & DCEN) != 0, (control & PRFTEN) != 0);
}

static void flash_reset(cm_unit *unit)
{
    cm_set_register(unit, ACR, 4, AFTER_RESET);
    obey(unit);
}

static void flash_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    cm_set_register(unit, offset, size, value);
    if (offset < ACR + 4)
        obey(unit);
}

const cm_model cm_stm32_flash = {.reset = flash_reset, .written = flash_written};
