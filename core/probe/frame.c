#include "wire.h"

static const uint8_t DELIMITER[1] = {0};

void mb_receiver_init(mb_receiver *receiver, uint8_t *buf, size_t cap)
{
    receiver->decoder.buf = buf;
    receiver->decoder.cap = cap;
    receiver->payload_len = 0;
    mb_cobs_reset(&receiver->decoder);
}

bool mb_receiver_take(mb_receiver *receiver, uint8_t byte)
{
    mb_cobs_decoder *decoder = &receiver->decoder;
    receiver->payload_len = 0;
    if (byte != 0) {
        mb_cobs_take(decoder, byte);
        return false;
    }
    bool good = mb_cobs_done(decoder) && decoder->len > MB_CHECK_BYTES;
    if (good) {
        size_t payload = decoder->len - MB_CHECK_BYTES;
        const uint8_t *check = decoder->buf + payload;
        good =
            mb_crc16(MB_CRC16_START, decoder->buf, payload) == (uint16_t)(check[0] << 8 | check[1]);
        if (good)
            receiver->payload_len = payload;
    }
    mb_cobs_reset(decoder);
    return good;
}

bool mb_frame_send(mb_sink sink, uint8_t *payload, size_t len)
{
    uint16_t crc = mb_crc16(MB_CRC16_START, payload, len);
    payload[len] = (uint8_t)(crc >> 8);
    payload[len + 1] = (uint8_t)crc;
    return sink(DELIMITER, 1) && mb_cobs_send(sink, payload, len + MB_CHECK_BYTES) &&
           sink(DELIMITER, 1);
}
