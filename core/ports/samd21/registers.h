/* Registers of the SAM D21 that the probe uses: data sheet DS40001882, the chapters as named. */
#ifndef MOTEBENCH_SAMD21_REGISTERS_H
#define MOTEBENCH_SAMD21_REGISTERS_H

#include "armv6-m/core.h"

/* Generic Clock Controller */
#define GCLK_CTRL MB_REGISTER(uint8_t, 0x40000C00)
#define GCLK_STATUS MB_REGISTER(uint8_t, 0x40000C01)
#define GCLK_CLKCTRL MB_REGISTER(uint16_t, 0x40000C02)
#define GCLK_GENCTRL MB_REGISTER(uint32_t, 0x40000C04)
#define GCLK_GENDIV MB_REGISTER(uint32_t, 0x40000C08)
enum {
    GCLK_CTRL_SWRST = 1,
    GCLK_STATUS_SYNCBUSY = 1 << 7,
    GCLK_CLKCTRL_CLKEN = 1 << 14,
    GCLK_CLKCTRL_GEN_1 = 1 << 8,
    GCLK_ID_DFLL48 = 0x00,
    GCLK_ID_SERCOM5_CORE = 0x19,
    GCLK_ID_TC4_TC5 = 0x1C,
    GCLK_GENCTRL_SRC_XOSC32K = 5 << 8,
    GCLK_GENCTRL_SRC_DFLL48M = 7 << 8,
    GCLK_GENCTRL_GENEN = 1 << 16
};

/* System Controller */
#define SYSCTRL_PCLKSR MB_REGISTER(uint32_t, 0x4000080C)
#define SYSCTRL_XOSC32K MB_REGISTER(uint16_t, 0x40000814)
#define SYSCTRL_OSC8M MB_REGISTER(uint32_t, 0x40000820)
#define OSC8M_PRESC ((uint32_t)3 << 8)
#define SYSCTRL_DFLLCTRL MB_REGISTER(uint16_t, 0x40000824)
#define SYSCTRL_DFLLVAL MB_REGISTER(uint32_t, 0x40000828)
#define SYSCTRL_DFLLMUL MB_REGISTER(uint32_t, 0x4000082C)
enum {
    PCLKSR_XOSC32KRDY = 1 << 1,
    PCLKSR_DFLLRDY = 1 << 4,
    PCLKSR_DFLLLCKF = 1 << 6,
    PCLKSR_DFLLLCKC = 1 << 7,
    XOSC32K_ENABLE = 1 << 1,
    XOSC32K_XTALEN = 1 << 2,
    XOSC32K_EN32K = 1 << 3,
    XOSC32K_STARTUP_2_S = 6 << 8,
    DFLLCTRL_ENABLE = 1 << 1,
    DFLLCTRL_MODE = 1 << 2,
    DFLLCTRL_QLDIS = 1 << 9,
    DFLLVAL_COARSE_AT = 10,
    DFLLVAL_FINE_MIDDLE = 512
};
/* Half of the most, coarse and fine. */
#define DFLLMUL_STEPS ((uint32_t)31 << 26 | (uint32_t)511 << 16)

/* NVM Software Calibration Area: the coarse value of DFLL48M in bits 63:58 */
#define CALIBRATION_HIGH MB_REGISTER(const uint32_t, 0x00806024)
enum { CALIBRATION_DFLL_AT = 26 };

/* Power Manager */
#define PM_APBCMASK MB_REGISTER(uint32_t, 0x40000420)
enum { PM_SERCOM5 = 1 << 7, PM_TC4 = 1 << 12, PM_TC5 = 1 << 13 };

/* Non-Volatile Memory Controller */
#define NVMCTRL_CTRLA MB_REGISTER(uint16_t, 0x41004000)
#define NVMCTRL_CTRLB MB_REGISTER(uint32_t, 0x41004004)
#define NVMCTRL_INTFLAG MB_REGISTER(uint8_t, 0x41004014)
enum {
    NVMCTRL_CMD_INVALL = 0xA546,  /* the key, and: invalidate all cache lines */
    NVMCTRL_CTRLB_RWS_1 = 1 << 1, /* one wait state; read mode 0, NO_MISS_PENALTY; cache on */
    NVMCTRL_CTRLB_MANW = 1 << 7,  /* nothing is written to flash unasked, as after reset */
    NVMCTRL_READY = 1
};

/* PORT, group B */
#define PORTB_PMUX(pin) MB_REGISTER(uint8_t, 0x410044B0 + (pin) / 2)
#define PORTB_PINCFG(pin) MB_REGISTER(uint8_t, 0x410044C0 + (pin))
enum { PINCFG_PMUXEN = 1, PINCFG_INEN = 2, PMUX_BOTH_D = 0x33 };

/* SERCOM5 as USART */
#define USART_CTRLA MB_REGISTER(uint32_t, 0x42001C00)
#define USART_CTRLB MB_REGISTER(uint32_t, 0x42001C04)
#define USART_BAUD MB_REGISTER(uint16_t, 0x42001C0C)
#define USART_INTENSET MB_REGISTER(uint8_t, 0x42001C16)
#define USART_INTFLAG MB_REGISTER(uint8_t, 0x42001C18)
#define USART_SYNCBUSY MB_REGISTER(uint32_t, 0x42001C1C)
#define USART_DATA MB_REGISTER(uint16_t, 0x42001C28)
enum {
    USART_ENABLE = 1 << 1,
    USART_INTERNAL_CLOCK = 1 << 2,
    USART_16_FRACTIONAL = 1 << 13, /* 16 samples a bit, bit rate with eighths */
    USART_TX_PAD_2 = 1 << 16,
    USART_RX_PAD_3 = 3 << 20,
    USART_LSB_FIRST = 1 << 30,
    USART_TXEN = 1 << 16,
    USART_RXEN = 1 << 17,
    USART_DRE = 1 << 0,
    USART_RXC = 1 << 2
};

/* TC4, with TC5 as its upper half */
#define TC4_CTRLA MB_REGISTER(uint16_t, 0x42003000)
#define TC4_READREQ MB_REGISTER(uint16_t, 0x42003002)
#define TC4_STATUS MB_REGISTER(uint8_t, 0x4200300F)
#define TC4_COUNT MB_REGISTER(uint32_t, 0x42003010)
enum {
    TC_ENABLE = 1 << 1,
    TC_MODE_32 = 2 << 2,
    TC_PRESCALER_1024 = 7 << 8,
    TC_SYNCBUSY = 1 << 7,
    TC_READ_COUNT_ALWAYS = 1 << 14 | 0x10
};

/* Numbers of interrupts */
enum { IRQ_SERCOM5 = 14 };

#endif
