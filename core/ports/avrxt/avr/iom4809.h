/*
 * Registers of an ATmega4809 that the port and user code use, with the names of Microchip's headers: Microchip DS40002015 (megaAVR
 * 0-series) and DS40002173 (ATmega4808, 4809). Included by <avr/io.h>.
 */
#ifndef MOTEBENCH_IOM4809_H
#define MOTEBENCH_IOM4809_H

#define MB_REG8(address) _SFR_MEM8(address)
#define MB_REG16(address) _SFR_MEM16(address)

/* CPU */
#define CCP _SFR_MEM8(0x0034)
#define CCP_SPM_gc 0x9d
#define CCP_IOREG_gc 0xd8

/* General purpose, and ports that SBI and CBI reach */
#define GPIOR0 MB_REG8(0x001c)
#define GPIOR1 MB_REG8(0x001d)
#define GPIOR2 MB_REG8(0x001e)
#define GPIOR3 MB_REG8(0x001f)

/* Sleep, clock */
#define SLPCTRL_CTRLA MB_REG8(0x0050)
#define SLPCTRL_SEN_bm 0x01
#define CLKCTRL_MCLKCTRLA MB_REG8(0x0060)
#define CLKCTRL_MCLKCTRLB MB_REG8(0x0061)

/* Ports */
#define PORTB_DIRSET MB_REG8(0x0421)
#define PORTB_OUTSET MB_REG8(0x0425)
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
#define USART_TXCIF_bm 0x40
#define USART_DREIF_bm 0x20
#define USART_RXCIE_bm 0x80
#define USART_RXEN_bm 0x80
#define USART_TXEN_bm 0x40
#define USART_CHSIZE_8BIT_gc 0x03

/* Timer A as one of 16 bits, timers B */
#define TCA0_SINGLE_CTRLA MB_REG8(0x0a00)
#define TCA0_SINGLE_CNT MB_REG16(0x0a20)
#define TCA0_SINGLE_PER MB_REG16(0x0a26)
#define TCA_SINGLE_ENABLE_bm 0x01
#define TCA_SINGLE_CLKSEL_DIV64_gc 0x0a
#define TCA_SINGLE_CLKSEL_DIV1024_gc 0x0e
#define TCB0_CTRLA MB_REG8(0x0a80)
#define TCB0_CTRLB MB_REG8(0x0a81)
#define TCB0_INTCTRL MB_REG8(0x0a85)
#define TCB0_INTFLAGS MB_REG8(0x0a86)
#define TCB0_CNT MB_REG16(0x0a8a)
#define TCB0_CCMP MB_REG16(0x0a8c)
#define TCB1_CTRLA MB_REG8(0x0a90)
#define TCB1_CTRLB MB_REG8(0x0a91)
#define TCB1_INTCTRL MB_REG8(0x0a95)
#define TCB1_INTFLAGS MB_REG8(0x0a96)
#define TCB1_CNT MB_REG16(0x0a9a)
#define TCB1_CCMP MB_REG16(0x0a9c)
#define TCB_ENABLE_bm 0x01
#define TCB_CLKSEL_CLKTCA_gc 0x04
#define TCB_CAPT_bm 0x01

/* Interrupts */
#define TCA0_OVF_vect _VECTOR(7)
#define TCB0_INT_vect _VECTOR(12)
#define TCB1_INT_vect _VECTOR(13)
#define TCB2_INT_vect _VECTOR(25)
#define TCB3_INT_vect _VECTOR(36)
#define USART3_RXC_vect _VECTOR(37)
#define _VECTORS_SIZE 160

/* Memories */
#define RAMSTART 0x2800
#define RAMSIZE 0x1800
#define RAMEND 0x3fff
#define FLASHSTART 0x0000
#define FLASHEND 0xbfff
#define PROGMEM_SIZE 0xc000
#define MAPPED_PROGMEM_START 0x4000
#define MAPPED_PROGMEM_SIZE 0xc000
#define E2END 0xff
#define SPM_PAGESIZE 128
#define FUSE_MEMORY_SIZE 10

#endif
