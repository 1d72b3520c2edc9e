/*
 * Registers of an ATtiny1614, ATtiny3216 or ATtiny3217: Microchip DS40002204 (ATtiny1614, 1616,
 * 1617) and DS40002205 (ATtiny3216, 3217). Included by <avr/io.h>.
 */
#ifndef MOTEBENCH_IOTINY1_H
#define MOTEBENCH_IOTINY1_H

#define MB_TCB0 0x0a40
#define MB_TCB1 0x0a50
#include <avr/ioxt.h>

/* Error of the oscillator of 20 MHz at 5 V as the maker measured it, in 1024ths */
#define SIGROW_OSC20ERR5V MB_REG8(0x1125)

/* Interrupts */
#define TCA0_OVF_vect _VECTOR(8)
#define TCB0_INT_vect _VECTOR(13)
#define TCB1_INT_vect _VECTOR(14)
#define USART0_RXC_vect _VECTOR(27)
#define _VECTORS_SIZE 124

/* Memories */
#define RAMSTART 0x3800
#if defined(__AVR_ATtiny1614__)
#define FLASHEND 0x3fff
#define SPM_PAGESIZE 64
#else
#define FLASHEND 0x7fff
#define SPM_PAGESIZE 128
#endif
#define MAPPED_PROGMEM_START 0x8000

#endif
