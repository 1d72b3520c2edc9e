/*
 * Peripherals of the STM32L4 and STM32WL as far as firmware that measures needs them. Register
 * layouts: reference manuals RM0351 (STM32L4) and RM0453 (STM32WL), the chapter named at each
 * model; what is not modelled stands in docs/explain/limitations.md.
 */
#ifndef MOTEBENCH_CORTEXM_STM32_H
#define MOTEBENCH_CORTEXM_STM32_H

#include "../board/board.h"

extern const cm_part cm_stm32l4, cm_stm32wl;

extern const cm_model cm_stm32_flash; /* its register of access control */
extern const cm_model cm_stm32_rcc;   /* every clock is ready at once */
/* counts up at the core's clock divided by the prescaler */
extern const cm_model cm_stm32_timer;
extern const cm_model cm_stm32_usart;

#endif
