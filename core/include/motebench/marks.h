/*
 * Marks for a simulator that follows where secrets flow (motebench leak --secret-flow). It knows
 * these functions by their names, and what they are given; they do nothing. Without MB_MARKS there
 * are none, and the macros are nothing.
 */
#ifndef MOTEBENCH_MARKS_H
#define MOTEBENCH_MARKS_H

#include <stddef.h>

#ifdef MB_MARKS
/* Secrets are followed between these two; the second forgets all. */
void mb_mark_begin(void);
void mb_mark_end(void);

/* The bytes are secret from now on. `origin`: 0 to 4 an input of the job, 5 the code's own mark. */
void mb_mark_secret(const volatile void *at, size_t len, unsigned origin);

/* The bytes are for everybody to know from now on. */
void mb_mark_public(const volatile void *at, size_t len);

enum { MB_MARK_OWN = 5 };

/* Declassifies the value of a variable: it is for everybody to know. Every answer lists that. */
#define MB_PUBLIC(variable) mb_mark_public(&(variable), sizeof(variable))

/* The same of a result: that something was refused is for everybody to know. */
#define MB_PUBLIC_RESULT(call) mb_public_result(call)
static inline int mb_public_result(int result)
{
    MB_PUBLIC(result);
    return result;
}
#else
#define MB_PUBLIC(variable) ((void)(variable))
#define MB_PUBLIC_RESULT(call) (call)
#endif

#endif
