/* For folders of code from SUPERCOP whose tree has no such header: releases before 2024 made it. */
#ifndef MOTEBENCH_CODE_CRYPTO_UINT16_H
#define MOTEBENCH_CODE_CRYPTO_UINT16_H

#include <stdint.h>

typedef uint16_t crypto_uint16;

#endif
