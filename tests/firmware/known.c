/*
 * An adapter of known cost, to check the meters of a board with: it works out nothing.
 *
 * `known-loop`, digest of n bytes: n * 256 rounds of a loop of four cycles, 65,536 rounds for n =
 * 0. `known-deep`: writes n + 1 bytes of stack.
 */
#include <stddef.h>

#include "motebench/adapter.h"

#ifdef __AVR__
#include <util/delay_basic.h>
#define loop _delay_loop_2
#elif defined __riscv
/*
 * Hazard3: four instructions, of which the branch is predicted; all in two words, so that it can
 * be.
 */
__attribute__((noinline)) static void loop(uint16_t rounds)
{
    uint32_t left = rounds == 0 ? 65536u : rounds;
    __asm__ volatile(".balign 8\n1:\taddi %0, %0, -1\n\tnop\n\tnop\n\tbnez %0, 1b" : "+r"(left));
}
#else
/*
 * Cortex-M0+ without wait states: SUBS 1, NOP 1, BNE 2. The bytes are in one line of a flash cache.
 * A Cortex-M33 would issue a NOP of two bytes beside SUBS, but issues one of four bytes alone.
 */
#ifdef __ARM_ARCH_8M_MAIN__
#define NOP "nop.w"
#else
#define NOP "nop"
#endif
__attribute__((noinline)) static void loop(uint16_t rounds)
{
    uint32_t left = rounds == 0 ? 65536u : rounds;
    __asm__ volatile(".syntax unified\n\t.balign 8\n1:\tsubs %0, #1\n\t" NOP "\n\tbne 1b"
                     : "+l"(left)
                     :
                     : "cc");
}
#endif

static const mb_scheme SCHEMES[] = {
    {.name = "known-loop", .operations = MB_CAN(MB_DIGEST), .tag_min = 1, .tag_max = 1, .block = 1},
    {.name = "known-deep", .operations = MB_CAN(MB_DIGEST), .tag_min = 1, .tag_max = 1, .block = 1},
};

static size_t scheme_count(void)
{
    return sizeof SCHEMES / sizeof SCHEMES[0];
}

static const mb_scheme *scheme_at(size_t i)
{
    return &SCHEMES[i];
}

static mb_status good(mb_job *job)
{
    (void)job;
    return MB_OK;
}

static mb_status init(void)
{
    return MB_OK;
}

static const char *version(void)
{
    return "known";
}

static void close(mb_job *job)
{
    (void)job;
}

__attribute__((noinline)) static uint8_t deep(size_t n)
{
    volatile uint8_t load[n + 1];
    for (size_t i = 0; i <= n; i++)
        load[i] = (uint8_t)i;
    return load[n];
}

static mb_status run(mb_job *job, uint32_t n)
{
    for (; n > 0; n--) {
        if (job->scheme == &SCHEMES[1])
            job->out[0] = deep(job->in_len);
        else
            loop((uint16_t)(job->in_len << 8));
        job->out_len = 1;
    }
    return MB_OK;
}

const mb_adapter mb_the_adapter = {
    .implementation = "known",
    .scheme_count = scheme_count,
    .scheme_at = scheme_at,
    .ctx_size = 16,
    .init = init,
    .version = version,
    .open = good,
    .start = good,
    .run = run,
    .close = close,
};
