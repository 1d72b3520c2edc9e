/*
 * Rules of ARMv6-M for secrets: the shadow of their results, from operands as they
 * are before the instruction, and findings. The routines in interpreter.h say what they do.
 */
#include "watch.h"

#include "../core/watch.h"

/* Cycles by which instructions differ: a branch that is taken, or not (ARM DDI 0484, table 3-1). */
enum { BRANCH_CYCLES = 1 };

/* The state that rules read and change. */
typedef struct state {
    const cm6_core *v6m;
    const cm_core *core;
    cm_watch *watch;
    const cm6_op *op;
} state;

static sh_word word_of(const state *s, unsigned reg)
{
    return cm_secret(s->core, s->watch, reg);
}

static sh_word plain(uint32_t value)
{
    return (sh_word){value, 0};
}

/* The result of logic, a move or a shift. */
static void result(const state *s, unsigned to, uint32_t value, uint32_t secret, sh_why why)
{
    cm_set_secret(s->watch, to, secret, why);
    cm_set_nz(s->watch, value, secret, why);
}

/* The same, where a carry came out of it as well. */
static void shifted(const state *s, unsigned to, sh_word out, uint32_t carry, sh_why why)
{
    s->watch->c = (uint8_t)carry;
    if (carry != 0)
        s->watch->flags =
            sh_merge(s->watch->shadow, sh_pass(s->watch->shadow, why), cm_why_flags(s->watch));
    result(s, to, out.value, out.secret, why);
}

static void sum_to(const state *s, unsigned to, sh_sum sum, sh_why why)
{
    cm_set_secret(s->watch, to, sum.secret, why);
    cm_set_flags(s->watch, &sum, why);
}

/* --- shifts ----------------------------------------------------------------------------------- */

static void shift_by_number(const state *s)
{
    const cm6_op *op = s->op;
    const sh_word x = word_of(s, op->b);
    const sh_why why = cm_why(s->watch, op->b, op->b);
    const uint32_t by = op->imm, sign = 0u - (x.secret >> 31);
    switch (op->code) {
    case CM6_OP_LSLS_I:
        shifted(s, op->a, (sh_word){x.value << by, x.secret << by}, x.secret >> (32 - by) & 1, why);
        break;
    case CM6_OP_LSRS_I:
        shifted(s, op->a, (sh_word){x.value >> by, x.secret >> by}, x.secret >> (by - 1) & 1, why);
        break;
    case CM6_OP_LSRS_32:
        shifted(s, op->a, plain(0), x.secret >> 31, why);
        break;
    case CM6_OP_ASRS_I:
        shifted(s, op->a,
                (sh_word){(uint32_t)((int32_t)x.value >> by), (uint32_t)((int32_t)x.secret >> by)},
                x.secret >> (by - 1) & 1, why);
        break;
    default: /* ASRS_32 */
        shifted(s, op->a, (sh_word){0u - (x.value >> 31), sign}, x.secret >> 31, why);
        break;
    }
}

/* Bits by a number of 0 to 255 that is no secret; `carry` stays as it was for 0. */
static sh_word moved(unsigned code, sh_word x, unsigned by, uint32_t *carry)
{
    if (by == 0)
        return x;
    switch (code) {
    case CM6_OP_LSLS:
        *carry = by <= 32 ? x.secret >> (32 - by) & 1 : 0;
        return by < 32 ? (sh_word){x.value << by, x.secret << by} : plain(0);
    case CM6_OP_LSRS:
        *carry = by <= 32 ? x.secret >> (by - 1) & 1 : 0;
        return by < 32 ? (sh_word){x.value >> by, x.secret >> by} : plain(0);
    case CM6_OP_ASRS: {
        const unsigned most = by < 32 ? by : 31;
        *carry = by <= 32 ? x.secret >> (by - 1) & 1 : x.secret >> 31;
        return (sh_word){(uint32_t)((int32_t)x.value >> most),
                         (uint32_t)((int32_t)x.secret >> most)};
    }
    default: /* RORS */
        x = (sh_word){cm_rotate(x.value, by), cm_rotate(x.secret, by)};
        *carry = x.secret >> 31;
        return x;
    }
}

static void shift_by_register(const state *s)
{
    const cm6_op *op = s->op;
    const sh_word x = word_of(s, op->a), by = word_of(s, op->b);
    const bool unknown = (by.secret & 0xff) != 0;
    uint32_t carry = unknown ? 1 : s->watch->c;
    const sh_word out = unknown ? (sh_word){0, sh_shifted_by_secret(x)}
                                : moved(op->code, x, by.value & 0xff, &carry);
    shifted(s, op->a, out, carry,
            sh_merge(s->watch->shadow, cm_why(s->watch, op->a, op->b), cm_why_flags(s->watch)));
}

