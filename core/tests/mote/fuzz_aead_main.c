/*
 * Drives fuzz_aead.c without libFuzzer: inputs of sensible lengths, the same ones in every run.
 *
 *   fuzz-aead-driver [iterations]
 */
#include <stdlib.h>

#include "work.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { MOST = 600, ITERATIONS = 20000 };

int main(int argc, char **argv)
{
    static const uint8_t nonces[] = {12, 12, 16, 13, 8, 24, 7, 0, 1, 255},
                         tags[] = {16, 16, 16, 8, 4, 1, 12, 13, 33};
    const unsigned long iterations = argc > 1 ? strtoul(argv[1], NULL, 10) : ITERATIONS;
    uint8_t input[MOST];
    check_begin();
    for (unsigned long i = 0; i < iterations; i++) {
        const size_t len = number(4) != 0 ? number(MOST) : number(64);
        fill(input, len);
        if (len >= 6) {
            input[2] = nonces[number(sizeof nonces)];
            input[3] = tags[number(sizeof tags)];
            input[4] = (uint8_t)number(number(4) != 0 ? 40 : 256);
        }
        (void)LLVMFuzzerTestOneInput(input, len);
        CHECK(true); /* survived; the target itself aborts on what is wrong */
    }
    return check_end();
}
