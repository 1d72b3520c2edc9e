/* Timers, the serial line, interrupts, sleep, and what stops a core. */
#include <string.h>

#include "check.h"
#include "machine.h"

/* Words of STS and LDS by way of r16, of LDI r16. */
#define LDI16(value) (uint16_t)(0xe000 | ((value) << 4 & 0xf00) | ((value) & 15))
#define STS16(address) 0x9300, (address)
#define SET(address, value) LDI16(value), STS16(address)
enum {
    LDS_R0 = 0x9000,
    LDS_R1 = 0x9010,
    SEI = 0x9478,
    CLI = 0x94f8,
    SLEEP = 0x9588,
    NOP = 0,
    LOOP = 0xcfff,
    RETI = 0x9518
};
enum { COUNT_TO = 2000 };

/* The two bytes of a timer's count after that many cycles of waiting. */
static void xt_counts(void)
{
    /* TCB0: to 255 */
    const uint16_t words[] = {
        SET(0xa8c, 0xff),
        SET(0xa8d, 0x00),
        SET(0xa80, 0x01),
        NOP,
        NOP,
        NOP,
        LDS_R0,
        0xa8a,
        LDS_R1,
        0xa8a,
        LDS_R1,
        0xa86,
        LOOP};
    av_board *board = machine("atmega4809", words, sizeof words / 2);
    av_core *core = &board->core;
    CHECK(av_core_run(core, 17) == AV_DEADLINE);
    CHECK(core->own[1] - core->own[0] == 3); /* LDS takes three cycles */
    CHECK(av_core_run(core, 20) == AV_DEADLINE && core->own[1] == 0);
    CHECK(av_core_run(core, COUNT_TO) == AV_DEADLINE);
    core->pc = 16; /* reads the flag: the count came round */
    CHECK(av_core_run(core, COUNT_TO + 3) == AV_DEADLINE && core->own[1] == 1);
    av_board_free(board);
}

/* TCB3 on the clock of TCA0, as the Arduino core has it: an interrupt every 256 ticks of 64
 * cycles. */
static void xt_interrupts(void)
{
    uint16_t words[0x140] = {0x940c, 0x0100};
    /* INC r0; clears the flag */
    const uint16_t handler[] = {0x9403, LDI16(1), STS16(0xab6), RETI};
    const uint16_t begin[] = {
        SET(0xa26, 0xff),
        SET(0xa27, 0xff),
        SET(0xabc, 0xff),
        SET(0xabd, 0),
        SET(0xab5, 1),
        SET(0xab0, 5),
        SET(0xa00, 0x0b),
        SEI,
        LOOP};
    memcpy(words + 72, handler, sizeof handler);
    memcpy(words + 0x100, begin, sizeof begin);
    av_board *board = machine("atmega4809", words, sizeof words / 2);
    av_core *core = &board->core;
    CHECK(av_core_run(core, 16384 * 10 + 8000) == AV_DEADLINE);
    CHECK(core->own[0] == 10);
    CHECK((core->sreg & AV_I) != 0 && !core->in_level); /* AVRxt leaves I as it is */
    av_board_free(board);
}

/* Timer 0 with a prescaler of 64, and its overflow: the classic tick. */
static void classic_interrupts(const char *part, unsigned vector)
{
    uint16_t words[0x140] = {0x940c, 0x0100};
    const uint16_t handler[] = {0x9403, RETI};
    const uint16_t begin[] = {SET(0x6e, 1), SET(0x45, 3), SEI, LOOP};
    memcpy(words + 2 * vector, handler, sizeof handler);
    memcpy(words + 0x100, begin, sizeof begin);
    av_board *board = machine(part, words, sizeof words / 2);
    CHECK(av_core_run(&board->core, 16384 * 10 + 8000) == AV_DEADLINE);
    CHECK(board->core.data[0] == 10);
    av_board_free(board);
}

/*
 * A received byte wakes the core, whose handler sends it back; at the end of the input the board
 * ends.
 */
