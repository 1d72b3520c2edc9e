/*
 * Peripherals of STM32 parts as far as firmware that measures needs them. Register layouts:
 * reference manuals RM0351 (STM32L4), RM0453 (STM32WL), RM0090 (STM32F407) and RM0008 (STM32F103),
 * the chapter named at each model; what is not modelled stands in docs/explain/limitations.md.
 */
#ifndef MOTEBENCH_CORTEXM_STM32_H
#define MOTEBENCH_CORTEXM_STM32_H

#include "../board/board.h"

extern const cm_part cm_stm32l4, cm_stm32wl, cm_stm32f407, cm_stm32f103;

/* the register of access control of the flash, by family */
extern const cm_model cm_stm32_flash, cm_stm32f4_flash, cm_stm32f1_flash;
/* every clock is ready at once */
extern const cm_model cm_stm32_rcc, cm_stm32f4_rcc, cm_stm32f1_rcc;
/* counts up at its bus's clock, the core's with L4, WL and F1, divided by the prescaler */
extern const cm_model cm_stm32_timer, cm_stm32f4_timer;
extern const cm_model cm_stm32f1_timer; /* 16 bits, and can count what TIM2 overflows */
extern const cm_model cm_stm32_usart;
extern const cm_model cm_stm32f_usart; /* with one data register, and one of flags */

#endif
