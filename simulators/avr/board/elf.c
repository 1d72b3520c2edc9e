/* ELF files of avr-gcc. */
#include <string.h>

#include "board.h"
#include "program.h"

enum { AVR = 83 };
/* Offset of the data space: the tools add it to its addresses. */
enum { SPACE = 0x800000 };

/* The pointer of the probe (core/ports/small/memory.c) to the end of what it holds for a job: a
 * symbol of the program. */
static const char HELD[] = "bottom";

static const char *load_segments(const sim_elf *elf, av_board *board, uint32_t *end)
{
    const uint32_t flash = 2 * board->core.flash_words;
    for (uint32_t i = 0; i < elf->segments.count; i++) {
        sim_segment segment;
        const char *problem = sim_elf_segment(elf, i, &segment);
        if (problem != NULL)
            return problem;
        /* fuses and EEPROM are not modelled */
        if (segment.size == 0 || segment.address >= SPACE)
            continue;
        if (segment.address >= flash || segment.size > flash - segment.address)
            return "the program is longer than the flash";
        memcpy(board->core.flash + segment.address, segment.bytes, segment.size);
        *end = segment.address + segment.size > *end ? segment.address + segment.size : *end;
    }
    return *end != 0 ? NULL : "the program has nothing for the flash";
}

/* The end of what lies in RAM before the program starts. */
static void find_floor(const sim_elf *elf, av_board *board)
{
    const uint32_t begin = SPACE + board->part->ram_base, end = begin + board->part->ram_bytes;
    board->core.floor = board->part->ram_base;
    for (uint32_t i = 0; i < elf->sections.count; i++) {
        const sim_section section = sim_elf_section(elf, i);
        if ((section.flags & SIM_ALLOCATED) == 0 || section.address < begin ||
            section.address > end || section.size > end - section.address)
            continue;
        const uint32_t behind = section.address + section.size - SPACE;
        board->core.floor = behind > board->core.floor ? (uint16_t)behind : board->core.floor;
    }
}

typedef struct search {
    unsigned found;
    uint32_t address;
} search;

static void note_held(void *of, const sim_symbol *symbol)
{
    search *held = of;
    if (strcmp(symbol->name, HELD) == 0)
        *held = (search){.found = held->found + 1, .address = symbol->address - SPACE};
}

/* User code may have a name like it: then nowhere. */
static const char *find_held(const sim_elf *elf, av_board *board)
{
    const unsigned begin = board->part->ram_base, end = begin + board->part->ram_bytes;
    search held = {.found = 0};
    const char *problem = sim_elf_symbols(elf, note_held, &held);
    board->held =
        held.found == 1 && held.address >= begin && held.address + 1 < end ? held.address : 0;
    return problem;
}

static const char *open(sim_elf *elf, const uint8_t *bytes, size_t len)
{
    return sim_elf_open(elf, bytes, len, AVR, "the ELF file is for another machine than an AVR");
}

/* Names of places, by linker scripts, are no functions. */
static bool is_function(const char *name)
{
    static const char *const places[] = {"__trampolines_", "__ctors_", "__dtors_", "_etext"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (strncmp(name, places[i], strlen(places[i])) == 0)
            return false;
    }
    return true;
}

const char *av_elf_functions(const uint8_t *bytes, size_t len, sim_program *functions)
{
    sim_elf elf;
    const char *problem = open(&elf, bytes, len);
    return problem != NULL ? problem
                           : sim_program_read_labels(functions, &elf, SPACE, AV_DATA, is_function);
}

const char *av_elf_load(const uint8_t *bytes, size_t len, av_board *board)
{
    sim_elf elf;
    uint32_t end = 0;
    const char *problem = open(&elf, bytes, len);
    if (problem == NULL)
        problem = load_segments(&elf, board, &end);
    if (problem == NULL)
        problem = find_held(&elf, board);
    if (problem != NULL)
        return problem;
    find_floor(&elf, board);
    av_core_init(&board->core, (end + 1) / 2);
    return NULL;
}
