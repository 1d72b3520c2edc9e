/* Words of flash to routines and operands. Encodings: AVR Instruction Set Manual, DS40002198,
 * section 6. */
#include "internal.h"

unsigned av_length(unsigned word)
{
    const bool lds_sts = (word & 0xfc0f) == 0x9000, jmp_call = (word & 0xfe0c) == 0x940c;
    return lds_sts || jmp_call ? 2 : 1;
}

static unsigned word_at(const av_core *core, uint32_t at)
{
    return at < core->flash_words ? core->flash[2 * at] | (unsigned)core->flash[2 * at + 1] << 8
                                  : 0xffff;
}

/* A target, or the place behind the flash, where nothing is. */
static uint32_t target(const av_core *core, uint32_t at)
{
    return at < core->flash_words ? at : core->flash_words;
}

static uint32_t relative(const av_core *core, uint32_t pc, int32_t offset)
{
    const uint32_t mask = core->family == AV_E22 ? 0x3fffff : 0xffff;
    uint32_t to = (pc + 1 + (uint32_t)offset) & mask;
    /* Smaller flashes wrap: a relative jump reaches all of an 8 KiB flash. */
    if (to >= core->flash_words && (core->flash_words & (core->flash_words - 1)) == 0)
        to &= core->flash_words - 1;
    return target(core, to);
}

static int32_t extended(unsigned value, unsigned bits)
{
    const unsigned sign = 1u << (bits - 1);
    return (int32_t)(value ^ sign) - (int32_t)sign;
}

static av_op two(unsigned code, unsigned word)
{
    return (av_op){
        .code = (uint8_t)code, .d = word >> 4 & 31, .r = (uint8_t)((word & 15) | (word >> 5 & 16))};
}

static av_op immediate(unsigned code, unsigned word)
{
    return (av_op){.code = (uint8_t)code,
                   .d = 16 + (word >> 4 & 15),
                   .r = (uint8_t)((word & 15) | (word >> 4 & 0xf0))};
}

static av_op one(unsigned code, unsigned word)
{
    return (av_op){.code = (uint8_t)code, .d = word >> 4 & 31};
}

static av_op multiply(unsigned word)
{
    static const uint8_t codes[] = {AV_OP_MULSU, AV_OP_FMUL, AV_OP_FMULS, AV_OP_FMULSU};
    const unsigned which = (word >> 6 & 2) | (word >> 3 & 1);
    return (av_op){.code = codes[which], .d = 16 + (word >> 4 & 7), .r = 16 + (word & 7)};
}

static av_op displaced(unsigned word)
{
    const unsigned q = (word & 7) | (word >> 7 & 0x18) | (word >> 8 & 0x20);
    const unsigned store = word >> 9 & 1, y = word >> 3 & 1;
    static const uint8_t codes[2][2] = {{AV_OP_LDD_Z, AV_OP_LDD_Y}, {AV_OP_STD_Z, AV_OP_STD_Y}};
    return (av_op){.code = codes[store][y], .d = word >> 4 & 31, .k = q};
}

/* 1001 00: loads and stores by pointers, LPM, the stack. */
static av_op transfer(const av_core *core, unsigned word, unsigned next)
{
    static const uint8_t loads[16] = {
        [0] = AV_OP_LDS,    [1] = AV_OP_LD_ZP, [2] = AV_OP_LD_MZ,  [4] = AV_OP_LPM,
        [5] = AV_OP_LPM_P,  [6] = AV_OP_ELPM,  [7] = AV_OP_ELPM_P, [9] = AV_OP_LD_YP,
        [10] = AV_OP_LD_MY, [12] = AV_OP_LD_X, [13] = AV_OP_LD_XP, [14] = AV_OP_LD_MX,
        [15] = AV_OP_POP};
    static const uint8_t stores[16] = {[0] = AV_OP_STS,    [1] = AV_OP_ST_ZP,  [2] = AV_OP_ST_MZ,
                                       [9] = AV_OP_ST_YP,  [10] = AV_OP_ST_MY, [12] = AV_OP_ST_X,
                                       [13] = AV_OP_ST_XP, [14] = AV_OP_ST_MX, [15] = AV_OP_PUSH};
    const unsigned code = (word & 0x0200 ? stores : loads)[word & 15];
    if ((code == AV_OP_ELPM || code == AV_OP_ELPM_P) && core->family != AV_E22)
        return (av_op){.code = AV_OP_BAD};
    return (av_op){.code = (uint8_t)code, .d = word >> 4 & 31, .k = next};
}

