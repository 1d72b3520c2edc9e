/*
 * Rules of ARMv7-M for secrets: the shadow of their results, from operands as they are before the
 * instruction, and findings. The routines in interpreter.h say what they do.
 */
#include "watch.h"

#include "../core/watch.h"
#include "../v8m/v8m.h"
#include "float.h"
#include "watch_dsp.h"

/* Cycles by which instructions differ (docs/explain/cortexm.md). */
enum {
    BRANCH_CYCLES = 1,
    DIVISION_CYCLES = 10,
    /* of a Cortex-M3: products of 64 bits, the same with a sum (ARM DDI 0337, table 18-1) */
    PRODUCT_CYCLES = 2,
    SUM_CYCLES = 3,
    ADDRESS_CYCLES = 1, /* an address that the instruction before made */
    FAR_CYCLES = 1
};

#define NZCV 0xf0000000u /* of the status register and FPSCR */
#define Q_GE 0x080f0000u
#define FPSCR_MODES 0x07c00000u
#define FPSCR_EXCEPTIONS 0x9fu

/* The state that rules read and change. */
typedef struct state {
    const cm7_core *v7m;
    const cm_core *core;
    cm_watch *watch;
    const cm7_op *op;
    unsigned code;
    uint32_t late;   /* registers that the instruction before wrote or not by a secret */
    uint32_t before; /* cm_watch.before */
} state;

static sh_word word_of(const state *s, unsigned reg)
{
    return cm_secret(s->core, s->watch, reg);
}

/* The same where the program counter stands for zero. */
static sh_word word_or_zero(const state *s, unsigned reg)
{
    return reg == CM_PC ? sh_plain(0) : word_of(s, reg);
}

static sh_why why_of(const state *s, unsigned reg)
{
    return reg != CM_PC && s->watch->secret[reg] != 0 ? s->watch->why[reg] : (sh_why)0;
}

static sh_why why_of_three(const state *s, unsigned a, unsigned b, unsigned c)
{
    sh_shadow *const shadow = s->watch->shadow;
    return sh_merge(shadow, sh_merge(shadow, why_of(s, a), why_of(s, b)), why_of(s, c));
}

/* --- sums and logic, in every form ------------------------------------------------------------ */

/* The second operand, and the carry that comes out of it, if one does. */
typedef struct operand {
    sh_word word;
    uint32_t carry;
    bool carries;
    sh_why why;
} operand;

static operand operand_of(const state *s, unsigned form)
{
    const cm7_op *op = s->op;
    cm_watch *const w = s->watch;
    operand x = {.carries = true};
    if (form == CM7_FORM_I) {
        x.word = sh_plain(op->imm);
        x.carries = op->a != 0;
        return x;
    }
    x.word = word_of(s, op->m);
    x.why = why_of(s, op->m);
    if (form == CM7_FORM_R) {
        x.carries = false;
    } else if (form == CM7_FORM_RRX) {
        x.carry = x.word.secret & 1;
        x.word = (sh_word){x.word.value >> 1 | s->core->c << 31,
                           x.word.secret >> 1 | (uint32_t)w->c << 31};
        if (w->c != 0)
            x.why = sh_merge(w->shadow, x.why, w->flags);
    } else {
        x.word = sh_shifted((sh_shift)(form - CM7_FORM_LSL), x.word, op->imm, &x.carry);
    }
    return x;
}

/* Operations in the order of their codes. */
enum { AND, BIC, ORR, ORN, EOR, MOV, MVN, ADD, ADC, SUB, SBC, RSB };

/* `same`: both operands are the same register. */
static sh_word logic(unsigned which, sh_word n, sh_word x, bool same)
{
    switch (which) {
    case AND:
        return (sh_word){n.value & x.value, sh_and(n, x)};
    case BIC:
        return (sh_word){n.value & ~x.value, same ? 0 : sh_and(n, sh_inverted(x))};
    case ORR:
        return (sh_word){n.value | x.value, sh_or(n, x)};
    case ORN:
        return (sh_word){n.value | ~x.value, same ? 0 : sh_or(n, sh_inverted(x))};
    case EOR:
        return (sh_word){n.value ^ x.value, same ? 0 : n.secret | x.secret};
    case MOV:
        return x;
    default:
        return sh_inverted(x);
    }
}

static sh_sum sum(const state *s, unsigned which, sh_word n, sh_word x, bool same)
{
    const sh_word carry = cm_carry(s->core, s->watch);
    if (same && (which == SUB || which == RSB))
        return (sh_sum){.secret = 0};
    switch (which) {
    case ADD:
        return sh_add(n, x, sh_plain(0));
    case ADC:
        return sh_add(n, x, carry);
    case SUB:
        return sh_subtract(n, x, sh_plain(1));
    case SBC:
        return same ? sh_subtract_itself(s->watch->c) : sh_subtract(n, x, carry);
    default:
        return sh_subtract(x, n, sh_plain(1));
    }
}

