/* STM32 parts: clocks, timer and USART as start-up code and firmware use them. */
#include "part.h"

enum { TIM2 = 0x40000000, USART2 = 0x40004400 };

static void fresh(const char *part)
{
    new_board(part);
    sim_put32(core->flash, core->ram_base + core->ram_size);
    sim_put32(core->flash + 4, core->flash_base + 0x101);
    sent_len = 0;
    CHECK(cm_board_reset(board));
}

static void clocks(uint32_t rcc)
{
    CHECK(core->r[CM_PC] == 0x08000100);
    CHECK(peek(rcc) == 0x63); /* MSI, ready */
    poke(rcc, peek(rcc) | 1 << 8 | 1 << 24);
    CHECK(peek(rcc) == (0x63 | 1 << 8 | 1 << 10 | 3 << 24));
    poke(rcc, peek(rcc) & ~(1u << 24));
    CHECK((peek(rcc) & 3u << 24) == 0);
    poke(rcc + 8, 3);
    CHECK(peek(rcc + 8) == 0xf);
}

static void timer(void)
{
    CHECK(peek(TIM2 + 0x24) == 0 && peek(TIM2 + 0x2c) == UINT32_MAX);
    poke(TIM2 + 0x28, 1023);
    poke(TIM2 + 0x14, 1);
    core->cycles += 5000;
    CHECK(peek(TIM2 + 0x24) == 0);
    poke(TIM2, 1);
    core->cycles += 10 * 1024 - 1;
    CHECK(peek(TIM2 + 0x24) == 9);
    core->cycles += 1;
    CHECK(peek(TIM2 + 0x24) == 10);
    poke(TIM2, 0);
    core->cycles += 5000;
    CHECK(peek(TIM2 + 0x24) == 10);
    poke(TIM2, 1);
    core->cycles += 1024;
    CHECK(peek(TIM2 + 0x24) == 11);
    poke(TIM2 + 0x24, 99);
    poke(TIM2 + 0x2c, 99);
    core->cycles += 1024;
    CHECK(peek(TIM2 + 0x24) == 0);
}

static void usart(unsigned irq)
{
    const cm_unit *unit = board->console_unit;
    CHECK(!unit->is->model->listens(unit) && peek(USART2 + 0x1c) == 0xc0);
    poke(USART2 + 0x28, 'x'); /* off: goes nowhere */
    poke(USART2, 1 | 1 << 2 | 1 << 3 | 1 << 5);
    CHECK(unit->is->model->listens(unit) && peek(USART2 + 0x1c) == (0xc0 | 3 << 21));
    input = "a";
    CHECK(unit->is->model->feed(board->console_unit, -1));
    CHECK(core->lines == 1ull << irq && (peek(USART2 + 0x1c) & 0x20) != 0);
    /* there is no room for another */
    CHECK(!unit->is->model->feed(board->console_unit, -1));
    CHECK(peek(USART2 + 0x24) == 'a' && core->lines == 0 && (peek(USART2 + 0x1c) & 0x20) == 0);
    poke(USART2 + 0x28, 'y');
    CHECK(sent_len == 1 && sent[0] == 'y');
    /* looking for a byte again and again is waiting for one, here until the end */
    for (unsigned i = 0; i < 17; i++)
        (void)peek(USART2 + 0x1c);
    CHECK(core->halt);
}

/* The old USART has one data register, and flags before it. */
static void old_usart(void)
{
    const cm_unit *unit = board->console_unit;
    CHECK(!unit->is->model->listens(unit) && peek(USART2) == 0xc0);
    poke(USART2 + 4, 'x'); /* off: goes nowhere */
    poke(USART2 + 0xc, 1 << 13 | 1 << 2 | 1 << 3 | 1 << 5);
    CHECK(unit->is->model->listens(unit) && peek(USART2) == 0xc0);
    input = "a";
    CHECK(unit->is->model->feed(board->console_unit, -1));
    CHECK(core->lines == 1ull << 38 && peek(USART2) == 0xe0);
    CHECK(peek(USART2 + 4) == 'a' && core->lines == 0 && peek(USART2) == 0xc0);
    poke(USART2 + 4, 'y');
    CHECK(sent_len == 1 && sent[0] == 'y');
}

/* RM0090, 7.2: timers of a bus that is divided run at twice its clock, here half the core's. */
static void f4_clocks(void)
{
    CHECK(peek(0x40023800) == 0x83);
    poke(0x40023800, 0x81 | 1 << 24);
    CHECK(peek(0x40023800) == (0x83 | 3 << 24));
    poke(0x40023808, 2 | 5 << 10);
    CHECK(peek(0x40023808) == (2 | 2 << 2 | 5 << 10));
    poke(TIM2 + 0x28, 1023);
    poke(TIM2 + 0x14, 1);
    poke(TIM2, 1);
    core->cycles += 2 * 1024 - 1;
    CHECK(peek(TIM2 + 0x24) == 0);
    core->cycles += 1;
    CHECK(peek(TIM2 + 0x24) == 1);
}

/* RM0008, 15.3.15: a timer of 16 bits, whose overflows another one counts. */
static void f1_clocks(void)
{
    enum { TIM3 = 0x40000400 };
    poke(0x40021000, 0x81 | 1 << 16 | 1 << 24);
    CHECK(peek(0x40021000) == (0x83 | 3 << 16 | 3 << 24));
    poke(0x40021004, 2 | 4 << 8);
    CHECK(peek(0x40021004) == (2 | 2 << 2 | 4 << 8));
    CHECK(peek(TIM2 + 0x2c) == UINT16_MAX);
    poke(TIM3 + 8, 1 << 4 | 7);
    poke(TIM3, 1);
    poke(TIM2 + 0x28, 1023);
    poke(TIM2 + 0x14, 1);
    poke(TIM2, 1);
    core->cycles += ((uint64_t)3 << 16 | 5) * 1024;
    CHECK(peek(TIM2 + 0x24) == 5 && peek(TIM3 + 0x24) == 3);
}

int main(void)
{
    check_begin();
    fresh("stm32l4");
    CHECK(core->fpu && core->dsp);
    clocks(0x40021000);
    timer();
    usart(38);
    fresh("stm32wl");
    CHECK(!core->fpu && core->dsp);
    clocks(0x58000000);
    timer();
    usart(37);
    fresh("stm32f407");
    CHECK(core->fpu && core->dsp);
    f4_clocks();
    old_usart();
    fresh("stm32f103");
    CHECK(!core->fpu && !core->dsp);
    f1_clocks();
    old_usart();
    cm_board_free(board);
    return check_end();
}
