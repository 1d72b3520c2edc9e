/*
 * The schemes: made when they are asked for, since a table of all of them would be larger than most
 * ciphers. One at a time is held.
 */
#include <string.h>

#include "mote_adapter.h"

#define CIPHER_OPERATIONS                                                                          \
    (MB_CAN(MB_KEY_SETUP) | MB_CAN(MB_ENCRYPT) | MB_CAN(MB_DECRYPT) | MB_CAN(MB_ENCRYPT_MESSAGE) | \
     MB_CAN(MB_DECRYPT_MESSAGE) | MB_CAN(MB_ENCRYPT_NEW_KEY))

static char name[32];
static mote_row row;
static mb_scheme scheme;

/* One more than there are, so that none is a valid number too. */
static const mote_mode *const modes[MOTE_MODE_COUNT + 1] = {
#define MODE(id) &mote_##id,
    MOTE_MODES
#undef MODE
};
static const mote_aead_mode *const aead_modes[MOTE_AEAD_MODE_COUNT + 1] = {
#define MODE(id) &mote_##id,
    MOTE_AEAD_MODES
#undef MODE
};

static void put_name(const char *first, const char *second)
{
    size_t len = strlen(first);
    memcpy(name, first, len); /* NOLINT(bugprone-not-null-terminated-result): strcpy adds the end */
    strcpy(name + len, second);
}

static void put_mode_name(const char *cipher, const char *mode)
{
    put_name(cipher, "-");
    strcpy(name + strlen(name), mode);
}

static void put_chain(const mote_block_cipher *cipher, const mote_mode *mode)
{
    row = (mote_row){.kind = &mote_chain_kind, .block = cipher, .mode = mode};
    put_mode_name(cipher->name, mode->name);
    scheme.key_min = scheme.key_max = cipher->key_len;
    scheme.nonce_min = scheme.nonce_max = mode->has_iv ? cipher->block_len : 0;
    const bool whole = mode->whole_blocks || (mode->library != NULL && mode->library->whole_pieces);
    scheme.block = whole ? cipher->block_len : 1;
}

static void put_aead(const mote_aead *aead)
{
    row.kind = &mote_aead_kind;
    row.aead = aead;
    scheme.nonce_min = aead->nonce_min;
    scheme.nonce_max = aead->nonce_max;
    scheme.tag_min = aead->tag_min;
    scheme.tag_max = aead->tag_max;
    const mote_library_aead *library = aead->library;
    if (library == NULL)
        return;
    if (library->whole_pieces)
        scheme.block = MOTE_BLOCK_MAX;
    if (library->late_key)
        scheme.operations &= (uint16_t)~MB_CAN(MB_KEY_SETUP);
    if (library->open != NULL)
        scheme.operations &= (uint16_t)~(MB_CAN(MB_ENCRYPT) | MB_CAN(MB_DECRYPT));
    if (library->one_call)
        scheme.can_stream = 0;
}

static void put_aead_mode(const mote_block_cipher *cipher, const mote_aead_mode *mode)
{
    row = (mote_row){.block = cipher, .aead_mode = mode};
    put_aead(&mode->steps);
    put_mode_name(cipher->name, mode->steps.name);
    scheme.key_min = scheme.key_max = cipher->key_len;
    if (scheme.tag_max > cipher->block_len)
        scheme.tag_max = cipher->block_len;
}

static void put_aead_cipher(const mote_aead *aead)
{
    row = (mote_row){0};
    put_aead(aead);
    put_name(aead->name, "");
    scheme.key_min = scheme.key_max = aead->key_len;
}

static void put_stream(const mote_stream_cipher *stream)
{
    row = (mote_row){.kind = &mote_stream_kind, .stream = stream};
    put_name(stream->name, "");
    scheme.key_min = scheme.key_max = stream->key_len;
    scheme.nonce_min = stream->nonce_min;
    scheme.nonce_max = stream->nonce_max;
    scheme.block = stream->piece > 0 ? stream->piece : 1;
}

static void put_hash(const mote_hash *hash, const mb_kind *kind, const char *prefix,
                     unsigned operations)
{
    row = (mote_row){.kind = kind, .hash = hash};
    put_name(prefix, hash->name);
    scheme.operations = (uint16_t)operations;
    scheme.tag_min = scheme.tag_max = hash->digest_len;
}

/* The catalog has CMAC of AES only; firmware for CMAC has one cipher. */
static bool has_cmac(const mote_block_cipher *cipher)
{
    if (!(MOTE_KINDS & MOTE_KIND_CMAC) || mote_the_implementation->modes != NULL)
        return false;
    return MOTE_KINDS == MOTE_KIND_CMAC || strncmp(cipher->name, "aes-", 4) == 0;
}

