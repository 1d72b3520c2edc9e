/* A POSIX process as a port: memory, and the build's facts for hello. */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "orphan.h"
#include "stream.h"

#define MIB ((size_t)1 << 20)
#define FRAME_BYTES MIB
#define SMALLEST_DATA (16 * MIB)
#define LARGEST_DATA (1024 * MIB)
#define SAMPLES ((size_t)32768) /* batches of one request */
#define PAGE ((size_t)65536)    /* a multiple of every page size in use */
#define SLACK ((size_t)8192)
#define CHUNK ((size_t)4096)
#define LINE ((size_t)64)
#define LINES ((uint32_t)64) /* of a page of 4096 bytes */

const char mb_port_compiler[] = MOTEBENCH_COMPILER;
const char mb_port_flags[] = MOTEBENCH_FLAGS;
const char mb_port_arch[] =
#if defined __x86_64__
    "x86_64";
#elif defined __i386__
    "i686";
#elif defined __aarch64__
    "aarch64";
#elif defined __arm__
    "arm";
#elif defined __riscv
    "riscv";
#else
    "unknown";
#endif

static mb_buffers buffers;

const mb_buffers *mb_port_buffers(void)
{
    return &buffers;
}

static size_t pages(size_t len)
{
    return (len + PAGE - 1) / PAGE * PAGE;
}

/*
 * Longest data: a quarter of the memory that the machine has, so that input and output fit with
 * room to spare.
 */
static size_t wanted_data(void)
{
    long count = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    size_t quarter = count > 0 && size > 0 ? (size_t)count / 4 * (size_t)size : SMALLEST_DATA;
    size_t len = LARGEST_DATA;
    while (len > quarter && len > SMALLEST_DATA)
        len /= 2;
    return len;
}

/*
 * Offset of the next buffer in its first page: at a line drawn by xorshift32 from MOTEBENCH_LAYOUT,
 * so that processes with other numbers have other layouts; at 0 without one.
 */
static size_t next_offset(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state % LINES * LINE;
}

static uint32_t layout(void)
{
    const char *text = getenv("MOTEBENCH_LAYOUT");
    return text != NULL ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

/*
 * Everything in one reservation: a page costs nothing until it is touched. The pieces begin at a
 * line of 64 bytes in a page of their own; what an implementation works on at one that the layout
 * says.
 */
static bool reserve(size_t ctx_size)
{
    for (size_t data = wanted_data(); data >= SMALLEST_DATA; data /= 2) {
        const size_t span = LINES * LINE;
        const size_t sizes[] = {
            FRAME_BYTES,
            FRAME_BYTES,
            2 * FRAME_BYTES + span,
            data + SLACK + span,
            data + SLACK + span,
            MB_READINGS * SAMPLES * sizeof(uint64_t),
            ctx_size + span,
            CHUNK};
        const size_t count = sizeof sizes / sizeof sizes[0];
        size_t total = 0;
        for (size_t i = 0; i < count; i++)
            total += pages(sizes[i]);
        uint8_t *at = mmap(NULL, total, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at == MAP_FAILED)
            continue;
        /* Huge pages would make resident memory a matter of luck. */
        (void)madvise(at, total, MADV_NOHUGEPAGE);
        uint8_t *piece[sizeof sizes / sizeof sizes[0]];
        for (size_t i = 0; i < count; i++) {
            piece[i] = at;
            at += pages(sizes[i]);
        }
        uint32_t state = layout();
        for (size_t i = 2; i < 5; i++)
            piece[i] += next_offset(&state);
        piece[6] += next_offset(&state);
        buffers = (mb_buffers){
            .frame_in = piece[0],
            .frame_out = piece[1],
            .frame_cap = FRAME_BYTES,
            .aux = piece[2],
            .aux_cap = 2 * FRAME_BYTES,
            .in = piece[3],
            .out = piece[4],
            .data_cap = data,
            .slack = SLACK,
            .samples = (uint64_t *)(void *)piece[5],
            .sample_cap = SAMPLES,
            .ctx = piece[6],
            .chunk = piece[7],
            .chunk_cap = CHUNK,
        };
        return true;
    }
    return false;
}

bool mb_port_init(size_t ctx_size)
{
    /* A closed pipe and a file-size limit are errors to report, not reasons to die. */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    mb_end_with_parent();
    return mb_stream_init() && reserve(ctx_size);
}
