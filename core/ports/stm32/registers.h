/*
 * Registers of the STM32L4 and STM32WL that the probe uses: reference manuals RM0351 and RM0453,
 * the chapters as named; addresses as in ST's headers (cmsis_device_l4, cmsis_device_wl). Where
 * they differ, the chip's own file says STM32_RCC or STM32_FLASH.
 */
#ifndef MOTEBENCH_STM32_REGISTERS_H
#define MOTEBENCH_STM32_REGISTERS_H

#include "armv6-m/core.h"

/* Flash interface */
#define FLASH_ACR MB_REGISTER(uint32_t, STM32_FLASH + 0x00)
enum {
    ACR_LATENCY = 7,
    ACR_PREFETCH = 1 << 8,
    ACR_CACHES = 3 << 9, /* instructions, data */
    ACR_EMPTY = 3 << 11  /* the same: nothing is in them any more; only while they are off */
};

/* Reset and clock control */
#define RCC_CR MB_REGISTER(uint32_t, STM32_RCC + 0x00)
#define RCC_CFGR MB_REGISTER(uint32_t, STM32_RCC + 0x08)
#define RCC_PLLCFGR MB_REGISTER(uint32_t, STM32_RCC + 0x0C)
#define RCC_AHB2ENR MB_REGISTER(uint32_t, STM32_RCC + 0x4C)
#define RCC_APB1ENR1 MB_REGISTER(uint32_t, STM32_RCC + 0x58)
enum {
    CR_MSIRDY = 1 << 1,
    CR_MSIRGSEL = 1 << 3,
    CR_MSIRANGE = 15 << 4,
    CR_MSIRANGE_48_MHZ = 11 << 4,
    CR_HSION = 1 << 8,
    CR_HSIRDY = 1 << 10,
    CR_PLLON = 1 << 24,
    CR_PLLRDY = 1 << 25,
    CFGR_SW_PLL = 3,
    CFGR_SWS = 3 << 2,
    CFGR_SWS_PLL = 3 << 2,
    AHB2_GPIOA = 1 << 0,
    APB1_TIM2 = 1 << 0,
    APB1_USART2 = 1 << 17
};

/* Pins, port A */
#define GPIOA_MODER MB_REGISTER(uint32_t, 0x48000000)
#define GPIOA_AFRL MB_REGISTER(uint32_t, 0x48000020)
enum { MODE_ALTERNATE = 2, AF_USART2 = 7 };

/* TIM2, 32 bits */
#define TIM2_CR1 MB_REGISTER(uint32_t, 0x40000000)
#define TIM2_EGR MB_REGISTER(uint32_t, 0x40000014)
#define TIM2_CNT MB_REGISTER(uint32_t, 0x40000024)
#define TIM2_PSC MB_REGISTER(uint32_t, 0x40000028)
#define TIM2_ARR MB_REGISTER(uint32_t, 0x4000002C)
enum { TIM_ENABLE = 1, TIM_UPDATE = 1 };

/* USART2 */
#define USART_CR1 MB_REGISTER(uint32_t, 0x40004400)
#define USART_BRR MB_REGISTER(uint32_t, 0x4000440C)
#define USART_ISR MB_REGISTER(uint32_t, 0x4000441C)
#define USART_ICR MB_REGISTER(uint32_t, 0x40004420)
#define USART_RDR MB_REGISTER(uint32_t, 0x40004424)
#define USART_TDR MB_REGISTER(uint32_t, 0x40004428)
enum {
    USART_UE = 1 << 0,
    USART_RE = 1 << 2,
    USART_TE = 1 << 3,
    USART_RXNEIE = 1 << 5,
    USART_ORE = 1 << 3,
    USART_RXNE = 1 << 5,
    USART_TXE = 1 << 7
};

#endif
