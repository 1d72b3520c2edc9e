/* Shared by all files: error texts, random numbers. */
#include "libtomcrypt_adapter.h"

enum { SEED_BITS = 256 };

static prng_state random_state;
static int random_index;

mb_status adapter_fail(int code)
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

prng_state *adapter_random(void)
{
    return &random_state;
}

int adapter_random_index(void)
{
    return random_index;
}

int adapter_seed_random(void)
{
    random_index = register_prng(&chacha20_prng_desc);
    return rng_make_prng(SEED_BITS, random_index, &random_state, NULL);
}
