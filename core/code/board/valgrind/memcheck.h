/*
 * <valgrind/memcheck.h> of user code on boards, and on hosts where valgrind runs it for
 * `motebench leak --secret-flow`. That takes undefined memory for secrets and defined memory for
 * what everybody may know; in all other firmware these requests are nothing. The other requests of
 * the real header are of no use there.
 */
#ifdef MB_OF_VALGRIND /* core/probe/marks.c */
#include_next <valgrind/memcheck.h>
#else
#ifndef MOTEBENCH_CODE_MEMCHECK_H
#define MOTEBENCH_CODE_MEMCHECK_H

#include "../../../include/motebench/marks.h" /* wherever headers are looked for */

#ifdef MB_MARKS
#define VALGRIND_MAKE_MEM_UNDEFINED(address, length) \
    (mb_mark_secret((const volatile void *)(address), (size_t)(length), MB_MARK_OWN), 0u)
#define VALGRIND_MAKE_MEM_DEFINED(address, length) \
    (mb_mark_public((const volatile void *)(address), (size_t)(length)), 0u)
#define RUNNING_ON_VALGRIND 1u
#else
#define VALGRIND_MAKE_MEM_UNDEFINED(address, length) ((void)(address), (void)(length), 0u)
#define VALGRIND_MAKE_MEM_DEFINED(address, length) ((void)(address), (void)(length), 0u)
#define RUNNING_ON_VALGRIND 0u
#endif
#define VALGRIND_MAKE_MEM_NOACCESS(address, length) ((void)(address), (void)(length), 0u)
#define VALGRIND_CHECK_MEM_IS_DEFINED(address, length) ((void)(address), (void)(length), 0u)
#define VALGRIND_DISABLE_ERROR_REPORTING ((void)0)
#define VALGRIND_ENABLE_ERROR_REPORTING ((void)0)

#endif
#endif
