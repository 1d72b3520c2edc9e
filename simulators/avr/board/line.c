#include "line.h"

/* Cycles between two looks for input while the core works. */
enum { POLL = 1 << 18 };

static void put(av_line *line, av_board *board, uint64_t now, int byte)
{
    board->spoke = false;
    line->fifo[line->waiting++] = (uint8_t)byte;
    line->next_in = now + line->frame;
}

static void receive(av_line *line, av_board *board, uint64_t now)
{
    const int byte = board->ended ? SIM_ENDED : board->console.receive(0);
    if (byte >= 0)
        put(line, board, now, byte);
    else
        line->next_in = now + (board->asleep ? 0 : POLL);
    board->ended = byte == SIM_ENDED;
}

uint64_t av_line_event(av_line *line, av_board *board, uint64_t now)
{
    uint64_t next = AV_NEVER;
    if (line->receives) {
        if (line->waiting < AV_FIFO && now >= line->next_in)
            receive(line, board, now);
        if (line->waiting == AV_FIFO)
            next = now + line->frame;
        else if (line->next_in > now)
            next = line->next_in;
    }
    if (line->sending && now >= line->shift_free) {
        line->sending = false;
        line->sent = true;
    }
    if (line->sending && line->shift_free < next)
        next = line->shift_free;
    if (now < line->buffer_free && line->buffer_free < next)
        next = line->buffer_free;
    return next;
}

void av_line_send(av_line *line, av_board *board, uint64_t now, uint8_t byte)
{
    board->console.send(byte);
    board->spoke = true;
    if (now >= line->shift_free) {
        line->shift_free = now + line->frame;
    } else {
        line->buffer_free = line->shift_free;
        line->shift_free += line->frame;
    }
    line->sending = true;
}

uint8_t av_line_take(av_line *line)
{
    if (line->waiting == 0)
        return 0;
    const uint8_t byte = line->fifo[0];
    line->fifo[0] = line->fifo[1];
    line->waiting--;
    return byte;
}

uint8_t av_line_flags(const av_line *line, uint64_t now)
{
    return (uint8_t)((line->waiting != 0 ? AV_RECEIVED : 0) | (line->sent ? AV_SENT : 0) |
                     (now >= line->buffer_free ? AV_EMPTY : 0));
}

uint64_t av_usart_event(av_unit *unit, av_line *line, unsigned asks, uint64_t now)
{
    static const uint8_t flags[] = {AV_RECEIVED, AV_EMPTY, AV_SENT};
    const uint64_t next = av_line_event(line, unit->board, now);
    const unsigned raised = av_line_flags(line, now) & asks;
    for (size_t i = 0; i < sizeof flags; i++)
        av_raise(unit, unit->is->vectors[i], (raised & flags[i]) != 0);
    return next;
}

av_stop av_line_wait(av_board *board)
{
    for (size_t i = 0; i < board->part->count; i++) {
        av_line *line = av_line_of(&board->units[i]);
        if (line == NULL || !line->receives || line->waiting == AV_FIFO)
            continue;
        const int byte = board->ended ? SIM_ENDED : board->console.receive(-1);
        if (byte < 0)
            return AV_HALTED;
        put(line, board, board->core.cycles, byte);
        return AV_NONE;
    }
    return AV_ASLEEP;
}

av_line *av_line_of(av_unit *unit)
{
    const av_model *model = unit->is->model;
    /* its first member */
    return model == &av_usart_model || model == &av_usart_xt_model ? unit->state : NULL;
}