static void processing(const state *s)
{
    const cm7_op *op = s->op;
    cm_watch *const w = s->watch;
    const unsigned at = s->code - CM7_OP_AND_I, which = at / (2 * CM7_FORMS),
                   rest = at % (2 * CM7_FORMS), form = rest % CM7_FORMS;
    const bool sets = rest >= CM7_FORMS, same = form == CM7_FORM_R && op->n == op->m;
    const operand x = operand_of(s, form);
    const sh_word n = word_of(s, op->n);
    sh_why why = x.why;
    if (which != MOV && which != MVN)
        why = sh_merge(w->shadow, why_of(s, op->n), why);
    if (which < ADD) {
        const sh_word result = logic(which, n, x.word, same);
        if (!sets) {
            cm_set_secret(w, op->d, result.secret, why);
            return;
        }
        if (x.carries)
            cm_set_carry(w, x.carry, x.why);
        cm_set_result(w, op->d, result, why);
        return;
    }
    if ((which == ADC || which == SBC) && w->c != 0)
        why = sh_merge(w->shadow, why, w->flags);
    const sh_sum result = sum(s, which, n, x.word, same);
    if (sets)
        cm_set_sum(w, op->d, result, why);
    else
        cm_set_secret(w, op->d, result.secret, why);
}

static void comparison(const state *s)
{
    enum { TST, TEQ, CMP, CMN };
    const cm7_op *op = s->op;
    cm_watch *const w = s->watch;
    const unsigned at = s->code - CM7_OP_TST_I, which = at / CM7_FORMS, form = at % CM7_FORMS;
    const bool same = form == CM7_FORM_R && op->n == op->m;
    const operand x = operand_of(s, form);
    const sh_word n = word_of(s, op->n);
    const sh_why why = sh_merge(w->shadow, why_of(s, op->n), x.why);
    if (which == TST || which == TEQ) {
        const sh_word result = logic(which == TST ? AND : EOR, n, x.word, same);
        if (x.carries)
            cm_set_carry(w, x.carry, x.why);
        cm_set_nz(w, result.value, result.secret, why);
        return;
    }
    const sh_sum result = sum(s, which == CMP ? SUB : ADD, n, x.word, same);
    cm_set_flags(w, &result, why);
}

static void shift(const state *s)
{
    const cm7_op *op = s->op;
    cm_watch *const w = s->watch;
    const unsigned at = s->code - CM7_OP_LSL;
    const sh_why both = cm_why(w, op->n, op->m);
    uint32_t carry = w->c;
    const sh_word out =
        sh_shifted_by((sh_shift)(at / 2), word_of(s, op->n), word_of(s, op->m), &carry);
    if (at % 2 == 0) {
        cm_set_secret(w, op->d, out.secret, both);
        return;
    }
    const sh_why why = sh_merge(w->shadow, both, cm_why_flags(w));
    cm_set_carry(w, carry, why);
    cm_set_result(w, op->d, out, why);
}

static void stack_pointer(const state *s)
{
    const cm7_op *op = s->op;
    const sh_word n = word_of(s, op->n);
    sh_word by = sh_plain(op->imm);
    sh_why why = why_of(s, op->n);
    if (s->code != CM7_OP_SP_ADD_I) {
        uint32_t carry;
        by = sh_shifted(SH_LSL, word_of(s, op->m), op->imm, &carry);
        why = cm_why(s->watch, op->n, op->m);
    }
    const sh_sum to =
        s->code == CM7_OP_SP_SUB ? sh_subtract(n, by, sh_plain(1)) : sh_add(n, by, sh_plain(0));
    cm_set_secret(s->watch, CM_SP, to.secret & ~3u, why);
}

/* --- products and quotients ------------------------------------------------------------------- */

static void set_pair(const state *s, uint64_t secret, sh_why why)
{
    cm_set_secret(s->watch, s->op->d, (uint32_t)secret, why);
    cm_set_secret(s->watch, s->op->a, (uint32_t)(secret >> 32), why);
}

/* The sum of 64 bits in two registers. */
static sh_pair pair_of(const state *s)
{
    const sh_word low = word_of(s, s->op->d), high = word_of(s, s->op->a);
    return (sh_pair){(uint64_t)high.value << 32 | low.value,
                     (uint64_t)high.secret << 32 | low.secret};
}

static void multiplication(const state *s)
{
    const cm7_op *op = s->op;
    cm_watch *const w = s->watch;
    const sh_word n = word_of(s, op->n), m = word_of(s, op->m);
    const sh_word product = {n.value * m.value, (uint32_t)sh_product(n, m)};
    if (s->code == CM7_OP_MUL || s->code == CM7_OP_MULS) {
        const sh_why why = cm_why(w, op->n, op->m);
        cm_set_secret(w, op->d, product.secret, why);
        if (s->code == CM7_OP_MULS)
            cm_set_nz(w, product.value, product.secret, why);
        return;
    }
    const sh_word a = word_of(s, op->a);
    const sh_sum to = s->code == CM7_OP_MLA ? sh_add(product, a, sh_plain(0))
                                            : sh_subtract(a, product, sh_plain(1));
    cm_set_secret(w, op->d, to.secret, why_of_three(s, op->n, op->m, op->a));
}

