#include "elf.h"

#include <stdlib.h>
#include <string.h>

#include "../core/internal.h"

enum {
    HEADER = 52, PROGRAM_HEADER = 32, SECTION_HEADER = 40, SYMBOL = 16,
    EXECUTABLE = 2, ARM = 40, LOAD = 1, PROGBITS = 1, SYMTAB = 2, ALLOCATED = 2, FUNCTION = 2
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

/* Where an address range of the part lives here; NULL if it does not lie in one memory. */
static uint8_t *memory_at(cm_core *core, uint32_t address, uint32_t size)
{
    if (address >= core->flash_base && within(address - core->flash_base, size, core->flash_size))
        return core->flash + (address - core->flash_base);
    if (address >= core->ram_base && within(address - core->ram_base, size, core->ram_size))
        return core->ram + (address - core->ram_base);
    return NULL;
}

static const char *load_segments(const table *segments, const uint8_t *file, size_t len, cm_board *board,
                                 uint32_t *lowest)
{
    bool loaded = false;
    for (uint32_t i = 0; i < segments->count; i++) {
        const uint8_t *segment = entry(segments, i);
        const uint32_t offset = cm_get32(segment + 4), address = cm_get32(segment + 12), size = cm_get32(segment + 16);
        if (cm_get32(segment) != LOAD || size == 0)
            continue;
        if (!within(offset, size, len))
            return "a segment lies outside the file";
        uint8_t *to = memory_at(&board->core, address, size);
        if (to == NULL)
            return "a segment lies outside flash and RAM: the program is too large, or built for another part";
        memcpy(to, file + offset, size);
        if (address - board->core.flash_base < board->core.flash_size && address < *lowest)
            *lowest = address;
        loaded = true;
    }
    return loaded ? NULL : "the program has nothing to load";
}

/* A segment may begin before its first section, with the headers of the file: sections know where the image begins. */
static void find_first_section(const table *sections, const cm_core *core, uint32_t *lowest)
{
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; i < sections->count; i++) {
        const uint8_t *section = entry(sections, i);
        const uint32_t address = cm_get32(section + 12);
        if (cm_get32(section + 4) == PROGBITS && (cm_get32(section + 8) & ALLOCATED) != 0 &&
            cm_get32(section + 20) != 0 && address - core->flash_base < core->flash_size && address < first)
            first = address;
    }
    if (first != UINT32_MAX)
        *lowest = first;
}

static int by_address(const void *a, const void *b)
{
    const cm_symbol *one = a, *other = b;
    if (one->address != other->address)
        return one->address < other->address ? -1 : 1;
    if (one->size != other->size)
        return one->size > other->size ? -1 : 1;
    return strcmp(one->name, other->name);
}

/* Names by which linker scripts call the end of static data, the surest first. */
static void note_end(cm_program *program, size_t *best, const char *name, uint32_t address, const cm_core *core)
{
    static const char *const names[] = {"__bss_end__", "__bss_end", "_ebss", "__end__", "_end", "end"};
    for (size_t i = 0; i < *best && i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0 && address - core->ram_base <= core->ram_size) {
            *best = i;
            program->static_end = address;
        }
    }
}

static const char *read_symbols(const table *sections, const uint8_t *file, size_t len, const cm_core *core,
                                cm_program *program)
{
    for (uint32_t i = 0; i < sections->count; i++) {
        const uint8_t *section = entry(sections, i);
        table symbols;
        if (cm_get32(section + 4) != SYMTAB || program->symbols != NULL)
            continue;
        if (!open_table(&symbols, file, len, cm_get32(section + 16), cm_get32(section + 20) / SYMBOL, SYMBOL, SYMBOL) ||
            cm_get32(section + 24) >= sections->count)
            return "the symbol table lies outside the file";
        const uint8_t *strings = entry(sections, cm_get32(section + 24));
        const uint32_t at = cm_get32(strings + 16), size = cm_get32(strings + 20);
        if (!within(at, size, len) || size == 0 || file[at + size - 1] != 0)
            return "the symbol names lie outside the file";
        size_t best = SIZE_MAX;
        program->symbols = calloc(symbols.count != 0 ? symbols.count : 1, sizeof *program->symbols);
        if (program->symbols == NULL)
            return "not enough memory for the symbols";
        for (uint32_t s = 0; s < symbols.count; s++) {
            const uint8_t *symbol = entry(&symbols, s);
            const uint32_t name = cm_get32(symbol), address = cm_get32(symbol + 4);
            if (name >= size)
                continue;
            note_end(program, &best, (const char *)file + at + name, address, core);
            if ((symbol[12] & 15) == FUNCTION)
                program->symbols[program->count++] = (cm_symbol){
                    .address = address & ~1u, .size = cm_get32(symbol + 8), .name = (const char *)file + at + name};
        }
        qsort(program->symbols, program->count, sizeof *program->symbols, by_address);
    }
    return NULL;
}

const char *cm_elf_load(const uint8_t *file, size_t len, cm_board *board, cm_program *program)
{
    static const uint8_t magic[7] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    table segments, sections;
    uint32_t lowest = UINT32_MAX;
    *program = (cm_program){.symbols = NULL};
    if (len < HEADER || memcmp(file, magic, 4) != 0)
        return "not an ELF file";
    if (memcmp(file, magic, sizeof magic) != 0 || cm_get16(file + 18) != ARM)
        return "the ELF file is for another machine than 32-bit little-endian ARM";
    if (cm_get16(file + 16) != EXECUTABLE)
        return "the ELF file is not a linked program";
    if (!open_table(&segments, file, len, cm_get32(file + 28), cm_get16(file + 44), cm_get16(file + 42),
                    PROGRAM_HEADER))
        return "the table of segments lies outside the file";
    if (!open_table(&sections, file, len, cm_get32(file + 32), cm_get16(file + 48), cm_get16(file + 46),
                    SECTION_HEADER))
        return "the table of sections lies outside the file";
    const char *problem = load_segments(&segments, file, len, board, &lowest);
    if (problem != NULL)
        return problem;
    find_first_section(&sections, &board->core, &lowest);
    if (lowest == UINT32_MAX)
        return "the program has nothing for the flash";
    board->vectors = lowest;
    problem = read_symbols(&sections, file, len, &board->core, program);
    if (problem != NULL)
        cm_program_free(program);
    return problem;
}

void cm_program_free(cm_program *program)
{
    free(program->symbols);
    *program = (cm_program){.symbols = NULL};
}

const cm_symbol *cm_program_function(const cm_program *program, uint32_t address)
{
    size_t low = 0, high = program->count;
    while (low < high) { /* the first symbol behind the address */
        const size_t middle = low + (high - low) / 2;
        if (program->symbols[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    const cm_symbol *found = &program->symbols[low - 1];
    while (found > program->symbols && found[-1].address == found->address)
        found--;
    return found->size == 0 || address - found->address < found->size ? found : NULL;
}
