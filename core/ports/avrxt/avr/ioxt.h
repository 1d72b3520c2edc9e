/*
 * Registers that all parts with an AVRxt core have at the same addresses, as the port and user code
 * use them, with the names of Microchip's headers: DS40002015 (megaAVR 0-series), DS40002204 and
 * DS40002205 (tinyAVR 1-series), DS40002345 (tinyAVR 2-series). Included by the header of each
 * part, which says where its timers B are (MB_TCB0, MB_TCB1).
 */
#ifndef MOTEBENCH_IOXT_H
#define MOTEBENCH_IOXT_H

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

/* USART0, and what all have in common */
#define USART0_RXDATAL MB_REG8(0x0800)
#define USART0_TXDATAL MB_REG8(0x0802)
#define USART0_STATUS MB_REG8(0x0804)
#define USART0_CTRLA MB_REG8(0x0805)
#define USART0_CTRLB MB_REG8(0x0806)
#define USART0_CTRLC MB_REG8(0x0807)
#define USART0_BAUD MB_REG16(0x0808)
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
#define TCB0_CTRLA MB_REG8(MB_TCB0)
#define TCB0_CTRLB MB_REG8(MB_TCB0 + 1)
#define TCB0_INTCTRL MB_REG8(MB_TCB0 + 5)
#define TCB0_INTFLAGS MB_REG8(MB_TCB0 + 6)
#define TCB0_CNT MB_REG16(MB_TCB0 + 10)
#define TCB0_CCMP MB_REG16(MB_TCB0 + 12)
#define TCB1_CTRLA MB_REG8(MB_TCB1)
#define TCB1_CTRLB MB_REG8(MB_TCB1 + 1)
#define TCB1_INTCTRL MB_REG8(MB_TCB1 + 5)
#define TCB1_INTFLAGS MB_REG8(MB_TCB1 + 6)
#define TCB1_CNT MB_REG16(MB_TCB1 + 10)
#define TCB1_CCMP MB_REG16(MB_TCB1 + 12)
#define TCB_ENABLE_bm 0x01
#define TCB_CLKSEL_CLKTCA_gc 0x04
#define TCB_CAPT_bm 0x01

/* Memories: RAM ends at the same address in all */
#define RAMEND 0x3fff
#define RAMSIZE (RAMEND + 1 - RAMSTART)
#define FLASHSTART 0x0000
#define PROGMEM_SIZE (FLASHEND + 1)
#define MAPPED_PROGMEM_SIZE PROGMEM_SIZE
#define E2END 0xff
#define FUSE_MEMORY_SIZE 10

#endif