/* The time of a Cortex-M3 depends on the operands of these. */
static void found_in_operands(const state *s, bool sums, sh_why why)
{
    const uint32_t *const secret = s->watch->secret;
    const cm7_op *op = s->op;
    const uint32_t added = sums ? secret[op->d] | secret[op->a] : 0;
    if (!s->core->dsp && (secret[op->n] | secret[op->m] | added) != 0)
        sh_find(s->watch->shadow, SH_OPERANDS, true, sums ? SUM_CYCLES : PRODUCT_CYCLES, why);
}

static void long_multiplication(const state *s)
{
    const cm7_op *op = s->op;
    const sh_word n = word_of(s, op->n), m = word_of(s, op->m);
    const bool is_signed = s->code == CM7_OP_SMULL || s->code == CM7_OP_SMLAL,
               sums = s->code != CM7_OP_UMULL && s->code != CM7_OP_SMULL;
    const int64_t signed_product = (int64_t)(int32_t)n.value * (int32_t)m.value;
    sh_pair to = {is_signed ? (uint64_t)signed_product : (uint64_t)n.value * m.value,
                  is_signed ? sh_signed_product(n, m) : sh_product(n, m)};
    sh_why why = cm_why(s->watch, op->n, op->m);
    if (sums)
        why = sh_merge(s->watch->shadow, why, cm_why(s->watch, op->d, op->a));
    found_in_operands(s, sums, why);
    if (s->code == CM7_OP_UMAAL) {
        const sh_word low = word_of(s, op->d), high = word_of(s, op->a);
        to = sh_add_pairs(sh_add_pairs(to, (sh_pair){low.value, low.secret}),
                          (sh_pair){high.value, high.secret});
    } else if (sums) {
        to = sh_add_pairs(to, pair_of(s));
    }
    set_pair(s, to.secret, why);
}

static void division(const state *s)
{
    const cm7_op *op = s->op;
    const sh_word n = word_of(s, op->n), m = word_of(s, op->m);
    const sh_why why = cm_why(s->watch, op->n, op->m);
    uint32_t secret = (n.secret | m.secret) != 0 ? SH_ALL : 0;
    if (secret != 0)
        sh_find(s->watch->shadow, SH_OPERANDS, true, DIVISION_CYCLES, why);
    if (s->code == CM7_OP_UDIV)
        secret = sh_quotient(n, m);
    cm_set_secret(s->watch, op->d, secret, why);
}

static void dsp(const state *s)
{
    const cm7_op *op = s->op;
    cm_watch *const w = s->watch;
    const sh_word ge = {s->core->ge, w->ge};
    const unsigned operation = op->imm & 0xff;
    cm7_dsp_flags flags;
    sh_why why = why_of_three(s, op->n, op->m, op->a);
    if (operation == CM7_DSP_SEL && w->ge != 0)
        why = sh_merge(w->shadow, why, w->flags);
    const uint32_t secret = cm7_dsp_secret(operation, word_or_zero(s, op->n), word_of(s, op->m),
                                           word_or_zero(s, op->a), op->imm >> 8, ge, &flags);
    if (flags.q || flags.ge != 0)
        cm_set_why_flags(w, why, w->n | w->z | w->c | w->v | w->q | w->ge);
    if (flags.q && (!s->core->q || w->q != 0)) /* it stays set */
        w->q = 1;
    if (flags.sets_ge)
        w->ge = flags.ge;
    cm_set_secret(w, op->d, secret, why);
}

static void dsp_long(const state *s)
{
    const cm7_op *op = s->op;
    const sh_why why =
        sh_merge(s->watch->shadow, cm_why(s->watch, op->n, op->m), cm_why(s->watch, op->d, op->a));
    set_pair(s, cm7_dsp_long_secret(op->imm, word_of(s, op->n), word_of(s, op->m), pair_of(s)),
             why);
}

/* --- parts of words --------------------------------------------------------------------------- */

