/*
 * Functions for user code on boards that expects a system below its C library: a heap, assert,
 * abort, exit, and streams that swallow what is printed. The linker drops what the code does not
 * call.
 *
 * MB_CODE_HEAP   bytes of the heap, static RAM of code that calls malloc
 * MB_CODE_ENDS   the code may end an operation: with assert, abort, exit, or on an Arm because its
 *                heap is full. mb_code_run then comes back with a failure
 * MB_CODE_EXIT   the code calls exit. On an AVR the start of the program refers to it as well
 */
#include <setjmp.h>
#include <stddef.h>

#include "motebench/adapter.h"
#include "support/driver.h"
#include "support/kind.h"

#ifdef MB_CODE_ENDS
mb_status mb_code_run(mb_job *job, uint32_t n);
_Noreturn void mb_code_assert(mb_text words);

static jmp_buf out;
static mb_status ended;

_Noreturn static void end(mb_status status, mb_text words)
{
    ended = mb_note_text(status, words);
    longjmp(out, 1);
}

mb_status mb_code_run(mb_job *job, uint32_t n)
{
    return setjmp(out) == 0 ? mb_drive_run(job, n) : ended;
}

_Noreturn void mb_code_assert(mb_text words)
{
    end(MB_ERROR, words);
}

#if defined MB_CODE_EXIT || !defined __AVR__
_Noreturn void exit(int status);

_Noreturn void exit(int status)
{
    (void)status;
    end(MB_ERROR, MB_TEXT("the code called exit"));
}
#endif

_Noreturn void abort(void);

_Noreturn void abort(void)
{
    end(MB_ERROR, MB_TEXT("the code called abort"));
}
#endif

#ifdef __AVR__
#include <stdio.h>

/*
 * avr-libc's malloc takes memory from __heap_start to __heap_end; without these, whatever there is
 * below the stack.
 */
#define TEXT(number) #number
#define BYTES(number) TEXT(number)
__asm__(".pushsection .bss.mb_code_heap,\"aw\",@nobits\n"
        ".global __heap_start\n"
        ".global __heap_end\n"
        "__heap_start:\n"
        ".space " BYTES(MB_CODE_HEAP) "\n"
                                      "__heap_end:\n"
                                      ".popsection\n");

static int swallow(char letter, FILE *stream)
{
    (void)letter, (void)stream;
    return 0;
}

static FILE streams = {.put = swallow, .flags = __SWR};
FILE *__iob[] = {NULL, &streams, &streams};
#else
#include <errno.h>
#include <sys/stat.h>

void *_sbrk(ptrdiff_t more);
int _write(int file, const char *text, int len);
int _read(int file, char *text, int len);
int _close(int file);
int _fstat(int file, struct stat *about);
int _isatty(int file);
int _lseek(int file, int offset, int from);
int _getpid(void);
int _kill(int process, int signal);
_Noreturn void _exit(int status);

/* Called by malloc of newlib. */
void *_sbrk(ptrdiff_t more)
{
    static _Alignas(8) char heap[MB_CODE_HEAP];
    static size_t used;
    if (more > 0 ? (size_t)more > sizeof heap - used : (size_t)-more > used) {
#ifdef MB_CODE_ENDS
        end(MB_TOO_BIG, MB_TEXT("malloc: the heap is full; --code-flags=-DMOTEBENCH_HEAP=BYTES "
                                "gives the code another size"));
#else
        errno = ENOMEM;
        return (void *)-1;
#endif
    }
    void *const old = heap + used;
    used += (size_t)more;
    return old;
}

int _write(int file, const char *text, int len)
{
    (void)file, (void)text;
    return len;
}

int _read(int file, char *text, int len)
{
    (void)file, (void)text, (void)len;
    return 0;
}

int _close(int file)
{
    (void)file;
    return -1;
}

int _fstat(int file, struct stat *about)
{
    (void)file;
    about->st_mode = S_IFCHR;
    return 0;
}

int _isatty(int file)
{
    (void)file;
    return 1;
}

int _lseek(int file, int offset, int from)
{
    (void)file, (void)offset, (void)from;
    return 0;
}

int _getpid(void)
{
    return 1;
}

int _kill(int process, int signal)
{
    (void)process, (void)signal;
    return -1;
}

_Noreturn void _exit(int status)
{
    (void)status;
#ifdef MB_CODE_ENDS
    end(MB_ERROR, MB_TEXT("the code called exit"));
#else
    for (;;)
        ;
#endif
}
#endif
