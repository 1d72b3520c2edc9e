/*
 * Rules of RV32IMAC and of Hazard3's extensions for secrets: the shadow of results, from operands
 * as they are before the instruction, and findings. The routines in interpreter.h say what
 * instructions do.
 */
#include "watch.h"

#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "bytes.h"
#include "decode.h"

/* More, if a branch goes another way than predicted (Hazard3's documentation, "Instruction cycle
 * counts"). On a QingKe V2 it depends on the flash. */
enum { BRANCH_CYCLES = 1, MSCRATCH = 0x340 };

#define TOP 0x80000000u

/* The state that rules read and change. */
typedef struct state {
    hz_core *core;
    hz_watch *watch;
    const hz_op *op;
} state;

bool hz_watch_start(hz_core *core, const sim_program *program)
{
    hz_watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL)
        return false;
    const sim_code code = {core->code_base, core->code_size},
                   ram = {core->ram_base, core->ram_size};
    watch->shadow = sh_new(&(sh_memories){.flash = code, .ram = ram, .data = ram}, program);
    core->watch = watch;
    if (watch->shadow != NULL)
        return true;
    hz_watch_end(core);
    return false;
}

void hz_watch_end(hz_core *core)
{
    if (core->watch != NULL)
        sh_free(core->watch->shadow);
    free(core->watch);
    core->watch = NULL;
}

/* --- registers -------------------------------------------------------------------------------- */

static sh_word word_of(const state *s, unsigned reg)
{
    return (sh_word){s->core->x[reg], s->watch->secret[reg]};
}

/* The reason of a register, if it holds a secret. */
static sh_why why_of(const state *s, unsigned reg)
{
    return s->watch->secret[reg] != 0 ? s->watch->why[reg] : (sh_why)0;
}

static sh_why why_both(const state *s)
{
    return sh_merge(s->watch->shadow, why_of(s, s->op->rs1), why_of(s, s->op->rs2));
}

static void set_secret(const state *s, unsigned reg, uint32_t secret, sh_why why)
{
    if (reg == 0)
        return;
    s->watch->secret[reg] = secret;
    if (secret != 0)
        s->watch->why[reg] = sh_pass(s->watch->shadow, why);
}

/* --- arithmetic ------------------------------------------------------------------------------- */

static uint32_t sum(sh_word a, sh_word b)
{
    return sh_add(a, b, sh_plain(0)).secret;
}

static uint32_t difference(sh_word a, sh_word b)
{
    return sh_subtract(a, b, sh_plain(1)).secret;
}

static sh_word shifted_left(sh_word x, unsigned by)
{
    return (sh_word){x.value << by, x.secret << by};
}

/* Instructions whose second operand is a number of 5 bits. */
static sh_word by_number(unsigned code, sh_word x, unsigned by)
{
    const uint32_t bit = 1u << by;
    switch (code) {
    case HZ_OP_SLL:
        return shifted_left(x, by);
    case HZ_OP_SRL:
        return (sh_word){x.value >> by, x.secret >> by};
    case HZ_OP_SRA:
        return (sh_word){(uint32_t)((int32_t)x.value >> by), (uint32_t)((int32_t)x.secret >> by)};
    case HZ_OP_ROL:
        return sh_rotated(x, 32 - by);
    case HZ_OP_ROR:
        return sh_rotated(x, by);
    case HZ_OP_BCLR:
        return (sh_word){x.value & ~bit, x.secret & ~bit};
    case HZ_OP_BSET:
        return (sh_word){x.value | bit, x.secret & ~bit};
    case HZ_OP_BINV:
        return (sh_word){x.value ^ bit, x.secret};
    default: /* BEXT */
        return (sh_word){x.value >> by & 1, x.secret >> by & 1};
    }
}

/* The same, where the number may be a secret: bits that one of the numbers that it can be makes
 * secret, or in which their results differ. */
static uint32_t by_register(unsigned code, sh_word x, sh_word by)
{
    const uint32_t hidden = by.secret & 31, sure = by.value & 31 & ~hidden;
    const uint32_t first = by_number(code, x, sure).value;
    uint32_t secret = 0, part = hidden;
    for (;;) { /* all sets of the hidden bits, each once */
        const sh_word one = by_number(code, x, sure | part);
        secret |= one.secret | (one.value ^ first);
        if (part == 0)
            return secret;
        part = (part - 1) & hidden;
    }
}

