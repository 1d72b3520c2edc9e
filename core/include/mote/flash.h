/*
 * Constant tables: in flash on an AVR, where plain `const` would copy them to RAM; in constant
 * memory elsewhere.
 *
 *     static const uint8_t MOTE_FLASH sbox[256] = {...};
 *
 * A pointer to such a table carries the qualifier too. Named address spaces are ISO/IEC TR 18037
 * 5.1, which avr-gcc has with -std=gnu11. Parts with more than 64 KiB of flash reach the tables
 * too: the linker puts them into the lower 64 KiB.
 */
#ifndef MOTE_FLASH_H
#define MOTE_FLASH_H

#ifdef __AVR__
#define MOTE_FLASH __flash
#else
#define MOTE_FLASH
#endif

#endif
