/* A board for tests: a few instructions in flash or RAM, run one by one. */
#ifndef MOTEBENCH_CORTEXM_TEST_MACHINE_H
#define MOTEBENCH_CORTEXM_TEST_MACHINE_H

#include "../board/board.h"

enum { CODE = 0x100, DATA = 0x20001000, TOP = 0x20004000 };

/* A board of this part, whose vectors lead to CODE with the stack at TOP; on, without wait states,
 * at cycle 0. */
cm_board *machine_new(const char *part);

/* Writes halfwords from `address` up, into flash or RAM, as if they had always been there. */
void machine_code(cm_board *board, uint32_t address, const uint16_t *code, size_t count);

/* Goes to `address` with nothing in the cache and the cycle counter as it is. */
void machine_at(cm_board *board, uint32_t address);

/* Runs this many instructions; gives the cycles they took. Ends the program if the core stops. */
uint64_t machine_steps(cm_board *board, unsigned count);

uint32_t machine_word(const cm_board *board, uint32_t address);
void machine_set_word(cm_board *board, uint32_t address, uint32_t value);

#endif