static av_op flag(unsigned word)
{
    const unsigned bit = word >> 4 & 7;
    const bool set = (word & 0x80) == 0;
    unsigned code = set ? AV_OP_BSET : AV_OP_BCLR;
    if (bit == 0)
        code = set ? AV_OP_SEC : AV_OP_CLC;
    else if (bit == 6)
        code = set ? AV_OP_SET : AV_OP_CLT;
    else if (bit == 7)
        code = set ? AV_OP_SEI : AV_OP_CLI;
    return (av_op){.code = (uint8_t)code, .k = 1u << bit};
}

/* 1001 010: one operand, jumps, and what has none. */
static av_op single(const av_core *core, unsigned word, unsigned next)
{
    static const uint8_t codes[16] = {
        [0] = AV_OP_COM, [1] = AV_OP_NEG, [2] = AV_OP_SWAP, [3] = AV_OP_INC,
        [5] = AV_OP_ASR, [6] = AV_OP_LSR, [7] = AV_OP_ROR,  [10] = AV_OP_DEC};
    const bool far = core->family == AV_E22;
    if ((word & 0x0c) == 0x0c) {
        const uint32_t high = (word >> 3 & 0x3e) | (word & 1), to = high << 16 | next;
        return (av_op){.code = word & 2 ? AV_OP_CALL : AV_OP_JMP, .k = target(core, to)};
    }
    if ((word & 0xff0f) == 0x9408)
        return flag(word);
    switch (word) {
    case 0x9508:
        return (av_op){.code = AV_OP_RET};
    case 0x9518:
        return (av_op){.code = AV_OP_RETI};
    case 0x9588:
        return (av_op){.code = AV_OP_SLEEP};
    case 0x9598: /* BREAK, without a debugger */
    case 0x95a8:
        return (av_op){.code = AV_OP_NOP}; /* WDR */
    case 0x95c8:
        return (av_op){.code = AV_OP_LPM};
    case 0x95d8:
        return (av_op){.code = far ? AV_OP_ELPM : AV_OP_BAD};
    case 0x9409:
        return (av_op){.code = AV_OP_IJMP};
    case 0x9419:
        return (av_op){.code = far ? AV_OP_EIJMP : AV_OP_BAD};
    case 0x9509:
        return (av_op){.code = AV_OP_ICALL};
    case 0x9519:
        return (av_op){.code = far ? AV_OP_EICALL : AV_OP_BAD};
    default:
        return one((word & 0x08) != 0 && (word & 15) != 10 ? AV_OP_BAD : codes[word & 15], word);
    }
}

static av_op bit(unsigned code, unsigned word)
{
    return (av_op){.code = (uint8_t)code, .r = (uint8_t)(1u << (word & 7)), .k = word >> 3 & 31};
}

/* 1001: all of them. */
static av_op nine(const av_core *core, unsigned word, unsigned next)
{
    static const uint8_t bits[4] = {AV_OP_CBI, AV_OP_SBIC, AV_OP_SBI, AV_OP_SBIS};
    const unsigned group = word >> 8 & 15;
    if (group < 4)
        return transfer(core, word, next);
    if (group < 6)
        return single(core, word, next);
    if (group < 8)
        return (av_op){.code = group == 6 ? AV_OP_ADIW : AV_OP_SBIW,
                       .d = 24 + (word >> 3 & 6),
                       .k = (word & 15) | (word >> 2 & 0x30)};
    if (group < 12) {
        av_op op = bit(bits[group - 8], word);
        op.k += av_io_base(core);
        return op;
    }
    return two(AV_OP_MUL, word);
}