static uint32_t trailing_zeros(sh_word x)
{
    const uint32_t least = sh_most(x) == 0 ? 32 : (uint32_t)__builtin_ctz(sh_most(x));
    const uint32_t most = sh_least(x) == 0 ? 32 : (uint32_t)__builtin_ctz(sh_least(x));
    return (uint32_t)sh_between(least, most);
}

static uint32_t ones(sh_word x)
{
    return (uint32_t)sh_between(
        (uint64_t)__builtin_popcount(sh_least(x)), (uint64_t)__builtin_popcount(sh_most(x)));
}

static uint32_t or_bytes(sh_word x)
{
    uint32_t secret = 0;
    for (unsigned i = 0; i < 32; i += 8)
        secret |= sh_zero(x.value >> i & 0xff, x.secret >> i & 0xff) != 0 ? 0xffu << i : 0;
    return secret;
}

static bool less(bool is_signed, sh_word a, sh_word b)
{
    return is_signed ? (int32_t)a.value < (int32_t)b.value : a.value < b.value;
}

/* Is the order of two words a secret? */
static bool order_secret(bool is_signed, sh_word a, sh_word b)
{
    return is_signed ? sh_less(a, b) : sh_below(a, b);
}

/* Is it a secret whether two words are equal? */
static bool equal_secret(sh_word a, sh_word b)
{
    return sh_zero(a.value ^ b.value, a.secret | b.secret) != 0;
}

/* One of two words: the lower, or the greater. */
static uint32_t extreme(bool is_signed, bool greater, sh_word a, sh_word b)
{
    if (order_secret(is_signed, a, b))
        return a.secret | b.secret | (a.value ^ b.value);
    return less(is_signed, a, b) != greater ? a.secret : b.secret;
}

/* Is the number below zero whatever the secret is? May it be? */
static bool is_below(sh_word x)
{
    return (sh_least(x) & TOP) != 0;
}

static bool may_be_below(sh_word x)
{
    return (sh_most(x) & TOP) != 0;
}

static uint32_t remainder_of(sh_word n, sh_word d)
{
    const uint32_t most = sh_most(n), below = sh_most(d) - 1;
    if (d.secret == 0 && (d.value & (d.value - 1)) == 0)
        return d.value == 0 ? n.secret : n.secret & (d.value - 1);
    return sh_downwards(sh_least(d) != 0 && below < most ? below : most);
}

static uint32_t quotient_of(unsigned code, sh_word n, sh_word d)
{
    const bool is_signed = code == HZ_OP_DIV || code == HZ_OP_REM,
               remains = code == HZ_OP_REM || code == HZ_OP_REMU;
    if ((n.secret | d.secret) == 0)
        return 0;
    if (sh_most(d) == 0) /* n, or all ones */
        return remains ? n.secret : 0;
    if (is_signed && (may_be_below(n) || may_be_below(d)))
        return SH_ALL;
    return remains ? remainder_of(n, d) : sh_quotient(n, d);
}

/* Cycles of a division: those of division_cycles in interpreter.h, by signs. */
static unsigned cycles_of(bool n_below, bool d_below, bool d_zero)
{
    return 19u - (unsigned)(!n_below && d_below) +
           (unsigned)((n_below != d_below && !d_zero) || n_below);
}

/* The time of a signed division depends on signs, and on whether the divisor is zero. */
static void divide(const state *s)
{
    const sh_word n = word_of(s, s->op->rs1), d = word_of(s, s->op->rs2);
    unsigned least = UINT32_MAX, most = 0;
    for (unsigned i = 0; i < 6; i++) {
        const bool n_below = (i & 1) != 0, d_below = i / 2 == 1, d_zero = i / 2 == 2;
        const bool can = (n_below ? may_be_below(n) : !is_below(n)) &&
                         (d_below  ? may_be_below(d)
                          : d_zero ? sh_least(d) == 0
                                   : !is_below(d) && (sh_most(d) & ~TOP) != 0);
        if (!can)
            continue;
        const unsigned cycles = cycles_of(n_below, d_below, d_zero);
        least = cycles < least ? cycles : least;
        most = cycles > most ? cycles : most;
    }
    if ((s->op->code == HZ_OP_DIV || s->op->code == HZ_OP_REM) && least < most)
        sh_find(s->watch->shadow, SH_OPERANDS, true, most - least, why_both(s));
    set_secret(s, s->op->rd, quotient_of(s->op->code, n, d), why_both(s));
}

/* --- memory ----------------------------------------------------------------------------------- */

/* An address. */
typedef struct place {
    uint32_t address, secret;
    bool in_ram; /* whatever the secret is */
    sh_why why;
} place;

