/* Transfers over the one AHB port, and the flash with its cache. The rules and their order:
 * docs/explain/cortexm.md. */
#include <string.h>

#include "ops.h"

/*
 * Is the line in its set? Afterwards it is its first, if it is there or `allocates`; the one that
 * was is no longer noted as such.
 */
static bool find_in_set(cm6_core *v6m, uint32_t line, bool allocates)
{
    uint32_t *const set = v6m->sets[line % v6m->set_count];
    const uint32_t first = set[0];
    const bool found = first == line || set[1] == line;
    if (first == line || (!found && !allocates))
        return found;
    uint32_t *const noted = &v6m->tags[CM6_SLOT_LINE + first % CM6_RECENT_LINES];
    if (*noted == first)
        *noted = CM6_NO_LINE;
    set[1] = first;
    set[0] = line;
    return found;
}

unsigned cm6_flash_wait(cm6_core *v6m, uint32_t address, bool behind_hit, bool data)
{
    const uint32_t line = address >> 3;
    const cm6_flash_timing *timing = &v6m->timing;
    if (!timing->cached) {
        v6m->core.misses += timing->miss != 0;
        return timing->miss;
    }
    uint32_t *tag =
        &v6m->tags[CM6_SLOT_LINE + line % (v6m->sets != NULL ? CM6_RECENT_LINES : CM6_FLASH_LINES)];
    if (*tag == line)
        return timing->hit;
    if (v6m->sets != NULL && find_in_set(v6m, line, !data || timing->data_allocates)) {
        *tag = line;
        return timing->hit;
    }
    v6m->core.misses++;
    if (!data || timing->data_allocates)
        *tag = line;
    return timing->miss + (behind_hit ? timing->after_hit : 0u);
}

unsigned cm6_behind_data(const cm6_core *v6m, const cm6_op *op)
{
    const bool hits =
        op->slot >= CM6_SLOT_LINE && op->slot < CM6_SLOT_WAIT && v6m->tags[op->slot] == op->line;
    return v6m->data_missed && hits && !v6m->timing.data_allocates ? v6m->timing.miss : 0u;
}

unsigned cm6_target_wait(cm6_core *v6m, uint32_t target, uint32_t before, bool behind_hit,
                         uint64_t start)
{
    if (!cm_in_flash(&v6m->core, target))
        return 0;
    unsigned waits = cm6_flash_wait(v6m, target, behind_hit, false);
    if ((target & 2) != 0 && cm_in_flash(&v6m->core, target + 2)) {
        const bool another = target >> 3 != before >> 3;
        const unsigned more =
            cm6_flash_wait(v6m, target + 2, another && waits == v6m->timing.hit, false);
        waits += more;
        if (more > v6m->timing.hit)
            v6m->miss_end = start + waits;
    }
    return waits;
}

unsigned cm6_load_wait(cm6_core *v6m, uint32_t address, bool behind_hit)
{
    const unsigned waits = cm6_flash_wait(v6m, address, behind_hit, true);
    v6m->data_missed = waits != v6m->timing.hit;
    v6m->hit_end = v6m->data_missed ? 0 : v6m->core.cycles + waits + 2;
    return waits;
}

bool cm6_load(cm6_core *v6m, uint32_t address, unsigned size, bool behind_hit, uint32_t *value)
{
    cm_core *const core = &v6m->core;
    v6m->data_missed = false;
    if (!cm_in_flash(core, address) || (address & (size - 1)) != 0)
        return cm_load(core, address, size, value);
    core->cycles += cm6_load_wait(v6m, address, behind_hit);
    *value = sim_get(core->flash + (address - core->flash_base), size);
    return true;
}

bool cm6_load_list(cm6_core *v6m, uint32_t address, uint32_t list, bool behind_hit)
{
    cm_core *const core = &v6m->core;
    for (bool first = true; list != 0; list &= list - 1, address += 4, first = false) {
        uint32_t *to = &core->r[__builtin_ctz(list)];
        if (!first && (address & 4) != 0 && v6m->timing.cached && cm_in_flash(core, address)) {
            *to = sim_get32(core->flash + (address - core->flash_base));
            v6m->data_missed = false;
        } else if (!cm6_load(v6m, address, 4, behind_hit, to)) {
            return false;
        }
        behind_hit = v6m->hit_end == core->cycles + 2;
        core->cycles++;
    }
    return true;
}

void cm6_set_flash(cm6_core *v6m, cm6_flash_timing timing)
{
    v6m->timing = timing;
    cm6_empty_cache(v6m);
    v6m->core.flush = true;
    cm_core_kick(&v6m->core);
}

void cm6_empty_cache(cm6_core *v6m)
{
    memset(v6m->tags, 0xff, sizeof v6m->tags); /* CM6_NO_LINE */
    v6m->tags[CM6_SLOT_HIT] = 0;
    if (v6m->sets != NULL)
        memset(v6m->sets, 0xff, v6m->set_count * sizeof *v6m->sets);
}
