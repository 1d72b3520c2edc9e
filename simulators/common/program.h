/*
 * Programs: ELF files of 32 bits, little-endian. Nothing in them is trusted: every offset is
 * checked before it is used. Names are kept by reference, so the bytes of the file must live as
 * long as what was read from them.
 */
#ifndef MOTEBENCH_SIMULATOR_PROGRAM_H
#define MOTEBENCH_SIMULATOR_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIM_PROGBITS = 1, SIM_ALLOCATED = 2 };

/* A table of entries in the file; all of them lie in it. */
typedef struct sim_table {
    const uint8_t *at;
    uint32_t count, size;
} sim_table;

typedef struct sim_elf {
    const uint8_t *bytes;
    size_t len;
    uint32_t entry; /* where the program begins */
    sim_table segments, sections;
} sim_elf;

/* Bytes that belong to an address. */
typedef struct sim_segment {
    const uint8_t *bytes;
    uint32_t address, size;
} sim_segment;

typedef struct sim_section { uint32_t type, flags, address, offset, size, link; } sim_section;

typedef struct sim_symbol {
    uint32_t address, size;
    const char *name;
    bool function;
    /* of no type, in code, and known to other files: functions in assembly may be so */
    bool label;
} sim_symbol;

typedef struct sim_program {
    /* functions, by address; a name of one that has no size reaches to the next */
    sim_symbol *symbols;
    size_t count;
    uint32_t static_end; /* end of static data in RAM; 0 if no symbol says it */
} sim_program;

/* Opens a linked program for this machine (e_machine). NULL, or the fault of the file:
 * `other_machine` if it is for another one. */
const char *sim_elf_open(sim_elf *elf, const uint8_t *bytes, size_t len, unsigned machine,
                         const char *other_machine);

/* Segment i by its physical address; of size 0 if there is nothing to load. NULL, or the fault
 * with it. */
const char *sim_elf_segment(const sim_elf *elf, uint32_t i, sim_segment *segment);

/* A memory that segments can be loaded to, and where it is here. */
typedef struct sim_memory {
    uint8_t *bytes;
    uint32_t base, size;
} sim_memory;

/* Loads segments to their physical addresses, in one of these memories each; `lowest`: of those in
 * the first memory, or UINT32_MAX. NULL, or the fault: `outside` if a segment lies outside all
 * of them. */
const char *sim_elf_load(const sim_elf *elf, const sim_memory *memories, size_t count,
                         const char *outside, uint32_t *lowest);

sim_section sim_elf_section(const sim_elf *elf, uint32_t i);

/* Calls `each` with every symbol. NULL, or the fault of the tables. */
const char *sim_elf_symbols(const sim_elf *elf, void (*each)(void *of, const sim_symbol *symbol),
                            void *of);

/* Reads functions, and the end of static data in RAM, from its usual names. NULL, or the fault;
 * then nothing is to be freed. */
const char *sim_program_read(sim_program *program, const sim_elf *elf, uint32_t ram_base,
                             uint32_t ram_size);

/* The same with labels as functions, if `keep` takes their names. */
const char *sim_program_read_labels(sim_program *program, const sim_elf *elf, uint32_t ram_base,
                                    uint32_t ram_size, bool (*keep)(const char *name));
void sim_program_free(sim_program *program);

/* The function at an address; NULL if no symbol covers it. */
const sim_symbol *sim_program_function(const sim_program *program, uint32_t address);

#endif
