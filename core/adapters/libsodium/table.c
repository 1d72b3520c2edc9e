/*
 * The schemes: all that the catalog and libsodium 1.0.18 share, as far as the processor at hand has
 * it (AES-256-GCM is there with AES instructions only).
 */
#include "libsodium_adapter.h"

#define MESSAGES \
    (MB_CAN(MB_ENCRYPT_MESSAGE) | MB_CAN(MB_DECRYPT_MESSAGE) | MB_CAN(MB_ENCRYPT_NEW_KEY))
#define DATA (MB_CAN(MB_ENCRYPT) | MB_CAN(MB_DECRYPT))

#define STREAM(label, row, nonce, longest_nonce, streams) \
    {.name = (label),                                     \
     .operations = DATA | MESSAGES,                       \
     .can_stream = (streams),                             \
     .key_min = 32,                                       \
     .key_max = 32,                                       \
     .nonce_min = (nonce),                                \
     .nonce_max = (longest_nonce),                        \
     .block = 1,                                          \
     .param = &(row)}
#define AEAD(label, row, nonce, more) \
    {.name = (label),                 \
     .operations = MESSAGES | (more), \
     .key_min = 32,                   \
     .key_max = 32,                   \
     .nonce_min = (nonce),            \
     .nonce_max = (nonce),            \
     .tag_min = 16,                   \
     .tag_max = 16,                   \
     .block = 1,                      \
     .param = &(row)}
#define DIGEST(label, row, size)      \
    {.name = (label),                 \
     .operations = MB_CAN(MB_DIGEST), \
     .can_stream = 1,                 \
     .tag_min = (size),               \
     .tag_max = (size),               \
     .block = 1,                      \
     .param = &(row)}
#define MAC(label, row, size)                             \
    {.name = (label),                                     \
     .operations = MB_CAN(MB_MAC) | MB_CAN(MB_KEY_SETUP), \
     .can_stream = 1,                                     \
     .key_max = UINT16_MAX,                               \
     .tag_min = (size),                                   \
     .tag_max = (size),                                   \
     .block = 1,                                          \
     .param = &(row)}

static const mb_scheme schemes[] = {
    STREAM("chacha20", adapter_chacha20, 12, 16, 1),
    STREAM("salsa20", adapter_salsa20, 8, 8, 1),
    STREAM("salsa20-12", adapter_salsa20_12, 8, 8, 0),
    AEAD("chacha20-poly1305", adapter_chacha20_poly1305,
         crypto_aead_chacha20poly1305_ietf_NPUBBYTES, 0),
    AEAD("xchacha20-poly1305", adapter_xchacha20_poly1305,
         crypto_aead_xchacha20poly1305_ietf_NPUBBYTES, 0),
    DIGEST("sha256", adapter_sha256, 32),
    DIGEST("sha512", adapter_sha512, 64),
    DIGEST("blake2b-512", adapter_blake2b, 64),
    MAC("hmac-sha256", adapter_hmac_sha256, 32),
    MAC("hmac-sha512", adapter_hmac_sha512, 64),
    {.name = "ed25519",
     .operations = MB_CAN(MB_KEYGEN) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY),
     .key_min = 32,
     .key_max = 32,
     .tag_min = 64,
     .tag_max = 64,
     .block = 1,
     .param = &(const mb_row){&adapter_ed25519_kind}},
    {.name = "x25519",
     .operations = MB_CAN(MB_KEYGEN) | MB_CAN(MB_AGREE),
     .key_min = 32,
     .key_max = 32,
     .block = 1,
     .param = &(const mb_row){&adapter_x25519_kind}},
    /* The last one, so that it can be left out. */
    AEAD("aes-256-gcm", adapter_aes256gcm, crypto_aead_aes256gcm_NPUBBYTES, MB_CAN(MB_KEY_SETUP)),
};

static size_t count;

void adapter_table_fill(void)
{
    count = sizeof schemes / sizeof schemes[0];
    if (!crypto_aead_aes256gcm_is_available())
        count--;
}

size_t adapter_table_count(void)
{
    return count;
}

const mb_scheme *adapter_table_at(size_t i)
{
    return i < count ? &schemes[i] : NULL;
}