static place place_of(const state *s, unsigned reg, uint32_t offset, uint32_t bytes)
{
    const sh_word base = word_of(s, reg);
    const uint32_t least = sh_least(base) + offset - s->core->ram_base,
                   most = sh_most(base) + offset - s->core->ram_base;
    return (place){
        .address = base.value + offset,
        .secret = sum(base, sh_plain(offset)),
        .in_ram = least <= most && most < s->core->ram_size && s->core->ram_size - most >= bytes,
        .why = why_of(s, reg)};
}

/* An address that depends on a secret. RAM answers at once; all else may not: a load from the
 * memory of the program waits for a fetch from the same bank, and an address that is not aligned
 * ends it all. */
static void find_address(const state *s, sh_kind kind, const place *at, unsigned size)
{
    if (at->secret == 0)
        return;
    const bool waits = !at->in_ram || (at->secret & (size - 1)) != 0;
    sh_find(s->watch->shadow, kind, waits, waits ? SH_UNKNOWN : 0, at->why);
}

static uint32_t load_secret(const state *s, const place *at, unsigned size, sh_why *why)
{
    const uint32_t secret = sh_load(s->watch->shadow, at->address, size, why);
    if (at->secret == 0)
        return secret;
    *why = sh_merge(s->watch->shadow, at->why, *why);
    return SH_ALL >> (32 - 8 * size); /* another place has other bits */
}

static void store_secret(const state *s, const place *at, unsigned size, uint32_t secret,
                         sh_why why)
{
    sh_shadow *const shadow = s->watch->shadow;
    if (at->secret != 0) {
        secret = SH_ALL; /* it may be elsewhere */
        why = sh_merge(shadow, at->why, why);
    }
    sh_store(shadow, at->address, size, secret, secret != 0 ? sh_pass(shadow, why) : (sh_why)0);
}

static void load(const state *s, unsigned size, bool sign)
{
    const place at = place_of(s, s->op->rs1, (uint32_t)s->op->imm, size);
    sh_why why;
    find_address(s, SH_LOAD, &at, size);
    uint32_t secret = load_secret(s, &at, size, &why);
    if (sign)
        secret = size == 1 ? (uint32_t)(int8_t)secret : (uint32_t)(int16_t)secret;
    set_secret(s, s->op->rd, secret, why);
}

static void store(const state *s, unsigned size)
{
    const place at = place_of(s, s->op->rs1, (uint32_t)s->op->imm, size);
    find_address(s, SH_STORE, &at, size);
    store_secret(s, &at, size, s->watch->secret[s->op->rs2], why_of(s, s->op->rs2));
}

static uint32_t atomic_result(unsigned code, sh_word old, sh_word value)
{
    switch (code) {
    case HZ_OP_AMOSWAP:
        return value.secret;
    case HZ_OP_AMOADD:
        return sum(old, value);
    case HZ_OP_AMOXOR:
        return old.secret | value.secret;
    case HZ_OP_AMOAND:
        return sh_and(old, value);
    case HZ_OP_AMOOR:
        return sh_or(old, value);
    case HZ_OP_AMOMIN:
    case HZ_OP_AMOMAX:
        return extreme(true, code == HZ_OP_AMOMAX, old, value);
    default:
        return extreme(false, code == HZ_OP_AMOMAXU, old, value);
    }
}

/* LR, SC and AMO. */
static void atomic(const state *s)
{
    const unsigned code = s->op->code;
    const place at = place_of(s, s->op->rs1, 0, 4);
    sh_why why;
    if (code == HZ_OP_SC) {
        find_address(s, SH_STORE, &at, 4);
        if (s->core->reserved)
            store_secret(s, &at, 4, s->watch->secret[s->op->rs2], why_of(s, s->op->rs2));
        set_secret(s, s->op->rd, 0, 0);
        return;
    }
    find_address(s, SH_LOAD, &at, 4);
    const uint32_t old = load_secret(s, &at, 4, &why);
    if (code != HZ_OP_LR) {
        const uint32_t in_ram = at.address - s->core->ram_base;
        const bool here = in_ram < s->core->ram_size && (in_ram & 3) == 0;
        uint32_t value = 0;
        if (here)
            value = sim_get32(s->core->ram + in_ram);
        find_address(s, SH_STORE, &at, 4);
        store_secret(s, &at, 4, atomic_result(code, (sh_word){value, old}, word_of(s, s->op->rs2)),
                     sh_merge(s->watch->shadow, why_of(s, s->op->rs2), why));
    }
    set_secret(s, s->op->rd, old, why);
}

