/* Peripherals as start-up code and firmware use them. Addresses and bits: the data sheet's chapters
 * named in samd21/. */
#include <string.h>

#include "../core/internal.h"
#include "check.h"
#include "machine.h"

enum { NOP = 0xbf00 };

static cm_board *board;
static cm_core *core;
static uint8_t sent[16];
static size_t sent_len;
static const char *input = "";
static int waited;

static void send(uint8_t byte)
{
    sent[sent_len++ % sizeof sent] = byte;
}

static int receive(int milliseconds)
{
    waited = milliseconds;
    return *input != '\0' ? *input++ : SIM_ENDED;
}

static void fresh(const char *part)
{
    cm_board_free(board);
    board = machine_new(part);
    core = &board->core;
    board->console = (cm_console){.send = send, .receive = receive};
    sent_len = 0;
}

static uint32_t peek(uint32_t address, unsigned size)
{
    uint32_t value = 0xdeadbeef;
    CHECK(cm_load(core, address, size, &value));
    return value;
}

static void poke(uint32_t address, unsigned size, uint32_t value)
{
    CHECK(cm_store(core, address, size, value));
}

static bool listens(void)
{
    return board->console_unit->is->model->listens(board->console_unit);
}

static bool feed(void)
{
    return board->console_unit->is->model->feed(board->console_unit, -1);
}

static void pass(uint64_t cycles)
{
    core->cycles += cycles;
}

static void clocks(void)
{
    fresh("samd21g18a");
    /* PCLKSR: oscillators and DFLL ready and locked */
    CHECK((peek(0x4000080c, 4) & 0xdf) == 0xdf);
    poke(0x40000c00, 1, 1); /* GCLK.CTRL.SWRST clears itself */
    CHECK(peek(0x40000c00, 1) == 0 && peek(0x40000c01, 1) == 0);
    poke(0x40000c04, 4, 0x10600);
    CHECK(peek(0x40000c04, 4) == 0x10600);
    poke(0x40000420, 4, 0x1234); /* PM.APBCMASK */
    CHECK(peek(0x40000420, 4) == 0x1234);
    poke(0x40001000, 1, 2); /* the watchdog never starts */
    CHECK(peek(0x40001000, 1) == 0 && peek(0x40001007, 1) == 0);
    CHECK(peek(0x00806020, 4) == 0xffffffff); /* calibration rows are erased */
    CHECK(peek(0x00806021, 1) == 0xff);
}

static void pins(void)
{
    poke(0x41004410, 4, 0xf0);
    poke(0x41004418, 4, 0x0f);
    CHECK(peek(0x41004410, 4) == 0xff);
    poke(0x41004414, 4, 0x81);
    CHECK(peek(0x41004410, 4) == 0x7e);
    poke(0x4100449c, 4, 0x3); /* OUTTGL of group B */
    CHECK(peek(0x41004490, 4) == 0x3);
    poke(0x41004440, 1, 0x15); /* PINCFG0 */
    CHECK(peek(0x41004440, 1) == 0x15);
}

static void flash_controller(void)
{
    CHECK(peek(0x41004014, 1) == 1 && peek(0x41004008, 4) == 0x31000 &&
          peek(0x41004004, 4) == 0x80);
    CHECK(board->v6m.timing.miss == 0);
    poke(0x41004004, 4, 1 << 1);
    CHECK(board->v6m.timing.miss == 1 && board->v6m.timing.hit == 0 && board->v6m.timing.cached);
    poke(0x41004004, 4, 1 << 1 | 1 << 16);
    CHECK(board->v6m.timing.miss == 2);
    poke(0x41004004, 4, 1 << 1 | 2 << 16);
    CHECK(board->v6m.timing.miss == 1 && board->v6m.timing.hit == 1);
    poke(0x41004004, 4, 3 << 1 | 1 << 18);
    CHECK(board->v6m.timing.miss == 3 && board->v6m.timing.hit == 3 && !board->v6m.timing.cached);
    fresh("cortex-m0-nows");
    poke(0x41004004, 4, 1 << 1);
    CHECK(board->v6m.timing.miss == 0);
}

static void open_usart(uint32_t base)
{
    poke(base, 4, 1);
    CHECK(peek(base, 4) == 0 && peek(base + 0x1c, 4) == 0);
    poke(base + 4, 4, 3 << 16);
    poke(base, 4, 2);
}

