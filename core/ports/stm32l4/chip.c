/* An STM32L476: clock and flash. RM0351: 3.3.3 (wait states), 3.3.4 (ART accelerator), 6 (RCC). */
#include "armv6-m/chip.h"

#define STM32_RCC 0x40021000
#define STM32_FLASH 0x40022000

#include "motebench/port.h"
#include "stm32/registers.h"
#include "stm32/usart.h"

enum {
    IRQ_USART2 = 38,
    WAITS = 4, /* from 64 MHz on, at the higher core voltage, which is that after reset */
    PLL_HSI16 = 2,
    PLL_M_2 = 1 << 4,
    PLL_N_AT = 8,
    PLL_R_2_ON = 1 << 24
};
/* 16 MHz / 2, times this, / 2. */
#define MULTIPLE (F_CPU / 4000000UL)
#define SETTINGS ((uint32_t)(WAITS | ACR_PREFETCH))

static void clock_init(void)
{
    RCC_CR |= CR_HSION;
    while (!(RCC_CR & CR_HSIRDY))
        ;
    FLASH_ACR = SETTINGS | ACR_CACHES; /* before the clock gets faster */
    while ((FLASH_ACR & ACR_LATENCY) != WAITS)
        ;
    RCC_PLLCFGR = PLL_HSI16 | PLL_M_2 | MULTIPLE << PLL_N_AT | PLL_R_2_ON;
    RCC_CR |= CR_PLLON;
    while (!(RCC_CR & CR_PLLRDY))
        ;
    RCC_CFGR = CFGR_SW_PLL;
    while ((RCC_CFGR & CFGR_SWS) != CFGR_SWS_PLL)
        ;
}

void mb_chip_init(void)
{
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
