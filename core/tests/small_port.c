/*
 * A port for tests: as small as a small device, every buffer of its own so that the sanitizer sees
 * a step beyond it, clocks that count their readings, a stream that a test feeds and reads.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cbor.h"
#include "motebench/port.h"
#include "small_port.h"

const char mb_port_arch[] = "test", mb_port_compiler[] = "test", mb_port_flags[] = "";

enum { PIECE = 7, SLACK = 8192 };

static mb_buffers buffers;
static uint64_t now;

bool mb_port_init(size_t ctx_size)
{
    buffers = (mb_buffers){
        .frame_in = malloc(SMALL_FRAME),
        .frame_out = malloc(SMALL_FRAME),
        .frame_cap = SMALL_FRAME,
        .aux = aligned_alloc(64, SMALL_AUX),
        .aux_cap = SMALL_AUX,
        .chunk = malloc(PIECE),
        .chunk_cap = PIECE,
        .in = malloc(SMALL_DATA + SLACK),
        .out = malloc(SMALL_DATA + SLACK),
        .data_cap = SMALL_DATA,
        .slack = SLACK,
        .samples = malloc(MB_READINGS * SMALL_SAMPLES * sizeof(uint64_t)),
        .sample_cap = SMALL_SAMPLES,
        .ctx = malloc(ctx_size),
    };
    return buffers.frame_in && buffers.frame_out && buffers.aux && buffers.chunk && buffers.in &&
           buffers.out && buffers.samples && buffers.ctx;
}

const mb_buffers *mb_port_buffers(void)
{
    return &buffers;
}

static const uint8_t *fed;
static size_t fed_len, written_len;
static uint8_t written[16384];
static bool nobody;

void small_port_feed(const uint8_t *bytes, size_t len)
{
    fed = bytes;
    fed_len = len;
    written_len = 0;
}

const uint8_t *small_port_written(size_t *len)
{
    *len = written_len;
    return written;
}

void small_port_deaf(bool deaf)
{
    nobody = deaf;
}

size_t mb_port_read(uint8_t *buf, size_t cap)
{
    size_t n = fed_len < PIECE ? fed_len : PIECE;
    if (n > cap)
        n = cap;
    if (n > 0)
        memcpy(buf, fed, n);
    fed += n;
    fed_len -= n;
    return n;
}

bool mb_port_write(const uint8_t *buf, size_t len)
{
    if (nobody || len > sizeof written - written_len)
        return false;
    memcpy(written + written_len, buf, len);
    written_len += len;
    return true;
}

bool mb_port_flush(void)
{
    return true;
}

void mb_port_clocks(mb_clock *clock, mb_clock *counter, mb_clock *cpu)
{
    *clock = (mb_clock){.name = "readings", .hz = 1000};
    *counter = (mb_clock){.name = "readings", .hz = 1000};
    *cpu = (mb_clock){.name = NULL};
}

uint64_t mb_port_clock(void)
{
    return ++now;
}

int small_port_sleep(const struct timespec *time, struct timespec *rest)
{
    (void)rest;
    now += (uint64_t)time->tv_sec * 1000 + (uint64_t)time->tv_nsec / 1000000;
    return 0;
}

bool mb_port_counter(uint64_t *ticks)
{
    *ticks = ++now;
    return true;
}

bool mb_port_cpu(uint64_t *ticks)
{
    *ticks = 0;
    return false;
}

#ifdef MB_PREEMPTIBLE
bool mb_port_preemptions(uint64_t *times)
{
    static uint64_t lost;
    *times = 5 * lost++; /* five between two readings */
    return true;
}
#endif

uint64_t mb_port_elapsed(uint64_t begin, uint64_t end)
{
    return end - begin;
}

void mb_port_quiet(bool quiet)
{
    (void)quiet;
}

bool mb_port_memory_before(void)
{
    return true;
}

void mb_port_memory_begin(void) {}

bool mb_port_memory_held(mb_map *reply, size_t stack)
{
    (void)stack;
    mb_map_uint(reply, "stack", 100);
    return true;
}

const struct mb_handler *mb_port_handler(size_t i)
{
    (void)i;
    return NULL;
}
