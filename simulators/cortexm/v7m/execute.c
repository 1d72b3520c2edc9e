#define NAME cm7_execute
#define WATCHED 0
#include "interpreter.h"
