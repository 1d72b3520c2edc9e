/* Clocks, pins, flash controller, watchdog: what start-up code sets, and polls until it is
 * ready. */
#include "samd21.h"

/* --- SYSCTRL, chapter 17 ---------------------------------------------------------------------- */

enum {
    SYSCTRL_INTFLAG = 0x08,
    SYSCTRL_PCLKSR = 0x0c,
    SYSCTRL_OSC8M = 0x20,
    /* XOSC, XOSC32K, OSC32K, OSC8M, DFLL ready and locked, fine and coarse */
    CLOCKS_READY = 0x000000df,
    DPLL_LOCKED = 0x00008000
};

static void sysctrl_read(cm_unit *unit, uint32_t offset)
{
    (void)offset;
    cm_set_register(unit, SYSCTRL_INTFLAG, 4, CLOCKS_READY | DPLL_LOCKED);
    cm_set_register(unit, SYSCTRL_PCLKSR, 4, CLOCKS_READY | DPLL_LOCKED);
}

static void sysctrl_reset(cm_unit *unit)
{
    /* enabled, divided by 8; the calibration is another on each part */
    cm_set_register(unit, SYSCTRL_OSC8M, 4, 0x382);
}

const cm_model cm_sysctrl = {.reset = sysctrl_reset, .read = sysctrl_read};

/* --- GCLK, chapter 15 ------------------------------------------------------------------------- */

enum { GCLK_CTRL = 0x00, GCLK_STATUS = 0x01 };

static void gclk_read(cm_unit *unit, uint32_t offset)
{
    (void)offset;
    cm_set_register(unit, GCLK_CTRL, 1, 0); /* a software reset is over at once */
    cm_set_register(unit, GCLK_STATUS, 1, 0);
}

const cm_model cm_gclk = {.read = gclk_read};

/* --- PORT, chapter 23: two groups ------------------------------------------------------------- */

enum { DIR = 0x00, OUT = 0x10, CLEAR = 4, SET = 8, TOGGLE = 12, GROUP = 0x80 };

static void port_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    const uint32_t group = offset & GROUP, within = offset & (GROUP - 1);
    /* pins one by one, and parts of words: kept as they are */
    if (within >= 0x20 || size != 4) {
        cm_set_register(unit, offset, size, value);
        return;
    }
    const uint32_t first = group + (within & 0x10), old = cm_register(unit, first, 4);
    switch (within & 0x0c) {
    case CLEAR:
        value = old & ~value;
        break;
    case SET:
        value = old | value;
        break;
    case TOGGLE:
        value = old ^ value;
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < 16; i += 4) /* all four read as the value */
        cm_set_register(unit, first + i, 4, value);
}

const cm_model cm_port = {.written = port_written};

/* --- NVMCTRL, chapter 22 ---------------------------------------------------------------------- */

enum {
    NVM_CTRLA = 0x00,
    NVM_CTRLB = 0x04,
    NVM_PARAM = 0x08,
    NVM_INTFLAG = 0x14,
    NVM_STATUS = 0x18,
    CTRLB_MANUAL = 0x80,
    PAGE_BYTES = 64,
    PARAM_PAGE = 3 << 16, /* 8 << 3 bytes a page; below it the number of pages */
    READY = 1,
    NO_MISS_PENALTY = 0,
    LOW_POWER = 1,
    DETERMINISTIC = 2
};

/* RWS: bits 4 to 1. READMODE: bits 17 and 16. CACHEDIS: bit 18. */
static void set_timing(cm_unit *unit)
{
    const uint32_t control = cm_register(unit, NVM_CTRLB, 4), mode = control >> 16 & 3;
    const bool cached = (control >> 18 & 1) == 0 && mode != DETERMINISTIC;
    cm_board_flash(unit->board, control >> 1 & 15, mode == LOW_POWER ? 1 : 0, cached);
}

static void nvm_reset(cm_unit *unit)
{
    cm_set_register(unit, NVM_CTRLB, 4, CTRLB_MANUAL);
    cm_set_register(unit, NVM_PARAM, 4, PARAM_PAGE | unit->board->part->flash_size / PAGE_BYTES);
    cm_set_register(unit, NVM_INTFLAG, 1, READY);
    set_timing(unit);
}

/* Commands that would write flash do nothing; any command empties the cache, as INVALL does. */
static void nvm_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    if (offset == NVM_PARAM || offset == NVM_INTFLAG || offset == NVM_STATUS)
        return;
    cm_set_register(unit, offset, size, value);
    if (offset <= NVM_CTRLB + 3)
        set_timing(unit);
}

const cm_model cm_nvmctrl = {.reset = nvm_reset, .written = nvm_written};

/* --- WDT, chapter 18 -------------------------------------------------------------------------- */

enum { WDT_CTRL = 0x00, WDT_STATUS = 0x07 };

static void watchdog_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    /* never starts: simulated time is not that of the outside */
    if (offset != WDT_CTRL || (value & 2) == 0)
        cm_set_register(unit, offset, size, value);
    cm_set_register(unit, WDT_STATUS, 1, 0);
}

const cm_model cm_watchdog = {.written = watchdog_written};
