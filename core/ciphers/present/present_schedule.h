/*
 * The key schedule of PRESENT (Bogdanov et al., CHES 2007, section 3 and appendix II), shared by
 * the implementations.
 */
#ifndef MOTE_PRESENT_SCHEDULE_H
#define MOTE_PRESENT_SCHEDULE_H

#include <stdint.h>

enum { PRESENT_ROUNDS = 31, PRESENT_SCHEDULE = 8 * (PRESENT_ROUNDS + 1) };

/*
 * PRESENT_SCHEDULE bytes of round keys from 10 or 16 bytes of key; in each, the least significant
 * byte comes first.
 */
void mote_present_set_key_80(void *schedule, const uint8_t *key);
void mote_present_set_key_128(void *schedule, const uint8_t *key);

#endif
