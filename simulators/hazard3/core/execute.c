/* Runs instructions. */
#define NAME hz_core_run
#define WATCHED 0
#define QINGKE 0
#include "interpreter.h"
