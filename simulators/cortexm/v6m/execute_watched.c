/* The same, while it is followed where secrets flow. */
#define NAME cm6_execute_watched
#define WATCHED 1
#include "interpreter.h"
