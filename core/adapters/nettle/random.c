/*
 * Random numbers: Nettle leaves their source to its user and offers Yarrow for it. It is seeded
 * from the system, once.
 */
#include "nettle_adapter.h"

#include <nettle/yarrow.h>
#include <stdio.h>

static struct yarrow256_ctx generator;

void adapter_random(void *unused, size_t len, uint8_t *out)
{
    (void)unused;
    yarrow256_random(&generator, len, out);
}

bool adapter_seed_random(void)
{
    uint8_t seed[YARROW256_SEED_FILE_SIZE];
    FILE *source = fopen("/dev/urandom", "rb");
    size_t got = source ? fread(seed, 1, sizeof seed, source) : 0;
    if (source)
        fclose(source);
    if (got != sizeof seed)
        return false;
    yarrow256_init(&generator, 0, NULL);
    yarrow256_seed(&generator, sizeof seed, seed);
    return true;
}
