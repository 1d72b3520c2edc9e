/* RCC, TIM2 and USART. */
#include <string.h>

#include "../board/uart.h"
#include "stm32.h"

/* --- RCC, RM0351 6.4, RM0453 7.4, RM0090 7.3, RM0008 7.3 -------------------------------------- */

enum {
    RCC_CR = 0x00,
    RCC_CFGR = 0x08,
    F1_RCC_CFGR = 0x04,
    CR_RESET = 0x61 /* MSI at 4 MHz */,
    F_CR_RESET = 0x81 /* the internal oscillator, whose bits are those of MSI; half its range */,
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

/* Everything that is on is ready, and the clock that was chosen at `chooses` is the system's. */
static void rcc_ready(cm_unit *unit, uint32_t chooses)
{
    static const struct {
        uint32_t on, ready;
    } clocks[] = {{MSION, MSIRDY}, {HSION, HSIRDY}, {HSEON, HSERDY}, {PLLON, PLLRDY}};
    uint32_t control = cm_register(unit, RCC_CR, 4), chosen = cm_register(unit, chooses, 4);
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++)
        control =
            (control & clocks[i].on) != 0 ? control | clocks[i].ready : control & ~clocks[i].ready;
    cm_set_register(unit, RCC_CR, 4, control);
    chosen = (chosen & ~(uint32_t)SWS) | (chosen & SW) << 2;
    cm_set_register(unit, chooses, 4, chosen);
}

static void rcc_read(cm_unit *unit, uint32_t offset)
{
    (void)offset;
    rcc_ready(unit, RCC_CFGR);
}

const cm_model cm_stm32_rcc = {.reset = rcc_reset, .read = rcc_read};

static void rcc_f_reset(cm_unit *unit)
{
    cm_set_register(unit, RCC_CR, 4, F_CR_RESET);
}

const cm_model cm_stm32f4_rcc = {.reset = rcc_f_reset, .read = rcc_read};

static void rcc_f1_read(cm_unit *unit, uint32_t offset)
{
    (void)offset;
    rcc_ready(unit, F1_RCC_CFGR);
}

const cm_model cm_stm32f1_rcc = {.reset = rcc_f_reset, .read = rcc_f1_read};

/*
 * TIM2 and TIM3, RM0351 31, RM0453 29, RM0090 18, RM0008 15: counting up to the top, without
 * events. A slave in external clock mode counts the overflows of TIM2, whichever input it names.
 */

