/* Rules of AVR for secrets, of instructions on registers and flags alone: interpreter.h says what
 * they do. */
#include "follow.h"

/* Bounds of a register, of a sum of that many bits: they mean something if both have the same
 * carry. */
static void set_bounds(const av_state *s, unsigned reg, unsigned width, uint32_t least,
                       uint32_t most)
{
    av_watch *const w = s->watch;
    if (w->secret[reg] == 0 || least >> width != most >> width)
        return;
    w->bounded |= 1u << reg;
    w->least[reg] = (uint8_t)(least >> (width - 8));
    w->most[reg] = (uint8_t)(most >> (width - 8));
}

static void copy(const av_state *s, unsigned to, unsigned from)
{
    av_watch *const w = s->watch;
    const bool bounded = (w->bounded >> from & 1) != 0;
    const uint8_t least = w->least[from], most = w->most[from];
    av_set_secret(s, to, w->secret[from], w->why[from]);
    if (bounded)
        set_bounds(s, to, 8, least, most);
}

/* --- sums ------------------------------------------------------------------------------------- */

static unsigned flag(unsigned mask, bool secret)
{
    return secret ? mask : 0;
}

/* N, Z, V and S of a result that never overflows. */
static unsigned logic_flags(uint32_t value, uint32_t secret)
{
    return flag(AV_N | AV_S, (secret & 0x80) != 0) | flag(AV_Z, sh_zero(value & BYTE, secret));
}

/* The secret flags of a + b + carry. S is the sign of the true sum, the carry of operands counted
 * from the lowest number. */
static unsigned sum_flags(unsigned width, sh_word a, sh_word b, sh_word carry, uint32_t *secret)
{
    *secret = 0;
    if ((a.secret | b.secret | carry.secret) == 0)
        return 0;
    const uint32_t top = 1u << (width - 1);
    const sh_sum sum = sh_add_in(width, a, b, carry);
    const sh_word low_a = {a.value & 15, a.secret & 15}, low_b = {b.value & 15, b.secret & 15};
    const sh_word biased_a = {a.value ^ top, a.secret}, biased_b = {b.value ^ top, b.secret};
    *secret = sum.secret;
    return flag(AV_C, sum.c) | flag(AV_Z, sum.z) | flag(AV_N, sum.n) | flag(AV_V, sum.v) |
           flag(AV_S, sh_add_in(width, biased_a, biased_b, carry).c) |
           flag(AV_H, sh_add_in(4, low_a, low_b, carry).c);
}

static sh_word inverted(unsigned width, sh_word x)
{
    return (sh_word){~x.value & (SH_ALL >> (32 - width)), x.secret};
}

/* Is Z a secret that a result can only clear? */
static unsigned sticky(const av_state *s, uint32_t value, uint32_t secret)
{
    const bool was = (s->watch->flags & AV_Z) != 0;
    if ((value & BYTE & ~secret) != 0 || (!was && !s->zero))
        return 0;
    return flag(AV_Z, was || secret != 0);
}

/* Operands of a sum of bytes. */
typedef struct operands {
    sh_word a, b, carry;
    uint32_t b_least, b_most;
    sh_why why;
} operands;

/* a + b + carry of the register op->d, whose flags are `which`; `to`: and into it. */
static void add(const av_state *s, const operands *x, unsigned which, bool to, bool keeps_zero)
{
    const unsigned d = s->op->d;
    const uint32_t value = x->a.value + x->b.value + x->carry.value;
    const uint32_t least = av_least(s, d) + x->b_least + sh_least(x->carry);
    const uint32_t most = av_most(s, d) + x->b_most + sh_most(x->carry);
    uint32_t secret;
    unsigned flags = sum_flags(8, x->a, x->b, x->carry, &secret);
    if (keeps_zero)
        flags = (flags & ~(unsigned)AV_Z) | sticky(s, value, secret);
    const sh_why why =
        sh_merge(s->watch->shadow, x->why, keeps_zero ? av_why_flags(s, AV_Z) : (sh_why)0);
    av_set_flags(s, which, flags & which, why);
    if (!to)
        return;
    av_set_secret(s, d, secret, x->why);
    set_bounds(s, d, 8, least, most);
}

