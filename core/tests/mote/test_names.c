/* Descriptors of every implementation. */
#include <string.h>

#include "mote/hmac.h"
#include "mote/modes.h"
#include "work.h"

static bool named_as(const char *name, const char *symbol)
{
    size_t i = 0;
    for (; symbol[i] != 0; i++) {
        if (name[i] != (symbol[i] == '_' ? '-' : symbol[i]))
            return false;
    }
    return name[i] == 0;
}

static void block_cipher(const mote_implementation *impl, const mote_block_cipher *cipher)
{
    about(impl, cipher->name, "");
    EXPECT(cipher->block_len == 8 || cipher->block_len == 16);
    EXPECT(cipher->key_len > 0 && cipher->schedule_len > 0);
    EXPECT(cipher->set_key != NULL && cipher->encrypt != NULL && cipher->decrypt != NULL);
}

static void others(const mote_implementation *impl)
{
    for (uint8_t i = 0; i < impl->stream_count; i++) {
        about(impl, impl->streams[i].name, "");
        EXPECT(impl->streams[i].nonce_min <= impl->streams[i].nonce_max);
    }
    for (uint8_t i = 0; i < impl->aead_count; i++) {
        const mote_aead *aead = &impl->aeads[i];
        about(impl, aead->name, "");
        EXPECT(aead->nonce_min <= aead->nonce_max && aead->tag_min > 0 &&
               aead->tag_min <= aead->tag_max);
    }
    for (uint8_t i = 0; i < impl->hash_count; i++) {
        about(impl, impl->hashes[i].name, "");
        EXPECT(impl->hashes[i].digest_len > 0 && impl->hashes[i].digest_len <= MOTE_DIGEST_MAX);
    }
}

int main(void)
{
    check_begin();
    for (size_t i = 0; implementations[i] != NULL; i++) {
        const mote_implementation *impl = implementations[i];
        about(impl, symbols[i], "");
        EXPECT(named_as(impl->name, symbols[i]));
        EXPECT(impl->block_count + impl->stream_count + impl->aead_count + impl->hash_count > 0);
        for (uint8_t k = 0; k < impl->block_count; k++)
            block_cipher(impl, &impl->blocks[k]);
        others(impl);
    }
    return check_end();
}
