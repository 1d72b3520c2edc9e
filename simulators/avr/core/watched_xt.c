/* AVRxt: ATmega4809, tinyAVR 0, 1 and 2, while it is followed where secrets flow. */
#define NAME av_watched_xt
#define XT 1
#define PC_BYTES 2
#define WATCHED 1
#include "interpreter.h"
