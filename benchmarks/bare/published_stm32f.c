/*
 * Cycles of jnk0le's AES. CALLS of each function behind a first; CTR has one call with BYTES behind
 * a first.
 */
#include "bare.h"

enum { CALLS = 64, BYTES = 4096, BLOCK = 16, ROUNDS = 14, KINDS = 2 };
enum { ROUNDS_128 = 10, ROUNDS_256 = 14 };

typedef struct context { uint8_t nonce[BLOCK], keys[(ROUNDS + 1) * BLOCK]; } context;

void CM3_1T_AES128_keyschedule_enc(uint8_t *keys, const uint8_t *key);
void CM3_1T_AES256_keyschedule_enc(uint8_t *keys, const uint8_t *key);
void CM3_1T_AES_keyschedule_dec(uint8_t *keys, uint32_t rounds);
void CM3_1T_AES_encrypt(const uint8_t *keys, const uint8_t *in, uint8_t *out, uint32_t rounds);
void CM3_1T_AES128_encrypt_unrolled(const uint8_t *keys, const uint8_t *in, uint8_t *out);
void CM3_1T_AES256_encrypt_unrolled(const uint8_t *keys, const uint8_t *in, uint8_t *out);
void CM3_1T_AES_decrypt(const uint8_t *keys, const uint8_t *in, uint8_t *out, uint32_t rounds);
void CM3_1T_AES128_decrypt_unrolled(const uint8_t *keys, const uint8_t *in, uint8_t *out);
void CM3_1T_AES256_decrypt_unrolled(const uint8_t *keys, const uint8_t *in, uint8_t *out);
void CM4_DSPsBOX_AES_encrypt(const uint8_t *keys, const uint8_t *in, uint8_t *out, uint32_t rounds);
void CM4_DSPsBOX_AES_decrypt(const uint8_t *keys, const uint8_t *in, uint8_t *out, uint32_t rounds);
void CM3_1T_AES_CTR32_enc(void *context, const uint8_t *in, uint8_t *out, uint32_t rounds,
                          uint32_t blocks);
void CM3_1T_AES128_CTR32_enc_unrolled(void *context, const uint8_t *in, uint8_t *out,
                                      uint32_t blocks);
void CM3_1T_AES256_CTR32_enc_unrolled(void *context, const uint8_t *in, uint8_t *out,
                                      uint32_t blocks);

static context state;
static uint8_t key[2 * BLOCK], text[BLOCK], result[BLOCK], message[BYTES];

void mb_bare_main(void)
{
    uint8_t *keys = state.keys;
    for (unsigned i = 0; i < sizeof key; i++)
        key[i] = (uint8_t)i;
    for (unsigned i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(0x11 * i);

    MEASURE("setEncKey<128>", CALLS, CM3_1T_AES128_keyschedule_enc(keys, key));
    MEASURE("encrypt<128>", CALLS, CM3_1T_AES_encrypt(keys, text, result, ROUNDS_128));
    MEASURE("encrypt_unrolled<128>", CALLS, CM3_1T_AES128_encrypt_unrolled(keys, text, result));
#ifdef __ARM_FEATURE_DSP
    MEASURE("encrypt<128> DSPsBOX", CALLS, CM4_DSPsBOX_AES_encrypt(keys, text, result, ROUNDS_128));
    MEASURE("decrypt<128> DSPsBOX", CALLS, CM4_DSPsBOX_AES_decrypt(keys, text, result, ROUNDS_128));
#endif
    MEASURE("CTR32<128>", 1,
            CM3_1T_AES_CTR32_enc(&state, message, message, ROUNDS_128, BYTES / BLOCK));
    MEASURE("CTR32_unrolled<128>", 1,
            CM3_1T_AES128_CTR32_enc_unrolled(&state, message, message, BYTES / BLOCK));
    MEASURE("setDecKey<128>", CALLS, CM3_1T_AES_keyschedule_dec(keys, ROUNDS_128));
    MEASURE("decrypt<128>", CALLS, CM3_1T_AES_decrypt(keys, text, result, ROUNDS_128));
    MEASURE("decrypt_unrolled<128>", CALLS, CM3_1T_AES128_decrypt_unrolled(keys, text, result));

    MEASURE("setEncKey<256>", CALLS, CM3_1T_AES256_keyschedule_enc(keys, key));
    MEASURE("encrypt<256>", CALLS, CM3_1T_AES_encrypt(keys, text, result, ROUNDS_256));
    MEASURE("encrypt_unrolled<256>", CALLS, CM3_1T_AES256_encrypt_unrolled(keys, text, result));
#ifdef __ARM_FEATURE_DSP
    MEASURE("encrypt<256> DSPsBOX", CALLS, CM4_DSPsBOX_AES_encrypt(keys, text, result, ROUNDS_256));
    MEASURE("decrypt<256> DSPsBOX", CALLS, CM4_DSPsBOX_AES_decrypt(keys, text, result, ROUNDS_256));
#endif
    MEASURE("CTR32<256>", 1,
            CM3_1T_AES_CTR32_enc(&state, message, message, ROUNDS_256, BYTES / BLOCK));
    MEASURE("CTR32_unrolled<256>", 1,
            CM3_1T_AES256_CTR32_enc_unrolled(&state, message, message, BYTES / BLOCK));
    MEASURE("setDecKey<256>", CALLS, CM3_1T_AES_keyschedule_dec(keys, ROUNDS_256));
    MEASURE("decrypt<256>", CALLS, CM3_1T_AES_decrypt(keys, text, result, ROUNDS_256));
    MEASURE("decrypt_unrolled<256>", CALLS, CM3_1T_AES256_decrypt_unrolled(keys, text, result));
}
