/* Programs: ELF files of 32 bits, little-endian, for ARM ("ELF for the Arm Architecture", IHI 0044). */
#ifndef MOTEBENCH_CORTEXM_ELF_H
#define MOTEBENCH_CORTEXM_ELF_H

#include "board.h"

typedef struct cm_symbol {
    uint32_t address, size;
    const char *name; /* in the file's bytes */
} cm_symbol;

typedef struct cm_program {
    cm_symbol *symbols; /* functions, by address; a name of one that has no size reaches to the next */
    size_t count;
    uint32_t static_end; /* end of static data in RAM; 0 if no symbol says it */
} cm_program;

/*
 * Loads segments to their physical addresses, and sets board->vectors to where the image begins in flash. Names are
 * kept by reference: `file` must live as long as `program`. Gives NULL, or what is wrong with the file.
 */
const char *cm_elf_load(const uint8_t *file, size_t len, cm_board *board, cm_program *program);
void cm_program_free(cm_program *program);

/* The function at an address; NULL if no symbol covers it. */
const cm_symbol *cm_program_function(const cm_program *program, uint32_t address);

#endif
