/* Loads and stores, wherever they go. */
#include "internal.h"

bool cm_stack_low(cm_core *core, uint32_t sp)
{
    if ((core->control & 2) != 0 && core->exception == 0)
        return true; /* the process stack lies where the program put it */
    core->stack_low = sp;
    if (sp >= core->stack_limit)
        return true;
    return cm_fault(core, CM_STACK, sp, "the stack pointer is below the end of static data");
}

bool cm_load(cm_core *core, uint32_t address, unsigned size, uint32_t *value)
{
    if ((address & (size - 1)) != 0)
        return cm_fault(core, CM_UNALIGNED, address, "a load from an address that is not aligned");
    const uint32_t in_ram = address - core->ram_base, in_flash = address - core->flash_base;
    uint32_t word;
    if (in_ram < core->ram_size) {
        *value = sim_get(core->ram + in_ram, size);
    } else if (in_flash < core->flash_size) {
        if (core->instructions->load_wait != NULL)
            core->cycles += core->instructions->load_wait(core, address);
        *value = sim_get(core->flash + in_flash, size);
    } else if (address >> 28 == 0xe) {
        if (!cm_system_read(core, address, size, value))
            return cm_fault(core, CM_BUS, address,
                            "a load from a system register that does not exist");
    } else if (cm_is_bit(core, address, &word)) {
        if (!cm_load(core, word, 4, value))
            return false;
        *value = *value >> cm_bit_number(address) & 1;
    } else if (!core->bus.read(core->bus.board, address, size, value)) {
        return cm_fault(core, CM_BUS, address,
                        "a load from an address without memory or peripheral");
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
        sim_put(core->ram + in_ram, size, value);
        if (core->code_pages[in_ram >> CM_PAGE_SHIFT] != 0)
            core->instructions->forget_at(core, in_ram);
    } else if (cm_in_flash(core, address)) {
        return cm_fault(core, CM_BUS, address, "a store to flash");
    } else if (address >> 28 == 0xe) {
        core->fault = NULL;
        if (!cm_system_write(core, address, size, value))
            return core->fault == NULL &&
                   cm_fault(core, CM_BUS, address,
                            "a store to a system register that does not exist");
    } else if (cm_is_bit(core, address, &word)) {
        const uint32_t bit = 1u << cm_bit_number(address);
        return cm_load(core, word, 4, &old) &&
               cm_store(core, word, 4, (old & ~bit) | ((value & 1) != 0 ? bit : 0));
    } else if (!core->bus.write(core->bus.board, address, size, value)) {
        return cm_fault(core, CM_BUS, address,
                        "a store to an address without memory or peripheral");
    }
    return true;
}

bool cm_load_list(cm_core *core, uint32_t address, uint32_t list)
{
    for (; list != 0; list &= list - 1, address += 4) {
        if (!cm_load(core, address, 4, &core->r[__builtin_ctz(list)]))
            return false;
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
