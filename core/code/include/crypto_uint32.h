/* For folders of code from SUPERCOP whose tree has no such header: releases before 2024 made it. */
#ifndef MOTEBENCH_CODE_CRYPTO_UINT32_H
#define MOTEBENCH_CODE_CRYPTO_UINT32_H

#include <stdint.h>

typedef uint32_t crypto_uint32;

#endif