static void usart(void)
{
    const uint32_t base = 0x42001c00;
    fresh("samd21g18a");
    poke(base + 0x28, 2, 'x'); /* off: nothing leaves */
    CHECK(sent_len == 0 && (peek(base + 0x18, 1) & 1) == 0);
    open_usart(base);
    CHECK((peek(base + 0x18, 1) & 7) == 1);
    poke(base + 0x28, 2, 'A');
    CHECK(sent_len == 1 && sent[0] == 'A' && (peek(base + 0x18, 1) & 3) == 3);
    poke(base + 0x18, 1, 2);
    CHECK((peek(base + 0x18, 1) & 3) == 1);
    input = "hi";
    for (unsigned i = 0; i < 8; i++) /* not at once: the program must seem to wait */
        CHECK((peek(base + 0x18, 1) & 4) == 0);
    unsigned polls = 0;
    while ((peek(base + 0x18, 1) & 4) == 0 && polls++ < 100) {
    }
    CHECK(polls < 100 && waited == -1 && peek(base + 0x28, 2) == 'h' &&
          (peek(base + 0x18, 1) & 4) == 0);
    poke(base + 0x16, 1, 4); /* by interrupt */
    CHECK(peek(base + 0x14, 1) == 4 && listens());
    CHECK(feed() && !feed());
    CHECK(core->lines == 1u << 14);
    CHECK(peek(base + 0x28, 1) == 'i' && core->lines == 0);
    poke(base + 0x14, 1, 4);
    CHECK(!listens());
    CHECK(!feed() && core->halt); /* the input is over */
    open_usart(0x42000800);       /* the others lead nowhere */
    poke(0x42000828, 2, 'z');
    CHECK(sent_len == 1 && (peek(0x42000818, 1) & 3) == 3);
    poke(0x42000816, 1, 1);
    CHECK(core->lines == 1u << 9);
}

/* The same program with input that trickles and input that is there: bytes come when it waits, so
 * the cycles agree. */
static void input_and_time(void)
{
    /* poll INTFLAG.RXC, LDRH DATA, again */
    const uint16_t code[] = {0x7e01, 0x0749, 0xd5fc, 0x8d02, 0xe7fa};
    uint64_t cycles[2];
    for (unsigned i = 0; i < 2; i++) {
        fresh("samd21g18a");
        machine_code(board, CODE, code, 5);
        open_usart(0x42001c00);
        core->r[0] = 0x42001c00;
        input = "abc";
        const uint64_t start = core->cycles;
        CHECK(cm_board_run(board, UINT64_MAX) == CM_HALTED && core->r[2] == 'c');
        cycles[i] = core->cycles - start;
    }
    CHECK(cycles[0] == cycles[1]);
}

static void timer(uint32_t base, uint32_t mode)
{
    fresh("samd21g18a");
    poke(base, 2, 1);
    CHECK(peek(base, 2) == 0);
    poke(base, 2, mode << 2 | 2);
    pass(100);
    CHECK(peek(base + 0x10, mode == 2 ? 4 : 2) == 100 && (peek(base + 0x0f, 1) & 0x80) == 0);
    poke(base + 0x10, mode == 2 ? 4 : 2, mode == 2 ? 0xfffffff0 : 0xfff0);
    pass(15);
    CHECK((peek(base + 0x0e, 1) & 1) == 0);
    pass(1);
    CHECK((peek(base + 0x0e, 1) & 1) == 1 && peek(base + 0x10, mode == 2 ? 4 : 2) == 0);
    poke(base + 0x0e, 1, 1);
    CHECK((peek(base + 0x0e, 1) & 1) == 0);
    poke(base + 0x05, 1, 2 << 6); /* stop */
    pass(50);
    CHECK(peek(base + 0x10, 2) == 0);
    poke(base + 0x05, 1, 1 << 6); /* retrigger */
    pass(50);
    CHECK(peek(base + 0x10, 2) == 50);
}

static void timer_interrupts(void)
{
    const uint32_t base = 0x42002c00; /* TC3, interrupt 18 */
    fresh("samd21g18a");
    poke(base + 0x18, 2, 99);           /* CC0 */
    poke(base + 0x0d, 1, 0x10);         /* MC0 */
    poke(base, 2, 3 << 8 | 1 << 5 | 2); /* clock / 8, MFRQ */
    CHECK(cm_core_next_event(core) == core->cycles + 800);
    pass(799);
    (void)cm_core_next_event(core);
    CHECK(core->lines == 0);
    pass(1);
    (void)cm_core_next_event(core);
    CHECK(core->lines == 1u << 18 && peek(base + 0x10, 2) == 0);
    poke(base + 0x0e, 1, 0x11);
    CHECK(core->lines == 0 && cm_core_next_event(core) == core->cycles + 800);
    poke(base + 0x05, 1, 4); /* one shot */
    pass(800);
    CHECK((peek(base + 0x0f, 1) & 8) == 8);
    pass(8000);
    CHECK(peek(base + 0x10, 2) == 0);
}

static void nothing_there(void)
{
    uint32_t value;
    fresh("samd21g18a");
    /* the ADC is not modelled */
    CHECK(!cm_load(core, 0x42004000, 4, &value) && core->stop == CM_BUS);
    CHECK(!cm_store(core, 0x41005000, 4, 0) && core->stop == CM_BUS);
    CHECK(cm_part_named("samd51") == NULL);
}

int main(void)
{
    check_begin();
    clocks();
    pins();
    flash_controller();
    usart();
    input_and_time();
    timer(0x42002c00, 0);
    timer(0x42003000, 2);
    timer_interrupts();
    nothing_there();
    cm_board_free(board);
    return check_end();
}
