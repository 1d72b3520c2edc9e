/*
 * USART2 on the pins that ST-LINK connects to USB on Nucleo boards, and TIM2 behind SysTick. What
 * comes waits in a ring; the core sleeps while there is nothing.
 */
#include "usart.h"

#include "armv6-m/chip.h"
#include "motebench/port.h"
#include "registers.h"
#include "small/ring.h"

enum { TX_PIN = 2, RX_PIN = 3, COARSE = 1024 };

const uint32_t mb_chip_coarse_cycles = COARSE;
const char mb_chip_timer_name[] = "SysTick, TIM2";

static void connect(unsigned pin)
{
    GPIOA_AFRL = (GPIOA_AFRL & ~((uint32_t)15 << 4 * pin)) | (uint32_t)AF_USART2 << 4 * pin;
    GPIOA_MODER = (GPIOA_MODER & ~((uint32_t)3 << 2 * pin)) | (uint32_t)MODE_ALTERNATE << 2 * pin;
}

void mb_stm32_init(unsigned interrupt)
{
    TIM2_PSC = COARSE - 1;
    TIM2_ARR = UINT32_MAX;
    TIM2_EGR = TIM_UPDATE; /* takes the prescaler over */
    TIM2_CR1 = TIM_ENABLE;
    connect(TX_PIN);
    connect(RX_PIN);
    USART_BRR = (F_CPU + MOTEBENCH_BAUD / 2) / MOTEBENCH_BAUD;
    USART_CR1 = USART_UE | USART_RE | USART_TE | USART_RXNEIE;
    (&NVIC_ISER)[interrupt / 32] = (uint32_t)1 << interrupt % 32;
    mb_interrupts_on();
}

MB_FROM_RAM(mb_chip_coarse)
uint32_t mb_chip_coarse(void)
{
    return TIM2_CNT;
}

void mb_chip_interrupt(void)
{
    while (USART_ISR & USART_RXNE)
        mb_ring_put((uint8_t)USART_RDR);
    USART_ICR = USART_ORE; /* a byte that came too early asks for the interrupt as well */
}

bool mb_port_write(const uint8_t *buf, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        while (!(USART_ISR & USART_TXE))
            ;
        USART_TDR = buf[i];
    }
    return true;
}
