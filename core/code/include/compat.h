/*
 * For folders of code from PQClean that leave this header out; the rest of it is for other
 * processors.
 */
#ifndef MOTEBENCH_CODE_COMPAT_H
#define MOTEBENCH_CODE_COMPAT_H

/* Keeps the compiler from making a branch of a condition. */
#define PQCLEAN_PREVENT_BRANCH_HACK(b) __asm__("" : "+r"(b) : /* no inputs */)

#endif
