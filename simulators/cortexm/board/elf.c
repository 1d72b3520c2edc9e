#include "elf.h"

#include <string.h>

enum { ARM = 40 };

/* Where an address range of the part lives here; NULL if it does not lie in one memory. */
static uint8_t *memory_at(cm_core *core, uint32_t address, uint32_t size)
{
    const uint32_t in_flash = address - core->flash_base, in_ram = address - core->ram_base;
    if (in_flash <= core->flash_size && size <= core->flash_size - in_flash)
        return core->flash + in_flash;
    if (in_ram <= core->ram_size && size <= core->ram_size - in_ram)
        return core->ram + in_ram;
    return NULL;
}

static const char *load_segments(const sim_elf *elf, cm_board *board, uint32_t *lowest)
{
    bool loaded = false;
    for (uint32_t i = 0; i < elf->segments.count; i++) {
        sim_segment segment;
        const char *problem = sim_elf_segment(elf, i, &segment);
        if (problem != NULL)
            return problem;
        if (segment.size == 0)
            continue;
        uint8_t *to = memory_at(&board->core, segment.address, segment.size);
        if (to == NULL)
            return "a segment lies outside flash and RAM: the program is too large, or built for another part";
        memcpy(to, segment.bytes, segment.size);
        if (segment.address - board->core.flash_base < board->core.flash_size && segment.address < *lowest)
            *lowest = segment.address;
        loaded = true;
    }
    return loaded ? NULL : "the program has nothing to load";
}

/* A segment may begin before its first section, with the headers of the file: sections know where the image begins. */
static void find_first_section(const sim_elf *elf, const cm_core *core, uint32_t *lowest)
{
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; i < elf->sections.count; i++) {
        const sim_section section = sim_elf_section(elf, i);
        if (section.type == SIM_PROGBITS && (section.flags & SIM_ALLOCATED) != 0 && section.size != 0 &&
            section.address - core->flash_base < core->flash_size && section.address < first)
            first = section.address;
    }
    if (first != UINT32_MAX)
        *lowest = first;
}

const char *cm_elf_load(const uint8_t *file, size_t len, cm_board *board, sim_program *program)
{
    sim_elf elf;
    uint32_t lowest = UINT32_MAX;
    *program = (sim_program){.symbols = NULL};
    const char *problem =
        sim_elf_open(&elf, file, len, ARM, "the ELF file is for another machine than 32-bit little-endian ARM");
    if (problem == NULL)
        problem = load_segments(&elf, board, &lowest);
    if (problem != NULL)
        return problem;
    find_first_section(&elf, &board->core, &lowest);
    if (lowest == UINT32_MAX)
        return "the program has nothing for the flash";
    board->vectors = lowest;
    return sim_program_read(program, &elf, board->core.ram_base, board->core.ram_size);
}
