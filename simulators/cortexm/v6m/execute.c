#define NAME cm6_execute
#define WATCHED 0
#include "interpreter.h"
