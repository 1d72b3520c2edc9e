/*
 * The interpreter, twice for each family: the including file defines
 *
 *     NAME       the function
 *     XT         1: AVRxt, 0: AVRe+
 *     PC_BYTES   bytes of a return address on the stack, 2 or 3
 *     WATCHED    1: each instruction is first given to av_watch_op; 0: not
 *
 * Every routine ends in a jump of its own to the next one. Flags are kept as values they follow
 * from: `zero` is zero if Z is set; bit 7 of `sign` and `over` are N and V, bit 4 of `half` is H.
 * `left` is what remains of the cycles until something is due, so that one comparison after each
 * instruction is enough.
 */
#include "internal.h"
#include "watch.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/*
 * Cycles of instructions in which the families differ: DS40002198, section 6, columns AVRe and
 * AVRxt.
 */
enum {
    T_LOAD = 2,
    T_STORE = XT ? 1 : 2,
    T_LDS = XT ? 3 : 2,
    T_STS = 2,
    T_PUSH = XT ? 1 : 2,
    T_POP = 2,
    T_BIT = XT ? 1 : 2, /* SBI, CBI */
    T_CALL = (XT ? 3 : 4) + (PC_BYTES == 3),
    T_RCALL = (XT ? 2 : 3) + (PC_BYTES == 3),
    T_RET = 4 + (PC_BYTES == 3),
    T_LPM = 3,
    T_MAPPED = 1, /* more, where a load reaches the flash */
};

#define PAIR(n) av_pair(&r[n])
#define SET_PAIR(n, value) av_set_pair(&r[n], value)

#define NOW() (deadline - (uint64_t)left)
/* S, in bit 7. It is N ^ V, but for what a program writes into SREG: bit 15 of `over` is where that
 * differs. */
#define LESS() (sign ^ over ^ over >> 8)
#define PACK()                                                                                  \
    (core->sreg = (uint8_t)((core->sreg & (AV_T | AV_I)) | carry | (unsigned)(zero == 0) << 1 | \
                            (sign >> 5 & AV_N) | (over >> 4 & AV_V) | (LESS() >> 3 & AV_S) |    \
                            (half << 1 & AV_H)))
#define UNPACK()                                                                                   \
    (carry = core->sreg & AV_C, zero = (core->sreg & AV_Z) == 0, sign = (unsigned)core->sreg << 5, \
     half = core->sreg >> 1,                                                                       \
     over = (core->sreg << 4 & 0x80u) |                                                            \
            ((core->sreg << 11 ^ core->sreg << 12 ^ core->sreg << 13) & 0x8000u))

#if WATCHED
#define WATCH()                \
    do {                       \
        PACK();                \
        av_watch_op(core, ip); \
    } while (0)
#else
#define WATCH() (void)0
#endif
#define GO()                    \
    do {                        \
        WATCH();                \
        goto *labels[ip->code]; \
    } while (0)
#define DONE(n)                  \
    do {                         \
        left -= (n);             \
        if (UNLIKELY(left <= 0)) \
            goto event;          \
        GO();                    \
    } while (0)
#define NEXT(n)  \
    do {         \
        ip++;    \
        DONE(n); \
    } while (0)

/* Something is due once these cycles are over. */
#define DUE(n) (deadline = NOW() + (n), left = (n))
/* The instruction behind this one, of n cycles, runs before an interrupt does. */
#define ONE_MORE(n)                              \
    do {                                         \
        if (core->pending) {                     \
            if (core->blocked < NOW() + (n) + 1) \
                core->blocked = NOW() + (n) + 1; \
            if (left > (n) + 1)                  \
                DUE((n) + 1);                    \
        }                                        \
    } while (0)

#define OUTSIDE()             \
    do {                      \
        core->cycles = NOW(); \
        PACK();               \
    } while (0)

/* The core's own registers may have changed, what is due too. */
#define INSIDE()  \
    do {          \
        UNPACK(); \
        DUE(0);   \
    } while (0)

#define IN_RAM(at) LIKELY((uint16_t)((at) - ram_base) < ram_size)

