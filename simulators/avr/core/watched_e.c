/* AVRe+ with a program counter of 16 bits: ATmega328P, while it is followed where secrets flow. */
#define NAME av_watched_e
#define XT 0
#define PC_BYTES 2
#define WATCHED 1
#include "interpreter.h"
