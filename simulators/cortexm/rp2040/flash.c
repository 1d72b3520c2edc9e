/* The way to the flash chip: boot ROM (data sheet 2.8.1), cache (2.6.3) and serial line (4.10). */
#include <string.h>

#include "../core/internal.h"
#include "rp2040.h"

/* --- the boot ROM ----------------------------------------------------------------------------- */

enum { STAGE = 256, STAGE_RAM = 0x41f00, SUM = STAGE - 4 };

/* CRC-32 with the polynomial 0x04c11db7, most significant bit first, from all ones, not inverted
 * (2.8.1.3.1). */
static uint32_t checksum(const uint8_t *at, size_t count)
{
    uint32_t crc = 0xffffffffu;
    while (count-- > 0) {
        crc ^= (uint32_t)*at++ << 24;
        for (unsigned i = 0; i < 8; i++)
            crc = crc << 1 ^ ((crc >> 31) != 0 ? 0x04c11db7u : 0);
    }
    return crc;
}

bool cm_rp_boot(cm_board *board)
{
    cm_core *core = &board->core;
    uint8_t *to = core->ram + STAGE_RAM;
    if (checksum(core->flash, SUM) != sim_get32(core->flash + SUM))
        return cm_fault(core, CM_LOCKUP, core->flash_base,
                        "the boot ROM finds no second stage there: the CRC of the first 256 bytes "
                        "of flash is wrong");
    memcpy(to, core->flash, STAGE);
    /* its stack, and where it begins, as a table of vectors */
    sim_put32(to - 8, core->ram_base + STAGE_RAM - 8);
    sim_put32(to - 4, core->ram_base + STAGE_RAM + 1);
    if (!cm_core_reset(core, core->ram_base + STAGE_RAM - 8))
        return false;
    core->r[CM_LR] = 0; /* by this the second stage knows who called it */
    return true;
}

/* --- XIP_CTRL, 2.6.3 -------------------------------------------------------------------------- */

enum {
    CTRL = 0x00,
    FLUSH = 0x04,
    STAT = 0x08,
    CTRL_EN = 1,
    STAT_READY = 3 /* not flushing, no stream */
};

static cm_unit *unit_with(cm_board *board, const cm_model *model)
{
    cm_unit *unit = board->units;
    while (unit->is->model != model)
        unit++;
    return unit;
}

/* --- XIP_SSI, 4.10: reads of the cache, and the status registers of the flash chip ------------ */

enum {
    CTRLR0 = 0x00,
    SSIENR = 0x08,
    BAUDR = 0x14,
    SR = 0x28,
    DR0 = 0x60,
    SPI_CTRLR0 = 0xf4,
    SR_TFNF = 2,
    SR_TFE = 4,
    SR_RFNE = 8,
    WRITE_STATUS = 0x01,
    READ_STATUS_2 = 0x35,
    WORD = 32 /* bits of a frame */
};

typedef struct chip {
    uint8_t status;         /* status register 2 of the flash: survives a reset */
    uint8_t sent[4], count; /* bytes of this command */
    uint8_t answers;        /* bytes to be read */
} chip;

/* Cycles of the core from the request to the data of `words` words: each clock of the line takes
 * BAUDR of them. */
static uint32_t transfer(const cm_unit *ssi, unsigned words)
{
    const uint32_t format = cm_register(ssi, CTRLR0, 4) >> 21 & 3,
                   command = cm_register(ssi, SPI_CTRLR0, 4);
    const uint32_t lines = 1u << format, instruction = 4 * (command >> 8 & 3),
                   address = 4 * (command >> 2 & 15);
    const uint32_t wait = command >> 11 & 31, mixed = command & 3;
    const uint32_t instruction_lines = mixed == 2 ? lines : 1,
                   address_lines = mixed == 0 ? 1 : lines;
    if (format == 0)
        /* command and address, then data */
        return cm_register(ssi, BAUDR, 4) * (WORD + WORD * words);
    return cm_register(ssi, BAUDR, 4) * (instruction / instruction_lines + address / address_lines +
                                         wait + WORD / lines * words);
}

static void set_timing(cm_board *board)
{
    const cm_unit *ssi = unit_with(board, &cm_rp_ssi);
    const bool cached = (cm_register(unit_with(board, &cm_rp_xip), CTRL, 4) & CTRL_EN) != 0;
    const uint32_t word = transfer(ssi, 1), line = transfer(ssi, 2);
    cm_board_flash(board, word, line - word, cached);
}

static void xip_reset(cm_unit *unit)
{
    cm_set_register(unit, CTRL, 4, 3);
    cm_set_register(unit, STAT, 4, STAT_READY);
}

static void xip_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    if (offset == STAT)
        return;
    if (offset == FLUSH) {
        if ((value & 1) != 0)
            cm6_empty_cache(&unit->board->v6m);
        return;
    }
    cm_set_register(unit, offset, size, value);
    if (offset == CTRL)
        set_timing(unit->board);
}

const cm_model cm_rp_xip = {.reset = xip_reset, .written = xip_written};

static void ssi_read(cm_unit *unit, uint32_t offset)
{
    chip *flash = unit->state;
    if (offset == SR) {
        cm_set_register(unit, SR, 4, SR_TFNF | SR_TFE | (flash->answers > 0 ? SR_RFNE : 0));
        flash->count = 0; /* all that was written has been sent: the command is over */
    } else if (offset == DR0) {
        if (flash->answers > 0)
            flash->answers--;
        cm_set_register(unit, DR0, 4,
                        flash->sent[0] == READ_STATUS_2 && flash->answers == 0 ? flash->status : 0);
    }
}

static void ssi_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    chip *flash = unit->state;
    if (offset == DR0) {
        if (flash->count < sizeof flash->sent)
            flash->sent[flash->count++] = (uint8_t)value;
        flash->answers++;
        if (flash->sent[0] == WRITE_STATUS && flash->count == 3)
            flash->status = (uint8_t)value;
        return;
    }
    if (offset == SR)
        return;
    cm_set_register(unit, offset, size, value);
    if (offset == SSIENR) {
        flash->count = flash->answers = 0;
        if ((value & 1) != 0)
            set_timing(unit->board);
    }
}

const cm_model cm_rp_ssi = {.state = sizeof(chip), .read = ssi_read, .written = ssi_written};
