#include "board.h"

#include <string.h>

enum { RISCV = 243 };

static uint8_t *memory_at(hz_core *core, uint32_t address, uint32_t size)
{
    const uint32_t in_code = address - core->code_base, in_ram = address - core->ram_base;
    if (in_code <= core->code_size && size <= core->code_size - in_code)
        return core->code + in_code;
    if (in_ram <= core->ram_size && size <= core->ram_size - in_ram)
        return core->ram + in_ram;
    return NULL;
}

const char *hz_elf_load(const uint8_t *file, size_t len, hz_board *board, sim_program *program)
{
    sim_elf elf;
    bool loaded = false;
    *program = (sim_program){.symbols = NULL};
    const char *problem = sim_elf_open(&elf, file, len, RISCV, "the ELF file is for another machine than 32-bit RISC-V");
    if (problem != NULL)
        return problem;
    for (uint32_t i = 0; i < elf.segments.count; i++) {
        sim_segment segment;
        problem = sim_elf_segment(&elf, i, &segment);
        if (problem != NULL)
            return problem;
        if (segment.size == 0)
            continue;
        uint8_t *to = memory_at(&board->core, segment.address, segment.size);
        if (to == NULL)
            return "a segment lies outside memory: the program is too large, or built for another part";
        memcpy(to, segment.bytes, segment.size);
        loaded = true;
    }
    if (!loaded)
        return "the program has nothing to load";
    board->entry = elf.entry & ~1u;
    return sim_program_read(program, &elf, board->core.ram_base, board->core.ram_size);
}
