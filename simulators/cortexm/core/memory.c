/* Transfers over the one AHB port, and the flash with its cache. The rules and their order: docs/cortexm.md. */
#include <string.h>

#include "../v7m/ops.h"

static bool flash_reads(const cm_core *core, uint32_t address)
{
    return address - core->flash_base < core->flash_size;
}

/*
 * Is the line in its set? Afterwards it is its first, if it is there or `allocates`; the one that was is no longer noted
 * as such.
 */
static bool find_in_set(cm_core *core, uint32_t line, bool allocates)
{
    uint32_t *const set = core->sets[line % core->set_count];
    const uint32_t first = set[0];
    const bool found = first == line || set[1] == line;
    if (first == line || (!found && !allocates))
        return found;
    uint32_t *const noted = &core->tags[CM_SLOT_LINE + first % CM_RECENT_LINES];
    if (*noted == first)
        *noted = CM_NO_LINE;
    set[1] = first;
    set[0] = line;
    return found;
}

unsigned cm_flash_wait(cm_core *core, uint32_t address, bool behind_hit, bool data)
{
    const uint32_t line = address >> 3;
    const cm_flash_timing *timing = &core->timing;
    if (!timing->cached) {
        core->misses += timing->miss != 0;
        return timing->miss;
    }
    uint32_t *tag = &core->tags[CM_SLOT_LINE + line % (core->sets != NULL ? CM_RECENT_LINES : CM_FLASH_LINES)];
    if (*tag == line)
        return timing->hit;
    if (core->sets != NULL && find_in_set(core, line, !data || timing->data_allocates)) {
        *tag = line;
        return timing->hit;
    }
    core->misses++;
    if (!data || timing->data_allocates)
        *tag = line;
    return timing->miss + (behind_hit ? timing->after_hit : 0u);
}

unsigned cm_behind_data(const cm_core *core, const cm_op *op)
{
    const bool hits = op->slot >= CM_SLOT_LINE && op->slot < CM_SLOT_WAIT && core->tags[op->slot] == op->line;
    return core->data_missed && hits && !core->timing.data_allocates ? core->timing.miss : 0u;
}

unsigned cm_target_wait(cm_core *core, uint32_t target, uint32_t before, bool behind_hit, uint64_t start)
{
    if (!flash_reads(core, target))
        return 0;
    unsigned waits = cm_flash_wait(core, target, behind_hit, false);
    if ((target & 2) != 0 && flash_reads(core, target + 2)) {
        const bool another = target >> 3 != before >> 3;
        const unsigned more = cm_flash_wait(core, target + 2, another && waits == core->timing.hit, false);
        waits += more;
        if (more > core->timing.hit)
            core->miss_end = start + waits;
    }
    return waits;
}

void cm_core_flash_timing(cm_core *core, cm_flash_timing timing)
{
    core->timing = timing;
    cm_core_empty_cache(core);
    core->flush = true;
    cm_core_kick(core);
}

void cm7_core_flash_timing(cm_core *core, cm7_flash_timing timing)
{
    core->timing7 = timing;
    memset(core->line_tags, 0xff, sizeof core->line_tags);
    core->data_line = UINT32_MAX;
    core->fill_until = 0;
    cm_core_kick(core); /* what is decoded stays: it depends on the part only */
}

void cm_core_empty_cache(cm_core *core)
{
    memset(core->tags, 0xff, sizeof core->tags); /* CM_NO_LINE */
    core->tags[CM_SLOT_HIT] = 0;
    if (core->sets != NULL)
        memset(core->sets, 0xff, core->set_count * sizeof *core->sets);
}

void cm_ram_changed(cm_core *core, uint32_t offset)
{
    const uint32_t first = offset >> 1;
    for (uint32_t i = first > 0 ? first - 1 : 0; i < first + 2; i++) {
        if (core->architecture == CM_ARMV6M)
            core->ram_ops[i] = (cm_op){.code = CM_OP_DECODE};
        else
            core->ram_ops7[i] = (cm7_op){.code = CM7_OP_DECODE};
    }
}

bool cm_stack_low(cm_core *core, uint32_t sp)
{
    if ((core->control & 2) != 0 && core->exception == 0)
        return true; /* the process stack lies where the program put it */
    core->stack_low = sp;
    if (sp >= core->stack_limit)
        return true;
    return cm_fault(core, CM_STACK, sp, "the stack pointer is below the end of static data");
}

