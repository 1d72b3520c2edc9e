#include "machine.h"

#include <stdlib.h>
#include <string.h>

static char sent[4096];
static size_t sent_len;
static const char *input = "";

static void send(uint8_t byte)
{
    if (sent_len + 1 < sizeof sent)
        sent[sent_len++] = (char)byte;
}

static int receive(int milliseconds)
{
    (void)milliseconds;
    return *input != '\0' ? (uint8_t)*input++ : SIM_ENDED;
}

av_board *machine(const char *part, const uint16_t *words, size_t count)
{
    av_board *board = av_board_new(av_part_named(part), 0);
    if (board == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        board->core.flash[2 * i] = (uint8_t)words[i];
        board->core.flash[2 * i + 1] = (uint8_t)(words[i] >> 8);
    }
    board->console = (av_console){.send = send, .receive = receive};
    memset(sent, 0, sizeof sent);
    sent_len = 0;
    av_core_init(&board->core, (uint32_t)count);
    return board;
}

void machine_input(const char *text)
{
    input = text;
}

const char *machine_output(void)
{
    return sent;
}

uint32_t random_below(uint32_t *state, uint32_t below)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return below != 0 ? *state % below : 0;
}
