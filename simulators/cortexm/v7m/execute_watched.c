/* The same, while it is followed where secrets flow. */
#define NAME cm7_execute_watched
#define WATCHED 1
#include "interpreter.h"
