#include "machine.h"

#include <stdlib.h>
#include <string.h>

static bool no_read(void *core, uint32_t address, unsigned size, uint32_t *value)
{
    (void)core;
    (void)address;
    (void)size;
    (void)value;
    return false;
}

static bool end_write(void *of, uint32_t address, unsigned size, uint32_t value)
{
    hz_core *core = of;
    (void)size;
    (void)value;
    core->halt = address == END;
    return core->halt;
}

hz_core *machine_new(const uint8_t *image)
{
    hz_core *core = calloc(1, sizeof *core);
    uint8_t *memory = calloc(1, MEMORY);
    if (core == NULL || memory == NULL) {
        free(core);
        free(memory);
        return NULL;
    }
    memcpy(memory, image, IMAGE_LENGTH);
    *core = (hz_core){
        .code = memory,
        .code_base = 0,
        .code_size = IMAGE_LENGTH,
        .ram = memory + IMAGE_LENGTH,
        .ram_base = IMAGE_LENGTH,
        .ram_size = MEMORY - IMAGE_LENGTH,
        .bus = {.read = no_read, .write = end_write, .board = core},
    };
    if (!hz_core_init(core)) {
        machine_free(core);
        return NULL;
    }
    hz_core_reset(core, 0);
    return core;
}

void machine_free(hz_core *core)
{
    hz_core_free(core);
    free(core->code);
    free(core);
}

uint64_t machine_digest(const hz_core *core)
{
    uint64_t digest = 0xcbf29ce484222325ull;
    for (uint32_t at = DATA; at < MEMORY; at++)
        digest = (digest ^ core->code[at]) * 0x100000001b3ull;
    return digest;
}
