/* The requests that POSIX hosts answer besides those of every probe. */
#include "each.h"
#include "file.h"
#include "probe.h"
#include "turns.h"

static const mb_handler HANDLERS[] = {{"file", mb_handle_file},
                                      {"measure-each", mb_handle_measure_each},
                                      {"measure-turns", mb_handle_measure_turns}};

const mb_handler *mb_port_handler(size_t i)
{
    return i < sizeof HANDLERS / sizeof HANDLERS[0] ? &HANDLERS[i] : NULL;
}
