/* The RP2040: boot ROM, peripherals of start-up code, and the cache of its flash with what its
 * misses take. */
#include <string.h>

#include "part.h"

enum {
    XIP = 0x14000000,
    SSI = 0x18000000,
    CLOCKS = 0x40008000,
    RESETS = 0x4000c000,
    XOSC = 0x40024000,
    PLL = 0x40028000,
    UART0 = 0x40034000,
    TIMER = 0x40054000,
    PROGRAM = 0x10000200,
    SET = 0x2000 /* bytes between lines that share a set */,
    NOP = 0xbf00
};

/* A second stage that jumps to PROGRAM, with its CRC; the checksum is worked out here in another
 * way than there. */
static void put_stage(void)
{
    /* LDR r0; BX r0 */
    static const uint16_t code[] = {0x4800, 0x4700, (PROGRAM & 0xffff) | 1, PROGRAM >> 16};
    uint32_t crc = 0xffffffffu;
    memset(core->flash, 0, 256);
    for (size_t i = 0; i < sizeof code / sizeof code[0]; i++)
        sim_put16(core->flash + 2 * i, code[i]);
    for (size_t bit = 0; bit < 8 * 252; bit++) {
        const uint32_t next = core->flash[bit / 8] >> (7 - bit % 8) & 1;
        crc = (crc << 1) ^ (((crc >> 31) ^ next) != 0 ? 0x04c11db7u : 0);
    }
    sim_put32(core->flash + 252, crc);
}

static void fresh(void)
{
    new_board("rp2040");
    put_stage();
    CHECK(cm_board_reset(board));
}

static uint64_t steps(uint32_t at, unsigned count)
{
    const uint64_t start = core->cycles;
    core->r[CM_PC] = at;
    while (count-- > 0)
        CHECK(cm_core_run(core, core->cycles + 1) == CM_DEADLINE);
    return core->cycles - start;
}

static void boot_rom(void)
{
    fresh();
    CHECK(core->r[CM_PC] == 0x20041f00 && core->r[CM_LR] == 0 && core->r[CM_SP] == 0x20041ef8);
    CHECK(memcmp(core->ram + 0x41f00, core->flash, 256) == 0);
    (void)steps(core->r[CM_PC], 2);
    CHECK(core->r[CM_PC] == PROGRAM);
    core->flash[251] ^= 1;
    CHECK(!cm_board_reset(board) && core->stop == CM_LOCKUP && strstr(core->fault, "CRC") != NULL);
}

static void clocks(void)
{
    fresh();
    CHECK((peek(XOSC + 4) & 0x80000000u) == 0);
    poke(XOSC, 0xfabaa0);
    CHECK((peek(XOSC + 4) & 0x80000000u) != 0);
    poke(CLOCKS + 0x30, 2);
    poke(CLOCKS + 0x3c, 1);
    CHECK(peek(CLOCKS + 0x38) == 4 && peek(CLOCKS + 0x44) == 2);
    CHECK((peek(PLL) & 0x80000000u) == 0);
    poke(PLL + 4, 0x0c);
    CHECK(peek(PLL) == 0x80000001u);
    poke(RESETS, 0x01ffffff & ~(1u << 22));
    CHECK(peek(RESETS + 8) == 1u << 22);
    core->cycles = 125ull * 0x100000002ull;
    CHECK(peek(TIMER + 0x28) == 2 && peek(TIMER + 0x24) == 1);
    CHECK(peek(TIMER + 0x0c) == 2 && peek(TIMER + 0x08) == 1);
}

static void uart(void)
{
    const cm_unit *unit;
    fresh();
    unit = board->console_unit;
    /* both ways empty */
    CHECK(!unit->is->model->listens(unit) && (peek(UART0 + 0x18) & 0x90) == 0x90);
    poke(UART0 + 0x30, 0x301);
    poke(UART0 + 0x38, 1 << 4);
    CHECK(unit->is->model->listens(unit));
    input = "ab";
    CHECK(unit->is->model->feed(board->console_unit, -1));
    CHECK(core->lines == 1u << 20 && (peek(UART0 + 0x18) & 0x10) == 0);
    /* there is no room for another */
    CHECK(!unit->is->model->feed(board->console_unit, -1));
    CHECK(peek(UART0) == 'a' && core->lines == 0);
    poke(UART0 + 0x2c, 1 << 4); /* the FIFO: a single byte is told by the timeout */
    CHECK(unit->is->model->feed(board->console_unit, -1));
    CHECK(core->lines == 0 && (peek(UART0 + 0x3c) & 0x50) == 0x40);
    poke(UART0 + 0x38, 1 << 6);
    CHECK(core->lines == 1u << 20 && peek(UART0) == 'b' && core->lines == 0);
    poke(UART0, 'x');
    CHECK(sent_len == 1 && sent[0] == 'x' && (peek(UART0 + 0x3c) & 0x20) != 0);
    poke(UART0 + 0x44, 0x20);
    CHECK((peek(UART0 + 0x3c) & 0x20) == 0);
    /* looking for a byte again and again is waiting for one, here until the end */
    for (unsigned i = 0; i < 17; i++)
        (void)peek(UART0 + 0x18);
    CHECK(core->halt);
}

