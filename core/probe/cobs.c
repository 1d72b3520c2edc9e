#include "wire.h"

#define FULL_BLOCK 255

void mb_cobs_begin(mb_cobs_encoder *encoder, mb_sink sink)
{
    encoder->sink = sink;
    encoder->used = 1;
    encoder->ok = true;
    encoder->closed = false;
}

static void give(mb_cobs_encoder *encoder)
{
    encoder->block[0] = encoder->used;
    encoder->ok = encoder->ok && encoder->sink(encoder->block, encoder->used);
    encoder->used = 1;
}

void mb_cobs_put(mb_cobs_encoder *encoder, const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        encoder->closed = false;
        if (data[i] == 0) {
            give(encoder);
            continue;
        }
        encoder->block[encoder->used++] = data[i];
        if (encoder->used == FULL_BLOCK) {
            give(encoder);
            encoder->closed = true;
        }
    }
}

bool mb_cobs_end(mb_cobs_encoder *encoder)
{
    if (!encoder->closed)
        give(encoder);
    return encoder->ok;
}

void mb_cobs_reset(mb_cobs_decoder *decoder)
{
    decoder->len = 0;
    decoder->code = 0;
    decoder->left = 0;
    decoder->broken = false;
}

static void store(mb_cobs_decoder *decoder, uint8_t byte)
{
    if (decoder->len == decoder->cap)
        decoder->broken = true;
    else
        decoder->buf[decoder->len++] = byte;
}

void mb_cobs_take(mb_cobs_decoder *decoder, uint8_t byte)
{
    if (decoder->broken)
        return;
    if (decoder->left > 0) {
        decoder->left--;
        store(decoder, byte);
        return;
    }
    /* The zero between two blocks is due only now that another block follows. */
    if (decoder->code != 0 && decoder->code != FULL_BLOCK)
        store(decoder, 0);
    decoder->code = byte;
    decoder->left = (uint8_t)(byte - 1);
}

bool mb_cobs_done(const mb_cobs_decoder *decoder)
{
    return !decoder->broken && decoder->code != 0 && decoder->left == 0;
}
