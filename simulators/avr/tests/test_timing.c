/* Cycles of every instruction whose time the families do not share, or that some other simulator
 * has wrong: DS40002198, section 6. */
#include <stdio.h>

#include "check.h"
#include "machine.h"

typedef struct row {
    const char *name;
    uint16_t words[2];
    unsigned e, e22, xt; /* cycles; 0: not in this family */
} row;

/* r24 = 1, r25 = 0, X = Y = Z in RAM; the stack leads to address 0x40. Z is set, C is not. */
static const row rows[] = {
    {"NOP", {0x0000}, 1, 1, 1},
    {"MOVW", {0x01fc}, 1, 1, 1},
    {"ADD", {0x0f89}, 1, 1, 1},
    {"MUL", {0x9f89}, 2, 2, 2},
    {"MULS", {0x0289}, 2, 2, 2},
    {"FMUL", {0x0309}, 2, 2, 2},
    {"ADIW", {0x9601}, 2, 2, 2},
    {"SBIW", {0x9701}, 2, 2, 2},
    {"LD X", {0x918c}, 2, 2, 2},
    {"LD X+", {0x918d}, 2, 2, 2},
    {"LD -X", {0x918e}, 2, 2, 2},
    {"LD Z+", {0x9181}, 2, 2, 2},
    {"LD -Y", {0x918a}, 2, 2, 2},
    {"LDD Y+1", {0x8189}, 2, 2, 2},
    {"LDS", {0x9180, 0x3000}, 2, 2, 3},
    {"ST X", {0x938c}, 2, 2, 1},
    {"ST X+", {0x938d}, 2, 2, 1},
    {"ST -X", {0x938e}, 2, 2, 1},
    {"ST Z+", {0x9381}, 2, 2, 1},
    {"ST -Y", {0x938a}, 2, 2, 1},
    {"STD Z+2", {0x8382}, 2, 2, 1},
    {"STS", {0x9380, 0x3000}, 2, 2, 2},
    {"PUSH", {0x938f}, 2, 2, 1},
    {"POP", {0x918f}, 2, 2, 2},
    {"LPM", {0x95c8}, 3, 3, 3},
    {"LPM Z", {0x9184}, 3, 3, 3},
    {"LPM Z+", {0x9185}, 3, 3, 3},
    {"ELPM Z+", {0x9187}, 0, 3, 0},
    {"IN", {0xb78e}, 1, 1, 1},
    {"OUT", {0xbd8a}, 1, 1, 1},
    {"SBI", {0x9af0}, 2, 2, 1},
    {"CBI", {0x98f0}, 2, 2, 1},
    {"SBIC skips", {0x99f0}, 2, 2, 2},
    {"SBIS goes on", {0x9bf0}, 1, 1, 1},
    {"SBRC goes on", {0xfd80}, 1, 1, 1},
    {"SBRS skips 1", {0xff80, 0x0000}, 2, 2, 2},
    {"SBRC skips 1", {0xfd81, 0}, 2, 2, 2},
    {"SBRC skips 2", {0xfd81, 0x940c}, 3, 3, 3},
    {"CPSE skips 2", {0x1388, 0x9180}, 3, 3, 3},
    {"SBRS over ADIW", {0xff90, 0x961e}, 1, 1, 1},
    {"SBRC over ADIW", {0xfd90, 0x961e}, 2, 2, 2},
    {"BREQ taken", {0xf009}, 2, 2, 2},
    {"BRNE not taken", {0xf409}, 1, 1, 1},
    {"RJMP", {0xc002}, 2, 2, 2},
    {"IJMP", {0x9409}, 2, 2, 2},
    {"JMP", {0x940c, 0x0040}, 3, 3, 3},
    {"RCALL", {0xd002}, 3, 4, 2},
    {"ICALL", {0x9509}, 3, 4, 2},
    {"CALL", {0x940e, 0x0040}, 4, 5, 3},
    {"EICALL", {0x9519}, 0, 4, 0},
    {"RET", {0x9508}, 4, 5, 4},
    {"RETI", {0x9518}, 4, 5, 4},
    {"WDR", {0x95a8}, 1, 1, 1},
    {"SEI", {0x9478}, 1, 1, 1},
    {"BST", {0xfb80}, 1, 1, 1},
    {"SWAP", {0x9582}, 1, 1, 1},
};

static unsigned measured(const char *part, const row *one)
{
    av_board *board = machine(part, one->words, 2);
    av_core *core = &board->core;
    const uint16_t data = (uint16_t)(core->ram_base + 64);
    for (unsigned pair = 26; pair < 32; pair += 2) {
        core->r[pair] = (uint8_t)data;
        core->r[pair + 1] = (uint8_t)(data >> 8);
    }
    core->r[24] = 1;
    core->sreg = AV_Z;
    core->sp = (uint16_t)(core->ram_base + 32);
    core->low = core->ram_base;
    core->data[core->sp + (core->family == AV_E22 ? 3 : 2)] = 0x40;
    const av_stop stop = av_core_run(core, 1);
    const unsigned cycles = stop == AV_DEADLINE ? (unsigned)core->cycles : 0;
    av_board_free(board);
    return cycles;
}

/* A byte of the flash, read as data, takes one cycle more. */
static void mapped(void)
{
    const uint16_t words[] = {0x918c, 0x0001, 0x9180, 0x4002};
    av_board *board = machine("atmega4809", words, 4);
    board->core.r[27] = 0x40;
    CHECK(av_core_run(&board->core, 1) == AV_DEADLINE);
    CHECK(board->core.cycles == 3 && board->core.r[24] == 0x8c);
    board->core.pc = 2;
    CHECK(av_core_run(&board->core, 4) == AV_DEADLINE);
    CHECK(board->core.cycles == 3 + 4 && board->core.r[24] == 0x01);
    board->core.pc = 0;
    board->core.flash[1] = 0x93; /* ST X: nothing is written there */
    av_core_init(&board->core, 4);
    CHECK(av_core_run(&board->core, 100) == AV_BUS && board->core.fault == 0x4000);
    av_board_free(board);
}

int main(void)
{
    static const char *const parts[] = {"atmega328p", "atmega2560", "atmega4809"};
    check_begin();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const unsigned expected[] = {rows[i].e, rows[i].e22, rows[i].xt};
        for (unsigned p = 0; p < 3; p++) {
            row one = rows[i];
            if (one.words[1] == 0x3000 && p < 2)
                one.words[1] = 0x0300;
            const unsigned cycles = measured(parts[p], &one);
            if (!CHECK(cycles == expected[p]))
                fprintf(stderr, "%s of %s: %u cycles\n", one.name, parts[p], cycles);
        }
    }
    mapped();
    return check_end();
}
