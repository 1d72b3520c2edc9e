/* The same, while it is followed where secrets flow. */
#define NAME hz_core_run_watched
#define WATCHED 1
#define QINGKE 0
#include "interpreter.h"