enum {
    TIM_CR1 = 0x00,
    TIM_SMCR = 0x08,
    TIM_EGR = 0x14,
    TIM_CNT = 0x24,
    TIM_PSC = 0x28,
    TIM_ARR = 0x2c,
    CEN = 1,
    UG = 1,
    SMS = 7, /* all of them: external clock mode */
    /* in RCC_CFGR, from where: the bus of the timers is divided, by 2 to 16 */
    PPRE1_AT = 10,
    F1_PPRE1_AT = 8
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

/* A write to a timer whose clock is the core's over `divisor`. */
static void timer_take(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value,
                       uint32_t divisor)
{
    timer *is = unit->state;
    const uint64_t now = unit->board->core.cycles, passed = since(unit);
    if (offset == TIM_EGR) {
        if ((value & UG) != 0) /* the prescaler that was written, from 0 */
            *is = (timer){.base = now,
                          .scale = ((cm_register(unit, TIM_PSC, 4) & 0xffff) + 1) * divisor,
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

static void timer_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    timer_take(unit, offset, size, value, 1);
}

const cm_model cm_stm32_timer = {
    .state = sizeof(timer), .reset = timer_reset, .read = timer_read, .written = timer_written};

static const cm_unit *unit_named(const cm_board *board, const char *name)
{
    const cm_unit *unit = board->units;
    while (strcmp(unit->is->name, name) != 0)
        unit++;
    return unit;
}

/* The core's clock over that of a timer, which has twice the clock of a bus that is divided. */
static uint32_t bus_divisor(const cm_unit *unit, uint32_t configuration, unsigned at)
{
    const uint32_t bus = cm_register(unit_named(unit->board, "RCC"), configuration, 4) >> at & 7;
    return bus < 4 ? 1 : 1u << (bus & 3);
}

static void f4_timer_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    timer_take(unit, offset, size, value, bus_divisor(unit, RCC_CFGR, PPRE1_AT));
}

const cm_model cm_stm32f4_timer = {
    .state = sizeof(timer), .reset = timer_reset, .read = timer_read, .written = f4_timer_written};

static void f1_timer_reset(cm_unit *unit)
{
    timer_reset(unit);
    cm_set_register(unit, TIM_ARR, 4, UINT16_MAX);
}

static void f1_timer_read(cm_unit *unit, uint32_t offset)
{
    const cm_unit *master = unit_named(unit->board, "TIM2");
    const timer *other = master->state;
    if (unit == master || (cm_register(unit, TIM_SMCR, 4) & SMS) != SMS) {
        timer_read(unit, offset);
        return;
    }
    const uint64_t top = (uint64_t)cm_register(master, TIM_ARR, 4) + 1;
    cm_set_register(unit, TIM_CNT, 4, (uint32_t)(since(master) / other->scale / top) & UINT16_MAX);
}

static void f1_timer_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    timer_take(unit, offset, size, value, bus_divisor(unit, F1_RCC_CFGR, F1_PPRE1_AT));
}

const cm_model cm_stm32f1_timer = {
    .state = sizeof(timer),
    .reset = f1_timer_reset,
    .read = f1_timer_read,
    .written = f1_timer_written};

/* --- USART, RM0351 40, RM0453 35; with one data register: RM0090 30, RM0008 27 ---------------- */

enum {
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

/* Registers by their offsets, and flags that only one of the two kinds has. */
typedef struct usart_layout {
    uint32_t control, flags, clear, received, sent;
    uint32_t enable, sends, listens;
} usart_layout;

static const usart_layout usart_new = {
    .control = 0x00,
    .flags = 0x1c,
    .clear = 0x20,
    .received = 0x24,
    .sent = 0x28,
    .enable = 1 << 0,
    .sends = TEACK,
    .listens = REACK};
static const usart_layout usart_f = {
    .control = 0x0c,
    .flags = 0x00,
    .clear = 0x00,
    .received = 0x04,
    .sent = 0x04,
    .enable = 1 << 13};

static const usart_layout *layout(const cm_unit *unit)
{
    return unit->is->model == &cm_stm32f_usart ? &usart_f : &usart_new;
}

static bool on(const cm_unit *unit, uint32_t direction)
{
    const uint32_t wanted = layout(unit)->enable | direction;
    return (cm_register(unit, layout(unit)->control, 4) & wanted) == wanted;
}

static void show(cm_unit *unit)
{
    const cm_uart *line = unit->state;
    const usart_layout *is = layout(unit);
    uint32_t flags = TC | TXE; /* what was written is out */
    flags |=
        (on(unit, TE) ? is->sends : 0) | (on(unit, RE) ? is->listens : 0) | (line->full ? RXNE : 0);
    cm_set_register(unit, is->flags, 4, flags);
    cm_interrupt(unit, on(unit, 0) && (flags & cm_register(unit, is->control, 4) &
                                       (RXNEIE | TCIE | TXEIE)) != 0);
}

static bool usart_listens(const cm_unit *unit)
{
    return on(unit, RE) && (cm_register(unit, layout(unit)->control, 4) & RXNEIE) != 0;
}

static bool usart_feed(cm_unit *unit, int milliseconds)
{
    if (!on(unit, RE) || !cm_uart_receive(unit, layout(unit)->received, 4, milliseconds))
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
    if (offset == layout(unit)->received)
        cm_uart_taken(unit);
    else if (offset == layout(unit)->flags && cm_uart_polled(unit))
        (void)usart_feed(unit, cm_patience(unit->board));
    show(unit);
}

static void usart_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    const usart_layout *is = layout(unit);
    if (offset == is->sent)
        cm_uart_send(unit, on(unit, TE), value);
    else if (offset != is->flags && offset != is->clear && offset != is->received)
        cm_set_register(unit, offset, size, value);
    show(unit);
}

#define USART                     \
    {                             \
        .state = sizeof(cm_uart), \
        .reset = usart_reset,     \
        .read = usart_read,       \
        .written = usart_written, \
        .listens = usart_listens, \
        .feed = usart_feed,       \
    }

const cm_model cm_stm32_usart = USART;
const cm_model cm_stm32f_usart = USART;
