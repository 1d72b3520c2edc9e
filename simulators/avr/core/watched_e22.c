/* AVRe+ with a program counter of 22 bits: ATmega2560, while it is followed where secrets flow. */
#define NAME av_watched_e22
#define XT 0
#define PC_BYTES 3
#define WATCHED 1
#include "interpreter.h"
