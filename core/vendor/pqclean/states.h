/*
 * Functions that PQClean expects from its surroundings: states of Keccak on boards (config.h), and
 * random bytes. Included by each wrapper.
 */
#ifndef MOTE_VENDOR_PQCLEAN_STATES_H
#define MOTE_VENDOR_PQCLEAN_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVR__) || defined(__ARM_ARCH_6M__)
enum { STATES = 4, STATE_WORDS = 26 };
static uint64_t states[STATES][STATE_WORDS];
static bool taken[STATES];

void *mote_pqclean_take(size_t bytes)
{
    for (size_t i = 0; i < STATES; i++) {
        if (!taken[i] && bytes <= sizeof states[i]) {
            taken[i] = true;
            return states[i];
        }
    }
    return NULL;
}

void mote_pqclean_give(void *state)
{
    for (size_t i = 0; i < STATES; i++) {
        if (state == states[i])
            taken[i] = false;
    }
}
#endif

/* Input of the next call instead of random bytes; NULL: zeros. */
static const uint8_t *coins;

int PQCLEAN_randombytes(uint8_t *output, size_t n);

int PQCLEAN_randombytes(uint8_t *output, size_t n)
{
    if (coins != NULL)
        memcpy(output, coins, n);
    else
        memset(output, 0, n);
    return 0;
}

#endif
