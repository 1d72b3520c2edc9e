/*
 * Random programs here and on Hazard3's own hardware description: the memory that they leave, with
 * the cycles that they read on the way, is the same to the bit. rtl.txt holds the digests of the
 * latter; rtl/expected.py makes it.
 *
 *   test-hazard3-rtl rtl.txt
 *   test-hazard3-rtl --image SEED      the program as words in hexadecimal digits, for $readmemh
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "check.h"
#include "machine.h"

enum { LONGEST = 1000000 /* cycles */ };

static uint8_t image[IMAGE_LENGTH];

static void compare(uint32_t seed, uint64_t expected)
{
    generate(image, seed);
    hz_core *core = machine_new(image);
    if (core == NULL)
        abort();
    CHECK(hz_core_run(core, LONGEST) == HZ_HALTED);
    if (!CHECK(machine_digest(core) == expected))
        fprintf(stderr, "program %" PRIu32 ": %016" PRIx64 "\n", seed, machine_digest(core));
    machine_free(core);
}

static int print_image(const char *seed)
{
    generate(image, (uint32_t)strtoul(seed, NULL, 10));
    for (size_t at = 0; at < MEMORY; at += 4)
        printf("%08" PRIx32 "\n", at < IMAGE_LENGTH ? sim_get32(image + at) : 0);
    return 0;
}

int main(int argc, char **argv)
{
    char line[64];
    unsigned programs = 0;
    if (argc == 3 && strcmp(argv[1], "--image") == 0)
        return print_image(argv[2]);
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (file == NULL)
        return EXIT_FAILURE;
    check_begin();
    while (fgets(line, sizeof line, file) != NULL) {
        char *end;
        const uint32_t seed = (uint32_t)strtoul(line, &end, 10);
        compare(seed, strtoull(end, NULL, 16));
        programs++;
    }
    CHECK(feof(file) && programs >= 40);
    fclose(file);
    return check_end();
}
