/* AVRxt: ATmega4809, tinyAVR 0, 1 and 2. */
#define NAME av_execute_xt
#define XT 1
#define PC_BYTES 2
#define WATCHED 0
#include "interpreter.h"
