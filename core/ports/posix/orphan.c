/* The end of a process whose parent is gone: of probes, and of simulated boards. */
#include "orphan.h"

#if defined __linux__
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

enum { ORPHANED = 1 }; /* exit status, without a reader */

static pid_t parent;

/*
 * The kernel sends the signal whenever a thread of the parent ends, too: only another parent means
 * that it is gone.
 */
static void look(int number)
{
    (void)number;
    if (getppid() != parent)
        _exit(ORPHANED);
}

void mb_end_with_parent(void)
{
    struct sigaction action;
    if (parent != 0) /* a sandbox that was set up since refuses prctl */
        return;
    memset(&action, 0, sizeof action);
    action.sa_handler = look;
    action.sa_flags = SA_RESTART;
    parent = getppid();
    if (sigemptyset(&action.sa_mask) == 0 && sigaction(SIGUSR1, &action, NULL) == 0)
        (void)prctl(PR_SET_PDEATHSIG, SIGUSR1);
}
#else
void mb_end_with_parent(void) {}
#endif