#define LOAD(to, where)                                                     \
    do {                                                                    \
        const uint16_t at_ = (uint16_t)(where);                             \
        if (IN_RAM(at_)) {                                                  \
            (to) = data[at_];                                               \
        } else if (XT && at_ >= map_base && at_ - map_base < flash_bytes) { \
            (to) = core->flash[at_ - map_base];                             \
            left -= T_MAPPED;                                               \
        } else {                                                            \
            OUTSIDE();                                                      \
            (to) = av_load(core, at_);                                      \
            if (UNLIKELY(core->stop != AV_NONE))                            \
                goto stopped;                                               \
        }                                                                   \
    } while (0)

#define STORE(where, value)                      \
    do {                                         \
        const uint16_t at_ = (uint16_t)(where);  \
        const uint8_t value_ = (uint8_t)(value); \
        if (IN_RAM(at_)) {                       \
            data[at_] = value_;                  \
        } else {                                 \
            OUTSIDE();                           \
            av_store(core, at_, value_);         \
            INSIDE();                            \
            if (UNLIKELY(core->stop != AV_NONE)) \
                goto stopped;                    \
        }                                        \
    } while (0)

#define PUSH_BYTE(value)                            \
    do {                                            \
        const uint16_t top_ = core->sp;             \
        core->sp = (uint16_t)(top_ - 1);            \
        if (UNLIKELY(core->sp < core->low))         \
            core->low = core->sp;                   \
        if (UNLIKELY(core->low + 1u < core->floor)) \
            goto overrun;                           \
        STORE(top_, value);                         \
    } while (0)

#define POP_BYTE(to)        \
    do {                    \
        core->sp++;         \
        LOAD(to, core->sp); \
    } while (0)

#define PUSH_PC(value)                \
    do {                              \
        const uint32_t pc_ = (value); \
        PUSH_BYTE(pc_);               \
        PUSH_BYTE(pc_ >> 8);          \
        if (PC_BYTES == 3)            \
            PUSH_BYTE(pc_ >> 16);     \
    } while (0)

#define POP_PC(to)                                   \
    do {                                             \
        unsigned byte_;                              \
        (to) = 0;                                    \
        for (unsigned i_ = 0; i_ < PC_BYTES; i_++) { \
            POP_BYTE(byte_);                         \
            (to) = (to) << 8 | byte_;                \
        }                                            \
    } while (0)

#define JUMP(to)                                                        \
    do {                                                                \
        const uint32_t to_ = (to);                                      \
        ip = ops + (to_ < core->flash_words ? to_ : core->flash_words); \
    } while (0)

/* --- flags ------------------------------------------------------------------------------------ */

#define ADD_FLAGS(a, b, sum)                                                               \
    (carry = (sum) >> 8, zero = sign = (sum) & 0xff, over = ((a) ^ (sum)) & ((b) ^ (sum)), \
     half = (a) ^ (b) ^ (sum))
#define SUB_FLAGS(a, b, diff)                                                     \
    (carry = (diff) >> 8 & 1, sign = (diff), over = ((a) ^ (b)) & ((a) ^ (diff)), \
     half = (a) ^ (b) ^ (diff))
#define LOGIC(result)                      \
    do {                                   \
        const unsigned result_ = (result); \
        r[ip->d] = (uint8_t)result_;       \
        zero = sign = result_ & 0xff;      \
        over = 0;                          \
        NEXT(1);                           \
    } while (0)
#define ADDITION(b_, c_)                                           \
    do {                                                           \
        const unsigned a = r[ip->d], b = (b_), sum = a + b + (c_); \
        r[ip->d] = (uint8_t)sum;                                   \
        ADD_FLAGS(a, b, sum);                                      \
        NEXT(1);                                                   \
    } while (0)
/* SUBTRACTION(b, borrow, whether Z is only ever cleared, whether the result is kept) */
#define SUBTRACTION(b_, c_, sticky, keep)                           \
    do {                                                            \
        const unsigned a = r[ip->d], b = (b_), diff = a - b - (c_); \
        if (keep)                                                   \
            r[ip->d] = (uint8_t)diff;                               \
        SUB_FLAGS(a, b, diff);                                      \
        zero = (sticky) ? zero | (diff & 0xff) : (diff & 0xff);     \
        NEXT(1);                                                    \
    } while (0)
