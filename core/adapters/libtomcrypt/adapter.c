/* The adapter as the probe sees it: sets the library up; support/kind.h passes each call on to the kind of the scheme. */
#include "lt.h"

enum { SEED_BITS = 256 };

static prng_state random_state;
static int random_index;

mb_status lt_fail(int code)
{
    switch (code) {
    case CRYPT_INVALID_KEYSIZE:
    case CRYPT_PK_INVALID_SIZE:
        return mb_note_words(MB_UNSUPPORTED, error_to_string(code));
    case CRYPT_MEM:
        return mb_note_words(MB_TOO_BIG, error_to_string(code));
    default:
        return mb_note_words(MB_ERROR, error_to_string(code));
    }
}

prng_state *lt_random(void)
{
    return &random_state;
}

int lt_random_index(void)
{
    return random_index;
}

static mb_status init(void)
{
    ltc_mp = ltm_desc;
    random_index = register_prng(&chacha20_prng_desc);
    lt_table_fill();
    return lt_check(rng_make_prng(SEED_BITS, random_index, &random_state, NULL));
}

static const char *version(void)
{
    return "LibTomCrypt " SCRYPT;
}

const mb_adapter mb_the_adapter = {
    .implementation = "libtomcrypt",
    .scheme_count = lt_table_count,
    .scheme_at = lt_table_at,
    .ctx_size = sizeof(lt_state),
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
