/* An STM32F407: clock and flash. RM0090: 3.5.1 (wait states), 3.5.2 (ART accelerator), 7 (RCC). */
#include "armv6-m/chip.h"

#define STM32_RCC 0x40023800
#define STM32_FLASH 0x40023C00

#include "motebench/port.h"
#include "stm32f/registers.h"
#include "stm32f/usart.h"

#define RCC_PLLCFGR MB_REGISTER(uint32_t, STM32_RCC + 0x04)
#define RCC_CFGR MB_REGISTER(uint32_t, STM32_RCC + 0x08)
#define RCC_AHB1ENR MB_REGISTER(uint32_t, STM32_RCC + 0x30)
#define RCC_APB1ENR MB_REGISTER(uint32_t, STM32_RCC + 0x40)
#define GPIOA_MODER MB_REGISTER(uint32_t, 0x40020000)
#define GPIOA_AFRL MB_REGISTER(uint32_t, 0x40020020)
enum {
    ACR_PREFETCH = 1 << 8,
    ACR_CACHES = 3 << 9, /* instructions, data */
    ACR_EMPTY = 3 << 11, /* the same: nothing is in them any more; only while they are off */
    WAITS = 5,           /* from 150 MHz on, at 2.7 V and more */
    PLL_M_16 = 16,       /* from the internal oscillator of 16 MHz: 1 MHz */
    PLL_N_AT = 6,
    PLL_P_2 = 0,
    PLL_Q_7 = 7 << 24,
    CFGR_APB1_4 = 5 << 10,
    CFGR_APB2_2 = 4 << 13,
    AHB1_GPIOA = 1 << 0,
    TX_PIN = 2,
    RX_PIN = 3,
    MODE_ALTERNATE = 2,
    AF_USART2 = 7,
    BUS_DIVISOR = 4,  /* of APB1, 42 MHz at most */
    TIMER_DIVISOR = 2 /* timers of a divided bus run at twice its clock */
};
enum { SETTINGS = WAITS | ACR_PREFETCH, PRESCALER = 1024 };

const uint32_t mb_chip_coarse_cycles = PRESCALER * TIMER_DIVISOR;
const char mb_chip_timer_name[] = "SysTick, TIM2";

static void clock_init(void)
{
    while (!(RCC_CR & CR_HSIRDY))
        ;
    FLASH_ACR = SETTINGS | ACR_CACHES; /* before the clock gets faster */
    while ((FLASH_ACR & ACR_LATENCY) != WAITS)
        ;
    RCC_PLLCFGR = PLL_M_16 | (F_CPU / 500000UL) << PLL_N_AT | PLL_P_2 | PLL_Q_7;
    RCC_CR |= CR_PLLON;
    while (!(RCC_CR & CR_PLLRDY))
        ;
    RCC_CFGR = CFGR_SW_PLL | CFGR_APB1_4 | CFGR_APB2_2;
    while ((RCC_CFGR & CFGR_SWS) != CFGR_SWS_PLL)
        ;
}

static void connect(unsigned pin)
{
    GPIOA_AFRL = (GPIOA_AFRL & ~((uint32_t)15 << 4 * pin)) | (uint32_t)AF_USART2 << 4 * pin;
    GPIOA_MODER = (GPIOA_MODER & ~((uint32_t)3 << 2 * pin)) | (uint32_t)MODE_ALTERNATE << 2 * pin;
}

void mb_chip_init(void)
{
    clock_init();
    RCC_AHB1ENR |= AHB1_GPIOA;
    RCC_APB1ENR |= APB1_TIM2 | APB1_USART2;
    (void)RCC_APB1ENR; /* the clock runs two cycles later */
    TIM2_PSC = PRESCALER - 1;
    TIM2_ARR = UINT32_MAX;
    TIM2_EGR = TIM_UPDATE; /* takes the prescaler over */
    TIM2_CR1 = TIM_ENABLE;
    connect(TX_PIN);
    connect(RX_PIN);
    mb_stm32f_usart_init(F_CPU / BUS_DIVISOR);
}

MB_FROM_RAM(mb_chip_coarse)
uint32_t mb_chip_coarse(void)
{
    return TIM2_CNT;
}

MB_FROM_RAM(mb_chip_cold)
void mb_chip_cold(void)
{
    FLASH_ACR = SETTINGS;
    FLASH_ACR = SETTINGS | ACR_EMPTY;
    FLASH_ACR = SETTINGS | ACR_CACHES;
    __asm__ volatile("isb" ::: "memory");
}