#define SHIFTED(a, result_)                \
    do {                                   \
        const unsigned result = (result_); \
        carry = (a) & 1;                   \
        r[ip->d] = (uint8_t)result;        \
        zero = sign = result;              \
        over = sign ^ carry << 7;          \
        NEXT(1);                           \
    } while (0)
#define PRODUCT(product_, shift)                                \
    do {                                                        \
        const unsigned product = (unsigned)(product_) & 0xffff; \
        carry = product >> 15;                                  \
        zero = product << (shift) & 0xffff;                     \
        SET_PAIR(0, zero);                                      \
        NEXT(2);                                                \
    } while (0)
#define BRANCH(condition)     \
    do {                      \
        if (condition) {      \
            ip = ops + ip->k; \
            DONE(2);          \
        }                     \
        NEXT(1);              \
    } while (0)
#define SKIP(condition)                      \
    do {                                     \
        if (condition) {                     \
            const unsigned words = ip->skip; \
            ip += 1 + words;                 \
            DONE(1 + (int)words);            \
        }                                    \
        NEXT(1);                             \
    } while (0)
#define LOAD_BY(pair_, before, after)                               \
    do {                                                            \
        const unsigned address = (PAIR(pair_) - (before)) & 0xffff; \
        unsigned value;                                             \
        LOAD(value, address);                                       \
        if ((before) + (after) != 0)                                \
            SET_PAIR(pair_, address + (after));                     \
        r[ip->d] = (uint8_t)value;                                  \
        NEXT(T_LOAD);                                               \
    } while (0)
#define STORE_BY(pair_, before, after)                              \
    do {                                                            \
        const unsigned address = (PAIR(pair_) - (before)) & 0xffff; \
        const uint8_t value = r[ip->d];                             \
        if ((before) + (after) != 0)                                \
            SET_PAIR(pair_, address + (after));                     \
        STORE(address, value);                                      \
        NEXT(T_STORE);                                              \
    } while (0)
#define FROM_FLASH(address_) ((address_) < flash_bytes ? core->flash[address_] : 0xff)
#define LOAD_FLASH(address_, after)                \
    do {                                           \
        const uint32_t address = (address_);       \
        const uint8_t value = FROM_FLASH(address); \
        after;                                     \
        r[ip->d] = value;                          \
        NEXT(T_LPM);                               \
    } while (0)
#define RAMPZ data[AV_RAMPZ + AV_R]

