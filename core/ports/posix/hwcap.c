/*
 * Hides features of the processor from libraries that ask the system for them, where an emulator
 * cannot leave them out: variable MOTEBENCH_HWCAP_WITHOUT is a mask of bits of AT_HWCAP
 * (getauxval(3)). motebench sets it for emulated processors only. It changes what the system has
 * put on the stack, before any library looks: glibc has looked already, musl has not.
 */
#ifdef __linux__
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor(101))) static void hide_features(void)
{
    const char *text = getenv("MOTEBENCH_HWCAP_WITHOUT");
    if (text == NULL || environ == NULL)
        return;
    const unsigned long mask = strtoul(text, NULL, 0);
    char **end = environ;
    while (*end != NULL)
        end++;
    /* The vector lies behind the variables: System V ABI, process initialisation */
    for (ElfW(auxv_t) *entry = (void *)(end + 1); entry->a_type != AT_NULL; entry++)
        if (entry->a_type == AT_HWCAP)
            entry->a_un.a_val &= ~mask;
}
#else
typedef int mb_no_features_to_hide;
#endif
