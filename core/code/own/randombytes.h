/* motebench's own: bytes of the seed of a job, or of the system (core/code/keys.c, agree.c). */
#ifndef MOTEBENCH_CODE_RANDOMBYTES_H
#define MOTEBENCH_CODE_RANDOMBYTES_H

#include <stddef.h>
#include <stdint.h>

int randombytes(uint8_t *out, size_t len);

#endif
