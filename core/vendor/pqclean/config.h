/*
 * Included first. PQClean's fips202.c takes the state of each Keccak from malloc, and
 * calls exit if there is none. Boards have no heap: states come from a few places of static RAM
 * (states.h).
 */
#ifndef MOTE_VENDOR_PQCLEAN_CONFIG_H
#define MOTE_VENDOR_PQCLEAN_CONFIG_H

#if defined(__AVR__) || defined(__ARM_ARCH_6M__)
#include <stddef.h>
#include <stdlib.h>

void *mote_pqclean_take(size_t bytes);
void mote_pqclean_give(void *state);

/* Of compat.h, which asks a header of glibc for types of x86: what is left of it for boards. */
#define PQCLEAN_COMMON_COMPAT_H
#define PQCLEAN_PREVENT_BRANCH_HACK(b) __asm__("" : "+r"(b) : /* no inputs */)

#define malloc mote_pqclean_take
#define free mote_pqclean_give
#define exit(status) __builtin_trap()
#endif

#endif
