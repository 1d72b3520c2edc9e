/*
 * Values that secrets went into, and that are for everybody to know all the same: a signature, or
 * that a key is none. Builds with MOTE_MARKS say so to what follows secrets, valgrind's memcheck or
 * a simulator, which lists each; in all others these are nothing.
 */
#ifndef MOTE_PUBLIC_H
#define MOTE_PUBLIC_H

#ifdef MOTE_MARKS
#include <valgrind/memcheck.h>
#define MOTE_PUBLIC_BYTES(at, len) ((void)VALGRIND_MAKE_MEM_DEFINED(at, len))
#else
#define MOTE_PUBLIC_BYTES(at, len) ((void)0)
#endif
#define MOTE_PUBLIC(variable) MOTE_PUBLIC_BYTES(&(variable), sizeof(variable))

#endif
