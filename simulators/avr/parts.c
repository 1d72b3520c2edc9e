/*
 * Every part that there is. Memories, registers and vectors: Microchip DS40002061 (ATmega328P),
 * Atmel 2549 (ATmega2560), Microchip DS40002015 and DS40002173 (megaAVR 0-series, ATmega4809),
 * DS40002204 (ATtiny1614), DS40002205 (ATtiny3216, 3217), DS40002345 (ATtiny3224, 3226, 3227); of
 * the tinyAVRs compared with avr-libc's headers (iotn1614.h and so on).
 */
#include <string.h>

#include "board/board.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Vectors of a timer: overflow, compare A, B, C; of a USART: received, register empty, sent. */
static const av_peripheral mega328p[] = {
    {.model = &av_prescaler_model, .base = 0x43, .size = 1},
    {.model = &av_timer_model,
     .bits = 8,
     .base = 0x44,
     .size = 5,
     .flags = 0x35,
     .mask = 0x6e,
     .vectors = {16, 14, 15}},
    {.model = &av_timer_model,
     .bits = 16,
     .base = 0x80,
     .size = 14,
     .flags = 0x36,
     .mask = 0x6f,
     .vectors = {13, 11, 12}},
    {.model = &av_timer_model,
     .bits = 8,
     .base = 0xb0,
     .size = 5,
     .flags = 0x37,
     .mask = 0x70,
     .vectors = {9, 7, 8}},
    {.model = &av_usart_model, .base = 0xc0, .size = 7, .vectors = {18, 19, 20}},
};

static const av_part atmega328p = {
    .name = "atmega328p",
    .family = AV_E,
    .flash_bytes = 32768,
    .io_end = 0x100,
    .ram_base = 0x100,
    .ram_bytes = 2048,
    .map_base = AV_DATA,
    .clock_max = 20000000,
    .sleep_register = 0x53,
    .peripherals = mega328p,
    .count = COUNT(mega328p)};

static const av_peripheral mega2560[] = {
    {.model = &av_prescaler_model, .base = 0x43, .size = 1},
    {.model = &av_timer_model,
     .bits = 8,
     .base = 0x44,
     .size = 5,
     .flags = 0x35,
     .mask = 0x6e,
     .vectors = {23, 21, 22}},
    {.model = &av_timer_model,
     .bits = 16,
     .base = 0x80,
     .size = 14,
     .flags = 0x36,
     .mask = 0x6f,
     .vectors = {20, 17, 18, 19}},
    {.model = &av_timer_model,
     .bits = 8,
     .base = 0xb0,
     .size = 5,
     .flags = 0x37,
     .mask = 0x70,
     .vectors = {15, 13, 14}},
    {.model = &av_timer_model,
     .bits = 16,
     .base = 0x90,
     .size = 14,
     .flags = 0x38,
     .mask = 0x71,
     .vectors = {35, 32, 33, 34}},
    {.model = &av_timer_model,
     .bits = 16,
     .base = 0xa0,
     .size = 14,
     .flags = 0x39,
     .mask = 0x72,
     .vectors = {45, 42, 43, 44}},
    {.model = &av_timer_model,
     .bits = 16,
     .base = 0x120,
     .size = 14,
     .flags = 0x3a,
     .mask = 0x73,
     .vectors = {50, 47, 48, 49}},
    {.model = &av_usart_model, .base = 0xc0, .size = 7, .vectors = {25, 26, 27}},
};

static const av_part atmega2560 = {
    .name = "atmega2560",
    .family = AV_E22,
    .flash_bytes = 262144,
    .io_end = 0x200,
    .ram_base = 0x200,
    .ram_bytes = 8192,
    .map_base = AV_DATA,
    .clock_max = 16000000,
    .sleep_register = 0x53,
    .peripherals = mega2560,
    .count = COUNT(mega2560)};