/* --- sums and logic --------------------------------------------------------------------------- */

/* x - x - !c: a mask that the carry decides. */
static void subtract_itself(const state *s, unsigned to, uint32_t carry)
{
    const sh_sum sum = {
        .secret = carry != 0 ? SH_ALL : 0, .n = carry != 0, .z = carry != 0, .c = carry != 0};
    sum_to(s, to, sum, cm_why_flags(s->watch));
}

static void sums(const state *s)
{
    const cm6_op *op = s->op;
    cm_watch *const w = s->watch;
    const sh_word a = word_of(s, op->a), b = word_of(s, op->b), carry = cm_carry(s->core, w);
    const unsigned third = op->imm & 15;
    const sh_why b_why = cm_why(w, op->b, op->b), both = cm_why(w, op->a, op->b);
    const sh_why with_carry = sh_merge(w->shadow, both, w->c != 0 ? w->flags : (sh_why)0);
    sh_sum sum = {.secret = 0};
    switch (op->code) {
    case CM6_OP_ADDS:
        sum_to(s, op->a, sh_add(b, word_of(s, third), plain(0)), cm_why(w, op->b, third));
        break;
    case CM6_OP_SUBS:
        if (op->b != third)
            sum = sh_subtract(b, word_of(s, third), plain(1));
        sum_to(s, op->a, sum, cm_why(w, op->b, third));
        break;
    case CM6_OP_ADDS_I:
        sum_to(s, op->a, sh_add(b, plain(op->imm), plain(0)), b_why);
        break;
    case CM6_OP_SUBS_I:
        sum_to(s, op->a, sh_subtract(b, plain(op->imm), plain(1)), b_why);
        break;
    case CM6_OP_RSBS:
        sum_to(s, op->a, sh_subtract(plain(0), b, plain(1)), b_why);
        break;
    case CM6_OP_ADCS:
        sum_to(s, op->a, sh_add(a, b, carry), with_carry);
        break;
    case CM6_OP_SBCS:
        if (op->a == op->b)
            subtract_itself(s, op->a, w->c);
        else
            sum_to(s, op->a, sh_subtract(a, b, carry), with_carry);
        break;
    case CM6_OP_CMP_I:
        sum = sh_subtract(a, plain(op->imm), plain(1));
        cm_set_flags(w, &sum, cm_why(w, op->a, op->a));
        break;
    case CM6_OP_CMP:
        if (op->a != op->b)
            sum = sh_subtract(a, b, plain(1));
        cm_set_flags(w, &sum, both);
        break;
    default: /* CMN */
        sum = sh_add(a, b, plain(0));
        cm_set_flags(w, &sum, both);
        break;
    }
}

static void logic(const state *s)
{
    const cm6_op *op = s->op;
    const sh_word a = word_of(s, op->a), b = word_of(s, op->b);
    const sh_why both = cm_why(s->watch, op->a, op->b);
    switch (op->code) {
    case CM6_OP_ANDS:
        result(s, op->a, a.value & b.value, sh_and(a, b), both);
        break;
    case CM6_OP_EORS:
        result(s, op->a, a.value ^ b.value, op->a == op->b ? 0 : a.secret | b.secret, both);
        break;
    case CM6_OP_ORRS:
        result(s, op->a, a.value | b.value, sh_or(a, b), both);
        break;
    case CM6_OP_BICS:
        result(s, op->a, a.value & ~b.value, op->a == op->b ? 0 : sh_and(a, sh_inverted(b)), both);
        break;
    case CM6_OP_MVNS:
        result(s, op->a, ~b.value, b.secret, cm_why(s->watch, op->b, op->b));
        break;
    case CM6_OP_MULS: /* takes as long whatever it multiplies, in each of its two forms */
        result(s, op->a, a.value * b.value, (uint32_t)sh_product(a, b), both);
        break;
    default: /* TST */
        cm_set_nz(s->watch, a.value & b.value, sh_and(a, b), both);
        break;
    }
}

