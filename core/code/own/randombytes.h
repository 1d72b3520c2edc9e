/* motebench's own: bytes of the seed of a job, or of the system (core/code/keys.c, agree.c). */
#ifndef MOTEBENCH_CODE_RANDOMBYTES_H
#define MOTEBENCH_CODE_RANDOMBYTES_H

#include <stddef.h>
#include <stdint.h>

/* A name of its own, as in mupq: code may have declared randombytes with another type before. */
int mb_code_randombytes(uint8_t *out, size_t len) __asm__("randombytes");
#define randombytes mb_code_randombytes

#endif
