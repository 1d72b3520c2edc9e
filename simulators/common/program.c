#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"

enum {
    HEADER = 52,
    PROGRAM_HEADER = 32,
    SECTION_HEADER = 40,
    SYMBOL = 16,
    EXECUTABLE = 2,
    LOAD = 1,
    SYMTAB = 2,
    FUNCTION = 2,
    EXECUTED = 4
};

static bool within(const sim_elf *elf, uint64_t offset, uint64_t size)
{
    return offset <= elf->len && size <= elf->len - offset;
}

static bool open_table(sim_table *t, const sim_elf *elf, uint32_t offset, uint32_t count,
                       uint32_t size, uint32_t least)
{
    *t = (sim_table){.at = NULL};
    if (count == 0)
        return true;
    if (size < least || !within(elf, offset, (uint64_t)count * size))
        return false;
    *t = (sim_table){.at = elf->bytes + offset, .count = count, .size = size};
    return true;
}

static const uint8_t *entry(const sim_table *t, uint32_t i)
{
    return t->at + (size_t)i * t->size;
}

const char *sim_elf_open(sim_elf *elf, const uint8_t *bytes, size_t len, unsigned machine,
                         const char *other_machine)
{
    static const uint8_t magic[7] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    *elf = (sim_elf){.bytes = bytes, .len = len};
    if (len < HEADER || memcmp(bytes, magic, 4) != 0)
        return "not an ELF file";
    if (memcmp(bytes, magic, sizeof magic) != 0 || sim_get16(bytes + 18) != machine)
        return other_machine;
    if (sim_get16(bytes + 16) != EXECUTABLE)
        return "the ELF file is not a linked program";
    elf->entry = sim_get32(bytes + 24);
    if (!open_table(&elf->segments, elf, sim_get32(bytes + 28), sim_get16(bytes + 44),
                    sim_get16(bytes + 42), PROGRAM_HEADER))
        return "the table of segments lies outside the file";
    if (!open_table(&elf->sections, elf, sim_get32(bytes + 32), sim_get16(bytes + 48),
                    sim_get16(bytes + 46), SECTION_HEADER))
        return "the table of sections lies outside the file";
    return NULL;
}

const char *sim_elf_segment(const sim_elf *elf, uint32_t i, sim_segment *segment)
{
    const uint8_t *header = entry(&elf->segments, i);
    const uint32_t offset = sim_get32(header + 4), size = sim_get32(header + 16);
    *segment = (sim_segment){.bytes = elf->bytes};
    if (sim_get32(header) != LOAD || size == 0)
        return NULL;
    if (!within(elf, offset, size))
        return "a segment lies outside the file";
    *segment = (sim_segment){
        .bytes = elf->bytes + offset, .address = sim_get32(header + 12), .size = size};
    return NULL;
}

const char *sim_elf_load(const sim_elf *elf, const sim_memory *memories, size_t count,
                         const char *outside, uint32_t *lowest)
{
    bool loaded = false;
    *lowest = UINT32_MAX;
    for (uint32_t i = 0; i < elf->segments.count; i++) {
        sim_segment segment;
        const char *problem = sim_elf_segment(elf, i, &segment);
        if (problem != NULL)
            return problem;
        if (segment.size == 0)
            continue;
        const sim_memory *memory = memories;
        while (memory < memories + count &&
               !(segment.address - memory->base <= memory->size &&
                 segment.size <= memory->size - (segment.address - memory->base)))
            memory++;
        if (memory == memories + count)
            return outside;
        memcpy(memory->bytes + (segment.address - memory->base), segment.bytes, segment.size);
        if (memory == memories && segment.address < *lowest)
            *lowest = segment.address;
        loaded = true;
    }
    return loaded ? NULL : "the program has nothing to load";
}

sim_section sim_elf_section(const sim_elf *elf, uint32_t i)
{
    const uint8_t *header = entry(&elf->sections, i);
    return (sim_section){
        .type = sim_get32(header + 4),
        .flags = sim_get32(header + 8),
        .address = sim_get32(header + 12),
        .offset = sim_get32(header + 16),
        .size = sim_get32(header + 20),
        .link = sim_get32(header + 24),
    };
}

/* Of no type, not local, in a section of code. */
static bool is_label(const sim_elf *elf, const uint8_t *symbol)
{
    const unsigned section = symbol[14] | (unsigned)symbol[15] << 8;
    return (symbol[12] & 15) == 0 && symbol[12] >> 4 != 0 && section != 0 &&
           section < elf->sections.count && (sim_elf_section(elf, section).flags & EXECUTED) != 0;
}

