/*
 * Rules of ARMv6-M for secrets: the shadow of their results, from operands as they
 * are before the instruction, and findings. The routines in interpreter.h say what they do.
 */
#include "watch.h"

#include "../core/watch.h"

/* Cycles by which instructions differ: a branch that is taken, or not (ARM DDI 0484, table 3-1). */
enum { BRANCH_CYCLES = 1 };

#define FLAGS 0xf0000000u

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

/* --- shifts ----------------------------------------------------------------------------------- */

static void shift_by_number(const state *s)
{
    const cm6_op *op = s->op;
    const sh_why why = cm_why(s->watch, op->b, op->b);
    const bool whole = op->code == CM6_OP_LSRS_32 || op->code == CM6_OP_ASRS_32;
    const sh_shift kind =
        op->code == CM6_OP_LSLS_I ? SH_LSL
        : op->code == CM6_OP_LSRS_I || op->code == CM6_OP_LSRS_32
            ? SH_LSR
            : SH_ASR;
    uint32_t carry = 0;
    const sh_word out = sh_shifted(kind, word_of(s, op->b), whole ? 32 : op->imm, &carry);
    cm_set_carry(s->watch, carry, why);
    cm_set_result(s->watch, op->a, out, why);
}

static void shift_by_register(const state *s)
{
    const cm6_op *op = s->op;
    const sh_shift kind =
        op->code == CM6_OP_LSLS   ? SH_LSL
        : op->code == CM6_OP_LSRS ? SH_LSR
        : op->code == CM6_OP_ASRS ? SH_ASR
                                  : SH_ROR;
    const sh_why why =
        sh_merge(s->watch->shadow, cm_why(s->watch, op->a, op->b), cm_why_flags(s->watch));
    uint32_t carry = s->watch->c;
    const sh_word out = sh_shifted_by(kind, word_of(s, op->a), word_of(s, op->b), &carry);
    cm_set_carry(s->watch, carry, why);
    cm_set_result(s->watch, op->a, out, why);
}

/* --- sums and logic --------------------------------------------------------------------------- */

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
        cm_set_sum(w, op->a, sh_add(b, word_of(s, third), sh_plain(0)), cm_why(w, op->b, third));
        break;
    case CM6_OP_SUBS:
        if (op->b != third)
            sum = sh_subtract(b, word_of(s, third), sh_plain(1));
        cm_set_sum(w, op->a, sum, cm_why(w, op->b, third));
        break;
    case CM6_OP_ADDS_I:
        cm_set_sum(w, op->a, sh_add(b, sh_plain(op->imm), sh_plain(0)), b_why);
        break;
    case CM6_OP_SUBS_I:
        cm_set_sum(w, op->a, sh_subtract(b, sh_plain(op->imm), sh_plain(1)), b_why);
        break;
    case CM6_OP_RSBS:
        cm_set_sum(w, op->a, sh_subtract(sh_plain(0), b, sh_plain(1)), b_why);
        break;
    case CM6_OP_ADCS:
        cm_set_sum(w, op->a, sh_add(a, b, carry), with_carry);
        break;
    case CM6_OP_SBCS:
        if (op->a == op->b)
            cm_set_sum(w, op->a, sh_subtract_itself(w->c), cm_why_flags(w));
        else
            cm_set_sum(w, op->a, sh_subtract(a, b, carry), with_carry);
        break;
    case CM6_OP_CMP_I:
        sum = sh_subtract(a, sh_plain(op->imm), sh_plain(1));
        cm_set_flags(w, &sum, cm_why(w, op->a, op->a));
        break;
    case CM6_OP_CMP:
        if (op->a != op->b)
            sum = sh_subtract(a, b, sh_plain(1));
        cm_set_flags(w, &sum, both);
        break;
    default: /* CMN */
        sum = sh_add(a, b, sh_plain(0));
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
        cm_set_result(s->watch, op->a, (sh_word){a.value & b.value, sh_and(a, b)}, both);
        break;
    case CM6_OP_EORS:
        cm_set_result(s->watch, op->a,
                      (sh_word){a.value ^ b.value, op->a == op->b ? 0 : a.secret | b.secret}, both);
        break;
    case CM6_OP_ORRS:
        cm_set_result(s->watch, op->a, (sh_word){a.value | b.value, sh_or(a, b)}, both);
        break;
    case CM6_OP_BICS:
        cm_set_result(s->watch, op->a,
                      (sh_word){a.value & ~b.value, op->a == op->b ? 0 : sh_and(a, sh_inverted(b))},
                      both);
        break;
    case CM6_OP_MVNS:
        cm_set_result(s->watch, op->a, (sh_word){~b.value, b.secret},
                      cm_why(s->watch, op->b, op->b));
        break;
    case CM6_OP_MULS: /* takes as long whatever it multiplies, in each of its two forms */
        cm_set_result(s->watch, op->a, (sh_word){a.value * b.value, (uint32_t)sh_product(a, b)},
                      both);
        break;
    default: /* TST */
        cm_set_nz(s->watch, a.value & b.value, sh_and(a, b), both);
        break;
    }
}

static void extension(const state *s)
{
    const unsigned from = s->op->b;
    cm_set_secret(s->watch, s->op->a,
                  cm_extended(s->op->code - CM6_OP_SXTH, s->watch->secret[from]),
                  s->watch->why[from]);
}

