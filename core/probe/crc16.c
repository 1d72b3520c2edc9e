#include "mote/flash.h"
#include "wire.h"

uint16_t mb_crc16(uint16_t crc, const uint8_t *data, size_t len)
{
    /* Four bits at a time: a table of 32 bytes is small enough for every target. */
    static const uint16_t MOTE_FLASH table[16] = {
        0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
        0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF};
    for (size_t i = 0; i < len; i++) {
        crc = (uint16_t)((uint16_t)(crc << 4) ^ table[(crc >> 12) ^ (data[i] >> 4)]);
        crc = (uint16_t)((uint16_t)(crc << 4) ^ table[(crc >> 12) ^ (data[i] & 15)]);
    }
    return crc;
}
