/* For folders of code from SUPERCOP whose tree has no such header: releases before 2024 made it. */
#ifndef MOTEBENCH_CODE_CRYPTO_UINT64_H
#define MOTEBENCH_CODE_CRYPTO_UINT64_H

#include <stdint.h>

typedef uint64_t crypto_uint64;

#endif