/* A register added to itself: its bits move up. */
static void doubled(const av_state *s, sh_word carry)
{
    const unsigned d = s->op->d;
    const sh_word a = av_reg(s, d);
    const uint32_t secret = (a.secret << 1 | carry.secret) & BYTE;
    const uint32_t value = (a.value << 1 | carry.value) & BYTE;
    const bool out = (a.secret & 0x80) != 0, sign = (secret & 0x80) != 0;
    const sh_why why = sh_merge(
        s->watch->shadow, av_why(s, d), carry.secret != 0 ? s->watch->flags_why : (sh_why)0);
    av_set_flags(s, SUM_FLAGS,
                 flag(AV_C | AV_S, out) | flag(AV_N, sign) | flag(AV_V, out || sign) |
                     flag(AV_Z, sh_zero(value, secret)) | flag(AV_H, (a.secret & 8) != 0),
                 why);
    av_set_secret(s, d, secret, why);
}

static void addition(const av_state *s, bool with_carry)
{
    const unsigned d = s->op->d, r = s->op->r;
    const sh_word carry = with_carry ? s->carry : av_plain(0);
    if (d == r) {
        doubled(s, carry);
        return;
    }
    const operands x = {
        .a = av_reg(s, d),
        .b = av_reg(s, r),
        .carry = carry,
        .b_least = av_least(s, r),
        .b_most = av_most(s, r),
        .why = sh_merge(s->watch->shadow, av_why_both(s, d, r),
                        with_carry ? av_why_flags(s, AV_C) : (sh_why)0)};
    add(s, &x, SUM_FLAGS, true, false);
}

/* x - x - C: a mask that the carry decides. */
static void subtracted_from_itself(const av_state *s, bool to)
{
    const uint32_t secret = s->carry.secret != 0 ? BYTE : 0, value = 0u - s->carry.value;
    const sh_why why = av_why_flags(s, AV_C | AV_Z);
    av_set_flags(s, SUM_FLAGS,
                 flag(AV_C | AV_N | AV_S | AV_H, secret != 0) | sticky(s, value, secret), why);
    if (to)
        av_set_secret(s, s->op->d, secret, why);
}

/* op->d - b - C; `to`: and into it. */
static void subtract(const av_state *s, operands *x, bool with_carry, bool to)
{
    x->a = av_reg(s, s->op->d);
    x->b = inverted(8, x->b);
    x->carry = with_carry ? (sh_word){s->carry.value ^ 1, s->carry.secret} : av_plain(1);
    if (with_carry)
        x->why = sh_merge(s->watch->shadow, x->why, av_why_flags(s, AV_C));
    const uint32_t least = x->b_least;
    x->b_least = BYTE - x->b_most;
    x->b_most = BYTE - least;
    add(s, x, SUM_FLAGS, to, with_carry);
}

static void subtraction(const av_state *s, bool with_carry, bool to)
{
    const unsigned d = s->op->d, r = s->op->r;
    operands x = {.b = av_reg(s, r),
                  .b_least = av_least(s, r),
                  .b_most = av_most(s, r),
                  .why = av_why_both(s, d, r)};
    if (d != r) {
        subtract(s, &x, with_carry, to);
    } else if (with_carry) {
        subtracted_from_itself(s, to);
    } else {
        av_set_flags(s, SUM_FLAGS, 0, 0);
        if (to)
            av_set_secret(s, d, 0, 0);
    }
}

static void subtraction_of_number(const av_state *s, bool with_carry, bool to)
{
    const uint32_t number = s->op->r;
    operands x = {
        .b = av_plain(number), .b_least = number, .b_most = number, .why = av_why(s, s->op->d)};
    subtract(s, &x, with_carry, to);
}

/* INC, DEC and NEG: a sum with a number. */
static void step(const av_state *s, uint32_t number)
{
    const unsigned d = s->op->d;
    const operands x = {.a = av_reg(s, d),
                        .b = av_plain(number),
                        .b_least = number,
                        .b_most = number,
                        .why = av_why(s, d)};
    add(s, &x, STEP_FLAGS, true, false);
}

static void negation(const av_state *s)
{
    uint32_t secret;
    const sh_word a = inverted(8, av_reg(s, s->op->d));
    const sh_why why = av_why(s, s->op->d);
    const unsigned flags = sum_flags(8, av_plain(0), a, av_plain(1), &secret);
    av_set_flags(s, SUM_FLAGS, flags, why);
    av_set_secret(s, s->op->d, secret, why);
}

