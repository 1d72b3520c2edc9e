/* For folders of submissions to NIST that leave this header out: as their rng.h declares it. */
#ifndef MOTEBENCH_CODE_RNG_H
#define MOTEBENCH_CODE_RNG_H

int randombytes(unsigned char *x, unsigned long long xlen);

#endif
