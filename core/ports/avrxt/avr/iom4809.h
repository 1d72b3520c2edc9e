/*
 * Registers of an ATmega4809: Microchip DS40002015 (megaAVR 0-series) and DS40002173 (ATmega4808,
 * 4809). Included by <avr/io.h>.
 */
#ifndef MOTEBENCH_IOM4809_H
#define MOTEBENCH_IOM4809_H

#define MB_TCB0 0x0a80
#define MB_TCB1 0x0a90
#include <avr/ioxt.h>

/* Places of the pins of peripherals */
#define PORTMUX_USARTROUTEA MB_REG8(0x05e2)
#define PORTMUX_USART3_ALT1_gc 0x40

/* USART3 */
#define USART3_RXDATAL MB_REG8(0x0860)
#define USART3_TXDATAL MB_REG8(0x0862)
#define USART3_STATUS MB_REG8(0x0864)
#define USART3_CTRLA MB_REG8(0x0865)
#define USART3_CTRLB MB_REG8(0x0866)
#define USART3_CTRLC MB_REG8(0x0867)
#define USART3_BAUD MB_REG16(0x0868)

/* Interrupts */
#define TCA0_OVF_vect _VECTOR(7)
#define TCB0_INT_vect _VECTOR(12)
#define TCB1_INT_vect _VECTOR(13)
#define USART0_RXC_vect _VECTOR(17)
#define TCB2_INT_vect _VECTOR(25)
#define TCB3_INT_vect _VECTOR(36)
#define USART3_RXC_vect _VECTOR(37)
#define _VECTORS_SIZE 160

/* Memories */
#define RAMSTART 0x2800
#define FLASHEND 0xbfff
#define MAPPED_PROGMEM_START 0x4000
#define SPM_PAGESIZE 128

#endif
