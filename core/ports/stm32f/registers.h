/*
 * Registers of the STM32F407 and STM32F103 that the probe uses. Addresses and bits were compared
 * with ST's headers (cmsis_device_f4 cdbad76, cmsis_device_f1 8a76309), those of the chips' own
 * files too; chapters of RM0090 and RM0008 were not looked up again. Where the chips differ, their
 * files say STM32_RCC or STM32_FLASH.
 */
#ifndef MOTEBENCH_STM32F_REGISTERS_H
#define MOTEBENCH_STM32F_REGISTERS_H

#include "armv6-m/core.h"

/* Flash interface */
#define FLASH_ACR MB_REGISTER(uint32_t, STM32_FLASH + 0x00)
enum { ACR_LATENCY = 7 };

/* Reset and clock control */
#define RCC_CR MB_REGISTER(uint32_t, STM32_RCC + 0x00)
enum {
    CR_HSION = 1 << 0,
    CR_HSIRDY = 1 << 1,
    CR_HSEON = 1 << 16,
    CR_HSERDY = 1 << 17,
    CR_HSEBYP = 1 << 18,
    CR_PLLON = 1 << 24,
    CR_PLLRDY = 1 << 25,
    CFGR_SW_PLL = 2,
    CFGR_SWS = 3 << 2,
    CFGR_SWS_PLL = 2 << 2,
    APB1_TIM2 = 1 << 0,
    APB1_TIM3 = 1 << 1,
    APB1_USART2 = 1 << 17
};

/* TIM2, 32 bits on the STM32F407, and 16 on the STM32F103, where TIM3 counts its overflows */
#define TIM2_CR1 MB_REGISTER(uint32_t, 0x40000000)
#define TIM2_CR2 MB_REGISTER(uint32_t, 0x40000004)
#define TIM2_EGR MB_REGISTER(uint32_t, 0x40000014)
#define TIM2_CNT MB_REGISTER(uint32_t, 0x40000024)
#define TIM2_PSC MB_REGISTER(uint32_t, 0x40000028)
#define TIM2_ARR MB_REGISTER(uint32_t, 0x4000002C)
#define TIM3_CR1 MB_REGISTER(uint32_t, 0x40000400)
#define TIM3_SMCR MB_REGISTER(uint32_t, 0x40000408)
#define TIM3_CNT MB_REGISTER(uint32_t, 0x40000424)
enum {
    TIM_ENABLE = 1,
    TIM_UPDATE = 1,
    CR2_MASTER_UPDATE = 2 << 4,
    SMCR_EXTERNAL_CLOCK = 7,
    SMCR_FROM_TIM2 = 1 << 4
};

/* USART2: PA2 and PA3, that ST-LINK connects to USB on Nucleo boards */
#define USART_SR MB_REGISTER(uint32_t, 0x40004400)
#define USART_DR MB_REGISTER(uint32_t, 0x40004404)
#define USART_BRR MB_REGISTER(uint32_t, 0x40004408)
#define USART_CR1 MB_REGISTER(uint32_t, 0x4000440C)
enum {
    IRQ_USART2 = 38,
    USART_RE = 1 << 2,
    USART_TE = 1 << 3,
    USART_RXNEIE = 1 << 5,
    USART_UE = 1 << 13,
    USART_RXNE = 1 << 5,
    USART_TXE = 1 << 7
};

#endif
