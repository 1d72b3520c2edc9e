/* Frames: payload, CRC-16, COBS, zero bytes around (docs/reference/probe-protocol.md, "Frames"). */
#ifndef MOTEBENCH_WIRE_H
#define MOTEBENCH_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MB_CRC16_START ((uint16_t)0xFFFF)
#define MB_CHECK_BYTES ((size_t)2)

/*
 * CRC-16/IBM-3740: polynomial 0x1021, not reflected, no final xor. `crc` is MB_CRC16_START or an
 * earlier result.
 */
uint16_t mb_crc16(uint16_t crc, const uint8_t *data, size_t len);

/* Takes bytes; false if it cannot. */
typedef bool (*mb_sink)(const uint8_t *bytes, size_t len);

/*
 * Gives `len` bytes in COBS to the sink, none of them zero, piece by piece; false if the sink
 * refused one.
 */
bool mb_cobs_send(mb_sink sink, const uint8_t *data, size_t len);

/* COBS decoder, byte by byte, into `buf`. */
typedef struct mb_cobs_decoder {
    uint8_t *buf;
    size_t cap, len;
    uint8_t code; /* code byte of the block under way; 0 before the first */
    uint8_t left; /* data bytes still to come in it */
    bool broken;  /* too long: everything up to the next delimiter is dropped */
} mb_cobs_decoder;

void mb_cobs_reset(mb_cobs_decoder *decoder);
void mb_cobs_take(mb_cobs_decoder *decoder, uint8_t byte); /* byte is not 0 */
/* At a delimiter: was it a whole, fitting sequence? */
bool mb_cobs_done(const mb_cobs_decoder *decoder);

/* Receiver of frames. `payload_len` is 0 unless the last byte completed a frame. */
typedef struct mb_receiver {
    mb_cobs_decoder decoder;
    size_t payload_len;
} mb_receiver;

/*
 * `cap` is the longest payload plus check that is taken; the payload appears at the beginning of
 * `buf`.
 */
void mb_receiver_init(mb_receiver *receiver, uint8_t *buf, size_t cap);

/*
 * Take one byte; true if it completed an undamaged frame. The payload stays valid until the next
 * call.
 */
bool mb_receiver_take(mb_receiver *receiver, uint8_t byte);

/*
 * Send one frame through `sink`; false if the sink refused. Behind the payload there is room for
 * MB_CHECK_BYTES.
 */
bool mb_frame_send(mb_sink sink, uint8_t *payload, size_t len);

#endif
