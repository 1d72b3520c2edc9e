/* Programs for ARM ("ELF for the Arm Architecture", IHI 0044). */
#ifndef MOTEBENCH_CORTEXM_ELF_H
#define MOTEBENCH_CORTEXM_ELF_H

#include "board.h"
#include "program.h"

/* Loads segments to their physical addresses, and sets board->vectors to where the image begins in
 * flash. Gives NULL, or the fault of the file, which must live as long as `program`. */
const char *cm_elf_load(const uint8_t *file, size_t len, cm_board *board, sim_program *program);

#endif
