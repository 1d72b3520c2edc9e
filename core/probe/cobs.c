#include "wire.h"

#define FULL_BLOCK 255

bool mb_cobs_send(mb_sink sink, const uint8_t *data, size_t len)
{
    const uint8_t *const end = data + len;
    for (;;) {
        uint8_t code = 1;
        while (code < FULL_BLOCK && data + (code - 1) < end && data[code - 1] != 0)
            code++;
        if (!sink(&code, 1) || (code > 1 && !sink(data, code - 1u)))
            return false;
        data += code - 1;
        if (data == end)
            return true; /* a full block owes no zero */
        if (code < FULL_BLOCK)
            data++; /* the zero that the code stands for */
    }
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
