/*
 * Shared by the byte-oriented implementations of AES: the schedule's layout, and multiplication by
 * x.
 */
#ifndef MOTE_AES_BYTES_H
#define MOTE_AES_BYTES_H

#include <stdint.h>

/* The round keys one after the other, in the order of the key's bytes. */
typedef struct mote_aes_schedule {
    uint8_t rounds; /* 10, 12 or 14 */
    uint8_t keys[]; /* 16 * (rounds + 1) bytes */
} mote_aes_schedule;

/* Bytes that the schedule of a key of this many bytes takes. */
#define MOTE_AES_SCHEDULE_LEN(key_len) (1 + 16 * ((key_len) / 4 + 7))

/* The product with x in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1, without a branch. */
static inline __attribute__((always_inline)) uint8_t mote_aes_double(uint8_t a)
{
#ifdef __AVR__
    uint8_t mask; /* from the carry of the shift, which C does not see: two instructions less */
    __asm__("lsl %0\n\tsbc %1, %1\n\tandi %1, 0x1b\n\teor %0, %1" : "+r"(a), "=&d"(mask));
    return a;
#else
    return (uint8_t)((uint8_t)(a << 1) ^ (0x1b & -(a >> 7)));
#endif
}

#endif