static const av_peripheral mega4809[] = {
    {.model = &av_tca_model, .base = 0xa00, .size = 0x40, .vectors = {7, 9, 10, 11}},
    {.model = &av_tcb_model, .base = 0xa80, .size = 14, .vectors = {12}},
    {.model = &av_tcb_model, .base = 0xa90, .size = 14, .vectors = {13}},
    {.model = &av_tcb_model, .base = 0xaa0, .size = 14, .vectors = {25}},
    {.model = &av_tcb_model, .base = 0xab0, .size = 14, .vectors = {36}},
    {.model = &av_usart_xt_model, .base = 0x800, .size = 16, .vectors = {17, 18, 19}},
    {.model = &av_usart_xt_model, .base = 0x820, .size = 16, .vectors = {26, 27, 28}},
    {.model = &av_usart_xt_model, .base = 0x840, .size = 16, .vectors = {31, 32, 33}},
    {.model = &av_usart_xt_model, .base = 0x860, .size = 16, .vectors = {37, 38, 39}},
};

static const av_part atmega4809 = {
    .name = "atmega4809",
    .family = AV_XT,
    .flash_bytes = 49152,
    .io_end = 0x2800,
    .ram_base = 0x2800,
    .ram_bytes = 6144,
    .map_base = 0x4000,
    .clock_max = 20000000,
    .sleep_register = 0x50,
    .peripherals = mega4809,
    .count = COUNT(mega4809)};

/* tinyAVR 1-series and 2-series: USART0, timers B at different addresses; packages differ only in
 * pins. */
static const av_peripheral tiny1[] = {
    {.model = &av_tca_model, .base = 0xa00, .size = 0x40, .vectors = {8, 10, 11, 12}},
    {.model = &av_tcb_model, .base = 0xa40, .size = 14, .vectors = {13}},
    {.model = &av_tcb_model, .base = 0xa50, .size = 14, .vectors = {14}},
    {.model = &av_usart_xt_model, .base = 0x800, .size = 16, .vectors = {27, 28, 29}},
};

static const av_peripheral tiny2[] = {
    {.model = &av_tca_model, .base = 0xa00, .size = 0x40, .vectors = {8, 10, 11, 12}},
    {.model = &av_tcb_model, .base = 0xa80, .size = 14, .vectors = {13}},
    {.model = &av_tcb_model, .base = 0xa90, .size = 14, .vectors = {25}},
    {.model = &av_usart_xt_model, .base = 0x800, .size = 16, .vectors = {17, 18, 19}},
    {.model = &av_usart_xt_model, .base = 0x820, .size = 16, .vectors = {26, 27, 28}},
};

/* Their flash is mapped from 0x8000 on; RAM ends at 0x3fff. */
#define TINY(name_, series, flash, ram) \
    {.name = (name_),                   \
     .family = AV_XT,                   \
     .flash_bytes = (flash),            \
     .io_end = 0x4000 - (ram),          \
     .ram_base = 0x4000 - (ram),        \
     .ram_bytes = (ram),                \
     .map_base = 0x8000,                \
     .clock_max = 20000000,             \
     .sleep_register = 0x50,            \
     .peripherals = (series),           \
     .count = COUNT(series)}

static const av_part tinies[] = {
    TINY("attiny1614", tiny1, 16384, 2048), TINY("attiny3216", tiny1, 32768, 2048),
    TINY("attiny3217", tiny1, 32768, 2048), TINY("attiny3224", tiny2, 32768, 3072),
    TINY("attiny3226", tiny2, 32768, 3072), TINY("attiny3227", tiny2, 32768, 3072),
};

static const av_part *const megas[] = {&atmega328p, &atmega2560, &atmega4809};

const av_part *av_part_named(const char *name)
{
    for (size_t i = 0; i < COUNT(megas); i++) {
        if (strcmp(megas[i]->name, name) == 0)
            return megas[i];
    }
    for (size_t i = 0; i < COUNT(tinies); i++) {
        if (strcmp(tinies[i].name, name) == 0)
            return &tinies[i];
    }
    return NULL;
}
