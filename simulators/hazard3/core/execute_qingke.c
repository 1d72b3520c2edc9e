/* Runs instructions of a QingKe V2. */
#include "qingke_core.h"
#define NAME qk_core_run
#define WATCHED 0
#define QINGKE 1
#include "interpreter.h"
