/*
 * Cycles of a QingKe V2, the core of the CH32V003, for the interpreter. Nobody publishes its
 * hardware description: the rules are jnk0le's measurements (random, pipeline cycle test,
 * doc/ch32v003_(qkv2).md) and, for what lies ahead of the decoder, a queue that
 * agrees with them. Flash is read by 32 bits; a word takes a cycle and the wait states.
 *
 * Traps have no published cycles. Here they take those of a jump.
 */

/* Halfwords that wait or are on their way, at most: three words. */
enum { QUEUE = 6, WORD = 2 };

/* The memory goes on with what it was asked for. */
static void fetch_step(hz_queue *queue)
{
    if (queue->left != 0 && --queue->left == 0)
        queue->level = (uint8_t)(queue->level + queue->arriving);
}

/*
 * A cycle in which an instruction of so many halfwords begins, or goes on: 0. A word is asked for
 * if there was room for it before the instruction took its own.
 */
static void fetch_cycle(hz_core *core, unsigned use)
{
    hz_queue *const queue = &core->queue;
    const bool room = queue->level + WORD <= QUEUE;
    queue->level = (uint8_t)(queue->level - use);
    if (queue->left == 0 && room) {
        queue->left = (uint8_t)(1 + (queue->in_flash ? core->flash_waits : 0));
        queue->arriving = queue->half ? 1 : WORD;
        queue->half = false;
    }
    fetch_step(queue);
    core->cycles++;
}

static void idle(hz_core *core)
{
    fetch_cycle(core, 0);
}

/* Cycles in which the flash is not free for another word of the program. */
static void flash_busy(hz_core *core, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        fetch_step(&core->queue);
        core->cycles++;
    }
}

/* Everything takes a cycle, loads and stores one more. */
static void finish(hz_core *core, const hz_op *op)
{
    fetch_cycle(core, op->halfwords);
    if (stores(op->code))
        idle(core);
}

/* A load from flash waits for its word of the program, and takes as long as that: not measured. */
static void finish_load(hz_core *core, const hz_op *op, uint32_t address)
{
    fetch_cycle(core, op->halfwords);
    if (address - core->code_base < core->code_size) {
        flash_busy(core, core->queue.left);
        flash_busy(core, 1 + core->flash_waits);
    } else {
        idle(core);
    }
}

static void begin(hz_core *core, const hz_op *op)
{
    while (core->queue.level < op->halfwords)
        idle(core);
}

/* The first word is asked for two cycles later, once the last before it has come. */
static void jump(hz_core *core, uint32_t to)
{
    idle(core);
    idle(core);
    flash_busy(core, core->queue.left);
    qk_queue_reset(core, to);
    core->pc = to;
}

static void trap_jump(hz_core *core, const hz_op *op, uint32_t to)
{
    (void)op;
    jump(core, to);
}

static uint32_t trap_vector(const hz_core *core, uint32_t cause)
{
    const uint32_t base = core->mtvec & ~3u, entry = base + 4 * (cause & 0xff);
    const uint32_t in_code = entry - core->code_base;
    switch (core->mtvec & 3) {
    case 1:
        return entry;
    case 3:
        return in_code < core->code_size ? sim_get32(core->code + in_code) : entry;
    default:
        return base;
    }
}

static void interrupt(hz_core *core)
{
    const uint64_t pending = core->irq_lines & core->irq_enabled;
    const uint32_t cause = 0x80000000u | (uint32_t)__builtin_ctzll(pending);
    enter_trap(core, cause);
    jump(core, trap_vector(core, cause));
}

/* There is no divider: the decoder knows no division. */
static unsigned division_cycles(bool is_signed, uint32_t n, uint32_t d)
{
    (void)is_signed;
    (void)n;
    (void)d;
    return 1;
}

static void branch(hz_core *core, const hz_op *op, bool taken)
{
    if (taken) {
        jump(core, core->pc + (uint32_t)op->imm);
    } else {
        finish(core, op);
        core->pc += 2u * op->halfwords;
    }
}
