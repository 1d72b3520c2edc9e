/* A core with the memory for which generate.h makes programs. */
#ifndef MOTEBENCH_HAZARD3_TEST_MACHINE_H
#define MOTEBENCH_HAZARD3_TEST_MACHINE_H

#include "../core/core.h"
#include "generate.h"

/* The image, of IMAGE_LENGTH bytes, at address 0; free with machine_free. NULL: no memory. */
hz_core *machine_new(const uint8_t *image);
void machine_free(hz_core *core);

/* FNV-1a (64 bits) of the memory from DATA on. */
uint64_t machine_digest(const hz_core *core);

#endif
