/*
 * Rules of AVR for secrets: the shadow of results, from operands as they are before the
 * instruction, and findings. The routines in interpreter.h say what instructions do.
 */
#include "watch.h"

#include <stdlib.h>
#include <string.h>

#include "follow.h"

bool av_watch_start(av_core *core, const sim_program *program)
{
    av_watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL)
        return false;
    const sh_memories memories = {.flash = {0, 2 * core->flash_words}, .data = {0, AV_DATA}};
    watch->shadow = sh_new(&memories, program);
    core->watch = watch;
    if (watch->shadow == NULL) {
        av_watch_end(core);
        return false;
    }
    watch->secret = core->family == AV_XT ? watch->own : watch->shadow->bits;
    watch->why = core->family == AV_XT ? watch->own_why : watch->shadow->why;
    return true;
}

void av_watch_end(av_core *core)
{
    if (core->watch != NULL)
        sh_free(core->watch->shadow);
    free(core->watch);
    core->watch = NULL;
}

void av_watch_pushed(av_core *core, uint16_t address)
{
    sh_store(core->watch->shadow, address, 1, 0, 0);
}

/* --- addresses -------------------------------------------------------------------------------- */

/* An address, with the least and the greatest that it can be. */
typedef struct place {
    uint16_t address;
    uint32_t secret, least, most;
    sh_why why;
} place;

static place place_at(const av_state *s, unsigned pair, uint32_t more)
{
    const sh_word at = av_word(s, pair);
    const bool secret = at.secret != 0;
    return (place){.address = (uint16_t)(at.value + more),
                   .secret = at.secret,
                   .least = (av_least(s, pair + 1) << 8 | av_least(s, pair)) + more,
                   .most = (av_most(s, pair + 1) << 8 | av_most(s, pair)) + more,
                   .why = secret ? av_why_both(s, pair, pair + 1) : (sh_why)0};
}

static place place_of_stack(const av_state *s, uint32_t more)
{
    const sh_word at = {s->core->sp, s->watch->sp};
    return (place){.address = (uint16_t)(at.value + more),
                   .secret = at.secret,
                   .least = sh_least(at) + more,
                   .most = sh_most(at) + more,
                   .why = at.secret != 0 ? s->watch->sp_why : (sh_why)0};
}

static bool in_ram(const av_core *core, uint32_t address)
{
    return address - core->ram_base < core->ram_size;
}

static bool in_map(const av_core *core, uint32_t address)
{
    return core->family == AV_XT && address - core->map_base < 2 * core->flash_words;
}

/*
 * An address that depends on a secret. All of AVRe+ take as long: it is a note in RAM. So it is
 * where a load of AVRxt can only reach RAM, or only the flash that its data space shows, which
 * takes longer; and where a store can only reach RAM.
 */
