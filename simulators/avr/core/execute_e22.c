/* AVRe+ with a program counter of 22 bits: ATmega2560. */
#define NAME av_execute_e22
#define XT 0
#define PC_BYTES 3
#define WATCHED 0
#include "interpreter.h"
