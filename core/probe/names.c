#include "names.h"

#include "cbor.h"

static const char MOTE_FLASH OPERATION_NAMES[MB_NAMED][16] = {
    [MB_KEY_SETUP] = "key-setup",
    [MB_ENCRYPT] = "encrypt",
    [MB_DECRYPT] = "decrypt",
    [MB_ENCRYPT_MESSAGE] = "encrypt-message",
    [MB_DECRYPT_MESSAGE] = "decrypt-message",
    [MB_ENCRYPT_NEW_KEY] = "encrypt-new-key",
    [MB_DIGEST] = "digest",
    [MB_MAC] = "mac",
#if MB_PUBLIC_KEY
    [MB_KEYGEN] = "keygen",
    [MB_SIGN] = "sign",
    [MB_VERIFY] = "verify",
    [MB_AGREE] = "agree",
    [MB_ENCAPSULATE] = "encapsulate",
    [MB_DECAPSULATE] = "decapsulate",
#endif
};

mb_text mb_operation_name(mb_operation op)
{
    return OPERATION_NAMES[op];
}

bool mb_operation_find(const char *name, size_t len, mb_operation *op)
{
    for (unsigned i = 0; i < MB_NAMED; i++) {
        if (mb_text_is(OPERATION_NAMES[i], name, len)) {
            *op = (mb_operation)i;
            return true;
        }
    }
    return false;
}

#if MB_PUBLIC_KEY
/*
 * Each word once, and where it is in one byte: on a small device a table of pointers would be
 * longer than the words.
 */
typedef struct words {
    char none[1], nonce[6], data[5], tag[4], out[4], seed[5], private[8], public[7], context[8],
        signature[10], peer[5], secret[7], ciphertext[11];
} words;

static const words MOTE_FLASH WORDS = {
    "",       "nonce",   "data",      "tag",  "out",    "seed",      "private",
    "public", "context", "signature", "peer", "secret", "ciphertext"};

#define AT(word) ((uint8_t)offsetof(words, word))

/* The operations of ciphers, hash functions and MACs, then each from MB_KEYGEN on. */
static const uint8_t MOTE_FLASH KEYS[][MB_PLACE_COUNT] = {
    {AT(nonce), AT(data), AT(tag), AT(out), AT(tag)},
    {AT(seed), AT(none), AT(none), AT(private), AT(public)},    /* KEYGEN */
    {AT(context), AT(data), AT(none), AT(signature), AT(none)}, /* SIGN */
    {AT(context), AT(data), AT(signature), AT(out), AT(none)},  /* VERIFY */
    {AT(none), AT(peer), AT(none), AT(secret), AT(none)},       /* AGREE */
    {AT(seed), AT(none), AT(none), AT(ciphertext), AT(secret)}, /* ENCAPSULATE */
    {AT(none), AT(ciphertext), AT(none), AT(secret), AT(none)}, /* DECAPSULATE */
};

_Static_assert(sizeof KEYS / sizeof KEYS[0] == 1 + MB_OPERATION_COUNT - MB_KEYGEN,
               "a row for each operation");

mb_text mb_key_of(mb_operation op, mb_place place)
{
    return (mb_text)&WORDS + KEYS[op < MB_KEYGEN ? 0 : op - MB_KEYGEN + 1][place];
}
#endif
