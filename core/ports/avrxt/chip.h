/*
 * Differences between chips: the USART of the firmware with its vector and pins, and the error of
 * the oscillator. Also included by start.S.
 *
 * ATmega4809: USART3 on PB4 and PB5, where the USB chips of the Nano Every and the Uno WiFi Rev2
 * listen (Microchip DS40002015). tinyAVR 1 and 2: USART0 on PB2 (out) and PB3 (in), on every
 * package with 14 pins and more (DS40002204, DS40002205, DS40002345).
 */
#ifndef MOTEBENCH_AVRXT_CHIP_H
#define MOTEBENCH_AVRXT_CHIP_H

#include <avr/io.h>

#define MB_VECTORS (_VECTORS_SIZE / 4)
#if defined(__AVR_ATmega4809__)
#define MB_RECEIVED 37
#define MB_TX_PIN 4
#define MB_USART(name) USART3_##name
#elif MOTEBENCH_TINY == 1
#define MB_RECEIVED 27
#else
#define MB_RECEIVED 17
#endif
#ifndef MB_USART
#define MB_TX_PIN 2
#define MB_USART(name) USART0_##name
#endif

#ifndef __ASSEMBLER__
#include <stdint.h>

/* Connects the USART to its pins. */
static inline void mb_chip_pins(void)
{
#ifdef PORTMUX_USART3_ALT1_gc
    PORTMUX_USARTROUTEA = PORTMUX_USART3_ALT1_gc;
#endif
    PORTB_OUTSET = _BV(MB_TX_PIN);
    PORTB_DIRSET = _BV(MB_TX_PIN);
}

/*
 * The divider of the USART, corrected by what the maker measured of the oscillator, where the chip
 * holds that: in 1024ths, at 5 V.
 */
static inline uint16_t mb_chip_baud(uint16_t nominal)
{
#ifdef SIGROW_OSC20ERR5V
    return (uint16_t)((int32_t)nominal + (int32_t)nominal * (int8_t)SIGROW_OSC20ERR5V / 1024);
#else
    return nominal;
#endif
}
#endif

#endif
