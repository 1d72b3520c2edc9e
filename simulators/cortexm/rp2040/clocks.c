/* Clocks, resets and the timer: what start-up code sets, and polls until it is ready. */
#include "raspberrypi.h"
#include "rp2040.h"

/* --- CLOCKS, 2.15 ----------------------------------------------------------------------------- */

enum { PERI_SELECTED = 0x50 };

static void clocks_read(cm_unit *unit, uint32_t offset)
{
    (void)offset;
    sim_rp_clocks_read(unit->registers);
    cm_set_register(unit, PERI_SELECTED, 4, 1);
}

const cm_model cm_rp_clocks = {.read = clocks_read};

/* --- XOSC, 2.16 ------------------------------------------------------------------------------- */

static void crystal_read(cm_unit *unit, uint32_t offset)
{
    (void)offset;
    sim_rp_crystal_read(unit->registers);
}

const cm_model cm_rp_crystal = {.read = crystal_read};

/* --- PLL, 2.18 -------------------------------------------------------------------------------- */

static void pll_reset(cm_unit *unit)
{
    sim_rp_pll_reset(unit->registers);
}

static void pll_read(cm_unit *unit, uint32_t offset)
{
    (void)offset;
    sim_rp_pll_read(unit->registers);
}

const cm_model cm_rp_pll = {.reset = pll_reset, .read = pll_read};

/* --- RESETS, 2.14 ----------------------------------------------------------------------------- */

enum { SUBSYSTEMS = 0x01ffffff, PADS_QSPI = 1 << 9, IO_QSPI = 1 << 6 };

static void resets_reset(cm_unit *unit)
{
    /* the boot ROM needs those two */
    cm_set_register(unit, SIM_RP_RESET, 4, SUBSYSTEMS & ~(uint32_t)(PADS_QSPI | IO_QSPI));
}

static void resets_read(cm_unit *unit, uint32_t offset)
{
    (void)offset;
    sim_rp_resets_read(unit->registers, SUBSYSTEMS);
}

const cm_model cm_rp_resets = {.reset = resets_reset, .read = resets_read};

/* --- TIMER, 4.6: microseconds since reset, at the usual clock of the core; without alarms ----- */

enum { TIMEHR = 0x08, TIMELR = 0x0c, TIMERAWH = 0x24, TIMERAWL = 0x28, CYCLES = 125 };

void cm_rp_timer_show(cm_unit *unit, uint32_t offset, unsigned cycles)
{
    const uint64_t now = unit->board->core.cycles / cycles;
    cm_set_register(unit, TIMERAWH, 4, (uint32_t)(now >> 32));
    cm_set_register(unit, TIMERAWL, 4, (uint32_t)now);
    if (offset == TIMELR) { /* the upper half stays as it is at this moment */
        cm_set_register(unit, TIMELR, 4, (uint32_t)now);
        cm_set_register(unit, TIMEHR, 4, (uint32_t)(now >> 32));
    }
}

static void timer_read(cm_unit *unit, uint32_t offset)
{
    cm_rp_timer_show(unit, offset, CYCLES);
}

const cm_model cm_rp_timer = {.read = timer_read};
