/* Checksums and the fill stream against known values. */
#include <string.h>

#include "bytes.h"
#include "check.h"
#include "wire.h"

int main(void)
{
    static const uint8_t digits[] = "123456789";
    static const uint8_t seed_1[8] = {0x21, 0x01, 0xc5, 0x4f, 0xd1, 0xd0, 0x1a, 0xb2};
    uint8_t buf[9] = {0};
    check_begin();

    /* The check values of the catalogue of parametrised CRC algorithms. */
    CHECK(mb_crc16(MB_CRC16_START, digits, 9) == 0x29B1);
    CHECK(mb_crc16(mb_crc16(MB_CRC16_START, digits, 4), digits + 4, 5) == 0x29B1);
    CHECK(mb_crc16(MB_CRC16_START, digits, 0) == 0xFFFF);
    CHECK(mb_crc32(0, digits, 9) == 0xCBF43926);
    CHECK(mb_crc32(mb_crc32(0, digits, 4), digits + 4, 5) == 0xCBF43926);
    CHECK(mb_crc32(0, digits, 0) == 0);

    mb_fill(1, buf, 8);
    CHECK(memcmp(buf, seed_1, 8) == 0);
    CHECK(buf[8] == 0);
    mb_fill(1, buf, 3);
    CHECK(memcmp(buf, seed_1, 8) == 0);
    mb_fill(0xFFFFFFFF, buf, 4);
    CHECK(memcmp(buf, seed_1, 4) != 0);
    return check_end();
}