/* --- Zcmp ------------------------------------------------------------------------------------- */

static void jump_to(const state *s, unsigned reg)
{
    if (s->watch->secret[reg] != 0)
        sh_find(s->watch->shadow, SH_JUMP, true, SH_UNKNOWN, s->watch->why[reg]);
}

static void move_registers(const state *s)
{
    const unsigned code = s->op->code, count = hz_list_count((unsigned)s->op->imm >> 16);
    const uint32_t by = (uint32_t)s->op->imm & 0xffff;
    const bool pushes = code == HZ_OP_CM_PUSH;
    const sh_word sp = word_of(s, HZ_SP);
    for (unsigned i = 0; i < count; i++) {
        const unsigned reg = hz_list_register(i);
        const place at = place_of(s, HZ_SP, (pushes ? 0 : by) - 4 * (count - i), 4);
        sh_why why;
        find_address(s, pushes ? SH_STORE : SH_LOAD, &at, 4);
        if (pushes) {
            store_secret(s, &at, 4, s->watch->secret[reg], why_of(s, reg));
        } else {
            const uint32_t secret = load_secret(s, &at, 4, &why);
            set_secret(s, reg, secret, why);
        }
    }
    set_secret(s, HZ_SP, sum(sp, sh_plain(pushes ? 0u - by : by)), why_of(s, HZ_SP));
    if (code == HZ_OP_CM_POPRETZ)
        set_secret(s, HZ_A0, 0, 0);
    if (code == HZ_OP_CM_POPRET || code == HZ_OP_CM_POPRETZ)
        jump_to(s, HZ_RA);
}

static void two_moves(const state *s)
{
    const bool from_a = s->op->code == HZ_OP_CM_MVSA01;
    for (unsigned i = 0; i < 2; i++) {
        const unsigned own = i == 0 ? (unsigned)s->op->imm & 0xff : (unsigned)s->op->imm >> 8;
        const unsigned from = from_a ? HZ_A0 + i : own, to = from_a ? own : HZ_A0 + i;
        set_secret(s, to, s->watch->secret[from], s->watch->why[from]);
    }
}

/* --- control ---------------------------------------------------------------------------------- */

static void branch(const state *s)
{
    const sh_word a = word_of(s, s->op->rs1), b = word_of(s, s->op->rs2);
    bool secret;
    switch (s->op->code) {
    case HZ_OP_BEQ:
    case HZ_OP_BNE:
        secret = equal_secret(a, b);
        break;
    case HZ_OP_BLT:
    case HZ_OP_BGE:
        secret = order_secret(true, a, b);
        break;
    default:
        secret = order_secret(false, a, b);
        break;
    }
    if (secret && s->op->rs1 != s->op->rs2)
        sh_find(s->watch->shadow, SH_BRANCH, true, s->core->qingke ? SH_UNKNOWN : BRANCH_CYCLES,
                why_both(s));
}

static void control_register(const state *s)
{
    hz_watch *const w = s->watch;
    const uint32_t number = (uint32_t)s->op->imm & 0xfff, field = (uint32_t)s->op->imm >> 12;
    const bool immediate = s->op->code >= HZ_OP_CSRRWI;
    const unsigned kind = s->op->code - (immediate ? HZ_OP_CSRRWI : HZ_OP_CSRRW);
    const sh_word written = immediate ? sh_plain(field) : word_of(s, field);
    const sh_why why = immediate ? (sh_why)0 : why_of(s, field);
    if (number == MSCRATCH) {
        const sh_word old = {s->core->mscratch, w->scratch};
        const sh_why old_why = old.secret != 0 ? w->scratch_why : (sh_why)0;
        w->scratch = kind == 0   ? written.secret
                     : kind == 1 ? sh_or(old, written)
                                 : sh_and(old, sh_inverted(written));
        w->scratch_why = sh_pass(w->shadow, sh_merge(w->shadow, why, old_why));
        set_secret(s, s->op->rd, old.secret, old_why);
        return;
    }
    if (written.secret != 0) {
        sh_find(w->shadow, SH_OPERANDS, true, SH_UNKNOWN, why);
        w->control = true;
        w->control_why = sh_pass(w->shadow, why);
    }
    set_secret(s, s->op->rd, w->control ? SH_ALL : 0, w->control_why);
}

/* --- all of them ------------------------------------------------------------------------------ */

