/* For folders of code from PQClean that leave this header out. The bytes are for everybody to
 * know. */
#ifndef MOTEBENCH_CODE_CRYPTO_DECLASSIFY_H
#define MOTEBENCH_CODE_CRYPTO_DECLASSIFY_H

#include "../../include/motebench/marks.h" /* wherever headers are looked for */

#ifdef MB_MARKS
#define crypto_declassify(x, y) mb_mark_public((x), (y))
#else
#define crypto_declassify(x, y)
#endif

#endif
