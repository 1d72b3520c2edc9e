/*
 * Registers of an ATtiny3224, ATtiny3226 or ATtiny3227: Microchip DS40002345. Included by
 * <avr/io.h>.
 */
#ifndef MOTEBENCH_IOTINY2_H
#define MOTEBENCH_IOTINY2_H

#define MB_TCB0 0x0a80
#define MB_TCB1 0x0a90
#include <avr/ioxt.h>

/* Interrupts */
#define TCA0_OVF_vect _VECTOR(8)
#define TCB0_INT_vect _VECTOR(13)
#define USART0_RXC_vect _VECTOR(17)
#define TCB1_INT_vect _VECTOR(25)
#define USART1_RXC_vect _VECTOR(26)
#define _VECTORS_SIZE 120

/* Memories */
#define RAMSTART 0x3400
#define FLASHEND 0x7fff
#define MAPPED_PROGMEM_START 0x8000
#define SPM_PAGESIZE 128

#endif
