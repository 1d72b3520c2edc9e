/* Clocks, resets and the timer: what start-up code sets, and polls until it is ready. */
#include "rp2040.h"

/* --- CLOCKS, 2.15 ------------------------------------------------------------------------------------------------- */

enum { REF_CTRL = 0x30, REF_SELECTED = 0x38, SYS_CTRL = 0x3c, SYS_SELECTED = 0x44, PERI_SELECTED = 0x50 };

static void clocks_read(cm_unit *unit, uint32_t offset)
{
    (void)offset;
    cm_set_register(unit, REF_SELECTED, 4, 1u << (cm_register(unit, REF_CTRL, 4) & 3));
    cm_set_register(unit, SYS_SELECTED, 4, 1u << (cm_register(unit, SYS_CTRL, 4) & 1));
    cm_set_register(unit, PERI_SELECTED, 4, 1);
}

const cm_model cm_rp_clocks = {.read = clocks_read};

/* --- XOSC, 2.16 --------------------------------------------------------------------------------------------------- */

enum { XOSC_CTRL = 0x00, XOSC_STATUS = 0x04, XOSC_ON = 0xfab };

static void crystal_read(cm_unit *unit, uint32_t offset)
{
    (void)offset;
    const bool on = cm_register(unit, XOSC_CTRL, 4) >> 12 == XOSC_ON;
    cm_set_register(unit, XOSC_STATUS, 4, on ? 0x80001000u : 0); /* stable, enabled */
}

const cm_model cm_rp_crystal = {.read = crystal_read};

/* --- PLL, 2.18 ---------------------------------------------------------------------------------------------------- */

enum { PLL_CS = 0x00, PLL_PWR = 0x04, PLL_DOWN = 0x21 /* the PLL or its oscillator */ };
#define PLL_LOCK 0x80000000u

static void pll_reset(cm_unit *unit)
{
    cm_set_register(unit, PLL_CS, 4, 1);
    cm_set_register(unit, PLL_PWR, 4, 0x2d);
}

static void pll_read(cm_unit *unit, uint32_t offset)
{
    (void)offset;
    const uint32_t set = cm_register(unit, PLL_CS, 4) & ~PLL_LOCK;
    cm_set_register(unit, PLL_CS, 4, (cm_register(unit, PLL_PWR, 4) & PLL_DOWN) == 0 ? set | PLL_LOCK : set);
}

const cm_model cm_rp_pll = {.reset = pll_reset, .read = pll_read};

/* --- RESETS, 2.14 ------------------------------------------------------------------------------------------------- */

enum { RESET = 0x00, RESET_DONE = 0x08, SUBSYSTEMS = 0x01ffffff, PADS_QSPI = 1 << 9, IO_QSPI = 1 << 6 };

static void resets_reset(cm_unit *unit)
{
    cm_set_register(unit, RESET, 4, SUBSYSTEMS & ~(uint32_t)(PADS_QSPI | IO_QSPI)); /* the boot ROM needs those two */
}

static void resets_read(cm_unit *unit, uint32_t offset)
{
    (void)offset;
    cm_set_register(unit, RESET_DONE, 4, SUBSYSTEMS & ~cm_register(unit, RESET, 4));
}

const cm_model cm_rp_resets = {.reset = resets_reset, .read = resets_read};

/* --- TIMER, 4.6: microseconds since reset, at the usual clock of the core; without alarms -------------------------- */

enum { TIMEHR = 0x08, TIMELR = 0x0c, TIMERAWH = 0x24, TIMERAWL = 0x28, CYCLES = 125 };

static void timer_read(cm_unit *unit, uint32_t offset)
{
    const uint64_t now = unit->board->core.cycles / CYCLES;
    cm_set_register(unit, TIMERAWH, 4, (uint32_t)(now >> 32));
    cm_set_register(unit, TIMERAWL, 4, (uint32_t)now);
    if (offset == TIMELR) { /* the upper half stays as it is at this moment */
        cm_set_register(unit, TIMELR, 4, (uint32_t)now);
        cm_set_register(unit, TIMEHR, 4, (uint32_t)(now >> 32));
    }
}

const cm_model cm_rp_timer = {.read = timer_read};
