/*
 * Shared by the programs of simulated boards: the console on standard input and output, files,
 * numbers of the command line.
 */
#ifndef MOTEBENCH_SIMULATOR_CONSOLE_H
#define MOTEBENCH_SIMULATOR_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIM_NOTHING = -1, SIM_ENDED = -2 };

/* Writes what was sent. Ends the program if the reader is gone. */
void sim_console_flush(void);
void sim_console_send(uint8_t byte);

/* Waits for a byte; at most `milliseconds`, for ever if negative. 0 to 255; SIM_NOTHING, or
 * SIM_ENDED for good. */
int sim_console_receive(int milliseconds);

/* A number in decimal digits, `most` at most. */
bool sim_number(const char *text, uint64_t most, uint64_t *value);

/* The bytes of a file of fewer than `longest` bytes, to be freed; NULL: it cannot be read. */
uint8_t *sim_read_file(const char *path, size_t longest, size_t *len);

#endif
