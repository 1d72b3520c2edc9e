/* A board: what start-up code waits for, the UART, sleep, faults, and files that are no
 * programs. */
#include <stdlib.h>
#include <string.h>

#include "../board/board.h"
#include "bytes.h"
#include "check.h"

enum { CODE = 0x20000000, RAM = 0x20040000, UART = 0x40070000 };

static uint8_t sent[8];
static size_t sent_count;
static int waiting = SIM_ENDED;

static void send(uint8_t byte)
{
    sent[sent_count++ % sizeof sent] = byte;
}

static int receive(void)
{
    const int byte = waiting;
    waiting = SIM_ENDED;
    return byte;
}

static hz_board *started(const uint32_t *code, size_t count)
{
    hz_board *board = hz_board_new(hz_part_named("rp2350-hazard3"), 0);
    if (board == NULL)
        abort();
    for (size_t i = 0; i < count; i++)
        sim_put(board->core.code + 4 * i, 4, code[i]);
    board->entry = CODE;
    board->send = send;
    board->receive = receive;
    hz_board_reset(board);
    return board;
}

static hz_stop run(const uint32_t *code, size_t count, uint32_t x1, uint32_t x2)
{
    hz_board *board = started(code, count);
    board->core.x[1] = x1;
    board->core.x[2] = x2;
    const hz_stop stop = hz_board_run(board, 10000);
    hz_board_free(board);
    return stop;
}

static void faults(void)
{
    const uint32_t load[] = {0x0000a183}, store[] = {0x0030a023}, undefined[] = {0xffffffff},
                   endless[] = {0x0000006f};
    const uint32_t breakpoint[] = {0x00100073}, sleep[] = {0x10500073};
    CHECK(run(load, 1, RAM + 2, 0) == HZ_UNALIGNED);
    CHECK(run(load, 1, 0x30000000, 0) == HZ_BUS);
    CHECK(run(store, 1, CODE + 0x100, 0) == HZ_BUS);
    CHECK(run(store, 1, RAM + 1, 0) == HZ_UNALIGNED);
    CHECK(run(undefined, 1, 0, 0) == HZ_UNDEFINED);
    CHECK(run(breakpoint, 1, 0, 0) == HZ_UNDEFINED);
    CHECK(run(endless, 1, 0, 0) == HZ_DEADLINE);
    CHECK(run(sleep, 1, 0, 0) == HZ_LOCKUP);
}

/* ADDI sp, sp, -16 below the end of static data. */
static void stack(void)
{
    const uint32_t push[] = {0xff010113};
    hz_board *board = started(push, 1);
    board->core.stack_limit = RAM + 0x100;
    board->core.x[HZ_SP] = RAM + 0x108;
    CHECK(hz_board_run(board, 100) == HZ_STACK && board->core.fault_address == RAM + 0xf8);
    hz_board_free(board);
}

/* Sends 'A'; sleeps until a byte comes, with its interrupt enabled in the UART but not in the core,
 * and reads it. */
static void uart(void)
{
    const uint32_t code[] = {
        0x00212023, /* SW x2, 0(x2): DR takes the lowest byte of the address, which is 0 */
        0x05000193, /* LI x3, RX and RX_TIMEOUT */
        0x02312c23, /* SW x3, 0x38(x2) */
        0x10500073, /* WFI */
        0x00012203, /* LW x4, 0(x2) */
        0x0000006f,
    };
    hz_board *board = started(code, sizeof code / sizeof code[0]);
    board->core.x[2] = UART;
    sent_count = 0;
    waiting = 0x5a;
    CHECK(hz_board_run(board, 1000) == HZ_DEADLINE);
    CHECK(sent_count == 1 && sent[0] == 0 && board->core.x[4] == 0x5a);
    hz_board_free(board);
    board = started(code, sizeof code / sizeof code[0]);
    board->core.x[2] = UART;
    CHECK(hz_board_run(board, 1000) == HZ_HALTED); /* the input has ended */
    hz_board_free(board);
}

/* An ELF file of one segment, and all its beginnings, and with each byte of its headers changed. */
static void files(void)
{
    uint8_t file[52 + 32 + 4] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    hz_board *board = hz_board_new(hz_part_named("rp2350-hazard3"), 0);
    sim_program program;
    if (board == NULL)
        abort();
    sim_put(file + 16, 2, 2);
    sim_put(file + 18, 2, 243);
    sim_put(file + 24, 4, CODE);
    sim_put(file + 28, 4, 52);
    sim_put(file + 42, 2, 32);
    sim_put(file + 44, 2, 1);
    sim_put(file + 52, 4, 1);
    sim_put(file + 56, 4, 84);
    sim_put(file + 64, 4, CODE);
    sim_put(file + 68, 4, 4);
    CHECK(hz_elf_load(file, sizeof file, board, &program) == NULL && board->entry == CODE);
    sim_program_free(&program);
    for (size_t len = 0; len < sizeof file; len++)
        CHECK(hz_elf_load(file, len, board, &program) != NULL);
    for (size_t at = 0; at < 84; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            file[at] ^= (uint8_t)(1u << bit);
            if (hz_elf_load(file, sizeof file, board, &program) == NULL)
                sim_program_free(&program);
            file[at] ^= (uint8_t)(1u << bit);
        }
    }
    CHECK(hz_part_named("rp2350") == NULL);
    hz_board_free(board);
}

int main(void)
{
    check_begin();
    faults();
    stack();
    uart();
    files();
    return check_end();
}