/* Without flags: bits change their places, as those of the value do. */
static void extension(const state *s)
{
    const uint32_t x = s->watch->secret[s->op->b];
    uint32_t to = x;
    switch (s->op->code) {
    case CM6_OP_SXTH:
        to = (uint32_t)(int32_t)(int16_t)x;
        break;
    case CM6_OP_SXTB:
        to = (uint32_t)(int32_t)(int8_t)x;
        break;
    case CM6_OP_UXTH:
        to = x & 0xffff;
        break;
    case CM6_OP_UXTB:
        to = x & 0xff;
        break;
    case CM6_OP_REV:
        to = __builtin_bswap32(x);
        break;
    case CM6_OP_REV16:
        to = cm_rotate(__builtin_bswap32(x), 16);
        break;
    default: /* REVSH */
        to = (uint32_t)(int32_t)(int16_t)(uint16_t)(__builtin_bswap32(x) >> 16);
        break;
    }
    cm_set_secret(s->watch, s->op->a, to, s->watch->why[s->op->b]);
}

static void moves(const state *s)
{
    const cm6_op *op = s->op;
    cm_watch *const w = s->watch;
    const sh_word b = word_of(s, op->b), sp = word_of(s, CM_SP);
    switch (op->code) {
    case CM6_OP_ADD:
        cm_set_secret(w, op->a, sh_add(word_of(s, op->a), b, plain(0)).secret,
                      cm_why(w, op->a, op->b));
        break;
    case CM6_OP_ADD_I:
        cm_set_secret(w, op->a, sh_add(b, plain(op->imm), plain(0)).secret, w->why[op->b]);
        break;
    case CM6_OP_MOV:
        cm_set_secret(w, op->a, b.secret, w->why[op->b]);
        break;
    case CM6_OP_SP_I:
        cm_set_secret(w, CM_SP, sh_add(sp, plain(op->imm), plain(0)).secret & ~3u, w->why[CM_SP]);
        break;
    case CM6_OP_ADD_SP:
        cm_set_secret(w, CM_SP, sh_add(sp, b, plain(0)).secret & ~3u, cm_why(w, CM_SP, op->b));
        break;
    case CM6_OP_MOV_SP:
        cm_set_secret(w, CM_SP, b.secret & ~3u, w->why[op->b]);
        break;
    default: /* MOV_I */
        cm_set_secret(w, op->a, 0, 0);
        break;
    }
}

/* --- memory ----------------------------------------------------------------------------------- */

/* An address, with the least and the greatest that secret bits allow. */
typedef struct place {
    uint32_t address, secret, least, most;
    sh_why why;
} place;

static place place_of(sh_word base, sh_word offset, sh_why why)
{
    return (place){.address = base.value + offset.value,
                   .secret = sh_add(base, offset, plain(0)).secret,
                   .least = sh_least(base) + sh_least(offset),
                   .most = sh_most(base) + sh_most(offset),
                   .why = why};
}

/*
 * An address that depends on a secret. RAM answers at once, and flash that waits as long for each
 * word takes as long. A cache before it does not, nor what is no memory.
 */
static void address_found(const state *s, sh_kind kind, const place *p)
{
    const cm_core *core = s->core;
    const cm6_flash_timing *timing = &s->v6m->timing;
    const unsigned more = (unsigned)timing->miss - timing->hit;
    sh_shadow *const shadow = s->watch->shadow;
    if (p->least <= p->most && cm_in_ram(core, p->least) && cm_in_ram(core, p->most))
        sh_find(shadow, kind, false, 0, p->why);
    else if (p->least <= p->most && cm_in_flash(core, p->least) && cm_in_flash(core, p->most))
        sh_find(shadow, kind, more != 0, more, p->why);
    else
        sh_find(shadow, kind, true, SH_UNKNOWN, p->why);
}

/* The place of a load or store of one register: to op->b and a register, or a number. */
static place address_of(const state *s, bool indexed)
{
    const cm6_op *op = s->op;
    const unsigned index = indexed ? op->imm & 15 : op->b;
    const sh_word base = word_of(s, op->b), offset = indexed ? word_of(s, index) : plain(op->imm);
    return place_of(base, offset, cm_why(s->watch, op->b, index));
}

static void load(const state *s, unsigned size, bool is_signed, bool indexed)
{
    sh_why why;
    const place p = address_of(s, indexed);
    uint32_t secret = sh_load(s->watch->shadow, p.address, size, &why);
    if (p.secret != 0) {
        address_found(s, SH_LOAD, &p);
        secret = SH_ALL >> (32 - 8 * size); /* another place has other bits */
        why = sh_merge(s->watch->shadow, p.why, why);
    }
    if (is_signed)
        secret = size == 1 ? (uint32_t)(int32_t)(int8_t)secret : (uint32_t)(int32_t)(int16_t)secret;
    cm_set_secret(s->watch, s->op->a, secret, why);
}