unsigned av_follow_pair(const av_state *s, unsigned pair, uint32_t number, uint32_t carry)
{
    uint32_t secret;
    const sh_word a = av_word(s, pair);
    const sh_why why = av_why_both(s, pair, pair + 1);
    const uint32_t more = number + carry;
    const uint32_t least = (av_least(s, pair + 1) << 8 | av_least(s, pair)) + more;
    const uint32_t most = (av_most(s, pair + 1) << 8 | av_most(s, pair)) + more;
    const unsigned flags = sum_flags(16, a, av_plain(number), av_plain(carry), &secret);
    av_set_word(s, pair, secret, why);
    set_bounds(s, pair + 1, 16, least, most);
    return flags;
}

static void sum_of_pair(const av_state *s, uint32_t number, uint32_t carry)
{
    const sh_why why = av_why_both(s, s->op->d, s->op->d + 1u);
    av_set_flags(s, WORD_FLAGS, av_follow_pair(s, s->op->d, number, carry) & WORD_FLAGS, why);
}

/* --- logic, moves, products ------------------------------------------------------------------- */

static void logic_to(const av_state *s, uint32_t value, uint32_t secret, sh_why why)
{
    av_set_flags(s, STEP_FLAGS, logic_flags(value, secret), why);
    av_set_secret(s, s->op->d, secret, why);
}

static void logic(const av_state *s)
{
    const av_op *op = s->op;
    const bool number = op->code == AV_OP_ANDI || op->code == AV_OP_ORI;
    const sh_word a = av_reg(s, op->d), b = number ? av_plain(op->r) : av_reg(s, op->r);
    const sh_why why = number ? av_why(s, op->d) : av_why_both(s, op->d, op->r);
    switch (op->code) {
    case AV_OP_AND:
    case AV_OP_ANDI:
        logic_to(s, a.value & b.value, sh_and(a, b), why);
        break;
    case AV_OP_OR:
    case AV_OP_ORI:
        logic_to(s, a.value | b.value, sh_or(a, b), why);
        break;
    case AV_OP_EOR:
        logic_to(s, a.value ^ b.value, op->d == op->r ? 0 : a.secret | b.secret, why);
        break;
    default: /* COM: the carry is set */
        av_set_flags(s, AV_C, 0, 0);
        logic_to(s, ~a.value, a.secret, av_why(s, op->d));
        break;
    }
}

/* Down by one; `top`: what comes in. V is N and C together, S the C alone. */
static void shift(const av_state *s, sh_word top, sh_why top_why)
{
    const unsigned d = s->op->d;
    const sh_word a = av_reg(s, d);
    const uint32_t value = a.value >> 1 | top.value << 7, secret = a.secret >> 1 | top.secret << 7;
    const bool out = (a.secret & 1) != 0, sign = top.secret != 0;
    const sh_why why = sh_merge(s->watch->shadow, av_why(s, d), top_why);
    av_set_flags(s, WORD_FLAGS,
                 flag(AV_C | AV_S, out) | flag(AV_N, sign) | flag(AV_V, out || sign) |
                     flag(AV_Z, sh_zero(value, secret)),
                 why);
    av_set_secret(s, d, secret, why);
}

static void shifts(const av_state *s)
{
    const sh_word a = av_reg(s, s->op->d);
    if (s->op->code == AV_OP_LSR)
        shift(s, av_plain(0), 0);
    else if (s->op->code == AV_OP_ASR)
        shift(s, (sh_word){a.value >> 7, a.secret >> 7}, 0);
    else
        shift(s, s->carry, av_why_flags(s, AV_C));
}

static sh_word extended(sh_word x)
{
    return (sh_word){(uint32_t)(int32_t)(int8_t)x.value, (uint32_t)(int32_t)(int8_t)x.secret};
}

/* Every product takes as long. `up`: of fractions, by one bit. */
static void product(const av_state *s, bool signed_a, bool signed_b, unsigned up)
{
    const unsigned d = s->op->d, r = s->op->r;
    const sh_word a = signed_a ? extended(av_reg(s, d)) : av_reg(s, d);
    const sh_word b = signed_b ? extended(av_reg(s, r)) : av_reg(s, r);
    const uint32_t secret = (uint32_t)sh_product(a, b) & 0xffff;
    const uint32_t to = secret << up & 0xffff;
    const sh_why why = av_why_both(s, d, r);
    av_set_flags(
        s, PRODUCT_FLAGS,
        flag(AV_C, secret >> 15 != 0) | flag(AV_Z, sh_zero((a.value * b.value) << up & 0xffff, to)),
        why);
    av_set_word(s, 0, to, why);
}