static void put_cmac(const mote_block_cipher *cipher)
{
    row = (mote_row){.kind = &mote_cmac_kind, .block = cipher};
    put_mode_name(cipher->name, "cmac");
    scheme.operations = (uint16_t)(MB_CAN(MB_MAC) | MB_CAN(MB_KEY_SETUP));
    scheme.key_min = scheme.key_max = cipher->key_len;
    scheme.tag_min = scheme.tag_max = cipher->block_len;
}

/* The same of GMAC. */
static bool has_gmac(const mote_block_cipher *cipher)
{
    return mote_the_implementation->modes == NULL &&
           (MOTE_KINDS == MOTE_KIND_GMAC || strncmp(cipher->name, "aes-", 4) == 0);
}

static void put_gmac(const mote_block_cipher *cipher)
{
    put_cmac(cipher);
    row.kind = &mote_gmac_kind;
    put_mode_name(cipher->name, "gmac");
    scheme.nonce_min = scheme.nonce_max = MOTE_GMAC_NONCE;
}

/* Counts down; true for the scheme that is looked for. */
static bool reached(size_t *left)
{
    return (*left)-- == 0;
}

static bool find_mode(const mote_block_cipher *cipher, size_t *left)
{
    const mote_implementation *impl = mote_the_implementation;
    const mote_mode *const *chained = impl->modes != NULL ? impl->modes : modes;
    const uint8_t count = impl->modes != NULL ? impl->mode_count : MOTE_MODE_COUNT;
    for (uint8_t i = 0; i < count; i++) {
        if (reached(left)) {
            put_chain(cipher, chained[i]);
            return true;
        }
    }
    for (uint8_t i = 0; i < MOTE_AEAD_MODE_COUNT && impl->modes == NULL; i++) {
        const mote_aead_mode *mode = aead_modes[i];
        if ((cipher->block_len == MOTE_BLOCK_MAX || mode->small_blocks) && reached(left)) {
            put_aead_mode(cipher, mode);
            return true;
        }
    }
    if (has_cmac(cipher) && reached(left)) {
        put_cmac(cipher);
        return true;
    }
    if ((MOTE_KINDS & MOTE_KIND_GMAC) && has_gmac(cipher) && reached(left)) {
        put_gmac(cipher);
        return true;
    }
    return false;
}

static bool find_hash(const mote_hash *hash, size_t *left)
{
    if ((MOTE_KINDS & MOTE_KIND_HASHES) && reached(left)) {
        put_hash(hash, &mote_digest_kind, "", MB_CAN(MB_DIGEST));
        return true;
    }
    if ((MOTE_KINDS & MOTE_KIND_HMAC) && hash->block_len > 0 && reached(left)) {
        put_hash(hash, &mote_hmac_kind, "hmac-", MB_CAN(MB_MAC) | MB_CAN(MB_KEY_SETUP));
        scheme.key_max = UINT16_MAX;
        return true;
    }
    return false;
}

const mb_scheme *mote_scheme_at(size_t i)
{
    const mote_implementation *impl = mote_the_implementation;
    scheme = (mb_scheme){
        .name = name, .operations = CIPHER_OPERATIONS, .can_stream = 1, .block = 1, .param = &row};
    for (uint8_t k = 0; k < impl->block_count &&
                        (MOTE_KINDS & (MOTE_KIND_BLOCKS | MOTE_KIND_CMAC | MOTE_KIND_GMAC));
         k++) {
        if (find_mode(&impl->blocks[k], &i))
            return &scheme;
    }
    for (uint8_t k = 0; k < impl->stream_count && (MOTE_KINDS & MOTE_KIND_STREAMS); k++) {
        if (reached(&i)) {
            put_stream(&impl->streams[k]);
            return &scheme;
        }
    }
    for (uint8_t k = 0; k < impl->aead_count && (MOTE_KINDS & MOTE_KIND_AEADS); k++) {
        if (reached(&i)) {
            put_aead_cipher(&impl->aeads[k]);
            return &scheme;
        }
    }
    for (uint8_t k = 0; k < impl->hash_count; k++) {
        if (find_hash(&impl->hashes[k], &i))
            return &scheme;
    }
    return NULL;
}

size_t mote_scheme_count(void)
{
    size_t n = 0;
    while (mote_scheme_at(n) != NULL)
        n++;
    return n;
}
