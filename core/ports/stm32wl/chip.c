/*
 * An STM32WL55 (its Cortex-M4) or WLE5: clock and flash. RM0453: 4.3.3 (wait states), 4.3.5 (ART
 * accelerator), 7 (RCC).
 */
#include "armv6-m/chip.h"

#define STM32_RCC 0x58000000
#define STM32_FLASH 0x58004000

#include "motebench/port.h"
#include "stm32/registers.h"
#include "stm32/usart.h"

/* WAITS: from 36 MHz on, at the higher core voltage, which is that after reset. */
enum { IRQ_USART2 = 37, WAITS = 2 };
#define SETTINGS ((uint32_t)(WAITS | ACR_PREFETCH))

/* The oscillator that runs after reset, at its highest frequency. */
static void clock_init(void)
{
    FLASH_ACR = SETTINGS | ACR_CACHES;
    while ((FLASH_ACR & ACR_LATENCY) != WAITS)
        ;
    while (!(RCC_CR & CR_MSIRDY))
        ;
    RCC_CR = (RCC_CR & ~(uint32_t)CR_MSIRANGE) | CR_MSIRANGE_48_MHZ | CR_MSIRGSEL;
    while (!(RCC_CR & CR_MSIRDY))
        ;
}

void mb_chip_init(void)
{
    _Static_assert(F_CPU == 48000000UL, "the frequency of the oscillator's range");
    clock_init();
    RCC_AHB2ENR |= AHB2_GPIOA;
    RCC_APB1ENR1 |= APB1_TIM2 | APB1_USART2;
    (void)RCC_APB1ENR1; /* the clock runs two cycles later */
    mb_stm32_init(IRQ_USART2);
}

MB_FROM_RAM(mb_chip_cold)
void mb_chip_cold(void)
{
    FLASH_ACR = SETTINGS;
    FLASH_ACR = SETTINGS | ACR_EMPTY;
    FLASH_ACR = SETTINGS | ACR_CACHES;
    __asm__ volatile("isb" ::: "memory");
}
