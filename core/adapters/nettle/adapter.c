/*
 * The adapter as the probe sees it.
 *
 * Random numbers: Nettle leaves their source to its user and offers Yarrow for it. It is seeded here from the system,
 * once and untimed.
 */
#include "nt.h"
#include "pk.h"

#include <nettle/version.h>
#include <nettle/yarrow.h>
#include <stdio.h>

static struct yarrow256_ctx generator;

void nt_random(void *unused, size_t len, uint8_t *out)
{
    (void)unused;
    yarrow256_random(&generator, len, out);
}

static mb_status init(void)
{
    uint8_t seed[YARROW256_SEED_FILE_SIZE];
    FILE *source = fopen("/dev/urandom", "rb");
    size_t got = source ? fread(seed, 1, sizeof seed, source) : 0;
    if (source)
        fclose(source);
    if (got != sizeof seed)
        return mb_note(MB_ERROR, "/dev/urandom gives no seed for the random generator");
    yarrow256_init(&generator, 0, NULL);
    yarrow256_seed(&generator, sizeof seed, seed);
    return MB_OK;
}

static const char *version(void)
{
    static char text[32];
    snprintf(text, sizeof text, "Nettle %d.%d", nettle_version_major(), nettle_version_minor());
    return text;
}

_Static_assert(sizeof(nt_pk_ctx) <= sizeof(nt_cipher_ctx), "ctx_size is that of the largest");

const mb_adapter mb_the_adapter = {
    .implementation = "nettle",
    .scheme_count = nt_scheme_count,
    .scheme_at = nt_scheme_at,
    .ctx_size = sizeof(nt_cipher_ctx),
    .init = init,
    .version = version,
    .open = mb_kind_open,
    .start = mb_kind_start,
    .run = mb_kind_run,
    .update = mb_kind_update,
    .final = mb_kind_final,
    .close = mb_kind_close,
    .public_key = mb_kind_public_key,
    .error = mb_kind_error,
};