/* Results of one word. False: the instruction is none of these. */
static bool of_one(const state *s)
{
    const sh_word a = word_of(s, s->op->rs1), number = sh_plain((uint32_t)s->op->imm);
    uint32_t secret;
    switch (s->op->code) {
    case HZ_OP_ADDI:
        secret = sum(a, number);
        break;
    case HZ_OP_SLTI:
    case HZ_OP_SLTIU:
        secret = order_secret(s->op->code == HZ_OP_SLTI, a, number);
        break;
    case HZ_OP_XORI:
        secret = a.secret;
        break;
    case HZ_OP_ORI:
        secret = sh_or(a, number);
        break;
    case HZ_OP_ANDI:
        secret = sh_and(a, number);
        break;
    case HZ_OP_CLZ:
        secret = sh_leading_zeros(a);
        break;
    case HZ_OP_CTZ:
        secret = trailing_zeros(a);
        break;
    case HZ_OP_CPOP:
        secret = ones(a);
        break;
    case HZ_OP_ORC_B:
        secret = or_bytes(a);
        break;
    case HZ_OP_REV8:
        secret = __builtin_bswap32(a.secret);
        break;
    case HZ_OP_BREV8:
        secret = reversed_in_bytes(a.secret);
        break;
    case HZ_OP_ZIP:
        secret = zipped(a.secret);
        break;
    case HZ_OP_UNZIP:
        secret = unzipped(a.secret);
        break;
    case HZ_OP_SEXT_B:
        secret = (uint32_t)(int8_t)a.secret;
        break;
    case HZ_OP_SEXT_H:
        secret = (uint32_t)(int16_t)a.secret;
        break;
    case HZ_OP_ZEXT_H:
        secret = a.secret & 0xffff;
        break;
    default:
        return false;
    }
    set_secret(s, s->op->rd, secret, why_of(s, s->op->rs1));
    return true;
}

/* The instruction on a register that is this one with a constant; UNDEFINED: there is none. */
static unsigned counted(unsigned code)
{
    switch (code) {
    case HZ_OP_SLLI:
        return HZ_OP_SLL;
    case HZ_OP_SRLI:
        return HZ_OP_SRL;
    case HZ_OP_SRAI:
        return HZ_OP_SRA;
    case HZ_OP_RORI:
        return HZ_OP_ROR;
    case HZ_OP_BCLRI:
        return HZ_OP_BCLR;
    case HZ_OP_BEXTI:
        return HZ_OP_BEXT;
    case HZ_OP_BINVI:
        return HZ_OP_BINV;
    case HZ_OP_BSETI:
        return HZ_OP_BSET;
    default:
        return HZ_OP_UNDEFINED;
    }
}

/* x - x and its like, which are the same for every x. */
static bool is_constant(const hz_op *op)
{
    switch (op->code) {
    case HZ_OP_SUB:
    case HZ_OP_XOR:
    case HZ_OP_XNOR:
    case HZ_OP_SLT:
    case HZ_OP_SLTU:
    case HZ_OP_ANDN:
    case HZ_OP_ORN:
        return op->rs1 == op->rs2;
    default:
        return false;
    }
}

static uint32_t product(unsigned code, sh_word a, sh_word b)
{
    switch (code) {
    case HZ_OP_MUL:
        return (uint32_t)sh_product(a, b);
    case HZ_OP_MULHU:
        return (uint32_t)(sh_product(a, b) >> 32);
    default:
        return (uint32_t)(sh_signed_product(a, b) >> 32);
    }
}

static uint32_t of_two(unsigned code, sh_word a, sh_word b)
{
    switch (code) {
    case HZ_OP_ADD:
        return sum(a, b);
    case HZ_OP_SUB:
        return difference(a, b);
    case HZ_OP_SH1ADD:
    case HZ_OP_SH2ADD:
    case HZ_OP_SH3ADD:
        return sum(shifted_left(a, 1 + code - HZ_OP_SH1ADD), b);
    case HZ_OP_SLT:
    case HZ_OP_SLTU:
        return order_secret(code == HZ_OP_SLT, a, b);
    case HZ_OP_XOR:
    case HZ_OP_XNOR:
        return a.secret | b.secret;
    case HZ_OP_OR:
        return sh_or(a, b);
    case HZ_OP_AND:
        return sh_and(a, b);
    case HZ_OP_ANDN:
        return sh_and(a, sh_inverted(b));
    case HZ_OP_ORN:
        return sh_or(a, sh_inverted(b));
    case HZ_OP_MAX:
    case HZ_OP_MIN:
        return extreme(true, code == HZ_OP_MAX, a, b);
    case HZ_OP_MAXU:
    case HZ_OP_MINU:
        return extreme(false, code == HZ_OP_MAXU, a, b);
    case HZ_OP_PACK:
        return (a.secret & 0xffff) | b.secret << 16;
    case HZ_OP_PACKH:
        return (a.secret & 0xff) | (b.secret & 0xff) << 8;
    case HZ_OP_MUL:
    case HZ_OP_MULH:
    case HZ_OP_MULHSU:
    case HZ_OP_MULHU:
        return product(code, a, b);
    default:
        return by_register(code, a, b);
    }
}

