/* Sizes of the port for tests, in bytes and batches. */
#ifndef MOTEBENCH_SMALL_PORT_H
#define MOTEBENCH_SMALL_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SMALL_FRAME = 512, SMALL_AUX = 512, SMALL_DATA = 1024, SMALL_SAMPLES = 8 };

/* Bytes that mb_port_read gives, in pieces of at most 7 bytes, before the stream ends. */
void small_port_feed(const uint8_t *bytes, size_t len);

/* Bytes written since the last small_port_feed. With `deaf`, writes fail. */
const uint8_t *small_port_written(size_t *len);
void small_port_deaf(bool deaf);

/* Stands for nanosleep: the clock, 1000 ticks a second, goes on by so much at once. */
struct timespec;
int small_port_sleep(const struct timespec *time, struct timespec *rest);

#endif
