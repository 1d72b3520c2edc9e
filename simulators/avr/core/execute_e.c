/* AVRe+ with a program counter of 16 bits: ATmega328P. */
#define NAME av_execute_e
#define XT 0
#define PC_BYTES 2
#define WATCHED 0
#include "interpreter.h"
