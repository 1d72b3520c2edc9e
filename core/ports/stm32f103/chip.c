/* An STM32F103: clock and flash. RM0008: 3.3.3 (FLASH_ACR), 7 (RCC), 9 (pins), 15 (timers). */
#include "armv6-m/chip.h"

#define STM32_RCC 0x40021000
#define STM32_FLASH 0x40022000

#include "motebench/port.h"
#include "stm32f/registers.h"
#include "stm32f/usart.h"

#define RCC_CFGR MB_REGISTER(uint32_t, STM32_RCC + 0x04)
#define RCC_APB2ENR MB_REGISTER(uint32_t, STM32_RCC + 0x18)
#define RCC_APB1ENR MB_REGISTER(uint32_t, STM32_RCC + 0x1C)
#define GPIOA_CRL MB_REGISTER(uint32_t, 0x40010800)
enum {
    ACR_PREFETCH = 1 << 4,
    WAITS = 2, /* from 48 MHz on */
    CFGR_APB1_2 = 4 << 8,
    CFGR_PLL_HSE = 1 << 16,
    CFGR_PLL_AT = 18, /* times 2 is 0 */
    APB2_GPIOA = 1 << 2,
    PINS = 0xff << 8,       /* PA2 and PA3 */
    OUT_AND_IN = 0x4b << 8, /* alternate function, push-pull, 50 MHz; floating input */
    BUS_DIVISOR = 2,        /* of APB1, 36 MHz at most; its timers run at twice that */
    PRESCALER = 1024,
    TIMER_BITS = 16
};

const uint32_t mb_chip_coarse_cycles = PRESCALER;
const char mb_chip_timer_name[] = "SysTick, TIM2, TIM3";

/* ST-LINK gives a Nucleo board 8 MHz; a crystal of another board, too, once there is no bypass. */
static void clock_init(void)
{
    RCC_CR |= CR_HSEBYP;
    RCC_CR |= CR_HSEON;
    while (!(RCC_CR & CR_HSERDY))
        ;
    FLASH_ACR = WAITS | ACR_PREFETCH; /* before the clock gets faster */
    while ((FLASH_ACR & ACR_LATENCY) != WAITS)
        ;
    RCC_CFGR = CFGR_PLL_HSE | (F_CPU / 8000000UL - 2) << CFGR_PLL_AT | CFGR_APB1_2;
    RCC_CR |= CR_PLLON;
    while (!(RCC_CR & CR_PLLRDY))
        ;
    RCC_CFGR |= CFGR_SW_PLL;
    while ((RCC_CFGR & CFGR_SWS) != CFGR_SWS_PLL)
        ;
}

/* TIM2 has 16 bits: TIM3 counts how often it came round. */
static void timers_init(void)
{
    TIM3_SMCR = SMCR_FROM_TIM2 | SMCR_EXTERNAL_CLOCK;
    TIM3_CR1 = TIM_ENABLE;
    TIM2_PSC = PRESCALER - 1;
    TIM2_EGR = TIM_UPDATE; /* takes the prescaler over, before TIM3 hears of updates */
    TIM2_CR2 = CR2_MASTER_UPDATE;
    TIM2_CR1 = TIM_ENABLE;
}

void mb_chip_init(void)
{
    clock_init();
    RCC_APB2ENR |= APB2_GPIOA;
    RCC_APB1ENR |= APB1_TIM2 | APB1_TIM3 | APB1_USART2;
    (void)RCC_APB1ENR; /* the clock runs a cycle later */
    timers_init();
    GPIOA_CRL = (GPIOA_CRL & ~(uint32_t)PINS) | OUT_AND_IN;
    mb_stm32f_usart_init(F_CPU / BUS_DIVISOR);
}

MB_FROM_RAM(mb_chip_coarse)
uint32_t mb_chip_coarse(void)
{
    uint32_t high, low;
    do {
        high = TIM3_CNT;
        low = TIM2_CNT;
    } while (high != TIM3_CNT);
    return high << TIMER_BITS | low;
}

/* There is no cache: what is measured replaces both lines of the prefetch buffer by its first. */
MB_FROM_RAM(mb_chip_cold)
void mb_chip_cold(void)
{
    __asm__ volatile("isb" ::: "memory");
}
