#include "board.h"

enum { RISCV = 243 };

const char *hz_elf_load(const uint8_t *file, size_t len, hz_board *board, sim_program *program)
{
    const hz_core *core = &board->core;
    const sim_memory memories[] = {{core->code, core->code_base, core->code_size},
                                   {core->ram, core->ram_base, core->ram_size}};
    sim_elf elf;
    uint32_t lowest;
    *program = (sim_program){.symbols = NULL};
    const char *problem = sim_elf_open(
        &elf, file, len, RISCV, "the ELF file is for another machine than 32-bit RISC-V");
    if (problem == NULL)
        problem = sim_elf_load(
            &elf, memories, sizeof memories / sizeof memories[0],
            "a segment lies outside memory: the program is too large, or built for another part",
            &lowest);
    if (problem != NULL)
        return problem;
    board->entry = elf.entry & ~1u;
    return sim_program_read(program, &elf, core->ram_base, core->ram_size);
}
