#include "aeads.h"

static const mote_aead_mode *const MODES[] = {&mote_ccm, &mote_gcm, &mote_eax};

void aead_set_key(aead_subject *s, const uint8_t *key)
{
    if (s->mode == NULL) {
        s->aead->set_key(s->state.at, key);
        return;
    }
    s->cipher->set_key(s->schedule.at, key);
    s->mode->bind(s->state.at, s->cipher, s->schedule.at);
}

bool aead_takes(const aead_subject *s, const mote_aead_message *message)
{
    return message->tag_len <= s->tag_max && message->tag_len >= s->aead->tag_min &&
           message->nonce_len >= s->aead->nonce_min && message->nonce_len <= s->aead->nonce_max &&
           (s->mode == NULL || s->mode->takes == NULL || s->mode->takes(message));
}

static bool mode_at(size_t *i, const mote_block_cipher *cipher, aead_subject *s)
{
    for (size_t k = 0; k < sizeof MODES / sizeof MODES[0]; k++) {
        const mote_aead_mode *mode = MODES[k];
        if ((cipher->block_len == MOTE_BLOCK_MAX || mode->small_blocks) && (*i)-- == 0) {
            *s = (aead_subject){
                .aead = &mode->steps,
                .mode = mode,
                .cipher = cipher,
                .unit = cipher->block_len,
                .key_len = cipher->key_len,
                .tag_max = mode->steps.tag_max};
            s->tag_max = s->tag_max < cipher->block_len ? s->tag_max : cipher->block_len;
            return true;
        }
    }
    return false;
}

static bool of_implementation(size_t *i, const mote_implementation *impl, aead_subject *s)
{
    for (uint8_t k = 0; k < impl->block_count; k++) {
        if (mode_at(i, &impl->blocks[k], s))
            return true;
    }
    for (uint8_t k = 0; k < impl->aead_count; k++) {
        const mote_aead *aead = &impl->aeads[k];
        if ((*i)-- == 0) {
            *s = (aead_subject){
                .aead = aead, .unit = 16, .key_len = aead->key_len, .tag_max = aead->tag_max};
            return true;
        }
    }
    return false;
}

bool aead_at(size_t i, aead_subject *s)
{
    for (size_t k = 0; implementations[k] != NULL; k++) {
        if (of_implementation(&i, implementations[k], s)) {
            s->implementation = implementations[k];
            s->state = guarded_new(s->aead->state_len, 0);
            s->schedule = guarded_new(s->cipher != NULL ? s->cipher->schedule_len : 0, 0);
            about(s->implementation, s->cipher != NULL ? s->cipher->name : s->aead->name,
                  s->mode ? s->aead->name : "");
            return true;
        }
    }
    return false;
}

void aead_free(aead_subject *s)
{
    EXPECT(guarded_whole(&s->state) && guarded_whole(&s->schedule));
    guarded_free(&s->state);
    guarded_free(&s->schedule);
}
