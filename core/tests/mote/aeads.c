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

static void one(const mote_implementation *impl, aead_subject *s, const char *name, const char *mode,
                void (*visit)(const mote_implementation *impl, aead_subject *subject))
{
    about(impl, name, mode);
    s->state = guarded_new(s->aead->state_len, 0);
    s->schedule = guarded_new(s->cipher != NULL ? s->cipher->schedule_len : 0, 0);
    visit(impl, s);
    EXPECT(guarded_whole(&s->state) && guarded_whole(&s->schedule));
    guarded_free(&s->state);
    guarded_free(&s->schedule);
}

static void modes_of(const mote_implementation *impl, const mote_block_cipher *cipher,
                     void (*visit)(const mote_implementation *impl, aead_subject *subject))
{
    for (size_t i = 0; i < sizeof MODES / sizeof MODES[0]; i++) {
        const mote_aead_mode *mode = MODES[i];
        if (cipher->block_len != MOTE_BLOCK_MAX && !mode->small_blocks)
            continue;
        aead_subject s = {.aead = &mode->steps, .mode = mode, .cipher = cipher, .unit = cipher->block_len,
                          .key_len = cipher->key_len, .tag_max = mode->steps.tag_max};
        if (s.tag_max > cipher->block_len)
            s.tag_max = cipher->block_len;
        one(impl, &s, cipher->name, mode->steps.name, visit);
    }
}

void each_aead(void (*visit)(const mote_implementation *impl, aead_subject *subject))
{
    for (size_t i = 0; implementations[i] != NULL; i++) {
        const mote_implementation *impl = implementations[i];
        for (uint8_t k = 0; k < impl->block_count; k++)
            modes_of(impl, &impl->blocks[k], visit);
        for (uint8_t k = 0; k < impl->aead_count; k++) {
            const mote_aead *aead = &impl->aeads[k];
            aead_subject s = {.aead = aead, .unit = 16, .key_len = aead->key_len, .tag_max = aead->tag_max};
            one(impl, &s, aead->name, "", visit);
        }
    }
}