static void of_registers(const state *s)
{
    const hz_op *op = s->op;
    const sh_word a = word_of(s, op->rs1), b = word_of(s, op->rs2);
    if (of_one(s))
        return;
    const unsigned code = counted(op->code);
    if (code != HZ_OP_UNDEFINED)
        set_secret(s, op->rd, by_number(code, a, (uint32_t)op->imm & 31).secret,
                   why_of(s, op->rs1));
    else if (is_constant(op) || (a.secret | b.secret) == 0)
        set_secret(s, op->rd, 0, 0);
    else
        set_secret(s, op->rd, of_two(op->code, a, b), why_both(s));
}

static void follow(const state *s)
{
    switch (s->op->code) {
    case HZ_OP_JAL:
    case HZ_OP_JALR:
        if (s->op->rd != 0)
            s->watch->call = s->core->pc;
        if (s->op->code == HZ_OP_JALR)
            jump_to(s, s->op->rs1);
        set_secret(s, s->op->rd, 0, 0);
        break;
    case HZ_OP_LUI:
    case HZ_OP_AUIPC:
        set_secret(s, s->op->rd, 0, 0);
        break;
    case HZ_OP_BEQ:
    case HZ_OP_BNE:
    case HZ_OP_BLT:
    case HZ_OP_BGE:
    case HZ_OP_BLTU:
    case HZ_OP_BGEU:
        branch(s);
        break;
    case HZ_OP_LB:
    case HZ_OP_LBU:
        load(s, 1, s->op->code == HZ_OP_LB);
        break;
    case HZ_OP_LH:
    case HZ_OP_LHU:
        load(s, 2, s->op->code == HZ_OP_LH);
        break;
    case HZ_OP_LW:
        load(s, 4, false);
        break;
    case HZ_OP_SB:
        store(s, 1);
        break;
    case HZ_OP_SH:
        store(s, 2);
        break;
    case HZ_OP_SW:
        store(s, 4);
        break;
    case HZ_OP_DIV:
    case HZ_OP_DIVU:
    case HZ_OP_REM:
    case HZ_OP_REMU:
        divide(s);
        break;
    case HZ_OP_CSRRW:
    case HZ_OP_CSRRS:
    case HZ_OP_CSRRC:
    case HZ_OP_CSRRWI:
    case HZ_OP_CSRRSI:
    case HZ_OP_CSRRCI:
        control_register(s);
        break;
    case HZ_OP_CM_PUSH:
    case HZ_OP_CM_POP:
    case HZ_OP_CM_POPRET:
    case HZ_OP_CM_POPRETZ:
        move_registers(s);
        break;
    case HZ_OP_CM_MVA01S:
    case HZ_OP_CM_MVSA01:
        two_moves(s);
        break;
    default:
        if (s->op->code >= HZ_OP_LR && s->op->code <= HZ_OP_AMOMAXU)
            atomic(s);
        else if (s->op->code < HZ_OP_FENCE && s->op->code > HZ_OP_UNDEFINED)
            of_registers(s);
        break;
    }
}

/* The functions that mark take an address, a length and, the one for secrets, an origin, in a0 to
 * a2 (RISC-V ABIs Specification, integer calling convention). */
static void obey(hz_core *core, sh_call call)
{
    hz_watch *const watch = core->watch;
    if (sh_obey(watch->shadow, call, &core->x[HZ_A0], watch->call)) {
        memset(watch->secret, 0, sizeof watch->secret);
        watch->scratch = 0;
        watch->control = false;
    }
}

void hz_watch_op(hz_core *core, const hz_op *op)
{
    hz_watch *const watch = core->watch;
    const sh_call call = sh_step(watch->shadow, core->pc);
    if (call != SH_NONE)
        obey(core, call);
    if (watch->shadow->active)
        follow(&(state){core, watch, op});
}
