/* Sizes of the port for tests, in bytes and batches. */
#ifndef MOTEBENCH_SMALL_PORT_H
#define MOTEBENCH_SMALL_PORT_H

enum { SMALL_FRAME = 512, SMALL_AUX = 512, SMALL_DATA = 1024, SMALL_SAMPLES = 8 };

#endif