const char *sim_elf_symbols(const sim_elf *elf, void (*each)(void *of, const sim_symbol *symbol),
                            void *of)
{
    for (uint32_t i = 0; i < elf->sections.count; i++) {
        const sim_section section = sim_elf_section(elf, i);
        sim_table symbols;
        if (section.type != SYMTAB)
            continue;
        if (!open_table(&symbols, elf, section.offset, section.size / SYMBOL, SYMBOL, SYMBOL) ||
            section.link >= elf->sections.count)
            return "the symbol table lies outside the file";
        const sim_section strings = sim_elf_section(elf, section.link);
        if (!within(elf, strings.offset, strings.size) || strings.size == 0 ||
            elf->bytes[strings.offset + strings.size - 1] != 0)
            return "the symbol names lie outside the file";
        for (uint32_t s = 0; s < symbols.count; s++) {
            const uint8_t *symbol = entry(&symbols, s);
            const uint32_t name = sim_get32(symbol);
            if (name >= strings.size)
                continue;
            each(of, &(sim_symbol){.address = sim_get32(symbol + 4),
                                   .size = sim_get32(symbol + 8),
                                   .name = (const char *)elf->bytes + strings.offset + name,
                                   .function = (symbol[12] & 15) == FUNCTION,
                                   .label = is_label(elf, symbol)});
        }
    }
    return NULL;
}

/* --- programs --------------------------------------------------------------------------------- */

typedef struct reading {
    sim_program *program;
    uint32_t ram_base, ram_size;
    /* of the names for the end of static data, the surest that was found */
    size_t best;
    size_t room;                    /* for functions */
    bool (*keep)(const char *name); /* labels that are functions; NULL: none */
} reading;

static bool is_function(const reading *r, const sim_symbol *symbol)
{
    return symbol->function || (symbol->label && r->keep != NULL && r->keep(symbol->name));
}

static void count_function(void *of, const sim_symbol *symbol)
{
    reading *r = of;
    r->room += is_function(r, symbol);
}

/* Names by which linker scripts call the end of static data, the surest first. */
static void note_end(reading *r, const sim_symbol *symbol)
{
    static const char *const names[] = {
        "__bss_end__", "__bss_end", "_ebss", "__end__", "_end", "end"};
    for (size_t i = 0; i < r->best && i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(symbol->name, names[i]) == 0 && symbol->address - r->ram_base <= r->ram_size) {
            r->best = i;
            r->program->static_end = symbol->address;
        }
    }
}

static void keep_symbol(void *of, const sim_symbol *symbol)
{
    reading *r = of;
    note_end(r, symbol);
    if (!is_function(r, symbol))
        return;
    sim_symbol *to = &r->program->symbols[r->program->count++];
    *to = *symbol;
    /* the lowest bit of a function's address says in which instruction set it is, if it is set */
    to->address &= ~1u;
}

static int by_address(const void *a, const void *b)
{
    const sim_symbol *one = a, *other = b;
    if (one->address != other->address)
        return one->address < other->address ? -1 : 1;
    if (one->size != other->size)
        return one->size > other->size ? -1 : 1;
    return strcmp(one->name, other->name);
}

const char *sim_program_read(sim_program *program, const sim_elf *elf, uint32_t ram_base,
                             uint32_t ram_size)
{
    return sim_program_read_labels(program, elf, ram_base, ram_size, NULL);
}

const char *sim_program_read_labels(sim_program *program, const sim_elf *elf, uint32_t ram_base,
                                    uint32_t ram_size, bool (*keep)(const char *name))
{
    reading r = {.program = program,
                 .ram_base = ram_base,
                 .ram_size = ram_size,
                 .best = SIZE_MAX,
                 .keep = keep};
    *program = (sim_program){.symbols = NULL};
    const char *problem = sim_elf_symbols(elf, count_function, &r);
    if (problem != NULL)
        return problem;
    program->symbols = calloc(r.room + 1, sizeof *program->symbols);
    if (program->symbols == NULL)
        return "not enough memory for the symbols";
    (void)sim_elf_symbols(elf, keep_symbol, &r); /* found to be sound */
    qsort(program->symbols, program->count, sizeof *program->symbols, by_address);
    return NULL;
}

void sim_program_free(sim_program *program)
{
    free(program->symbols);
    *program = (sim_program){.symbols = NULL};
}

const sim_symbol *sim_program_function(const sim_program *program, uint32_t address)
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
    const sim_symbol *found = &program->symbols[low - 1];
    while (found > program->symbols && found[-1].address == found->address)
        found--;
    return found->size == 0 || address - found->address < found->size ? found : NULL;
}
