/* Cycles of jnk0le's AES for a Cortex-M33: CALLS of each function behind a first. */
#include "bare.h"

enum { CALLS = 64, BLOCK = 16, ROUNDS_128 = 10, ROUNDS_256 = 14 };

void CM33_1T_AES128_keyschedule_enc(uint8_t *keys, const uint8_t *key);
void CM33_1T_AES256_keyschedule_enc(uint8_t *keys, const uint8_t *key);
void CM33_1T_AES_encrypt(const uint8_t *keys, const uint8_t *in, uint8_t *out, uint32_t rounds);
void CM33_1T_AES_decrypt(const uint8_t *keys, const uint8_t *in, uint8_t *out, uint32_t rounds);
void CM33_d4T_AES_encrypt(const uint8_t *keys, const uint8_t *in, uint8_t *out, uint32_t rounds);

static uint8_t keys[(ROUNDS_256 + 1) * BLOCK], key[2 * BLOCK], text[BLOCK], result[BLOCK];

void mb_bare_main(void)
{
    for (unsigned i = 0; i < sizeof key; i++)
        key[i] = (uint8_t)i;
    for (unsigned i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(0x11 * i);

    MEASURE("setEncKey<128>", CALLS, CM33_1T_AES128_keyschedule_enc(keys, key));
    MEASURE("encrypt<128>", CALLS, CM33_1T_AES_encrypt(keys, text, result, ROUNDS_128));
    MEASURE("encrypt<128> d4T", CALLS, CM33_d4T_AES_encrypt(keys, text, result, ROUNDS_128));
    MEASURE("decrypt<128>", CALLS, CM33_1T_AES_decrypt(keys, text, result, ROUNDS_128));

    MEASURE("setEncKey<256>", CALLS, CM33_1T_AES256_keyschedule_enc(keys, key));
    MEASURE("encrypt<256>", CALLS, CM33_1T_AES_encrypt(keys, text, result, ROUNDS_256));
    MEASURE("encrypt<256> d4T", CALLS, CM33_d4T_AES_encrypt(keys, text, result, ROUNDS_256));
    MEASURE("decrypt<256>", CALLS, CM33_1T_AES_decrypt(keys, text, result, ROUNDS_256));
}