av_stop NAME(av_core *core)
{
#define AV_LABEL(name) &&name,
    static const void *const labels[AV_OP_COUNT] = {AV_OPS(AV_LABEL)};
#undef AV_LABEL
    const av_op *const ops = core->ops, *ip = ops + core->pc;
    uint8_t *const data = core->data, *const r = XT ? core->own : core->data;
    const uint16_t ram_base = core->ram_base, ram_size = core->ram_size;
    const uint32_t map_base = core->map_base, flash_bytes = 2 * core->flash_words;
    unsigned carry, zero, sign, over, half;
    uint64_t deadline = core->cycles;
    int64_t left = 0;
    UNPACK();
    goto event;

event:
    OUTSIDE();
    core->pc = (uint32_t)(ip - ops);
    {
        const av_stop stop = av_core_event(core);
        if (stop != AV_NONE)
            return stop;
    }
    ip = ops + core->pc;
    deadline = core->deadline;
    left = (int64_t)(deadline - core->cycles);
    UNPACK();
    GO();

BAD:
    core->stop = AV_UNDEFINED;
    goto stopped;
overrun:
    core->stop = AV_STACK;
stopped:
    OUTSIDE();
    core->pc = (uint32_t)(ip - ops);
    return core->stop;

NOP:
    NEXT(1);
MOVW:
    {
        const unsigned value = PAIR(ip->r);
        SET_PAIR(ip->d, value);
        NEXT(1);
    }
MUL:
    PRODUCT((unsigned)r[ip->d] * r[ip->r], 0);
MULS:
    PRODUCT((int8_t)r[ip->d] * (int8_t)r[ip->r], 0);
MULSU:
    PRODUCT((int8_t)r[ip->d] * (int)r[ip->r], 0);
FMUL:
    PRODUCT((unsigned)r[ip->d] * r[ip->r], 1);
FMULS:
    PRODUCT((int8_t)r[ip->d] * (int8_t)r[ip->r], 1);
FMULSU:
    PRODUCT((int8_t)r[ip->d] * (int)r[ip->r], 1);
ADD:
    ADDITION(r[ip->r], 0u);
ADC:
    ADDITION(r[ip->r], carry);
SUB:
    SUBTRACTION(r[ip->r], 0u, false, true);
SBC:
    SUBTRACTION(r[ip->r], carry, true, true);
CP:
    SUBTRACTION(r[ip->r], 0u, false, false);
CPC:
    SUBTRACTION(r[ip->r], carry, true, false);
SUBI:
    SUBTRACTION(ip->r, 0u, false, true);
SBCI:
    SUBTRACTION(ip->r, carry, true, true);
CPI:
    SUBTRACTION(ip->r, 0u, false, false);
AND:
    LOGIC(r[ip->d] & r[ip->r]);
OR:
    LOGIC(r[ip->d] | r[ip->r]);
EOR:
    LOGIC(r[ip->d] ^ r[ip->r]);
ANDI:
    LOGIC(r[ip->d] & ip->r);
ORI:
    LOGIC(r[ip->d] | ip->r);
MOV:
    r[ip->d] = r[ip->r];
    NEXT(1);
LDI:
    r[ip->d] = ip->r;
    NEXT(1);
CPSE:
    SKIP(r[ip->d] == r[ip->r]);
SBRC:
    SKIP((r[ip->d] & ip->r) == 0);
SBRS:
    SKIP((r[ip->d] & ip->r) != 0);

COM:
    {
        const unsigned result = ~(unsigned)r[ip->d] & 0xff;
        r[ip->d] = (uint8_t)result;
        carry = 1;
        zero = sign = result;
        over = 0;
        NEXT(1);
    }
NEG:
    {
        const unsigned a = r[ip->d], result = (0 - a) & 0xff;
        r[ip->d] = (uint8_t)result;
        carry = result != 0;
        zero = sign = result;
        over = a & result;
        half = a ^ result;
        NEXT(1);
    }
INC:
    {
        const unsigned a = r[ip->d], result = (a + 1) & 0xff;
        r[ip->d] = (uint8_t)result;
        zero = sign = result;
        over = ~a & result;
        NEXT(1);
    }
DEC:
    {
        const unsigned a = r[ip->d], result = (a - 1) & 0xff;
        r[ip->d] = (uint8_t)result;
        zero = sign = result;
        over = a & ~result;
        NEXT(1);
    }
SWAP:
    {
        const unsigned a = r[ip->d];
        r[ip->d] = (uint8_t)(a << 4 | a >> 4);
        NEXT(1);
    }
ASR:
    {
        const unsigned a = r[ip->d];
        SHIFTED(a, a >> 1 | (a & 0x80));
    }
LSR:
    {
        const unsigned a = r[ip->d];
        SHIFTED(a, a >> 1);
    }
ROR:
    {
        const unsigned a = r[ip->d];
        SHIFTED(a, a >> 1 | carry << 7);
    }
ADIW:
    {
        const unsigned a = PAIR(ip->d), result = (a + ip->k) & 0xffff;
        SET_PAIR(ip->d, result);
        carry = (~result & a) >> 15 & 1;
        zero = result;
        sign = result >> 8;
        over = (~a & result) >> 8;
        NEXT(2);
    }
SBIW:
    {
        const unsigned a = PAIR(ip->d), result = (a - ip->k) & 0xffff;
        SET_PAIR(ip->d, result);
        carry = (result & ~a) >> 15 & 1;
        zero = result;
        sign = result >> 8;
        over = (a & ~result) >> 8;
        NEXT(2);
    }
BLD:
    r[ip->d] = (uint8_t)((r[ip->d] & ~ip->r) | (core->sreg & AV_T ? ip->r : 0));
    NEXT(1);
BST:
    core->sreg = (uint8_t)((core->sreg & ~AV_T) | (r[ip->d] & ip->r ? AV_T : 0));
    NEXT(1);

SEC:
    carry = 1;
    NEXT(1);
CLC:
    carry = 0;
    NEXT(1);
SET:
    core->sreg |= AV_T;
    NEXT(1);
CLT:
    core->sreg &= (uint8_t)~AV_T;
    NEXT(1);
SEI:
    if ((core->sreg & AV_I) == 0)
        ONE_MORE(1);
    core->sreg |= AV_I;
    NEXT(1);
CLI:
    core->sreg &= (uint8_t)~AV_I;
    NEXT(1);
BSET:
    PACK();
    core->sreg |= (uint8_t)ip->k;
    UNPACK();
    NEXT(1);
BCLR:
    PACK();
    core->sreg &= (uint8_t)~ip->k;
    UNPACK();
    NEXT(1);

LDD_Z:
    {
        unsigned value;
        LOAD(value, PAIR(30) + ip->k);
        r[ip->d] = (uint8_t)value;
        NEXT(T_LOAD);
    }
LDD_Y:
    {
        unsigned value;
        LOAD(value, PAIR(28) + ip->k);
        r[ip->d] = (uint8_t)value;
        NEXT(T_LOAD);
    }
STD_Z:
    STORE(PAIR(30) + ip->k, r[ip->d]);
    NEXT(T_STORE);
STD_Y:
    STORE(PAIR(28) + ip->k, r[ip->d]);
    NEXT(T_STORE);
LDS:
    {
        unsigned value;
        LOAD(value, ip->k);
        r[ip->d] = (uint8_t)value;
        ip++;
        NEXT(T_LDS);
    }
STS:
    STORE(ip->k, r[ip->d]);
    ip++;
    NEXT(T_STS);
LD_ZP:
    LOAD_BY(30, 0u, 1u);
LD_MZ:
    LOAD_BY(30, 1u, 0u);
LD_YP:
    LOAD_BY(28, 0u, 1u);
LD_MY:
    LOAD_BY(28, 1u, 0u);
LD_X:
    LOAD_BY(26, 0u, 0u);
LD_XP:
    LOAD_BY(26, 0u, 1u);
LD_MX:
    LOAD_BY(26, 1u, 0u);
ST_ZP:
    STORE_BY(30, 0u, 1u);
ST_MZ:
    STORE_BY(30, 1u, 0u);
ST_YP:
    STORE_BY(28, 0u, 1u);
ST_MY:
    STORE_BY(28, 1u, 0u);
ST_X:
    STORE_BY(26, 0u, 0u);
ST_XP:
    STORE_BY(26, 0u, 1u);
ST_MX:
    STORE_BY(26, 1u, 0u);
LPM:
    LOAD_FLASH(PAIR(30), (void)0);
LPM_P:
    LOAD_FLASH(PAIR(30), SET_PAIR(30, address + 1));
ELPM:
    LOAD_FLASH(PAIR(30) | (uint32_t)RAMPZ << 16, (void)0);
ELPM_P:
    LOAD_FLASH(PAIR(30) | (uint32_t)RAMPZ << 16,
               (SET_PAIR(30, address + 1), RAMPZ = (uint8_t)((address + 1) >> 16)));
PUSH:
    PUSH_BYTE(r[ip->d]);
    NEXT(T_PUSH);
POP:
    {
        unsigned value;
        POP_BYTE(value);
        r[ip->d] = (uint8_t)value;
        NEXT(T_POP);
    }

RJMP:
    ip = ops + ip->k;
    DONE(2);
JMP:
    ip = ops + ip->k;
    DONE(3);
IJMP:
    JUMP(PAIR(30));
    DONE(2);
EIJMP:
    JUMP(PAIR(30) | (uint32_t)data[AV_EIND + AV_R] << 16);
    DONE(2);
RCALL:
    PUSH_PC((uint32_t)(ip - ops) + 1);
    ip = ops + ip->k;
    DONE(T_RCALL);
CALL:
    PUSH_PC((uint32_t)(ip - ops) + 2);
    ip = ops + ip->k;
    DONE(T_CALL);
ICALL:
    PUSH_PC((uint32_t)(ip - ops) + 1);
    JUMP(PAIR(30));
    DONE(T_RCALL);
EICALL:
    PUSH_PC((uint32_t)(ip - ops) + 1);
    JUMP(PAIR(30) | (uint32_t)data[AV_EIND + AV_R] << 16);
    DONE(T_RCALL);
RET:
    {
        uint32_t to;
        POP_PC(to);
        JUMP(to);
        DONE(T_RET);
    }
RETI:
    {
        uint32_t to;
        POP_PC(to);
        if (XT)
            core->in_level = false;
        else
            core->sreg |= AV_I;
        ONE_MORE(T_RET);
        JUMP(to);
        DONE(T_RET);
    }
SLEEP:
    if (core->bus.sleeps(core->bus.board)) {
        OUTSIDE();
        core->cycles++;
        core->pc = (uint32_t)(ip - ops) + 1;
        core->stop = (core->sreg & AV_I) == 0 ? AV_ASLEEP : core->bus.sleep(core->bus.board);
        if (core->stop != AV_NONE)
            return core->stop;
        ip++;
        deadline = core->cycles;
        left = 0;
        goto event;
    }
    NEXT(1);

CBI:
    {
        unsigned value;
        LOAD(value, ip->k);
        STORE(ip->k, value & ~(unsigned)ip->r);
        NEXT(T_BIT);
    }
SBI:
    {
        unsigned value;
        LOAD(value, ip->k);
        STORE(ip->k, value | ip->r);
        NEXT(T_BIT);
    }
SBIC:
    {
        unsigned value;
        LOAD(value, ip->k);
        SKIP((value & ip->r) == 0);
    }
SBIS:
    {
        unsigned value;
        LOAD(value, ip->k);
        SKIP((value & ip->r) != 0);
    }
IN:
    {
        unsigned value;
        LOAD(value, ip->k);
        r[ip->d] = (uint8_t)value;
        NEXT(1);
    }
OUT:
    STORE(ip->k, r[ip->d]);
    NEXT(1);
IN_SPL:
    r[ip->d] = (uint8_t)core->sp;
    NEXT(1);
IN_SPH:
    r[ip->d] = (uint8_t)(core->sp >> 8);
    NEXT(1);
IN_SREG:
    PACK();
    r[ip->d] = core->sreg;
    NEXT(1);
OUT_SPL:
OUT_SPH:
    OUTSIDE();
    av_store(core, (uint16_t)ip->k, r[ip->d]);
    if (left > AV_SETTLED)
        DUE(AV_SETTLED);
    NEXT(1);
OUT_SREG:
    {
        const unsigned raised = ~(unsigned)core->sreg & r[ip->d] & AV_I;
        core->sreg = r[ip->d];
        UNPACK();
        if (raised)
            ONE_MORE(1);
        NEXT(1);
    }

BRCS:
    BRANCH(carry);
BREQ:
    BRANCH(zero == 0);
BRMI:
    BRANCH(sign & 0x80);
BRVS:
    BRANCH(over & 0x80);
BRLT:
    BRANCH(LESS() & 0x80);
BRHS:
    BRANCH(half & 0x10);
BRTS:
    BRANCH(core->sreg & AV_T);
BRIE:
    BRANCH(core->sreg & AV_I);
BRCC:
    BRANCH(!carry);
BRNE:
    BRANCH(zero != 0);
BRPL:
    BRANCH(!(sign & 0x80));
BRVC:
    BRANCH(!(over & 0x80));
BRGE:
    BRANCH(!(LESS() & 0x80));
BRHC:
    BRANCH(!(half & 0x10));
BRTC:
    BRANCH(!(core->sreg & AV_T));
BRID:
    BRANCH(!(core->sreg & AV_I));
}
