#include "elf.h"

enum { ARM = 40 };

/* A segment may begin before its first section, with the headers of the file: sections know where
 * the image begins. */
static void find_first_section(const sim_elf *elf, const cm_core *core, uint32_t *lowest)
{
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; i < elf->sections.count; i++) {
        const sim_section section = sim_elf_section(elf, i);
        if (section.type == SIM_PROGBITS && (section.flags & SIM_ALLOCATED) != 0 &&
            section.size != 0 && section.address - core->flash_base < core->flash_size &&
            section.address < first)
            first = section.address;
    }
    if (first != UINT32_MAX)
        *lowest = first;
}

const char *cm_elf_load(const uint8_t *file, size_t len, cm_board *board, sim_program *program)
{
    sim_elf elf;
    uint32_t lowest;
    const cm_core *core = &board->core;
    const sim_memory memories[] = {{core->flash, core->flash_base, core->flash_size},
                                   {core->ram, core->ram_base, core->ram_size}};
    *program = (sim_program){.symbols = NULL};
    const char *problem = sim_elf_open(
        &elf, file, len, ARM, "the ELF file is for another machine than 32-bit little-endian ARM");
    if (problem == NULL)
        problem = sim_elf_load(&elf, memories, sizeof memories / sizeof memories[0],
                               "a segment lies outside flash and RAM: the program is too large, or "
                               "built for another part",
                               &lowest);
    if (problem != NULL)
        return problem;
    find_first_section(&elf, core, &lowest);
    if (lowest == UINT32_MAX)
        return "the program has nothing for the flash";
    board->vectors = lowest;
    return sim_program_read(program, &elf, core->ram_base, core->ram_size);
}
