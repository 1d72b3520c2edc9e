/* ELF files of avr-gcc. Nothing in them is trusted: every offset is checked before it is used. */
#include <string.h>

#include "board.h"

enum { HEADER = 52, SEGMENT = 32, SECTION = 40, SYMBOL = 16, EXECUTABLE = 2, AVR = 83, LOAD = 1, SYMBOLS = 2, ALLOC = 2 };
/* Where the tools put the data space: they add this to its addresses. */
enum { SPACE = 0x800000 };

/* The pointer of the probe (core/ports/small/memory.c) to the end of what it holds for a job: a symbol of the program. */
static const char HELD[] = "bottom";

typedef struct file {
    const uint8_t *bytes;
    size_t len;
} file;

typedef struct table {
    const uint8_t *first;
    uint32_t count, size;
} table;

static uint32_t get16(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8;
}

static uint32_t get32(const uint8_t *p)
{
    return get16(p) | get16(p + 2) << 16;
}

static bool within(const file *f, uint64_t at, uint64_t size)
{
    return at <= f->len && size <= f->len - at;
}

static bool open_table(table *t, const file *f, uint32_t at, uint32_t count, uint32_t size, uint32_t least)
{
    *t = (table){.first = f->bytes, .count = 0, .size = size};
    if (count == 0 || at == 0)
        return true;
    if (size < least || !within(f, at, (uint64_t)count * size))
        return false;
    *t = (table){.first = f->bytes + at, .count = count, .size = size};
    return true;
}

static const char *load_segments(const table *segments, const file *f, av_board *board, uint32_t *end)
{
    const uint32_t flash = 2 * board->core.flash_words;
    for (uint32_t i = 0; i < segments->count; i++) {
        const uint8_t *s = segments->first + (size_t)i * segments->size;
        const uint32_t at = get32(s + 4), to = get32(s + 12), size = get32(s + 16);
        if (get32(s) != LOAD || size == 0 || to >= SPACE) /* fuses and EEPROM are not modelled */
            continue;
        if (!within(f, at, size))
            return "a segment lies outside the file";
        if (to >= flash || size > flash - to)
            return "the program is longer than the flash";
        memcpy(board->core.flash + to, f->bytes + at, size);
        *end = to + size > *end ? to + size : *end;
    }
    return NULL;
}

/* The end of what lies in RAM before the program starts. */
static void find_floor(const table *sections, av_board *board)
{
    const uint32_t begin = SPACE + board->part->ram_base, end = begin + board->part->ram_bytes;
    board->core.floor = board->part->ram_base;
    for (uint32_t i = 0; i < sections->count; i++) {
        const uint8_t *s = sections->first + (size_t)i * sections->size;
        const uint32_t address = get32(s + 12), size = get32(s + 20);
        if ((get32(s + 8) & ALLOC) == 0 || address < begin || address > end || size > end - address)
            continue;
        const uint32_t behind = address + size - SPACE;
        board->core.floor = behind > board->core.floor ? (uint16_t)behind : board->core.floor;
    }
}

/* User code may have a name like it: then nowhere. */
static const char *find_held(const table *sections, const file *f, av_board *board)
{
    unsigned found = 0;
    for (uint32_t i = 0; i < sections->count; i++) {
        const uint8_t *s = sections->first + (size_t)i * sections->size;
        if (get32(s + 4) != SYMBOLS)
            continue;
        table symbols;
        const uint32_t at = get32(s + 16), size = get32(s + 20), link = get32(s + 24);
        if (!open_table(&symbols, f, at, size / SYMBOL, SYMBOL, SYMBOL) || link >= sections->count)
            return "the symbol table lies outside the file";
        const uint8_t *strings = sections->first + (size_t)link * sections->size;
        const uint32_t names = get32(strings + 16), length = get32(strings + 20);
        if (!within(f, names, length))
            return "the symbol names lie outside the file";
        for (uint32_t n = 0; n < symbols.count; n++) {
            const uint8_t *symbol = symbols.first + (size_t)n * SYMBOL;
            const uint32_t name = get32(symbol);
            if (name >= length || length - name < sizeof HELD || memcmp(f->bytes + names + name, HELD, sizeof HELD) != 0)
                continue;
            board->held = get32(symbol + 4) - SPACE;
            found++;
        }
    }
    const unsigned begin = board->part->ram_base;
    if (found != 1 || board->held < begin || board->held + 1 >= begin + board->part->ram_bytes)
        board->held = 0;
    return NULL;
}

const char *av_elf_load(const uint8_t *bytes, size_t len, av_board *board)
{
    static const uint8_t magic[7] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    const file f = {.bytes = bytes, .len = len};
    table segments, sections;
    uint32_t end = 0;
    if (len < HEADER || memcmp(bytes, magic, 4) != 0)
        return "not an ELF file";
    if (memcmp(bytes, magic, sizeof magic) != 0 || get16(bytes + 18) != AVR)
        return "the ELF file is for another machine than an AVR";
    if (get16(bytes + 16) != EXECUTABLE)
        return "the ELF file is not a linked program";
    if (!open_table(&segments, &f, get32(bytes + 28), get16(bytes + 44), get16(bytes + 42), SEGMENT))
        return "the table of segments lies outside the file";
    if (!open_table(&sections, &f, get32(bytes + 32), get16(bytes + 48), get16(bytes + 46), SECTION))
        return "the table of sections lies outside the file";
    const char *problem = load_segments(&segments, &f, board, &end);
    if (problem == NULL && end == 0)
        problem = "the program has nothing for the flash";
    if (problem == NULL)
        problem = find_held(&sections, &f, board);
    if (problem != NULL)
        return problem;
    find_floor(&sections, board);
    av_core_init(&board->core, (end + 1) / 2);
    return NULL;
}