static void echo(void)
{
    uint16_t words[0x140] = {0x940c, 0x0100};
    const uint16_t handler[] = {LDS_R0, 0x860, 0x9200, 0x862, RETI};
    const uint16_t begin[] = {
        SET(0x868, 0x80), SET(0x865, 0x80), SET(0x866, 0xc0), SET(0x50, 1), SEI, SLEEP, 0xcffd};
    memcpy(words + 74, handler, sizeof handler);
    memcpy(words + 0x100, begin, sizeof begin);
    av_board *board = machine("atmega4809", words, sizeof words / 2);
    machine_input("motes");
    CHECK(av_core_run(&board->core, AV_NEVER) == AV_HALTED);
    CHECK(strcmp(machine_output(), "motes") == 0);
    /* frames of 320 cycles */
    CHECK(board->core.cycles > 4 * 320 && board->core.cycles < 7 * 320);
    av_board_free(board);
}

/* The same on a tinyAVR: another USART, another vector. */
static void tiny_echo(const char *part, unsigned vector)
{
    uint16_t words[0x140] = {0x940c, 0x0100};
    const uint16_t handler[] = {LDS_R0, 0x800, 0x9200, 0x802, RETI};
    const uint16_t begin[] = {
        SET(0x808, 0x80), SET(0x805, 0x80), SET(0x806, 0xc0), SET(0x50, 1), SEI, SLEEP, 0xcffd};
    memcpy(words + 2 * vector, handler, sizeof handler);
    memcpy(words + 0x100, begin, sizeof begin);
    av_board *board = machine(part, words, sizeof words / 2);
    machine_input("tiny");
    CHECK(av_core_run(&board->core, AV_NEVER) == AV_HALTED);
    CHECK(strcmp(machine_output(), "tiny") == 0);
    av_board_free(board);
}

/* TCB1 of a tinyAVR, every 1,000 cycles. */
static void tiny_interrupts(const char *part, uint16_t base, unsigned vector)
{
    uint16_t words[0x140] = {0x940c, 0x0100};
    const uint16_t handler[] = {0x9403, LDI16(1), STS16((uint16_t)(base + 6)), RETI};
    const uint16_t begin[] = {
        SET((uint16_t)(base + 12), 0xe7),
        SET((uint16_t)(base + 13), 0x03),
        SET((uint16_t)(base + 5), 1),
        SET(base, 1),
        SEI,
        LOOP};
    memcpy(words + 2 * vector, handler, sizeof handler);
    memcpy(words + 0x100, begin, sizeof begin);
    av_board *board = machine(part, words, sizeof words / 2);
    CHECK(av_core_run(&board->core, 10500) == AV_DEADLINE && board->core.own[0] == 10);
    av_board_free(board);
}

/* One instruction after the other, the same happens in the same cycles: interrupts, sleep, and what
 * is sent. */
static void steps(void)
{
    uint16_t words[0x140] = {0x940c, 0x0100};
    const uint16_t handler[] = {LDS_R0, 0x860, 0x9200, 0x862, RETI};
    const uint16_t tick[] = {0x9433, LDI16(1), STS16(0xab6), RETI};
    const uint16_t begin[] = {
        SET(0xab5, 1),
        SET(0xabc, 99),
        SET(0xabd, 0),
        SET(0xab0, 1),
        SET(0x868, 0x80),
        SET(0x865, 0x80),
        SET(0x866, 0xc0),
        SET(0x50, 1),
        SEI,
        SLEEP,
        CLI,
        0x9423,
        NOP,
        SEI,
        0xcffa};
    memcpy(words + 74, handler, sizeof handler);
    memcpy(words + 84, tick, sizeof tick);
    words[72] = 0xc000 | (84 - 73); /* RJMP: both vectors have two words */
    memcpy(words + 0x100, begin, sizeof begin);
    uint64_t cycles[2] = {0};
    uint8_t counted[2][2] = {{0}};
    for (unsigned way = 0; way < 2; way++) {
        av_board *board = machine("atmega4809", words, sizeof words / 2);
        av_core *core = &board->core;
        machine_input("step by step");
        av_stop stop = way == 0 ? av_core_run(core, 20000) : AV_PAUSED;
        while (stop == AV_PAUSED)
            stop = av_core_step(core, 20000);
        CHECK(stop == AV_DEADLINE && strncmp(machine_output(), "step by step", 12) == 0);
        CHECK(av_core_stack(core) == 2);
        cycles[way] = core->cycles;
        memcpy(counted[way], core->own + 2, 2);
        av_board_free(board);
    }
    CHECK(cycles[0] == cycles[1] && memcmp(counted[0], counted[1], 2) == 0 && counted[0][1] > 100);
}

