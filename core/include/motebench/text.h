/*
 * Texts of the probe: in flash on an AVR, where a plain string constant would take RAM; plain
 * strings elsewhere.
 *
 *     mb_map_uint(map, MB_TEXT("proto"), 1);
 */
#ifndef MOTEBENCH_TEXT_H
#define MOTEBENCH_TEXT_H

#include "mote/flash.h"

/*
 * A zero-terminated text; read it with mb_text's own functions (cbor.h), or character by character.
 */
typedef const MOTE_FLASH char *mb_text;

#ifdef __AVR__
#define MB_TEXT(literal)                                \
    (__extension__({                                    \
        static const MOTE_FLASH char text_[] = literal; \
        &text_[0];                                      \
    }))
#else
#define MB_TEXT(literal) (literal)
#endif

#endif