static void part(const state *s)
{
    const cm7_op *op = s->op;
    cm_watch *const w = s->watch;
    const uint32_t n = word_or_zero(s, op->n).secret, m = w->secret[op->m & 15],
                   d = w->secret[op->d];
    const uint32_t ones = (uint32_t)((1ull << (op->m & 63)) - 1);
    switch (s->code) {
    case CM7_OP_RBIT:
        cm_set_secret(w, op->d, cm_reversed(m), w->why[op->m]);
        break;
    case CM7_OP_CLZ:
        cm_set_secret(w, op->d, sh_leading_zeros(word_of(s, op->m)), w->why[op->m]);
        break;
    case CM7_OP_UBFX:
        cm_set_secret(w, op->d, n >> op->imm & ones, why_of(s, op->n));
        break;
    case CM7_OP_SBFX:
        cm_set_secret(w, op->d, (uint32_t)((int32_t)(n << (32 - op->imm - op->m)) >> (32 - op->m)),
                      why_of(s, op->n));
        break;
    case CM7_OP_BFI:
        cm_set_secret(w, op->d, (d & ~(ones << op->imm)) | (n << op->imm & ones << op->imm),
                      sh_merge(w->shadow, why_of(s, op->d), why_of(s, op->n)));
        break;
    case CM7_OP_PKHBT:
        cm_set_secret(w, op->d, (n & 0xffff) | (m << op->imm & 0xffff0000u),
                      cm_why(w, op->n, op->m));
        break;
    case CM7_OP_PKHTB:
        cm_set_secret(w, op->d, (n & 0xffff0000u) | ((uint32_t)((int32_t)m >> op->imm) & 0xffff),
                      cm_why(w, op->n, op->m));
        break;
    case CM7_OP_MOVT:
        cm_set_secret(w, op->d, d & 0xffff, w->why[op->d]);
        break;
    default:
        cm_set_secret(w, op->d, cm_extended(s->code - CM7_OP_SXTH, m), w->why[op->m]);
        break;
    }
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Cycles by which reads of flash differ. */
static unsigned flash_cycles(const cm7_core *v7m)
{
    return v7m->accelerator != NULL ? SH_UNKNOWN : v7m->timing.wait;
}

static bool is_far(const state *s, uint32_t address)
{
    const uint32_t offset = address - s->core->ram_base;
    return offset >= s->v7m->ram_near && offset < s->core->ram_size;
}

/* An address that depends on a secret; `uses`: registers in it. An address that is not aligned
 * takes longer, or is a fault. */
static void address_found(const state *s, sh_kind kind, const cm_place *place, unsigned size,
                          uint32_t uses)
{
    sh_shadow *const shadow = s->watch->shadow;
    if (CM_UNLIKELY((s->late & uses) != 0))
        sh_find(shadow, SH_BRANCH, true, ADDRESS_CYCLES, s->watch->late_why);
    if (CM_LIKELY(place->secret == 0))
        return;
    if ((place->secret & (size - 1)) != 0)
        sh_find(shadow, kind, true, size == 4 ? 2 : 1, place->why);
    else if (is_far(s, place->least) != is_far(s, place->most))
        sh_find(shadow, kind, true, FAR_CYCLES, place->why);
    else
        cm_find_address(s->core, kind, place, flash_cycles(s->v7m));
}

/* The place of a transfer: `at` as CM7_AT_I and its like. A constant if the base is the program
 * counter. */
static cm_place address_of(const state *s, unsigned at)
{
    const cm7_op *op = s->op;
    sh_word offset = sh_plain(at == CM7_AT_POST ? 0 : op->imm);
    if (op->n == CM_PC)
        return cm_place_of(sh_plain(op->imm), sh_plain(0), 0);
    if (at == CM7_AT_X) {
        uint32_t carry;
        offset = sh_shifted(SH_LSL, word_of(s, op->m), op->imm, &carry);
        return cm_place_of(word_of(s, op->n), offset, cm_why(s->watch, op->n, op->m));
    }
    return cm_place_of(word_of(s, op->n), offset, why_of(s, op->n));
}

/* The base register behind a transfer, `by` further. */
static void set_base(const state *s, uint32_t by)
{
    const unsigned n = s->op->n;
    cm_set_secret(s->watch, n, sh_add(word_of(s, n), sh_plain(by), sh_plain(0)).secret,
                  s->watch->why[n]);
}

static void change_base(const state *s, unsigned at)
{
    if (at == CM7_AT_PRE || at == CM7_AT_POST)
        set_base(s, s->op->imm);
}

static uint32_t uses(const state *s, unsigned at)
{
    return 1u << s->op->n | (at == CM7_AT_X ? 1u << s->op->m : 0u);
}

static void load(const state *s)
{
    static const uint8_t sizes[] = {4, 2, 1, 2, 1};
    const unsigned which = (s->code - CM7_OP_LDR_I) / CM7_ATS,
                   at = (s->code - CM7_OP_LDR_I) % CM7_ATS, size = sizes[which];
    const cm_place place = address_of(s, at);
    sh_why why;
    address_found(s, SH_LOAD, &place, size, uses(s, at));
    uint32_t secret = cm_load_secret(s->core, &place, size, &why);
    if (which >= 3)
        secret = cm_extended(size == 1, secret);
    change_base(s, at);
    cm_set_secret(s->watch, s->op->d, secret, why);
}

static void store(const state *s)
{
    const unsigned which = (s->code - CM7_OP_STR_I) / CM7_ATS,
                   at = (s->code - CM7_OP_STR_I) % CM7_ATS, size = 4u >> which, d = s->op->d;
    const cm_place place = address_of(s, at);
    address_found(s, SH_STORE, &place, size, uses(s, at));
    cm_store_secret(s->core, &place, size, s->watch->secret[d], s->watch->why[d]);
    change_base(s, at);
}

static void load_literal(const state *s)
{
    const unsigned how = s->op->a, size = 4u - (how & 7u);
    const cm_place place = cm_place_of(sh_plain(s->op->imm), sh_plain(0), 0);
    sh_why why;
    uint32_t secret = cm_load_secret(s->core, &place, size, &why);
    if ((how & 8) != 0)
        secret = cm_extended(size == 1, secret);
    cm_set_secret(s->watch, s->op->d, secret, why);
}

/* Into the stack pointer or the program counter. */
static void load_special(const state *s)
{
    const cm7_op *op = s->op;
    const cm_place place = address_of(s, op->a);
    sh_why why;
    address_found(s, SH_LOAD, &place, 4, 0);
    const uint32_t secret = cm_load_secret(s->core, &place, 4, &why);
    change_base(s, op->n == CM_PC ? CM7_AT_I : op->a);
    if (op->d == CM_PC && secret != 0)
        sh_find(s->watch->shadow, SH_JUMP, true, SH_UNKNOWN, why);
    else if (op->d != CM_PC)
        cm_set_secret(s->watch, CM_SP, secret & ~3u, why);
}

/* Words of two registers. */
static void two_words(const state *s)
{
    const cm7_op *op = s->op;
    cm_watch *const w = s->watch;
    const bool loads = s->code == CM7_OP_LDRD;
    cm_place place = address_of(s, op->a);
    address_found(s, loads ? SH_LOAD : SH_STORE, &place, 4, 1u << op->n);
    if (loads) {
        sh_why first, second;
        const uint32_t low = cm_load_secret(s->core, &place, 4, &first);
        place.address += 4;
        const uint32_t high = cm_load_secret(s->core, &place, 4, &second);
        if (op->n != CM_PC)
            change_base(s, op->a);
        cm_set_secret(w, op->d, low, first);
        cm_set_secret(w, op->m, high, second);
        return;
    }
    cm_store_secret(s->core, &place, 4, w->secret[op->d], w->why[op->d]);
    place.address += 4;
    cm_store_secret(s->core, &place, 4, w->secret[op->m], w->why[op->m]);
    change_base(s, op->a);
}

static void list(const state *s)
{
    const cm7_op *op = s->op;
    cm_watch *const w = s->watch;
    const bool loads = s->code == CM7_OP_LDM, below = op->a >= 2;
    const uint32_t bytes = 4u * op->m;
    const cm_place place =
        cm_place_of(word_of(s, op->n), sh_plain(below ? 0u - bytes : 0), why_of(s, op->n));
    address_found(s, loads ? SH_LOAD : SH_STORE, &place, 4, 1u << op->n);
    if (!loads)
        cm_store_list_secret(s->core, place, op->imm);
    if ((op->a & 1) != 0)
        set_base(s, below ? 0u - bytes : bytes);
    if (loads)
        cm_load_list_secret(s->core, place, op->imm);
    if (op->imm >> CM_PC != 0) {
        cm_watch_jump(w, CM_PC);
        w->secret[CM_PC] = 0;
    }
}

/* Exclusive transfers. Whether the mark is there is a secret if a condition that is one set it. */
static void exclusive(const state *s)
{
    const cm7_op *op = s->op;
    cm_watch *const w = s->watch;
    const bool by_secret = w->exclusive;
    w->exclusive = w->conditional;
    if (s->code == CM7_OP_CLREX)
        return;
    const cm_place place = address_of(s, CM7_AT_I);
    sh_why why;
    address_found(s, s->code == CM7_OP_LDREX ? SH_LOAD : SH_STORE, &place, op->a, 0);
    if (s->code == CM7_OP_LDREX) {
        const uint32_t secret = cm_load_secret(s->core, &place, op->a, &why);
        cm_set_secret(w, op->d, secret, why);
        return;
    }
    if (by_secret) {
        sh_find(w->shadow, SH_BRANCH, true, SH_UNKNOWN, w->condition);
        cm_store_secret(s->core, &place, op->a, SH_ALL, w->condition);
    } else if (s->core->exclusive) {
        cm_store_secret(s->core, &place, op->a, w->secret[op->d], w->why[op->d]);
    }
    cm_set_secret(w, op->m, by_secret, w->condition);
}

static void table_branch(const state *s)
{
    const cm7_op *op = s->op;
    uint32_t carry;
    const sh_word base = op->n == CM_PC ? sh_plain(op->imm) : word_of(s, op->n),
                  index = sh_shifted(SH_LSL, word_of(s, op->m), op->a, &carry);
    const cm_place place =
        cm_place_of(base, index, sh_merge(s->watch->shadow, why_of(s, op->n), why_of(s, op->m)));
    sh_why why;
    if (cm_load_secret(s->core, &place, op->a != 0 ? 2 : 1, &why) != 0)
        sh_find(s->watch->shadow, SH_JUMP, true, SH_UNKNOWN, why);
}

/* --- branches and system ---------------------------------------------------------------------- */

static void branch(const state *s)
{
    cm_watch *const w = s->watch;
    if (s->code == CM7_OP_CBZ || s->code == CM7_OP_CBNZ) {
        const sh_word n = word_of(s, s->op->n);
        if (sh_zero(n.value, n.secret) != 0)
            sh_find(w->shadow, SH_BRANCH, true, BRANCH_CYCLES, w->why[s->op->n]);
    } else if (cm_condition_secret(s->core, w, s->code - CM7_OP_BEQ)) {
        sh_find(w->shadow, SH_BRANCH, true, BRANCH_CYCLES, w->flags);
    }
}

static void system_op(const state *s)
{
    static const uint32_t fields[4] = {0, 0x000f0000, 0xf8000000, 0xf80f0000};
    const cm7_op *op = s->op;
    switch (s->code) {
    case CM7_OP_BLX:
    case CM7_OP_BL:
        if (s->code == CM7_OP_BLX)
            cm_watch_jump(s->watch, op->m);
        cm_set_secret(s->watch, CM_LR, 0, 0);
        s->watch->call = s->watch->shadow->pc;
        break;
    case CM7_OP_BX:
    case CM7_OP_MOV_PC:
    case CM7_OP_ADD_PC:
        cm_watch_jump(s->watch, op->m);
        break;
    case CM7_OP_MSR:
        cm_watch_msr(s->watch, op->imm, op->n,
                     fields[op->m & 3] & (s->core->dsp ? SH_ALL : ~fields[1]));
        break;
    case CM7_OP_MRS:
        cm_watch_mrs(s->watch, op->imm, op->d);
        break;
    default:
        break;
    }
}

/* --- floating point: moves are exact, what arithmetic makes is secret as a whole -------------- */

static sh_why why_of_float(const cm_watch *w, unsigned reg)
{
    return w->s[reg] != 0 ? w->s_why[reg] : (sh_why)0;
}

static void set_float(cm_watch *w, unsigned reg, uint32_t secret, sh_why why)
{
    cm_by_condition(w, &secret, &why);
    w->s[reg] = secret;
    if (secret != 0)
        w->s_why[reg] = sh_pass(w->shadow, why);
}

static void float_words(const state *s)
{
    const cm7_op *op = s->op;
    cm_watch *const w = s->watch;
    const bool loads = s->code == CM7_OP_VLDR || s->code == CM7_OP_VLDM,
               whole_list = s->code == CM7_OP_VLDM || s->code == CM7_OP_VSTM;
    const unsigned words = whole_list ? op->m : op->a;
    const uint32_t bytes = 4 * words;
    const bool below = whole_list && op->a >= 2;
    cm_place place =
        whole_list
            ? cm_place_of(word_of(s, op->n), sh_plain(below ? 0u - bytes : 0), why_of(s, op->n))
            : address_of(s, CM7_AT_I);
    address_found(s, loads ? SH_LOAD : SH_STORE, &place, 4, 0);
    for (unsigned i = 0; i < words; i++, place.address += 4) {
        const unsigned reg = op->d + i;
        if (loads) {
            sh_why why;
            const uint32_t secret = cm_load_secret(s->core, &place, 4, &why);
            set_float(w, reg, secret, why);
        } else {
            cm_store_secret(s->core, &place, 4, w->s[reg], w->s_why[reg]);
        }
    }
    if (whole_list && (op->a & 1) != 0)
        set_base(s, below ? 0u - bytes : bytes);
}

static void float_move(const state *s)
{
    const cm7_op *op = s->op;
    cm_watch *const w = s->watch;
    switch (s->code) {
    case CM7_OP_VMOV_TO_CORE:
        cm_set_secret(w, op->d, w->s[op->n], w->s_why[op->n]);
        break;
    case CM7_OP_VMOV_FROM_CORE:
        set_float(w, op->d, w->secret[op->n], w->why[op->n]);
        break;
    case CM7_OP_VMOV_TO_PAIR:
        cm_set_secret(w, op->d, w->s[op->m], w->s_why[op->m]);
        cm_set_secret(w, op->n, w->s[op->m + 1], w->s_why[op->m + 1]);
        break;
    case CM7_OP_VMOV_FROM_PAIR:
        set_float(w, op->m, w->secret[op->d], w->why[op->d]);
        set_float(w, op->m + 1, w->secret[op->n], w->why[op->n]);
        break;
    case CM7_OP_VMOV:
        set_float(w, op->d, w->s[op->m], w->s_why[op->m]);
        break;
    default: /* VMOV_I */
        set_float(w, op->d, 0, 0);
        break;
    }
}

static void float_status(const state *s)
{
    const cm7_op *op = s->op;
    cm_watch *const w = s->watch;
    if (s->code == CM7_OP_VMSR) {
        set_float(w, CM_FPSCR, w->secret[op->d] & (NZCV | FPSCR_MODES | FPSCR_EXCEPTIONS),
                  w->why[op->d]);
    } else if (op->d == CM_PC) {
        const uint32_t others = cm_flags_secret(w) & ~NZCV;
        const sh_why kept = others != 0 ? w->flags : (sh_why)0;
        cm_set_flags_secret(w, (w->s[CM_FPSCR] & NZCV) | others,
                            sh_merge(w->shadow, why_of_float(w, CM_FPSCR), kept));
    } else {
        cm_set_secret(w, op->d, w->s[CM_FPSCR], w->s_why[CM_FPSCR]);
    }
}

/* Does arithmetic read its registers d and n? It always reads m. */
static bool reads_d(unsigned operation)
{
    return (operation >= CM7_FLOAT_MLA && operation <= CM7_FLOAT_FNMS) ||
           (operation >= CM7_FLOAT_CMP && operation <= CM7_FLOAT_TO_TOP_HALF);
}

static void float_arithmetic(const state *s)
{
    const cm7_op *op = s->op;
    cm_watch *const w = s->watch;
    const unsigned operation = op->imm & 0xff;
    const bool zero = operation == CM7_FLOAT_CMP_ZERO || operation == CM7_FLOAT_CMPE_ZERO;
    const uint32_t modes = w->s[CM_FPSCR] & FPSCR_MODES;
    sh_why why = zero ? 0 : why_of_float(w, op->m);
    if (operation < CM7_FLOAT_ABS)
        why = sh_merge(w->shadow, why, why_of_float(w, op->n));
    if (reads_d(operation))
        why = sh_merge(w->shadow, why, why_of_float(w, op->d));
    if (modes != 0)
        why = sh_merge(w->shadow, why, w->s_why[CM_FPSCR]);
    const uint32_t operands =
        (zero ? 0 : w->s[op->m]) | (operation < CM7_FLOAT_ABS ? w->s[op->n] : 0) |
        (reads_d(operation) ? w->s[op->d] : 0) | modes;
    const bool compares = operation >= CM7_FLOAT_CMP && operation <= CM7_FLOAT_CMPE_ZERO;
    if (operation == CM7_FLOAT_ABS || operation == CM7_FLOAT_NEG) {
        set_float(w, op->d, w->s[op->m] & (operation == CM7_FLOAT_ABS ? SH_ALL >> 1 : SH_ALL),
                  w->s_why[op->m]);
        return;
    }
    uint32_t status = w->s[CM_FPSCR];
    if (compares)
        status &= ~NZCV;
    const sh_why kept = status != 0 ? w->s_why[CM_FPSCR] : (sh_why)0;
    if (operands != 0)
        status |= FPSCR_EXCEPTIONS | (compares ? NZCV : 0u);
    set_float(w, CM_FPSCR, status, sh_merge(w->shadow, why, kept));
    if (!compares)
        set_float(w, op->d, operands != 0 ? SH_ALL : 0, why);
}

/* --- all of them ------------------------------------------------------------------------------ */

static void follow_others(const state *s)
{
    switch (s->code) {
    case CM7_OP_LDR_LITERAL:
        load_literal(s);
        break;
    case CM7_OP_LDR_PC:
    case CM7_OP_LDR_SP:
        load_special(s);
        break;
    case CM7_OP_LDRD:
    case CM7_OP_STRD:
        two_words(s);
        break;
    case CM7_OP_LDM:
    case CM7_OP_STM:
        list(s);
        break;
    case CM7_OP_LDREX:
    case CM7_OP_STREX:
    case CM7_OP_CLREX:
        exclusive(s);
        break;
    case CM7_OP_TABLE:
        table_branch(s);
        break;
    case CM7_OP_VLDR:
    case CM7_OP_VSTR:
    case CM7_OP_VLDM:
    case CM7_OP_VSTM:
        float_words(s);
        break;
    case CM7_OP_VMRS:
    case CM7_OP_VMSR:
        float_status(s);
        break;
    case CM7_OP_FLOAT:
        float_arithmetic(s);
        break;
    default:
        if (s->code >= CM7_OP_CBZ && s->code <= CM7_OP_BLE)
            branch(s);
        else if (s->code >= CM7_OP_VMOV_TO_CORE)
            float_move(s);
        else
            system_op(s);
        break;
    }
}

static void follow(const state *s)
{
    const unsigned code = s->code;
    if (code < CM7_OP_AND_I)
        return;
    if (code < CM7_OP_TST_I)
        processing(s);
    else if (code < CM7_OP_LSL)
        comparison(s);
    else if (code < CM7_OP_SP_ADD_I)
        shift(s);
    else if (code < CM7_OP_MOVT)
        stack_pointer(s);
    else if (code >= CM7_OP_LDR_I && code < CM7_OP_STR_I)
        load(s);
    else if (code >= CM7_OP_STR_I && code < CM7_OP_LDR_LITERAL)
        store(s);
    else if (code >= CM7_OP_LDR_LITERAL)
        follow_others(s);
    else if (code >= CM7_OP_MUL && code <= CM7_OP_MLS)
        multiplication(s);
    else if (code >= CM7_OP_UMULL && code <= CM7_OP_UMAAL)
        long_multiplication(s);
    else if (code == CM7_OP_UDIV || code == CM7_OP_SDIV)
        division(s);
    else if (code == CM7_OP_DSP)
        dsp(s);
    else if (code == CM7_OP_DSP_LONG)
        dsp_long(s);
    else
        part(s);
}

/* --- conditions of IT blocks ------------------------------------------------------------------ */

/* Does it take one cycle, executed or not? */
static bool takes_one_cycle(const state *s)
{
    const unsigned code = s->code;
    if (code == CM7_OP_UDIV || code == CM7_OP_SDIV)
        return false;
    if (code >= CM7_OP_MLA && code <= CM7_OP_UMAAL)
        return s->core->dsp;
    return code >= CM7_OP_AND_I && code <= CM7_OP_DSP_LONG;
}

enum { PIPELINE_CYCLES = 1, LATE = 0x7fff };

/* On a Cortex-M33 an instruction that is not executed neither waits for operands nor lets the next
 * one wait for its result, and takes one cycle: may that be another time? */
static bool pipeline_varies(const state *s)
{
    const cm7_op *op = s->op;
    return s->core->armv8m && (op->fetch != 0 || (op->after & (LATE | CM8_FLAGS)) != 0 ||
                               (s->before & ((uint32_t)op->reads | op->sums)) != 0);
}

/* Flags that it may set, as the status register has them. */
static uint32_t flags_of(const state *s)
{
    const unsigned code = s->code;
    if (code >= CM7_OP_AND_I && code < CM7_OP_TST_I)
        return (code - CM7_OP_AND_I) % (2 * CM7_FORMS) >= CM7_FORMS ? NZCV : 0;
    if (code >= CM7_OP_LSL && code < CM7_OP_SP_ADD_I)
        return (code - CM7_OP_LSL) % 2 != 0 ? NZCV : 0;
    if ((code >= CM7_OP_TST_I && code < CM7_OP_LSL) || code == CM7_OP_MULS || code == CM7_OP_VMRS)
        return NZCV;
    return code == CM7_OP_DSP ? Q_GE : code == CM7_OP_MSR ? NZCV | Q_GE : 0;
}

/*
 * Executed or not by a secret: all that it writes is secret. What takes one cycle takes as long if
 * it is not executed (docs/explain/secretflow.md); an address directly behind it does not, and on a
 * Cortex-M33 not what waits in the pipeline.
 */
static void follow_both(const state *s)
{
    cm_watch *const w = s->watch;
    const sh_why why = w->flags;
    const bool one = takes_one_cycle(s), varies = pipeline_varies(s);
    sh_find(w->shadow, SH_BRANCH, !one || varies,
            !one     ? SH_UNKNOWN
            : varies ? PIPELINE_CYCLES
                     : 0,
            why);
    w->conditional = true;
    w->condition = why;
    follow(s);
    w->conditional = false;
    const uint32_t flags = flags_of(s);
    if (flags != 0)
        cm_set_flags_secret(w, cm_flags_secret(w) | flags, why);
    w->late = one && !s->core->armv8m ? s->op->after & 0xffff : 0;
    w->late_why = why;
}

void cm7_watch(cm7_core *v7m, const cm7_op *op, uint32_t pc)
{
    cm_core *const core = &v7m->core;
    if (op->code == CM7_OP_DECODE || !cm_watch_step(core, pc))
        return;
    cm_watch *const w = core->watch;
    const state s = {.v7m = v7m,
                     .core = core,
                     .watch = w,
                     .op = op,
                     .code = op->code == CM7_OP_CONDITIONAL ? op->real : op->code,
                     .late = w->late,
                     .before = w->before};
    w->late = 0;
    if (op->code != CM7_OP_IT && op->code != CM7_OP_NOP) /* these may be issued beside it */
        w->before = op->after & LATE;
    if (op->code != CM7_OP_CONDITIONAL)
        follow(&s);
    else if (cm_condition_secret(core, w, op->condition))
        follow_both(&s);
    else if (cm_passes(op->condition, core->n, core->z, core->c, core->v))
        follow(&s);
}
