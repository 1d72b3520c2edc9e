/* RCC, TIM2 and USART. */
#include "../board/uart.h"
#include "stm32.h"

/* --- RCC, RM0351 6.4, RM0453 7.4 -------------------------------------------------------------- */

enum {
    RCC_CR = 0x00,
    RCC_CFGR = 0x08,
    CR_RESET = 0x61 /* MSI at 4 MHz */,
    MSION = 1 << 0,
    MSIRDY = 1 << 1,
    HSION = 1 << 8,
    HSIRDY = 1 << 10,
    HSEON = 1 << 16,
    HSERDY = 1 << 17,
    PLLON = 1 << 24,
    PLLRDY = 1 << 25,
    SW = 3,
    SWS = 3 << 2
};

static void rcc_reset(cm_unit *unit)
{
    cm_set_register(unit, RCC_CR, 4, CR_RESET);
}

static void rcc_read(cm_unit *unit, uint32_t offset)
{
    static const struct {
        uint32_t on, ready;
    } clocks[] = {{MSION, MSIRDY}, {HSION, HSIRDY}, {HSEON, HSERDY}, {PLLON, PLLRDY}};
    uint32_t control = cm_register(unit, RCC_CR, 4), chosen = cm_register(unit, RCC_CFGR, 4);
    (void)offset;
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++)
        control =
            (control & clocks[i].on) != 0 ? control | clocks[i].ready : control & ~clocks[i].ready;
    cm_set_register(unit, RCC_CR, 4, control);
    chosen = (chosen & ~(uint32_t)SWS) | (chosen & SW) << 2;
    cm_set_register(unit, RCC_CFGR, 4, chosen);
}

const cm_model cm_stm32_rcc = {.reset = rcc_reset, .read = rcc_read};

/* --- TIM2, RM0351 31, RM0453 29: 32 bits, counting up to the top, without events -------------- */

enum {
    TIM_CR1 = 0x00,
    TIM_EGR = 0x14,
    TIM_CNT = 0x24,
    TIM_PSC = 0x28,
    TIM_ARR = 0x2c,
    CEN = 1,
    UG = 1
};

typedef struct timer {
    /* the cycle at which the counter held 0, or would have, while it runs */
    uint64_t base;
    uint64_t held;  /* cycles behind that at which it stands, while it does not */
    uint32_t scale; /* the prescaler in use */
    bool runs;
} timer;

static uint64_t since(const cm_unit *unit)
{
    const timer *is = unit->state;
    return is->runs ? unit->board->core.cycles - is->base : is->held;
}

static void timer_reset(cm_unit *unit)
{
    *(timer *)unit->state = (timer){.scale = 1};
    cm_set_register(unit, TIM_ARR, 4, UINT32_MAX);
}

static void timer_read(cm_unit *unit, uint32_t offset)
{
    const timer *is = unit->state;
    (void)offset;
    cm_set_register(
        unit, TIM_CNT, 4,
        (uint32_t)(since(unit) / is->scale % ((uint64_t)cm_register(unit, TIM_ARR, 4) + 1)));
}

static void timer_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    timer *is = unit->state;
    const uint64_t now = unit->board->core.cycles, passed = since(unit);
    if (offset == TIM_EGR) {
        if ((value & UG) != 0) /* the prescaler that was written, from 0 */
            *is = (timer){.base = now,
                          .scale = (cm_register(unit, TIM_PSC, 4) & 0xffff) + 1,
                          .runs = is->runs};
        return;
    }
    cm_set_register(unit, offset, size, value);
    if (offset == TIM_CR1)
        *is = (timer){
            .base = now - passed, .held = passed, .scale = is->scale, .runs = (value & CEN) != 0};
    else if (offset == TIM_CNT)
        *is = (timer){.base = now - (uint64_t)value * is->scale,
                      .held = (uint64_t)value * is->scale,
                      .scale = is->scale,
                      .runs = is->runs};
}

const cm_model cm_stm32_timer = {
    .state = sizeof(timer), .reset = timer_reset, .read = timer_read, .written = timer_written};

/* --- USART, RM0351 40, RM0453 35 -------------------------------------------------------------- */

enum {
    CR1 = 0x00,
    ISR = 0x1c,
    ICR = 0x20,
    RDR = 0x24,
    TDR = 0x28,
    UE = 1 << 0,
    RE = 1 << 2,
    TE = 1 << 3,
    RXNEIE = 1 << 5,
    TCIE = 1 << 6,
    TXEIE = 1 << 7,
    RXNE = 1 << 5,
    TC = 1 << 6,
    TXE = 1 << 7,
    TEACK = 1 << 21,
    REACK = 1 << 22
};

static bool on(const cm_unit *unit, uint32_t direction)
{
    const uint32_t wanted = UE | direction;
    return (cm_register(unit, CR1, 4) & wanted) == wanted;
}

static void show(cm_unit *unit)
{
    const cm_uart *line = unit->state;
    uint32_t flags = TC | TXE; /* what was written is out */
    flags |= (on(unit, TE) ? TEACK : 0) | (on(unit, RE) ? REACK : 0) | (line->full ? RXNE : 0);
    cm_set_register(unit, ISR, 4, flags);
    cm_interrupt(unit,
                 on(unit, 0) && (flags & cm_register(unit, CR1, 4) & (RXNEIE | TCIE | TXEIE)) != 0);
}

static bool usart_listens(const cm_unit *unit)
{
    return on(unit, RE) && (cm_register(unit, CR1, 4) & RXNEIE) != 0;
}

static bool usart_feed(cm_unit *unit, int milliseconds)
{
    if (!on(unit, RE) || !cm_uart_receive(unit, RDR, 4, milliseconds))
        return false;
    show(unit);
    return true;
}

static void usart_reset(cm_unit *unit)
{
    *(cm_uart *)unit->state = (cm_uart){.full = false};
    show(unit);
}

static void usart_read(cm_unit *unit, uint32_t offset)
{
    if (offset == RDR)
        cm_uart_taken(unit);
    else if (offset == ISR && cm_uart_polled(unit))
        (void)usart_feed(unit, cm_patience(unit->board));
    show(unit);
}

static void usart_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    switch (offset) {
    case TDR:
        cm_uart_send(unit, on(unit, TE), value);
        break;
    case ISR:
    case ICR:
    case RDR:
        break;
    default:
        cm_set_register(unit, offset, size, value);
        break;
    }
    show(unit);
}

const cm_model cm_stm32_usart = {
    .state = sizeof(cm_uart),
    .reset = usart_reset,
    .read = usart_read,
    .written = usart_written,
    .listens = usart_listens,
    .feed = usart_feed,
};