static void store(const state *s, unsigned size, bool indexed)
{
    const unsigned reg = s->op->a;
    const place p = address_of(s, indexed);
    uint32_t secret = s->watch->secret[reg];
    sh_why why = secret != 0 ? s->watch->why[reg] : (sh_why)0;
    if (p.secret != 0) {
        address_found(s, SH_STORE, &p);
        secret = SH_ALL;
        why = sh_merge(s->watch->shadow, p.why, why);
    }
    sh_store(s->watch->shadow, p.address, size, secret, sh_pass(s->watch->shadow, why));
}

/* Words from a base register up; the base as it is afterwards is no secret that it was not. */
static void load_list(const state *s, unsigned base)
{
    cm_watch *const w = s->watch;
    const sh_word from = word_of(s, base);
    const sh_why base_why = w->why[base];
    const place p = place_of(from, plain(0), base_why);
    uint32_t address = from.value;
    if (from.secret != 0)
        address_found(s, SH_LOAD, &p);
    for (uint32_t list = s->op->imm & 0xffff; list != 0; list &= list - 1, address += 4) {
        sh_why why;
        const uint32_t secret = sh_load(w->shadow, address, 4, &why);
        const unsigned to = (unsigned)__builtin_ctz(list);
        if (from.secret != 0)
            cm_set_secret(w, to, SH_ALL, base_why);
        else
            cm_set_secret(w, to, secret, why);
    }
    if ((s->op->imm >> base & 1) == 0)
        cm_set_secret(w, base, sh_add(from, plain(4u * s->op->b), plain(0)).secret, base_why);
}

static void store_list(const state *s, unsigned base, bool down)
{
    cm_watch *const w = s->watch;
    const sh_word from = word_of(s, base), step = plain(4u * s->op->b);
    const uint32_t after =
        down ? sh_subtract(from, step, plain(1)).secret : sh_add(from, step, plain(0)).secret;
    uint32_t address = down ? from.value - step.value : from.value;
    const place p = place_of(from, plain(0), w->why[base]);
    if (from.secret != 0)
        address_found(s, SH_STORE, &p);
    for (uint32_t list = s->op->imm & 0xffff; list != 0; list &= list - 1, address += 4) {
        const unsigned reg = (unsigned)__builtin_ctz(list);
        const sh_why why = cm_why(w, reg, base);
        sh_store(w->shadow, address, 4, from.secret != 0 ? SH_ALL : w->secret[reg],
                 sh_pass(w->shadow, why));
    }
    cm_set_secret(w, base, after, w->why[base]);
}

/* --- branches and system ---------------------------------------------------------------------- */

static void jump(const state *s, unsigned reg)
{
    if (s->watch->secret[reg] != 0)
        sh_find(s->watch->shadow, SH_JUMP, true, SH_UNKNOWN, s->watch->why[reg]);
}

enum { MSP = 8, PSP = 9 };

static bool is_status(uint32_t special)
{
    return special <= 7 && (special & 4) == 0;
}

static void to_special(const state *s)
{
    const uint32_t special = s->op->imm;
    cm_watch *const w = s->watch;
    const unsigned reg = s->op->a;
    if (is_status(special))
        cm_set_flags_secret(w, w->secret[reg], w->why[reg]);
    else if (special == MSP || special == PSP)
        cm_set_secret(w, CM_SP, (w->secret[CM_SP] | w->secret[reg]) & ~3u, cm_why(w, reg, CM_SP));
    else if (w->secret[reg] != 0)
        sh_find(w->shadow, SH_OPERANDS, true, SH_UNKNOWN, w->why[reg]);
}

static void from_special(const state *s)
{
    const uint32_t special = s->op->imm;
    cm_watch *const w = s->watch;
    if (is_status(special))
        cm_set_secret(w, s->op->a, cm_flags_secret(w), w->flags);
    else if (special == MSP || special == PSP)
        cm_set_secret(w, s->op->a, w->secret[CM_SP], w->why[CM_SP]);
    else
        cm_set_secret(w, s->op->a, 0, 0);
}

static void system_op(const state *s)
{
    switch (s->op->code) {
    case CM6_OP_BL:
    case CM6_OP_BLX:
        if (s->op->code == CM6_OP_BLX)
            jump(s, s->op->b);
        cm_set_secret(s->watch, CM_LR, 0, 0);
        s->watch->call = s->watch->shadow->pc;
        break;
    case CM6_OP_BX:
    case CM6_OP_MOV_PC:
    case CM6_OP_ADD_PC:
        jump(s, s->op->b);
        break;
    case CM6_OP_POP_PC:
        load_list(s, CM_SP);
        jump(s, CM_PC);
        cm_set_secret(s->watch, CM_PC, 0, 0);
        break;
    case CM6_OP_MSR:
        to_special(s);
        break;
    case CM6_OP_MRS:
        from_special(s);
        break;
    default:
        break;
    }
}

