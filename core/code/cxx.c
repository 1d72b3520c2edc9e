/*
 * Functions that C++ code needs of its run-time library without exceptions and libstdc++, by the
 * names of the Itanium C++ ABI (sections 2.6 and 5.1.3).
 *
 * MB_CODE_NEW   the code allocates objects. Without it nothing is there to be deleted, and the
 *               destructors in tables of virtual functions do not bring a heap
 */
#include <stddef.h>
#include <stdlib.h>

#define WEAK __attribute__((weak))

/* The mangled names of sizes: as unsigned int (an AVR, and Arm's 32 bits) and as unsigned long. */
#ifdef MB_CODE_NEW
void *_Znwj(unsigned int size);
void *_Znaj(unsigned int size);
void *_Znwm(unsigned long size);
void *_Znam(unsigned long size);
#endif
void _ZdlPv(void *object);
void _ZdaPv(void *object);
void _ZdlPvj(void *object, unsigned int size);
void _ZdaPvj(void *object, unsigned int size);
void _ZdlPvm(void *object, unsigned long size);
void _ZdaPvm(void *object, unsigned long size);
void __cxa_pure_virtual(void);

#ifdef MB_CODE_NEW
#define FREE(object) free(object)

/* new and new[]; null if the heap is full. */
WEAK void *_Znwj(unsigned int size)
{
    return malloc(size);
}

WEAK void *_Znaj(unsigned int size)
{
    return malloc(size);
}

WEAK void *_Znwm(unsigned long size)
{
    return malloc((size_t)size);
}

WEAK void *_Znam(unsigned long size)
{
    return malloc((size_t)size);
}
#else
#define FREE(object) ((void)(object))
#endif

/* delete and delete[], with and without the size. */
WEAK void _ZdlPv(void *object)
{
    FREE(object);
}

WEAK void _ZdaPv(void *object)
{
    FREE(object);
}

WEAK void _ZdlPvj(void *object, unsigned int size)
{
    (void)size;
    FREE(object);
}

WEAK void _ZdaPvj(void *object, unsigned int size)
{
    (void)size;
    FREE(object);
}

WEAK void _ZdlPvm(void *object, unsigned long size)
{
    (void)size;
    FREE(object);
}

WEAK void _ZdaPvm(void *object, unsigned long size)
{
    (void)size;
    FREE(object);
}

/* A call of a function that no class of the object has. */
WEAK void __cxa_pure_virtual(void)
{
    abort();
}