static void address_found(const av_state *s, sh_kind kind, const place *p)
{
    const av_core *core = s->core;
    const bool loads = kind == SH_LOAD, order = p->least <= p->most;
    const uint32_t ram_end = (uint32_t)core->ram_base + core->ram_size;
    const bool from_ram = in_ram(core, p->least), to_map = in_map(core, p->most);
    const bool equal = core->family != AV_XT ? in_ram(core, p->address)
                       : from_ram            ? order && in_ram(core, p->most)
                                             : loads && order && to_map && in_map(core, p->least);
    const bool either = loads && order && from_ram && to_map && core->map_base == ram_end;
    if (equal)
        sh_find(s->watch->shadow, kind, false, 0, p->why);
    else
        sh_find(s->watch->shadow, kind, true, either ? MAPPED_CYCLES : SH_UNKNOWN, p->why);
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Flags from a byte for SREG. Whether there are interrupts decides about time. */
static void to_status(const av_state *s, uint32_t secret, sh_why why)
{
    av_set_flags(s, BYTE, secret, why);
    if ((secret & AV_I) != 0)
        sh_find(s->watch->shadow, SH_OPERANDS, true, SH_UNKNOWN, why);
}

static void to_stack_pointer(const av_state *s, unsigned shift_by, uint32_t secret, sh_why why)
{
    av_watch *const w = s->watch;
    const sh_why others = w->sp != 0 ? w->sp_why : (sh_why)0;
    w->sp = (uint16_t)((w->sp & ~(0xffu << shift_by)) | secret << shift_by);
    w->sp_why = sh_merge(w->shadow, sh_pass(w->shadow, why), others);
}

/* The secret bits of a byte of the data space. */
static uint32_t from_data(const av_state *s, uint16_t address, sh_why *why)
{
    const av_watch *const w = s->watch;
    switch (address - av_io_base(s->core)) {
    case AV_SPL:
        *why = w->sp_why;
        return w->sp & BYTE;
    case AV_SPH:
        *why = w->sp_why;
        return w->sp >> 8;
    case AV_SREG:
        *why = w->flags_why;
        return w->flags;
    default:
        return sh_load(w->shadow, address, 1, why);
    }
}

/* A secret in a register of a peripheral can do anything; those that extend pointers only do
 * that. */
static void to_io(const av_state *s, uint16_t address, uint32_t secret, sh_why why)
{
    const unsigned base = av_io_base(s->core), io = address - base;
    if (address < base)
        s->watch->bounded &= ~(1u << address); /* r0 to r31 */
    else if (secret != 0 && io != AV_RAMPZ && io != AV_EIND)
        sh_find(s->watch->shadow, SH_OPERANDS, true, SH_UNKNOWN, why);
    sh_store(s->watch->shadow, address, 1, secret, why);
}

static void to_data(const av_state *s, uint16_t address, uint32_t secret, sh_why why)
{
    const sh_why passed = sh_pass(s->watch->shadow, secret != 0 ? why : (sh_why)0);
    if (in_ram(s->core, address)) {
        sh_store(s->watch->shadow, address, 1, secret, passed);
        return;
    }
    switch (address - av_io_base(s->core)) {
    case AV_SPL:
        to_stack_pointer(s, 0, secret, passed);
        break;
    case AV_SPH:
        to_stack_pointer(s, 8, secret, passed);
        break;
    case AV_SREG:
        to_status(s, secret, passed);
        break;
    default:
        to_io(s, address, secret, passed);
        break;
    }
}

static uint32_t load_from(const av_state *s, const place *p, sh_why *why)
{
    const uint32_t secret =
        in_ram(s->core, p->address) ? sh_load(s->watch->shadow, p->address, 1, why)
                                    : from_data(s, p->address, why);
    if (p->secret == 0)
        return secret;
    address_found(s, SH_LOAD, p);
    *why = sh_merge(s->watch->shadow, p->why, secret != 0 ? *why : (sh_why)0);
    return BYTE; /* another place has other bits */
}

static void store_to(const av_state *s, const place *p, uint32_t secret, sh_why why)
{
    if (p->secret != 0) {
        address_found(s, SH_STORE, p);
        why = sh_merge(s->watch->shadow, p->why, secret != 0 ? why : (sh_why)0);
        secret = BYTE;
    }
    to_data(s, p->address, secret, why);
}

/* By a pointer that is one less before, or one more afterwards. */
static void load_by(const av_state *s, unsigned pair, uint32_t before, uint32_t after)
{
    sh_why why;
    const place p = place_at(s, pair, 0u - before);
    const uint32_t secret = load_from(s, &p, &why);
    if (p.secret != 0 && before + after != 0)
        (void)av_follow_pair(s, pair, after != 0 ? 1 : 0xffff, 0);
    av_set_secret(s, s->op->d, secret, why);
}

static void store_by(const av_state *s, unsigned pair, uint32_t before, uint32_t after)
{
    const unsigned d = s->op->d;
    const place p = place_at(s, pair, 0u - before);
    const uint32_t secret = s->watch->secret[d];
    const sh_why why = av_why(s, d);
    if (p.secret != 0 && before + after != 0)
        (void)av_follow_pair(s, pair, after != 0 ? 1 : 0xffff, 0);
    store_to(s, &p, secret, why);
}

static place place_in_data(uint32_t address)
{
    return (place){.address = (uint16_t)address};
}

static void load_displaced(const av_state *s, const place *p)
{
    sh_why why;
    const uint32_t secret = load_from(s, p, &why);
    av_set_secret(s, s->op->d, secret, why);
}

static void store_displaced(const av_state *s, const place *p)
{
    store_to(s, p, s->watch->secret[s->op->d], av_why(s, s->op->d));
}

/* LPM and ELPM: the flash takes as long everywhere. */
static void load_flash(const av_state *s, bool extended_pointer, bool after)
{
    av_watch *const w = s->watch;
    const uint16_t extension = AV_RAMPZ + AV_R;
    sh_why why = 0, other = 0;
    sh_word at = av_word(s, 30);
    if (at.secret != 0)
        why = av_why_both(s, 30, 31);
    if (extended_pointer) {
        at.secret |= sh_load(w->shadow, extension, 1, &other) << 16;
        at.value |= (uint32_t)s->core->data[extension] << 16;
        why = sh_merge(w->shadow, why, other);
    }
    if (at.secret != 0)
        sh_find(w->shadow, SH_LOAD, false, 0, why);
    if (after && at.secret != 0) {
        const uint32_t next = sh_add_in(24, at, av_plain(1), av_plain(0)).secret;
        (void)av_follow_pair(s, 30, 1, 0);
        if (extended_pointer)
            sh_store(w->shadow, extension, 1, next >> 16, sh_pass(w->shadow, why));
    }
    av_set_secret(s, s->op->d, at.secret != 0 ? BYTE : 0, why);
}

/* --- stack, jumps, branches ------------------------------------------------------------------- */

static void move_stack_pointer(const av_state *s, uint32_t by)
{
    const sh_word at = {s->core->sp, s->watch->sp};
    if (at.secret != 0)
        s->watch->sp = (uint16_t)sh_add_in(16, at, av_plain(by & 0xffff), av_plain(0)).secret;
}

static void push(const av_state *s)
{
    const place p = place_of_stack(s, 0);
    const unsigned d = s->op->d;
    move_stack_pointer(s, SH_ALL);
    store_to(s, &p, s->watch->secret[d], av_why(s, d));
}

static void pop(const av_state *s)
{
    sh_why why;
    const place p = place_of_stack(s, 1);
    move_stack_pointer(s, 1);
    const uint32_t secret = load_from(s, &p, &why);
    av_set_secret(s, s->op->d, secret, why);
}

static unsigned pc_bytes(const av_state *s)
{
    return s->core->family == AV_E22 ? 3 : 2;
}

static void call(const av_state *s)
{
    const unsigned bytes = pc_bytes(s);
    for (unsigned i = 0; i < bytes; i++) {
        const place p = place_of_stack(s, 0u - i);
        store_to(s, &p, 0, 0);
    }
    move_stack_pointer(s, 0u - bytes);
    s->watch->call = s->watch->shadow->pc;
}

static void go_back(const av_state *s)
{
    const unsigned bytes = pc_bytes(s);
    uint32_t secret = 0;
    sh_why whys = 0;
    for (unsigned i = 1; i <= bytes; i++) {
        sh_why why;
        const place p = place_of_stack(s, i);
        const uint32_t byte = load_from(s, &p, &why);
        if (byte != 0)
            whys = sh_merge(s->watch->shadow, whys, why);
        secret |= byte;
    }
    move_stack_pointer(s, bytes);
    if (secret != 0)
        sh_find(s->watch->shadow, SH_JUMP, true, SH_UNKNOWN, whys);
}

static void jump(const av_state *s, bool extended_pointer)
{
    sh_why why = 0;
    uint32_t secret = av_word(s, 30).secret;
    if (extended_pointer)
        secret |= sh_load(s->watch->shadow, AV_EIND + AV_R, 1, &why);
    if (secret != 0)
        sh_find(s->watch->shadow, SH_JUMP, true, SH_UNKNOWN,
                sh_merge(s->watch->shadow, av_why_both(s, 30, 31), why));
}

/* The flags of an instruction that takes one word and one cycle, and only changes a register and
 * flags; or NOT_SIMPLE. */
static unsigned flags_of(const av_op *op)
{
    switch (op->code) {
    case AV_OP_ADD:
    case AV_OP_ADC:
    case AV_OP_SUB:
    case AV_OP_SBC:
    case AV_OP_CP:
    case AV_OP_CPC:
    case AV_OP_SUBI:
    case AV_OP_SBCI:
    case AV_OP_CPI:
    case AV_OP_NEG:
        return SUM_FLAGS;
    case AV_OP_LSR:
    case AV_OP_ASR:
    case AV_OP_ROR:
        return WORD_FLAGS;
    case AV_OP_COM:
        return STEP_FLAGS | AV_C;
    case AV_OP_AND:
    case AV_OP_ANDI:
    case AV_OP_OR:
    case AV_OP_ORI:
    case AV_OP_EOR:
    case AV_OP_INC:
    case AV_OP_DEC:
        return STEP_FLAGS;
    case AV_OP_SEC:
    case AV_OP_CLC:
    case AV_OP_SET:
    case AV_OP_CLT:
        return op->k;
    case AV_OP_BST:
        return AV_T;
    case AV_OP_NOP:
    case AV_OP_MOV:
    case AV_OP_LDI:
    case AV_OP_SWAP:
    case AV_OP_BLD:
        return 0;
    default:
        return NOT_SIMPLE;
    }
}

static bool has_result(const av_op *op)
{
    switch (op->code) {
    case AV_OP_CP:
    case AV_OP_CPC:
    case AV_OP_CPI:
    case AV_OP_SEC:
    case AV_OP_CLC:
    case AV_OP_SET:
    case AV_OP_CLT:
    case AV_OP_BST:
    case AV_OP_NOP:
        return false;
    default:
        return true;
    }
}

/* Bits of its register that an instruction turns; for all but the most usual ones, any. */
static uint32_t turned_by(const av_state *s)
{
    const av_op *op = s->op;
    const uint32_t d = s->core->r[op->d];
    switch (op->code) {
    case AV_OP_MOV:
        return d ^ s->core->r[op->r];
    case AV_OP_LDI:
        return d ^ op->r;
    case AV_OP_ORI:
        return ~d & op->r;
    case AV_OP_ANDI:
        return d & ~(uint32_t)op->r & BYTE;
    case AV_OP_EOR:
        return s->core->r[op->r];
    case AV_OP_BLD:
        return op->r;
    default:
        return BYTE;
    }
}

/* An instruction that is executed or not, as a secret decides: what it changes is as secret as it
 * is in both cases, and the difference is. */
static void follow_chosen(const av_state *s, const av_op *op, sh_why why)
{
    const av_state chosen = {s->core, s->watch, op, s->carry, s->zero};
    av_watch *const w = s->watch;
    const uint32_t before = w->secret[op->d];
    const unsigned flags = w->flags;
    const uint32_t turned = turned_by(&chosen);
    sh_why whys = sh_merge(w->shadow, why, av_why(&chosen, op->d));
    if (flags != 0)
        whys = sh_merge(w->shadow, whys, w->flags_why);
    (void)av_follow_registers(&chosen);
    av_set_flags(s, BYTE, w->flags | flags | flags_of(op), whys);
    if (has_result(op))
        av_set_secret(s, op->d, w->secret[op->d] | before | turned,
                      sh_merge(w->shadow, whys, av_why(&chosen, op->d)));
}

/*
 * A secret decides whether execution goes on behind the next instruction. If that takes one word
 * and one cycle, both ways take two: only what it changes depends on the secret.
 */
static void leap(const av_state *s, bool over_one, bool taken, unsigned cost, sh_why why)
{
    const av_op *next = s->op + 1;
    if (!over_one || flags_of(next) == NOT_SIMPLE) {
        sh_find(s->watch->shadow, SH_BRANCH, true, cost, why);
    } else if (taken) {
        follow_chosen(s, next, why);
    } else {
        s->watch->chosen = next;
        s->watch->chosen_why = why;
    }
}

static void branch(const av_state *s)
{
    const av_op *op = s->op;
    const unsigned number = op->code - (unsigned)AV_OP_BRCS, bit = number & 7;
    const bool is_set = (s->core->sreg >> bit & 1) != 0;
    if ((s->watch->flags >> bit & 1) != 0)
        leap(s, op->k == (uint32_t)(op - s->core->ops) + 2, is_set == (number < 8), BRANCH_CYCLES,
             s->watch->flags_why);
}

static void skip(const av_state *s)
{
    const av_op *op = s->op;
    const uint8_t *const r = s->core->r;
    uint32_t secret = 0;
    bool taken = false;
    sh_why why = av_why(s, op->d);
    if (op->code == AV_OP_CPSE) {
        if (op->d != op->r)
            secret = sh_zero((uint32_t)r[op->d] ^ r[op->r],
                             (uint32_t)s->watch->secret[op->d] | s->watch->secret[op->r]);
        why = av_why_both(s, op->d, op->r);
        taken = r[op->d] == r[op->r];
    } else { /* SBRC, SBRS */
        secret = s->watch->secret[op->d] & op->r;
        taken = ((r[op->d] & op->r) != 0) == (op->code == AV_OP_SBRS);
    }
    if (secret != 0)
        leap(s, op->skip == 1, taken, op->skip, why);
}

/* SBIC, SBIS. */
static void skip_by_io(const av_state *s)
{
    sh_why why;
    if ((from_data(s, (uint16_t)s->op->k, &why) & s->op->r) != 0)
        sh_find(s->watch->shadow, SH_BRANCH, true, s->op->skip, why);
}

/* SBI, CBI: a bit that is no secret any more, beside others. */
static void set_io_bit(const av_state *s)
{
    sh_why why;
    const uint16_t address = (uint16_t)s->op->k;
    const uint32_t secret = from_data(s, address, &why) & ~(uint32_t)s->op->r;
    to_data(s, address, secret, why);
}

/* --- all of them ------------------------------------------------------------------------------ */

static void follow_jump(const av_state *s)
{
    switch (s->op->code) {
    case AV_OP_IJMP:
    case AV_OP_EIJMP:
        jump(s, s->op->code == AV_OP_EIJMP);
        break;
    case AV_OP_ICALL:
    case AV_OP_EICALL:
        jump(s, s->op->code == AV_OP_EICALL);
        call(s);
        break;
    case AV_OP_CALL:
    case AV_OP_RCALL:
        call(s);
        break;
    case AV_OP_RET:
    case AV_OP_RETI:
        go_back(s);
        if (s->op->code == AV_OP_RETI && s->core->family != AV_XT)
            av_set_flags(s, AV_I, 0, 0);
        break;
    case AV_OP_CPSE:
    case AV_OP_SBRC:
    case AV_OP_SBRS:
        skip(s);
        break;
    case AV_OP_SBIC:
    case AV_OP_SBIS:
        skip_by_io(s);
        break;
    default:
        if (s->op->code >= AV_OP_BRCS && s->op->code <= AV_OP_BRID)
            branch(s);
        break;
    }
}

static void follow_memory(const av_state *s)
{
    const av_op *op = s->op;
    place p;
    switch (op->code) {
    case AV_OP_LDD_Z:
    case AV_OP_LDD_Y:
        p = place_at(s, op->code == AV_OP_LDD_Z ? 30 : 28, op->k);
        load_displaced(s, &p);
        break;
    case AV_OP_STD_Z:
    case AV_OP_STD_Y:
        p = place_at(s, op->code == AV_OP_STD_Z ? 30 : 28, op->k);
        store_displaced(s, &p);
        break;
    case AV_OP_LDS:
    case AV_OP_IN:
    case AV_OP_IN_SPL:
    case AV_OP_IN_SPH:
    case AV_OP_IN_SREG:
        p = place_in_data(op->k);
        load_displaced(s, &p);
        break;
    case AV_OP_STS:
    case AV_OP_OUT:
    case AV_OP_OUT_SPL:
    case AV_OP_OUT_SPH:
    case AV_OP_OUT_SREG:
        p = place_in_data(op->k);
        store_displaced(s, &p);
        break;
    case AV_OP_LD_ZP:
    case AV_OP_LD_MZ:
        load_by(s, 30, op->code == AV_OP_LD_MZ, op->code == AV_OP_LD_ZP);
        break;
    case AV_OP_LD_YP:
    case AV_OP_LD_MY:
        load_by(s, 28, op->code == AV_OP_LD_MY, op->code == AV_OP_LD_YP);
        break;
    case AV_OP_LD_X:
    case AV_OP_LD_XP:
    case AV_OP_LD_MX:
        load_by(s, 26, op->code == AV_OP_LD_MX, op->code == AV_OP_LD_XP);
        break;
    case AV_OP_ST_ZP:
    case AV_OP_ST_MZ:
        store_by(s, 30, op->code == AV_OP_ST_MZ, op->code == AV_OP_ST_ZP);
        break;
    case AV_OP_ST_YP:
    case AV_OP_ST_MY:
        store_by(s, 28, op->code == AV_OP_ST_MY, op->code == AV_OP_ST_YP);
        break;
    case AV_OP_ST_X:
    case AV_OP_ST_XP:
    case AV_OP_ST_MX:
        store_by(s, 26, op->code == AV_OP_ST_MX, op->code == AV_OP_ST_XP);
        break;
    case AV_OP_LPM:
    case AV_OP_LPM_P:
        load_flash(s, false, op->code == AV_OP_LPM_P);
        break;
    case AV_OP_ELPM:
    case AV_OP_ELPM_P:
        load_flash(s, true, op->code == AV_OP_ELPM_P);
        break;
    case AV_OP_PUSH:
        push(s);
        break;
    case AV_OP_POP:
        pop(s);
        break;
    case AV_OP_CBI:
    case AV_OP_SBI:
        set_io_bit(s);
        break;
    default:
        follow_jump(s);
        break;
    }
}

static void follow(const av_state *s)
{
    av_watch *const w = s->watch;
    const av_op *chosen = w->chosen;
    if (__builtin_expect(chosen != NULL && s->op == chosen, 0)) {
        w->chosen = NULL;
        follow_chosen(s, chosen, w->chosen_why);
    } else if (!av_follow_registers(s)) {
        follow_memory(s);
    }
}

/* The functions that mark take an address, a length and, the one for secrets, an origin: from r25
 * down, two bytes each (https://gcc.gnu.org/wiki/avr-gcc). */
static void obey(av_core *core, sh_call mark)
{
    av_watch *const w = core->watch;
    const uint8_t *const r = core->r;
    const uint32_t arguments[3] = {av_pair(r + 24), av_pair(r + 22), av_pair(r + 20)};
    if (sh_obey(w->shadow, mark, arguments, w->call)) {
        memset(w->own, 0, sizeof w->own);
        w->flags = 0;
        w->sp = 0;
        w->bounded = 0;
        w->chosen = NULL;
    }
}

void av_watch_op(av_core *core, const av_op *op)
{
    av_watch *const w = core->watch;
    const sh_call mark = sh_step(w->shadow, 2 * (uint32_t)(op - core->ops));
    if (__builtin_expect(mark != SH_NONE, 0))
        obey(core, mark);
    if (w->shadow->active)
        follow(&(av_state){.core = core,
                           .watch = w,
                           .op = op,
                           .carry = {core->sreg & AV_C, w->flags & AV_C},
                           .zero = (core->sreg & AV_Z) != 0});
}