static uint32_t take(const uint8_t *p, unsigned size)
{
    return size == 4 ? cm_get32(p) : size == 2 ? cm_get16(p) : *p;
}

/* Is this a word that stands for one bit (ARM DDI 0403, section B3.1: 0x22000000 of RAM, 0x42000000 of peripherals)? Then
 * the address of the word with that bit. */
static bool is_bit(const cm_core *core, uint32_t address, uint32_t *word)
{
    *word = (address & 0xf0000000) | (address >> 5 & 0xffffc);
    return core->bit_band && (address >> 25 == 0x11 || address >> 25 == 0x21);
}

static unsigned bit_number(uint32_t address)
{
    return address >> 2 & 31;
}

bool cm_load(cm_core *core, uint32_t address, unsigned size, bool behind_hit, uint32_t *value)
{
    if ((address & (size - 1)) != 0)
        return cm_fault(core, CM_UNALIGNED, address, "a load from an address that is not aligned");
    const uint32_t in_ram = address - core->ram_base, in_flash = address - core->flash_base;
    uint32_t word;
    core->data_missed = false;
    if (in_ram < core->ram_size) {
        *value = take(core->ram + in_ram, size);
    } else if (in_flash < core->flash_size) {
        const unsigned waits = cm_flash_wait(core, address, behind_hit, true);
        core->cycles += waits;
        core->data_missed = waits != core->timing.hit;
        core->hit_end = core->data_missed ? 0 : core->cycles + 2;
        *value = take(core->flash + in_flash, size);
    } else if (address >> 28 == 0xe) {
        if (!cm_system_read(core, address, size, value))
            return cm_fault(core, CM_BUS, address, "a load from a system register that does not exist");
    } else if (is_bit(core, address, &word)) {
        if (!cm_load(core, word, 4, false, value))
            return false;
        *value = *value >> bit_number(address) & 1;
    } else if (!core->bus.read(core->bus.board, address, size, value)) {
        return cm_fault(core, CM_BUS, address, "a load from an address without memory or peripheral");
    }
    return true;
}

bool cm_store(cm_core *core, uint32_t address, unsigned size, uint32_t value)
{
    if ((address & (size - 1)) != 0)
        return cm_fault(core, CM_UNALIGNED, address, "a store to an address that is not aligned");
    const uint32_t in_ram = address - core->ram_base;
    uint32_t word, old;
    if (in_ram < core->ram_size) {
        uint8_t *p = core->ram + in_ram;
        if (size == 4)
            cm_put32(p, value);
        else if (size == 2)
            cm_put16(p, value);
        else
            *p = (uint8_t)value;
        if (core->code_pages[in_ram >> CM_PAGE_SHIFT] != 0)
            cm_ram_changed(core, in_ram);
    } else if (flash_reads(core, address)) {
        return cm_fault(core, CM_BUS, address, "a store to flash");
    } else if (address >> 28 == 0xe) {
        core->fault = NULL;
        if (!cm_system_write(core, address, size, value))
            return core->fault == NULL &&
                   cm_fault(core, CM_BUS, address, "a store to a system register that does not exist");
    } else if (is_bit(core, address, &word)) {
        const uint32_t bit = 1u << bit_number(address);
        return cm_load(core, word, 4, false, &old) &&
               cm_store(core, word, 4, (old & ~bit) | ((value & 1) != 0 ? bit : 0));
    } else if (!core->bus.write(core->bus.board, address, size, value)) {
        return cm_fault(core, CM_BUS, address, "a store to an address without memory or peripheral");
    }
    return true;
}

bool cm_load_list(cm_core *core, uint32_t address, uint32_t list, bool behind_hit)
{
    for (bool first = true; list != 0; list &= list - 1, address += 4, first = false) {
        uint32_t *to = &core->r[__builtin_ctz(list)];
        if (!first && (address & 4) != 0 && core->timing.cached && address - core->flash_base < core->flash_size) {
            *to = cm_get32(core->flash + (address - core->flash_base));
            core->data_missed = false;
        } else if (!cm_load(core, address, 4, behind_hit, to)) {
            return false;
        }
        behind_hit = core->hit_end == core->cycles + 2;
        core->cycles++;
    }
    return true;
}

bool cm_store_list(cm_core *core, uint32_t address, uint32_t list)
{
    for (; list != 0; list &= list - 1, address += 4) {
        if (!cm_store(core, address, 4, core->r[__builtin_ctz(list)]))
            return false;
        core->cycles++;
    }
    return true;
}
