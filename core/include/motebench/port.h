/*
 * Port of the probe to a platform: the functions that the platform must provide.
 *
 * The probe itself neither allocates nor knows an operating system. Everything it needs from the
 * outside is here: a byte stream, memory, clocks, and (optionally) requests that only this platform
 * can answer.
 */
#ifndef MOTEBENCH_PORT_H
#define MOTEBENCH_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "motebench/text.h"

/*
 * Alignment of every buffer, and of every piece of `aux`, in bytes. Small devices set it to what
 * they need.
 */
#ifndef MB_ALIGNMENT
#define MB_ALIGNMENT 64
#endif

/*
 * Integers kept of each batch: clock, counter, processor time and, where a system may take the
 * processor away or slow it down, how often it did and the time of the reference loop. Boards have
 * no such system, and keep neither the integers nor the code that reads them.
 */
#ifdef __unix__
#define MB_PREEMPTIBLE
enum { MB_READINGS = 5 };
#else
enum { MB_READINGS = 3 };
#endif

/* Sizes that a job needs, in bytes; samples: in batches. */
typedef struct mb_needs {
    size_t in, out, aux, samples, ctx;
    size_t reply; /* what is written of the reply before the job is of no use any more */
} mb_needs;

#define MB_SHORT_REPLY ((size_t)64) /* such a reply to anything but `measure` */

/*
 * Largest `overrun` if the stack came down to the job, and if only the request was changed: with
 * user code, the code may have changed it.
 */
#ifdef MB_GUARDED
enum { MB_OVER_PAINT = 16, MB_OVER_REQUEST = 17 };
#else
enum { MB_OVER_PAINT = 16, MB_OVER_REQUEST = 16 };
#endif

/*
 * The probe's memory. Every pointer is aligned to MB_ALIGNMENT; sizes are in bytes where nothing
 * else is said.
 */
typedef struct mb_buffers {
    uint8_t *frame_in;  /* frame_cap: the request under way, payload and check */
    uint8_t *frame_out; /* frame_cap: its reply; with `place` it may be frame_in */
    size_t frame_cap;   /* becomes hello.max_frame; at least 512 */
    /* aux_cap: aligned copies of key, nonce, AAD and tag, and the tag that is made */
    uint8_t *aux;
    size_t aux_cap;
    uint8_t *chunk; /* chunk_cap: what was just read from the stream; at least 1 */
    size_t chunk_cap;
    uint8_t *in;  /* data_cap + slack: the input */
    uint8_t *out; /* data_cap + slack: the output, and the place of work in place */
    /* Becomes hello.max_data; with `place` what is longer does not fit in any case. */
    size_t data_cap;
    /* For padding, and results that are longer than their input (an RSA key); at least 64. */
    size_t slack;
    uint64_t *samples; /* MB_READINGS * sample_cap: readings of the batches of one request */
    size_t sample_cap; /* in batches; at least 3 */
    void *ctx;         /* the adapter's state, as long as asked for */
    size_t ctx_lacks;  /* bytes of memory that are missing for it; 0: there it is */
    /*
     * Small devices: make room for one job right behind its request, which ends before `end`, and
     * its reply, which begins where the request does: aux, in, out, samples and ctx are set, each
     * as long as needed. Where MB_ALIGNMENT is 1, what a request brings stays in it. Returns the
     * bytes that are missing, 0 if nothing is. NULL: the memory above is there all the time.
     */
    size_t (*place)(const uint8_t *end, const mb_needs *needs);
    /*
     * Also there: bytes that the stack went beyond its end since `place`, as far as can be told; or
     * NULL.
     */
    size_t (*overrun)(void);
} mb_buffers;

/*
 * A clock or counter: `hz` ticks a second (0: follows the core clock), `resolution` and `overhead`
 * in ticks.
 */
typedef struct mb_clock {
    mb_text name; /* NULL: none */
    uint64_t hz;
    uint64_t resolution; /* smallest step seen, at least 1 */
    double overhead;     /* median reading of one start/stop pair around nothing */
} mb_clock;

/*
 * Called once, first, with the bytes of the adapter's largest state. False: the platform cannot
 * carry the probe.
 */
bool mb_port_init(size_t ctx_size);

/* The probe's memory; the same answer every time. */
const mb_buffers *mb_port_buffers(void);

/*
 * Wait for input and read up to `cap` bytes of it; 0 at the end of the stream or when it is broken.
 */
size_t mb_port_read(uint8_t *buf, size_t cap);

/* Send bytes; they may wait in a buffer until mb_port_flush. False: the reader is gone. */
bool mb_port_write(const uint8_t *buf, size_t len);
bool mb_port_flush(void);

/*
 * Names and rates of the clocks. The probe itself measures resolution and overhead, by using them.
 */
void mb_port_clocks(mb_clock *clock, mb_clock *counter, mb_clock *cpu);

/*
 * Read a clock. The counter and cpu clocks are read only if they have a name; they give false if a
 * reading failed. What a reading of clock or counter means is the port's own business:
 * mb_port_elapsed makes ticks of two of the same clock, so that a small device needs no arithmetic
 * between reading and work.
 */
uint64_t mb_port_clock(void);
bool mb_port_counter(uint64_t *ticks);
bool mb_port_cpu(uint64_t *ticks);
uint64_t mb_port_elapsed(uint64_t begin, uint64_t end);

/*
 * Before a function that runs between a reading of the clock and the work. Where flash has wait
 * states or a cache, the build says MB_RAM_CODE, and the linker puts these functions into RAM: they
 * take the same time whatever the flash does.
 */
#ifdef MB_RAM_CODE
#define MB_FROM_RAM(function) __attribute__((section(".ram_code." #function)))
#else
#define MB_FROM_RAM(function)
#endif

#ifdef MB_PREEMPTIBLE
/* Number of times that this thread was preempted; false if the system does not tell. */
bool mb_port_preemptions(uint64_t *times);
#endif

/*
 * Around every timed region, outside all clock readings, and around everything between
 * mb_port_memory_begin and the end of the operation: keep everything else (interrupts) from running
 * in it.
 */
void mb_port_quiet(bool quiet);

/* Boards only: there is nothing left to do. */
_Noreturn void mb_port_stop(void);

/*
 * The `memory` request: `before` is called when the buffers are ready and the library has not been
 * called, `begin` right before the calls that count, `held` between the operation and its close.
 * `held` writes the reply's keys; false if the platform cannot tell.
 *
 * Small devices: `used` gives the bytes of stack that were used since `begin`, with a few of its
 * own if those are more. The probe takes off what the adapter's no-op job uses, and passes the rest
 * to `held`.
 */
struct mb_map;
bool mb_port_memory_before(void);
void mb_port_memory_begin(void);
size_t mb_port_memory_used(void);
bool mb_port_memory_held(struct mb_map *reply, size_t stack);

/*
 * Request `i` of those that only this port answers (the `file` request of hosts); NULL behind the
 * last.
 */
struct mb_handler;
const struct mb_handler MOTE_FLASH *mb_port_handler(size_t i);

/*
 * Names of the processor architecture and of the compiler with its version and flags, as `hello`
 * shows them.
 */
extern const char MOTE_FLASH mb_port_arch[], mb_port_compiler[], mb_port_flags[];

#endif
