/*
 * FLASH, RM0351 3.7.1, RM0453 4.10.1, RM0090 3.9.1, RM0008 3.3.3 (and PM0075): wait states, caches
 * and reading ahead, as the program sets them. Caches are on after a reset of an STM32L4 or STM32WL
 * and off on an STM32F407; a cache is emptied only while it is off. An STM32F103 has a prefetch
 * buffer alone, on after a reset. Its half cycle access, for clocks up to 8 MHz, changes nothing
 * here. Erasing and writing are not modelled.
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
    DCRST = 1 << 12,
    /* STM32F103: prefetch buffer enable, and its status */
    PRFTBE = 1 << 4,
    PRFTBS = 1 << 5
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

static void f4_reset(cm_unit *unit)
{
    obey(unit);
}

const cm_model cm_stm32f4_flash = {.reset = f4_reset, .written = flash_written};

static void f1_obey(cm_unit *unit, uint32_t control)
{
    const bool ahead = (control & PRFTBE) != 0;
    cm_set_register(unit, ACR, 4, (control & ~(uint32_t)PRFTBS) | (ahead ? PRFTBS : 0));
    cm_board_accelerate(unit->board, control & LATENCY, false, false, ahead);
}

static void f1_reset(cm_unit *unit)
{
    f1_obey(unit, PRFTBE);
}

static void f1_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    cm_set_register(unit, offset, size, value);
    if (offset < ACR + 4)
        f1_obey(unit, cm_register(unit, ACR, 4));
}

const cm_model cm_stm32f1_flash = {.reset = f1_reset, .written = f1_written};