static av_op in_out(const av_core *core, unsigned word)
{
    const unsigned at = (word & 15) | (word >> 5 & 0x30), out = word >> 11 & 1;
    av_op op = one(out ? AV_OP_OUT : AV_OP_IN, word);
    op.k = at + av_io_base(core);
    if (at == AV_SPL)
        op.code = out ? AV_OP_OUT_SPL : AV_OP_IN_SPL;
    else if (at == AV_SPH)
        op.code = out ? AV_OP_OUT_SPH : AV_OP_IN_SPH;
    else if (at == AV_SREG)
        op.code = out ? AV_OP_OUT_SREG : AV_OP_IN_SREG;
    return op;
}

/* 1111: branches and bits of registers. */
static av_op fifteen(const av_core *core, uint32_t pc, unsigned word)
{
    static const uint8_t codes[4] = {AV_OP_BLD, AV_OP_BST, AV_OP_SBRC, AV_OP_SBRS};
    if ((word & 0x0800) == 0) {
        const unsigned clear = word >> 10 & 1;
        return (av_op){.code = (uint8_t)((clear ? AV_OP_BRCC : AV_OP_BRCS) + (word & 7)),
                       .k = relative(core, pc, extended(word >> 3 & 0x7f, 7))};
    }
    if ((word & 8) != 0)
        return (av_op){.code = AV_OP_BAD};
    return (av_op){.code = codes[word >> 9 & 3],
                   .d = word >> 4 & 31,
                   .r = (uint8_t)(1u << (word & 7)),
                   .k = word & 7};
}

static av_op decode(const av_core *core, uint32_t pc)
{
    static const uint8_t pairs[] = {
        AV_OP_CPC, AV_OP_SBC, AV_OP_ADD, AV_OP_CPSE, AV_OP_CP, AV_OP_SUB,
        AV_OP_ADC, AV_OP_AND, AV_OP_EOR, AV_OP_OR,   AV_OP_MOV};
    static const uint8_t immediates[] = {AV_OP_CPI, AV_OP_SBCI, AV_OP_SUBI, AV_OP_ORI, AV_OP_ANDI};
    const unsigned word = word_at(core, pc), next = word_at(core, pc + 1), group = word >> 12;
    if (word == 0)
        return (av_op){.code = AV_OP_NOP};
    if (word < 0x0100)
        return (av_op){.code = AV_OP_BAD};
    if (word < 0x0200)
        return (av_op){.code = AV_OP_MOVW, .d = word >> 3 & 30, .r = (uint8_t)(word << 1 & 30)};
    if (word < 0x0300)
        return (av_op){.code = AV_OP_MULS, .d = 16 + (word >> 4 & 15), .r = 16 + (word & 15)};
    if (word < 0x0400)
        return multiply(word);
    if (word < 0x3000)
        return two(pairs[(word >> 10) - 1], word);
    if (group < 8)
        return immediate(immediates[group - 3], word);
    switch (group) {
    case 8:
    case 10:
        return displaced(word);
    case 9:
        return nine(core, word, next);
    case 11:
        return in_out(core, word);
    case 12:
    case 13:
        return (av_op){.code = group == 12 ? AV_OP_RJMP : AV_OP_RCALL,
                       .k = relative(core, pc, extended(word & 0xfff, 12))};
    case 14:
        return immediate(AV_OP_LDI, word);
    default:
        return fifteen(core, pc, word);
    }
}

void av_core_decode(av_core *core, uint32_t from, uint32_t words)
{
    for (uint32_t pc = from; pc < words; pc++) {
        av_op *op = &core->ops[pc];
        *op = decode(core, pc);
        op->skip = (uint8_t)av_length(word_at(core, pc + 1));
        if (pc + 1 + op->skip > core->flash_words)
            op->skip = 1;
        if (av_length(word_at(core, pc)) == 2 && pc + 1 >= core->flash_words)
            op->code = AV_OP_BAD;
    }
}

void av_core_init(av_core *core, uint32_t words)
{
    core->r = core->family == AV_XT ? core->own : core->data;
    core->sp = core->low = core->deepest = (uint16_t)(core->ram_base + core->ram_size - 1);
    core->settle = core->pause = AV_NEVER;
    av_core_decode(core, 0, words < core->flash_words ? words : core->flash_words);
    for (uint32_t pc = words; pc <= core->flash_words; pc++)
        core->ops[pc] = (av_op){.code = AV_OP_BAD};
}
