#include "board.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER = 52, PROGRAM_HEADER = 32, SECTION_HEADER = 40, SYMBOL = 16,
    EXECUTABLE = 2, RISCV = 243, LOAD = 1, SYMTAB = 2, FUNCTION = 2
};

/* A table of entries inside the file: offset, number and size of each, all checked. */
typedef struct table {
    const uint8_t *at;
    uint32_t count, size;
} table;

static bool within(uint64_t offset, uint64_t size, uint64_t len)
{
    return offset <= len && size <= len - offset;
}

static bool open_table(table *t, const uint8_t *file, size_t len, uint32_t offset, uint32_t count, uint32_t size,
                       uint32_t least)
{
    *t = (table){.at = NULL};
    if (count == 0)
        return true;
    if (size < least || !within(offset, (uint64_t)count * size, len))
        return false;
    *t = (table){.at = file + offset, .count = count, .size = size};
    return true;
}

static const uint8_t *entry(const table *t, uint32_t i)
{
    return t->at + (size_t)i * t->size;
}

static uint8_t *memory_at(hz_core *core, uint32_t address, uint32_t size)
{
    if (within(address - core->code_base, size, core->code_size))
        return core->code + (address - core->code_base);
    if (within(address - core->ram_base, size, core->ram_size))
        return core->ram + (address - core->ram_base);
    return NULL;
}

static const char *load_segments(const table *segments, const uint8_t *file, size_t len, hz_core *core)
{
    bool loaded = false;
    for (uint32_t i = 0; i < segments->count; i++) {
        const uint8_t *segment = entry(segments, i);
        const uint32_t offset = hz_get32(segment + 4), address = hz_get32(segment + 12), size = hz_get32(segment + 16);
        if (hz_get32(segment) != LOAD || size == 0)
            continue;
        if (!within(offset, size, len))
            return "a segment lies outside the file";
        uint8_t *to = memory_at(core, address, size);
        if (to == NULL)
            return "a segment lies outside memory: the program is too large, or built for another part";
        memcpy(to, file + offset, size);
        loaded = true;
    }
    return loaded ? NULL : "the program has nothing to load";
}

static int by_address(const void *a, const void *b)
{
    const hz_symbol *one = a, *other = b;
    if (one->address != other->address)
        return one->address < other->address ? -1 : 1;
    return strcmp(one->name, other->name);
}

static const char *read_symbols(const table *sections, const uint8_t *file, size_t len, hz_program *program)
{
    for (uint32_t i = 0; i < sections->count; i++) {
        const uint8_t *section = entry(sections, i);
        table symbols;
        if (hz_get32(section + 4) != SYMTAB || program->symbols != NULL)
            continue;
        if (!open_table(&symbols, file, len, hz_get32(section + 16), hz_get32(section + 20) / SYMBOL, SYMBOL, SYMBOL) ||
            hz_get32(section + 24) >= sections->count)
            return "the symbol table lies outside the file";
        const uint8_t *strings = entry(sections, hz_get32(section + 24));
        const uint32_t at = hz_get32(strings + 16), size = hz_get32(strings + 20);
        if (!within(at, size, len) || size == 0 || file[at + size - 1] != 0)
            return "the symbol names lie outside the file";
        program->symbols = calloc(symbols.count != 0 ? symbols.count : 1, sizeof *program->symbols);
        if (program->symbols == NULL)
            return "not enough memory for the symbols";
        for (uint32_t s = 0; s < symbols.count; s++) {
            const uint8_t *symbol = entry(&symbols, s);
            const uint32_t name = hz_get32(symbol), address = hz_get32(symbol + 4);
            if (name >= size)
                continue;
            if (strcmp((const char *)file + at + name, "__bss_end__") == 0)
                program->static_end = address;
            if ((symbol[12] & 15) == FUNCTION)
                program->symbols[program->count++] = (hz_symbol){
                    .address = address, .size = hz_get32(symbol + 8), .name = (const char *)file + at + name};
        }
        qsort(program->symbols, program->count, sizeof *program->symbols, by_address);
    }
    return NULL;
}

const char *hz_elf_load(const uint8_t *file, size_t len, hz_board *board, hz_program *program)
{
    static const uint8_t magic[7] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    table segments, sections;
    *program = (hz_program){.symbols = NULL};
    if (len < HEADER || memcmp(file, magic, 4) != 0)
        return "not an ELF file";
    if (memcmp(file, magic, sizeof magic) != 0 || hz_get16(file + 18) != RISCV)
        return "the ELF file is for another machine than 32-bit RISC-V";
    if (hz_get16(file + 16) != EXECUTABLE)
        return "the ELF file is not a linked program";
    if (!open_table(&segments, file, len, hz_get32(file + 28), hz_get16(file + 44), hz_get16(file + 42), PROGRAM_HEADER))
        return "the table of segments lies outside the file";
    if (!open_table(&sections, file, len, hz_get32(file + 32), hz_get16(file + 48), hz_get16(file + 46), SECTION_HEADER))
        return "the table of sections lies outside the file";
    const char *problem = load_segments(&segments, file, len, &board->core);
    if (problem != NULL)
        return problem;
    board->entry = hz_get32(file + 24) & ~1u;
    problem = read_symbols(&sections, file, len, program);
    if (problem != NULL)
        hz_program_free(program);
    return problem;
}

void hz_program_free(hz_program *program)
{
    free(program->symbols);
    *program = (hz_program){.symbols = NULL};
}

const hz_symbol *hz_program_function(const hz_program *program, uint32_t address)
{
    const hz_symbol *found = NULL;
    for (size_t i = 0; i < program->count && program->symbols[i].address <= address; i++)
        found = &program->symbols[i];
    return found != NULL && (found->size == 0 || address - found->address < found->size) ? found : NULL;
}
