/* The same, while it is followed where secrets flow. */
#define NAME cm8_execute_watched
#define WATCHED 1
#define STEPS "../v8m/steps.h"
#include "../v7m/interpreter.h"
