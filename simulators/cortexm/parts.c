/* Every part that there is. One more: its declaration in a folder of its own, as samd21/part.c, and
 * a line here. */
#include <string.h>

#include "board/board.h"
#include "nrf52/nrf52.h"
#include "rp2040/rp2040.h"
#include "rp2350/rp2350.h"
#include "sam3x/sam3x.h"
#include "samd21/samd21.h"
#include "stm32/stm32.h"

static const cm_part *const parts[] = {
    &cm_samd21g18a, &cm_cortex_m0_nows, &cm_cortex_m4_nows, &cm_cortex_m3_nows, &cm_cortex_m33_nows,
    &cm_rp2040,     &cm_rp2350_m33,     &cm_stm32l4,        &cm_stm32wl,        &cm_stm32f407,
    &cm_stm32f103,  &cm_nrf52840,       &cm_sam3x8e};

const cm_part *cm_part_named(const char *name)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strcmp(parts[i]->name, name) == 0)
            return parts[i];
    }
    return NULL;
}
