#define NAME cm8_execute
#define WATCHED 0
#define STEPS "../v8m/steps.h"
#include "../v7m/interpreter.h"