static void moves(const state *s)
{
    const cm6_op *op = s->op;
    cm_watch *const w = s->watch;
    const sh_word b = word_of(s, op->b), sp = word_of(s, CM_SP);
    switch (op->code) {
    case CM6_OP_ADD:
        cm_set_secret(w, op->a, sh_add(word_of(s, op->a), b, sh_plain(0)).secret,
                      cm_why(w, op->a, op->b));
        break;
    case CM6_OP_ADD_I:
        cm_set_secret(w, op->a, sh_add(b, sh_plain(op->imm), sh_plain(0)).secret, w->why[op->b]);
        break;
    case CM6_OP_MOV:
        cm_set_secret(w, op->a, b.secret, w->why[op->b]);
        break;
    case CM6_OP_SP_I:
        cm_set_secret(w, CM_SP, sh_add(sp, sh_plain(op->imm), sh_plain(0)).secret & ~3u,
                      w->why[CM_SP]);
        break;
    case CM6_OP_ADD_SP:
        cm_set_secret(w, CM_SP, sh_add(sp, b, sh_plain(0)).secret & ~3u, cm_why(w, CM_SP, op->b));
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

static void address_found(const state *s, sh_kind kind, const cm_place *place)
{
    const cm6_flash_timing *timing = &s->v6m->timing;
    if (place->secret != 0)
        cm_find_address(s->core, kind, place, (unsigned)timing->miss - timing->hit);
}

/* The place of a load or store of one register: to op->b and a register, or a number. */
static cm_place address_of(const state *s, bool indexed)
{
    const cm6_op *op = s->op;
    const unsigned index = indexed ? op->imm & 15 : op->b;
    const sh_word base = word_of(s, op->b),
                  offset = indexed ? word_of(s, index) : sh_plain(op->imm);
    return cm_place_of(base, offset, cm_why(s->watch, op->b, index));
}

static void load(const state *s, unsigned size, bool is_signed, bool indexed)
{
    sh_why why;
    const cm_place place = address_of(s, indexed);
    address_found(s, SH_LOAD, &place);
    uint32_t secret = cm_load_secret(s->core, &place, size, &why);
    if (is_signed)
        secret = cm_extended(size == 1, secret);
    cm_set_secret(s->watch, s->op->a, secret, why);
}

static void store(const state *s, unsigned size, bool indexed)
{
    const unsigned reg = s->op->a;
    const cm_place place = address_of(s, indexed);
    address_found(s, SH_STORE, &place);
    cm_store_secret(s->core, &place, size, s->watch->secret[reg], s->watch->why[reg]);
}

/* Words from a base register up; the base as it is afterwards is no secret that it was not. */
static void load_list(const state *s, unsigned base)
{
    cm_watch *const w = s->watch;
    const sh_word from = word_of(s, base);
    const sh_why why = w->why[base];
    const cm_place place = cm_place_of(from, sh_plain(0), why);
    address_found(s, SH_LOAD, &place);
    cm_load_list_secret(s->core, place, s->op->imm & 0xffff);
    if ((s->op->imm >> base & 1) == 0)
        cm_set_secret(w, base, sh_add(from, sh_plain(4u * s->op->b), sh_plain(0)).secret, why);
}

static void store_list(const state *s, unsigned base, bool down)
{
    cm_watch *const w = s->watch;
    const sh_word from = word_of(s, base), by = sh_plain(4u * s->op->b);
    const cm_place place = cm_place_of(from, sh_plain(down ? 0u - by.value : 0), w->why[base]);
    address_found(s, SH_STORE, &place);
    cm_store_list_secret(s->core, place, s->op->imm & 0xffff);
    cm_set_secret(
        w, base,
        down ? sh_subtract(from, by, sh_plain(1)).secret : sh_add(from, by, sh_plain(0)).secret,
        w->why[base]);
}

/* --- branches and system ---------------------------------------------------------------------- */

static void system_op(const state *s)
{
    switch (s->op->code) {
    case CM6_OP_BL:
    case CM6_OP_BLX:
        if (s->op->code == CM6_OP_BLX)
            cm_watch_jump(s->watch, s->op->b);
        cm_set_secret(s->watch, CM_LR, 0, 0);
        s->watch->call = s->watch->shadow->pc;
        break;
    case CM6_OP_BX:
    case CM6_OP_MOV_PC:
    case CM6_OP_ADD_PC:
        cm_watch_jump(s->watch, s->op->b);
        break;
    case CM6_OP_POP_PC:
        load_list(s, CM_SP);
        cm_watch_jump(s->watch, CM_PC);
        cm_set_secret(s->watch, CM_PC, 0, 0);
        break;
    case CM6_OP_MSR:
        cm_watch_msr(s->watch, s->op->imm, s->op->a, FLAGS);
        break;
    case CM6_OP_MRS:
        cm_watch_mrs(s->watch, s->op->imm, s->op->a);
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
        cm_set_result(s->watch, s->op->a, word_of(s, s->op->b), s->watch->why[s->op->b]);
        break;
    case CM6_OP_MOVS_I:
        cm_set_result(s->watch, s->op->a, sh_plain(s->op->imm), 0);
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