/* The instruction after SEI runs before a pending interrupt does, and so does one after RETI. */
static void one_more(void)
{
    uint16_t words[0x140] = {0x940c, 0x0100};
    const uint16_t handler[] = {0x9403, 0x2c31, RETI}; /* INC r0; MOV r3, r1 */
    const uint16_t begin[] = {
        SET(0xab5, 1), SET(0xabc, 20),
        SET(0xabd, 0), SET(0xab0, 1),
        NOP,           NOP,
        NOP,           NOP,
        NOP,           NOP,
        NOP,           NOP,
        NOP,           NOP,
        NOP,           NOP,
        NOP,           NOP,
        NOP,           NOP,
        NOP,           NOP,
        NOP,           NOP,
        SEI,           0x9413,
        0x9413,        LOOP};
    memcpy(words + 72, handler, sizeof handler);
    memcpy(words + 0x100, begin, sizeof begin);
    av_board *board = machine("atmega4809", words, sizeof words / 2);
    av_core *core = &board->core;
    while (core->own[0] < 1 && av_core_run(core, core->cycles + 1) == AV_DEADLINE)
        continue;
    CHECK(core->own[1] == 1);
    while (core->own[0] < 2 && av_core_run(core, core->cycles + 1) == AV_DEADLINE)
        continue;
    /* the flag was not cleared: it comes again, one instruction later */
    CHECK(core->own[1] == 2);
    av_board_free(board);
}

static void stops(void)
{
    const uint16_t asleep[] = {SET(0x50, 1), SLEEP}, missing[] = {0x9404},
                   nothing[] = {0x940c, 0x2000}, overrun[] = {0x938f, 0xcffe},
                   frame[] = {0xbf1d, LDI16(0x20), 0xbf0e, NOP, LOOP},
                   alone[] = {SET(0x50, 1), SEI, SLEEP};
    const struct {
        const uint16_t *words;
        size_t count;
        av_stop stop;
    } all[] = {{asleep, 4, AV_ASLEEP}, {missing, 1, AV_UNDEFINED}, {nothing, 2, AV_UNDEFINED},
               {overrun, 2, AV_STACK}, {frame, 5, AV_STACK},       {alone, 5, AV_ASLEEP}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        av_board *board = machine("atmega4809", all[i].words, all[i].count);
        board->core.floor = 0x2900;
        machine_input("");
        CHECK(av_core_run(&board->core, 100000) == all[i].stop);
        av_board_free(board);
    }
}

/* Timer 1 in CTC: it counts to compare A and begins anew. */
static void ctc(void)
{
    const uint16_t words[] = {SET(0x89, 0), SET(0x88, 99), SET(0x81, 0x09), LOOP};
    av_board *board = machine("atmega328p", words, sizeof words / 2);
    av_core *core = &board->core;
    CHECK(av_core_run(core, COUNT_TO) == AV_DEADLINE);
    const unsigned first = core->bus.read(board, 0x84);
    core->cycles += 130;
    CHECK(core->bus.read(board, 0x84) == (first + 130) % 100 &&
          (core->bus.read(board, 0x36) & 3) == 2);
    av_board_free(board);
}

int main(void)
{
    check_begin();
    xt_counts();
    xt_interrupts();
    classic_interrupts("atmega328p", 16);
    classic_interrupts("atmega2560", 23);
    echo();
    tiny_echo("attiny1614", 27);
    tiny_echo("attiny3216", 27);
    tiny_echo("attiny3217", 27);
    tiny_echo("attiny3224", 17);
    tiny_echo("attiny3226", 17);
    tiny_echo("attiny3227", 17);
    tiny_interrupts("attiny3217", 0xa50, 14);
    tiny_interrupts("attiny3227", 0xa90, 25);
    steps();
    one_more();
    stops();
    ctc();
    return check_end();
}
