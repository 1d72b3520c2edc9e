#include "counter.h"

uint64_t av_tap_ticks(const av_tap *tap, uint64_t now)
{
    return tap->base +
           (tap->divisor != 0 && now > tap->origin ? (now - tap->origin) / tap->divisor : 0);
}

void av_tap_set(av_tap *tap, uint64_t now, uint32_t divisor)
{
    tap->base = av_tap_ticks(tap, now);
    tap->origin = now;
    tap->divisor = divisor;
}

uint64_t av_tap_cycle(const av_tap *tap, uint64_t ticks)
{
    return tap->divisor == 0 ? UINT64_MAX : tap->origin + (ticks - tap->base) * tap->divisor;
}

uint64_t av_counter_until(const av_counter *counter, uint32_t value)
{
    const uint64_t to_zero = av_counter_until_end(counter);
    if (value > counter->count && (counter->count > counter->top || value <= counter->top))
        return value - counter->count;
    return value <= counter->top ? to_zero + value : 0;
}

uint64_t av_counter_until_end(const av_counter *counter)
{
    const uint32_t end = counter->count > counter->top ? counter->max : counter->top;
    return (uint64_t)end - counter->count + 1;
}

uint64_t av_counter_cycle(const av_counter *counter, const av_tap *tap, unsigned which)
{
    const uint64_t ticks = which == 0 ? av_counter_until_end(counter)
                                      : av_counter_until(counter, counter->compare[which - 1]);
    return ticks != 0 ? av_tap_cycle(tap, counter->ticks + ticks) : UINT64_MAX;
}

unsigned av_counter_advance(av_counter *counter, uint64_t ticks)
{
    const uint64_t passed = ticks - counter->ticks, end = av_counter_until_end(counter);
    unsigned events = 0;
    counter->ticks = ticks;
    for (unsigned i = 0; i < AV_COMPARES; i++) {
        const uint64_t until = av_counter_until(counter, counter->compare[i]);
        if (until != 0 && passed >= until)
            events |= (unsigned)AV_MATCH << i;
    }
    if (passed < end) {
        counter->count += (uint32_t)passed;
        return events;
    }
    const uint32_t last = counter->count > counter->top ? counter->max : counter->top;
    events |= last == counter->max ? AV_AT_MAX : 0;
    events |= last == counter->top || passed - end > counter->top ? AV_AT_TOP : 0;
    if (counter->top == counter->max)
        events |= AV_AT_MAX;
    counter->count = (uint32_t)((passed - end) % ((uint64_t)counter->top + 1));
    return events;
}
