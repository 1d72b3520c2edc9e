/* For folders of code from SUPERCOP whose tree has no such header: releases before 2024 made it. */
#ifndef MOTEBENCH_CODE_CRYPTO_INT16_H
#define MOTEBENCH_CODE_CRYPTO_INT16_H

#include <stdint.h>

typedef int16_t crypto_int16;

#endif
