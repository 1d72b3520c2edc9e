/* For folders of code from SUPERCOP whose tree has no such header: releases before 2024 made it. */
#ifndef MOTEBENCH_CODE_CRYPTO_UINT8_H
#define MOTEBENCH_CODE_CRYPTO_UINT8_H

#include <stdint.h>

typedef uint8_t crypto_uint8;

#endif