static void bits(const av_state *s)
{
    const av_op *op = s->op;
    const uint32_t x = s->watch->secret[op->d];
    switch (op->code) {
    case AV_OP_SWAP:
        av_set_secret(s, op->d, (x << 4 | x >> 4) & BYTE, av_why(s, op->d));
        break;
    case AV_OP_BLD:
        av_set_secret(
            s, op->d,
            (x & ~(uint32_t)op->r) | ((s->watch->flags & AV_T) != 0 ? op->r : (uint32_t)0),
            sh_merge(s->watch->shadow, (x & ~(uint32_t)op->r) != 0 ? av_why(s, op->d) : 0,
                     av_why_flags(s, AV_T)));
        break;
    default: /* BST */
        av_set_flags(s, AV_T, flag(AV_T, (x & op->r) != 0), av_why(s, op->d));
        break;
    }
}

static void follow_sum(const av_state *s)
{
    const av_op *op = s->op;
    switch (op->code) {
    case AV_OP_ADD:
    case AV_OP_ADC:
        addition(s, op->code == AV_OP_ADC);
        break;
    case AV_OP_SUB:
    case AV_OP_SBC:
        subtraction(s, op->code == AV_OP_SBC, true);
        break;
    case AV_OP_CP:
    case AV_OP_CPC:
        subtraction(s, op->code == AV_OP_CPC, false);
        break;
    case AV_OP_SUBI:
    case AV_OP_SBCI:
        subtraction_of_number(s, op->code == AV_OP_SBCI, true);
        break;
    case AV_OP_CPI:
        subtraction_of_number(s, false, false);
        break;
    case AV_OP_INC:
        step(s, 1);
        break;
    case AV_OP_DEC:
        step(s, BYTE);
        break;
    case AV_OP_NEG:
        negation(s);
        break;
    case AV_OP_ADIW:
        sum_of_pair(s, op->k, 0);
        break;
    default: /* SBIW */
        sum_of_pair(s, ~op->k & 0xffff, 1);
        break;
    }
}

bool av_follow_registers(const av_state *s)
{
    const av_op *op = s->op;
    switch (op->code) {
    case AV_OP_MOVW:
        copy(s, op->d, op->r);
        copy(s, op->d + 1u, op->r + 1u);
        break;
    case AV_OP_MOV:
        copy(s, op->d, op->r);
        break;
    case AV_OP_LDI:
        av_set_secret(s, op->d, 0, 0);
        break;
    case AV_OP_ADD:
    case AV_OP_ADC:
    case AV_OP_SUB:
    case AV_OP_SBC:
    case AV_OP_CP:
    case AV_OP_CPC:
    case AV_OP_SUBI:
    case AV_OP_SBCI:
    case AV_OP_CPI:
    case AV_OP_INC:
    case AV_OP_DEC:
    case AV_OP_NEG:
    case AV_OP_ADIW:
    case AV_OP_SBIW:
        follow_sum(s);
        break;
    case AV_OP_AND:
    case AV_OP_ANDI:
    case AV_OP_OR:
    case AV_OP_ORI:
    case AV_OP_EOR:
    case AV_OP_COM:
        logic(s);
        break;
    case AV_OP_LSR:
    case AV_OP_ASR:
    case AV_OP_ROR:
        shifts(s);
        break;
    case AV_OP_MUL:
    case AV_OP_MULS:
    case AV_OP_MULSU:
        product(s, op->code != AV_OP_MUL, op->code == AV_OP_MULS, 0);
        break;
    case AV_OP_FMUL:
    case AV_OP_FMULS:
    case AV_OP_FMULSU:
        product(s, op->code != AV_OP_FMUL, op->code == AV_OP_FMULS, 1);
        break;
    case AV_OP_SWAP:
    case AV_OP_BLD:
    case AV_OP_BST:
        bits(s);
        break;
    case AV_OP_SEC:
    case AV_OP_CLC:
    case AV_OP_SET:
    case AV_OP_CLT:
    case AV_OP_SEI:
    case AV_OP_CLI:
    case AV_OP_BSET:
    case AV_OP_BCLR:
        av_set_flags(s, op->k, 0, 0);
        break;
    default:
        return false;
    }
    return true;
}
