#ifndef MOTEBENCH_POSIX_ORPHAN_H
#define MOTEBENCH_POSIX_ORPHAN_H

/*
 * From now on this process ends when its parent does, however long the computation under way would
 * take. Linux only;
 *    elsewhere it ends at the end of its input. Uses SIGUSR1.
 */
void mb_end_with_parent(void);

#endif
