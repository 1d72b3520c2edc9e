/* The same, while it is followed where secrets flow. */
#include "qingke_core.h"
#define NAME qk_core_run_watched
#define WATCHED 1
#define QINGKE 1
#include "interpreter.h"
