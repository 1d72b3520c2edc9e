/*
 * The field of integers modulo p = 2^255 - 19.
 *
 * A number is eight words of 32 bits, the lowest first; every value below 2^256 = 38 modulo p is
 * allowed, in inputs and outputs, and an output may be an input. No branch and no address depends
 * on a number.
 */
#ifndef MOTE_CURVE25519_FIELD_H
#define MOTE_CURVE25519_FIELD_H

#include <stdint.h>

#include "mote/assembly.h"

/* Functions in assembly: products and sums; the ladder of X25519. */
#define MOTE_F25519_ASSEMBLY (MOTE_ASSEMBLY_ARMV7M || MOTE_ASSEMBLY || MOTE_ASSEMBLY_RISCV32)
#define MOTE_F25519_LADDER_ASSEMBLY (MOTE_ASSEMBLY_ARMV7M || MOTE_ASSEMBLY)

enum { MOTE_F25519_WORDS = 8 };

typedef struct mote_f25519 { uint32_t w[MOTE_F25519_WORDS]; } mote_f25519;

/* The functions that may be in assembly. */
void mote_f25519_add(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b);
void mote_f25519_subtract(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b);
void mote_f25519_multiply(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b);
/* Squares `times` times, which is not 0. */
void mote_f25519_square(mote_f25519 *r, const mote_f25519 *a, uint8_t times);
/* 121665 a + b: the constant of the Montgomery curve, (486662 - 2) / 4. */
void mote_f25519_multiply_add(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b);
/* r = bit ? b : a; the bit is 0 or 1. */
void mote_f25519_select(mote_f25519 *r, const mote_f25519 *a, const mote_f25519 *b, uint32_t bit);

/* 1 / a; 0 of 0. */
void mote_f25519_invert(mote_f25519 *r, const mote_f25519 *a);
/* a^((p - 5) / 8). */
void mote_f25519_root_power(mote_f25519 *r, const mote_f25519 *a);

/*
 * A square root of u / v: 1, or 0 if there is none; of 0 it is 0. The time is the same for all
 * numbers. v is not 0, and `r` neither u nor v.
 */
uint8_t mote_f25519_root(mote_f25519 *r, const mote_f25519 *u, const mote_f25519 *v);
/* 1 if a is 0 modulo p; 0 otherwise. */
uint8_t mote_f25519_is_zero(const mote_f25519 *a);

/* The highest bit of the bytes is not taken. */
void mote_f25519_load(mote_f25519 *r, const uint8_t bytes[32]);
/* The number below p; `a` may be lost. */
void mote_f25519_store(uint8_t bytes[32], mote_f25519 *a);

#endif