static void branch(const state *s)
{
    if (cm_condition_secret(s->core, s->watch, s->op->code - CM6_OP_BEQ))
        sh_find(s->watch->shadow, SH_BRANCH, true, BRANCH_CYCLES, s->watch->flags);
}

/* --- all of them ------------------------------------------------------------------------------ */

static void follow(const state *s)
{
    switch (s->op->code) {
    case CM6_OP_LSLS_I:
    case CM6_OP_LSRS_I:
    case CM6_OP_LSRS_32:
    case CM6_OP_ASRS_I:
    case CM6_OP_ASRS_32:
        shift_by_number(s);
        break;
    case CM6_OP_LSLS:
    case CM6_OP_LSRS:
    case CM6_OP_ASRS:
    case CM6_OP_RORS:
        shift_by_register(s);
        break;
    case CM6_OP_MOVS:
        result(s, s->op->a, s->core->r[s->op->b], s->watch->secret[s->op->b],
               s->watch->why[s->op->b]);
        break;
    case CM6_OP_MOVS_I:
        result(s, s->op->a, s->op->imm, 0, 0);
        break;
    case CM6_OP_ADDS:
    case CM6_OP_SUBS:
    case CM6_OP_ADDS_I:
    case CM6_OP_SUBS_I:
    case CM6_OP_CMP_I:
    case CM6_OP_CMP:
    case CM6_OP_CMN:
    case CM6_OP_RSBS:
    case CM6_OP_ADCS:
    case CM6_OP_SBCS:
        sums(s);
        break;
    case CM6_OP_ANDS:
    case CM6_OP_EORS:
    case CM6_OP_ORRS:
    case CM6_OP_BICS:
    case CM6_OP_MVNS:
    case CM6_OP_TST:
    case CM6_OP_MULS:
        logic(s);
        break;
    case CM6_OP_SXTH:
    case CM6_OP_SXTB:
    case CM6_OP_UXTH:
    case CM6_OP_UXTB:
    case CM6_OP_REV:
    case CM6_OP_REV16:
    case CM6_OP_REVSH:
        extension(s);
        break;
    case CM6_OP_ADD:
    case CM6_OP_ADD_SP:
    case CM6_OP_ADD_I:
    case CM6_OP_MOV:
    case CM6_OP_MOV_SP:
    case CM6_OP_MOV_I:
    case CM6_OP_SP_I:
        moves(s);
        break;
    case CM6_OP_LDR_LITERAL:
        cm_set_secret(s->watch, s->op->a, 0, 0);
        break;
    case CM6_OP_LDR:
    case CM6_OP_LDR_I:
        load(s, 4, false, s->op->code == CM6_OP_LDR);
        break;
    case CM6_OP_LDRH:
    case CM6_OP_LDRH_I:
        load(s, 2, false, s->op->code == CM6_OP_LDRH);
        break;
    case CM6_OP_LDRB:
    case CM6_OP_LDRB_I:
        load(s, 1, false, s->op->code == CM6_OP_LDRB);
        break;
    case CM6_OP_LDRSH:
        load(s, 2, true, true);
        break;
    case CM6_OP_LDRSB:
        load(s, 1, true, true);
        break;
    case CM6_OP_STR:
    case CM6_OP_STR_I:
        store(s, 4, s->op->code == CM6_OP_STR);
        break;
    case CM6_OP_STRH:
    case CM6_OP_STRH_I:
        store(s, 2, s->op->code == CM6_OP_STRH);
        break;
    case CM6_OP_STRB:
    case CM6_OP_STRB_I:
        store(s, 1, s->op->code == CM6_OP_STRB);
        break;
    case CM6_OP_LDM:
        load_list(s, s->op->a);
        break;
    case CM6_OP_POP:
        load_list(s, CM_SP);
        break;
    case CM6_OP_STM:
        store_list(s, s->op->a, false);
        break;
    case CM6_OP_PUSH:
        store_list(s, CM_SP, true);
        break;
    default:
        if (s->op->code >= CM6_OP_BEQ && s->op->code <= CM6_OP_BLE)
            branch(s);
        else
            system_op(s);
        break;
    }
}

void cm6_watch(cm6_core *v6m, const cm6_op *op, uint32_t pc)
{
    cm_core *const core = &v6m->core;
    if (op->code == CM6_OP_DECODE || !cm_watch_step(core, pc))
        return;
    follow(&(state){v6m, core, core->watch, op});
}