static uint8_t flash_status(uint32_t command)
{
    poke(SSI + 0x60, command);
    poke(SSI + 0x60, 0);
    CHECK((peek(SSI + 0x28) & 0xf) == 0xe);
    (void)peek(SSI + 0x60);
    return (uint8_t)peek(SSI + 0x60);
}

static void flash_chip(void)
{
    fresh();
    poke(SSI + 8, 1);
    CHECK(flash_status(0x35) == 0);
    poke(SSI + 0x60, 0x06);
    CHECK((peek(SSI + 0x28) & 0xf) == 0xe);
    (void)peek(SSI + 0x60);
    poke(SSI + 0x60, 0x01);
    poke(SSI + 0x60, 0);
    poke(SSI + 0x60, 2);
    (void)peek(SSI + 0x28);
    for (unsigned i = 0; i < 3; i++)
        (void)peek(SSI + 0x60);
    CHECK((peek(SSI + 0x28) & 8) == 0);
    CHECK(flash_status(0x35) == 2 && flash_status(0x05) == 0);
    CHECK(cm_board_reset(board));
    poke(SSI + 8, 1);
    CHECK(flash_status(0x35) == 2); /* the chip keeps it */
}

/* Fast Read Quad I/O in continuous read mode: 8 clocks of address and mode, 4 to wait, 8 for each
 * word. */
static void fast_line(uint32_t divider)
{
    poke(SSI + 8, 0);
    poke(SSI + 0x14, divider);
    poke(SSI, 2 << 21 | 31 << 16 | 3 << 8);
    poke(SSI + 0xf4, 0xa0002022u);
    poke(SSI + 8, 1);
}

static void timing(void)
{
    fresh();
    CHECK(board->v6m.timing.miss == 0);
    fast_line(2);
    CHECK(board->v6m.timing.cached && board->v6m.timing.hit == 0 &&
          board->v6m.timing.miss == 2 * (8 + 4 + 16));
    fast_line(4);
    CHECK(board->v6m.timing.miss == 4 * (8 + 4 + 16));
    poke(XIP, 2); /* without the cache each word is a transfer of its own */
    CHECK(!board->v6m.timing.cached && board->v6m.timing.hit == 80 && board->v6m.timing.miss == 80);
    poke(XIP, 3);
    poke(SSI + 8, 0);
    poke(SSI + 0xf4, 0x00002221u); /* with a command of 8 bits on one line */
    poke(SSI + 8, 1);
    CHECK(board->v6m.timing.miss == 4 * (8 + 8 + 4 + 16));
    poke(SSI + 8, 0);
    poke(SSI, 31 << 16 | 3 << 8); /* one data line: command and address 32, each word 32 */
    poke(SSI + 8, 1);
    CHECK(board->v6m.timing.miss == 4 * (32 + 64));
}

/* Random reads, beside a cache as the data sheet says it: 1024 sets of two lines. */
static void sets_of_two(void)
{
    static uint32_t model[1024][2];
    uint32_t random = 1, hits = 0;
    fresh();
    fast_line(2);
    memset(model, 0, sizeof model);
    for (unsigned i = 0; i < 200000; i++) {
        random = random * 1664525u + 1013904223u;
        const uint32_t way = random >> 30, within = random >> 16 & (i < 100000 ? 0x1ff8 : 0xf8);
        const uint32_t address = 0x10000000u + way * SET + within, line = address >> 3;
        uint32_t *const set = model[line % 1024];
        const bool hit = set[0] == line || set[1] == line;
        if (set[0] != line) {
            set[1] = set[0];
            set[0] = line;
        }
        hits += hit;
        if (cm6_flash_wait(&board->v6m, address, false, (random & 0x100) != 0) !=
            (hit ? 0u : 56u)) {
            CHECK(!"a hit that is a miss there, or the other way round");
            return;
        }
    }
    CHECK(hits > 60000 && core->misses == 200000 - hits);
    poke(XIP + 4, 1);
    CHECK((peek(XIP + 8) & 1) == 1 && cm6_flash_wait(&board->v6m, 0x10000000, false, false) == 56);
}

static void code(void)
{
    fresh();
    for (uint32_t i = 0; i < 64; i++)
        sim_put16(core->flash + 0x200 + 2 * i, NOP);
    fast_line(2);
    /* five lines, the first one by its second word, which is fetched ahead */
    CHECK(steps(PROGRAM, 17) == 17 + 5 * 56);
    CHECK(steps(PROGRAM, 17) == 17);
    sim_put16(core->flash + 0x206, 0xe7fb); /* B to PROGRAM */
    core->flush = true;
    CHECK(steps(PROGRAM, 40) == 50); /* ten rounds of 3 and 2 cycles */
}

int main(void)
{
    check_begin();
    boot_rom();
    clocks();
    uart();
    flash_chip();
    timing();
    sets_of_two();
    code();
    cm_board_free(board);
    return check_end();
}
