/* The system control space: SysTick, NVIC, SCB. ARM DDI 0419 chapters B3.2 to B3.4. */
#include "internal.h"

enum {
    ACTLR = 0x008,
    SYST_CSR = 0x010,
    SYST_RVR = 0x014,
    SYST_CVR = 0x018,
    SYST_CALIB = 0x01c,
    NVIC_ISER = 0x100,
    NVIC_ICER = 0x180,
    NVIC_ISPR = 0x200,
    NVIC_ICPR = 0x280,
    NVIC_IPR = 0x400,
    CPUID = 0xd00,
    ICSR = 0xd04,
    VTOR = 0xd08,
    AIRCR = 0xd0c,
    SCR = 0xd10,
    CCR = 0xd14,
    SHPR2 = 0xd1c,
    SHPR3 = 0xd20,
    SHCSR = 0xd24,
    SHPR1 = 0xd18,
    CPACR = 0xd88,
    MPU_TYPE = 0xd90,
    DEMCR = 0xdfc
};
/* Data watchpoint and trace: its cycle counter. ARM DDI 0403 chapter C1.8. */
enum { DWT_CTRL = 0x000, DWT_CYCCNT = 0x004, TRCENA = 1 << 24 };
#define DWT_BASE 0xe0001000u
#define SCS_BASE 0xe000e000u
#define AIRCR_KEY 0x05fau
#define NO_REFERENCE 0xc0000000u /* SYST_CALIB: no reference clock, and no 10 ms value */

enum { ENABLE = 1, TICKINT = 2, CLKSOURCE = 4, COUNTFLAG = 1 << 16 };

/* --- SysTick: counts from `top` at cycle `base` down to 0, then goes on from the reload value - */

static void systick_update(cm_core *core)
{
    cm_systick *tick = &core->systick;
    if ((tick->control & ENABLE) == 0 || core->cycles < tick->base + tick->top)
        return;
    if (tick->top != 0) { /* from 1 to 0, and not written to 0 */
        tick->wrapped = true;
        core->pend_systick |= (tick->control & TICKINT) != 0;
        tick->base += tick->top;
        tick->top = 0;
    }
    if (core->cycles > tick->base && tick->reload != 0) {
        const uint64_t since = core->cycles - tick->base - 1, period = (uint64_t)tick->reload + 1;
        const uint64_t rounds = since / period, in_round = since % period;
        const bool at_zero = in_round == tick->reload;
        if (rounds > 0 || at_zero) {
            tick->wrapped = true;
            core->pend_systick |= (tick->control & TICKINT) != 0;
        }
        tick->base += 1 + rounds * period + (at_zero ? tick->reload : 0);
        tick->top = at_zero ? 0 : tick->reload;
    }
}

static uint32_t systick_value(cm_core *core)
{
    systick_update(core);
    const cm_systick *tick = &core->systick;
    if ((tick->control & ENABLE) == 0)
        return tick->top;
    return core->cycles < tick->base ? 0 : tick->top - (uint32_t)(core->cycles - tick->base);
}

uint64_t cm_systick_event(cm_core *core)
{
    systick_update(core);
    const cm_systick *tick = &core->systick;
    if ((tick->control & (ENABLE | TICKINT)) != (ENABLE | TICKINT) ||
        (tick->top == 0 && tick->reload == 0))
        return UINT64_MAX;
    return tick->base + (tick->top != 0 ? tick->top : 1 + (uint64_t)tick->reload);
}

static void systick_control(cm_core *core, uint32_t value)
{
    cm_systick *tick = &core->systick;
    tick->top = systick_value(core);
    tick->base = core->cycles;
    tick->control = (value & (ENABLE | TICKINT)) | CLKSOURCE; /* there is no other clock */
    cm_core_kick(core);
}

/* --- interrupts ------------------------------------------------------------------------------- */

static uint32_t icsr(cm_core *core)
{
    const uint64_t waiting = core->pending | core->lines;
    uint32_t first = 0;
    (void)cm_systick_event(core);
    if (core->pend_nmi)
        first = CM_NMI;
    else if (core->pend_svc)
        first = CM_SVCALL;
    else if (core->pend_pendsv)
        first = CM_PENDSV;
    else if (core->pend_systick)
        first = CM_SYSTICK;
    else if ((waiting & core->enabled) != 0)
        first = CM_IRQ0 + (uint32_t)__builtin_ctzll(waiting & core->enabled);
    return (uint32_t)core->pend_nmi << 31 | (uint32_t)core->pend_pendsv << 28 |
           (uint32_t)core->pend_systick << 26 | (uint32_t)(waiting != 0) << 22 | first << 12 |
           core->exception;
}

static void set_icsr(cm_core *core, uint32_t value)
{
    (void)cm_systick_event(core);
    core->pend_nmi |= (value >> 31 & 1) != 0;
    if ((value >> 28 & 1) != 0)
        core->pend_pendsv = true;
    else if ((value >> 27 & 1) != 0)
        core->pend_pendsv = false;
    if ((value >> 26 & 1) != 0)
        core->pend_systick = true;
    else if ((value >> 25 & 1) != 0)
        core->pend_systick = false;
}

static uint32_t priorities(const cm_core *core, uint32_t value)
{
    return value & core->priority_mask * 0x01010101u;
}

/* The interrupts of a register of the NVIC: 32 each; NULL for other registers. */
static uint64_t *interrupts_at(cm_core *core, uint32_t offset, unsigned *shift)
{
    *shift = (offset & 0x7c) * 8;
    if (offset < NVIC_ISER || offset >= NVIC_IPR || *shift >= core->interrupts || (offset & 3) != 0)
        return NULL;
    return offset < NVIC_ISPR ? &core->enabled : &core->pending;
}

/* The cycle counter, and what switches it on. */
static bool watchpoint_read(cm_core *core, uint32_t offset, uint32_t *value)
{
    if (!core->instructions->extended || (offset != DWT_CTRL && offset != DWT_CYCCNT))
        return false;
    const bool counts = (core->demcr & TRCENA) != 0 && (core->dwt_control & 1) != 0;
    *value = offset == DWT_CTRL ? core->dwt_control
             : counts           ? (uint32_t)(core->cycles - core->dwt_base)
                                : core->dwt_count;
    return true;
}

static bool watchpoint_write(cm_core *core, uint32_t offset, uint32_t value)
{
    uint32_t count;
    if (!watchpoint_read(core, DWT_CYCCNT, &count) || (offset != DWT_CTRL && offset != DWT_CYCCNT))
        return false;
    if (offset == DWT_CTRL)
        core->dwt_control = value & 1;
    else
        count = value;
    core->dwt_count = count;
    core->dwt_base = core->cycles - count;
    return true;
}

/* The system control space is read and written in whole words only. */
bool cm_system_read(cm_core *core, uint32_t address, unsigned size, uint32_t *value)
{
    const uint32_t offset = address - SCS_BASE;
    unsigned shift;
    if (size == 4 && address - DWT_BASE < 0x1000)
        return watchpoint_read(core, address - DWT_BASE, value);
    if (offset >= 0x1000 || size != 4)
        return false;
    if (offset >= NVIC_IPR && offset < NVIC_IPR + core->interrupts) {
        *value = core->ipr[(offset - NVIC_IPR) / 4];
        return true;
    }
    const uint64_t *interrupts = interrupts_at(core, offset, &shift);
    if (interrupts != NULL) {
        *value =
            (uint32_t)((interrupts == &core->pending ? *interrupts | core->lines : *interrupts) >>
                       shift);
        return true;
    }
    if (core->instructions->extended) {
        switch (offset) {
        case SHPR1:
            *value = core->shpr[1];
            return true;
        case CPACR:
            *value = core->cpacr;
            return true;
        case DEMCR:
            *value = core->demcr;
            return true;
        case MPU_TYPE:
            *value = 0;
            return true;
        default:
            break;
        }
    }
    switch (offset) {
    case SYST_CSR:
        (void)cm_systick_event(core);
        *value = core->systick.control | (core->systick.wrapped ? (uint32_t)COUNTFLAG : 0);
        core->systick.wrapped = false;
        return true;
    case SYST_RVR:
        *value = core->systick.reload;
        return true;
    case SYST_CVR:
        *value = systick_value(core);
        return true;
    case SYST_CALIB:
        *value = NO_REFERENCE;
        return true;
    case CPUID:
        *value = core->cpuid;
        return true;
    case ICSR:
        *value = icsr(core);
        return true;
    case VTOR:
        *value = core->vtor;
        return true;
    case AIRCR:
        *value = 0xfa050000u;
        return true;
    case SCR:
        *value = core->scr;
        return true;
    case CCR:
        *value = 0x208;
        return true; /* STKALIGN, UNALIGN_TRP */
    case SHPR2:
        *value = core->shpr[2];
        return true;
    case SHPR3:
        *value = core->shpr[3];
        return true;
    case SHCSR:
        *value = (uint32_t)core->pend_svc << 15;
        return true;
    case ACTLR:
        *value = 0;
        return true;
    default:
        return false;
    }
}

bool cm_system_write(cm_core *core, uint32_t address, unsigned size, uint32_t value)
{
    const uint32_t offset = address - SCS_BASE;
    unsigned shift;
    if (size == 4 && address - DWT_BASE < 0x1000)
        return watchpoint_write(core, address - DWT_BASE, value);
    if (offset >= 0x1000 || size != 4)
        return false;
    cm_core_kick(core);
    if (offset >= NVIC_IPR && offset < NVIC_IPR + core->interrupts) {
        core->ipr[(offset - NVIC_IPR) / 4] = priorities(core, value);
        return true;
    }
    uint64_t *interrupts = interrupts_at(core, offset, &shift);
    if (interrupts != NULL) {
        const uint64_t these = (uint64_t)value << shift & ((1ull << core->interrupts) - 1);
        *interrupts = (offset & 0x80) != 0 ? *interrupts & ~these : *interrupts | these;
        return true;
    }
    if (core->instructions->extended) {
        switch (offset) {
        case SHPR1:
            core->shpr[1] = priorities(core, value);
            return true;
        case CPACR:
            core->cpacr = core->fpu ? value & 0xf00000 : 0;
            return true;
        case DEMCR:
            core->demcr = value & TRCENA;
            return true;
        default:
            break;
        }
    }
    switch (offset) {
    case SYST_CSR:
        systick_control(core, value);
        break;
    case SYST_RVR:
        (void)systick_value(core);
        core->systick.reload = value & 0xffffff;
        break;
    case SYST_CVR: /* any write clears the counter */
        (void)systick_value(core);
        core->systick.top = 0;
        core->systick.base = core->cycles;
        core->systick.wrapped = false;
        break;
    case ICSR:
        set_icsr(core, value);
        break;
    case VTOR:
        core->vtor = value & ~0x7fu;
        break;
    case AIRCR:
        if (value >> 16 == AIRCR_KEY && (value & 4) != 0)
            return cm_fault(core, CM_RESET, address, "a reset that the program requested");
        break;
    case SCR:
        core->scr = value & 0x16;
        break;
    case SHPR2:
        core->shpr[2] = priorities(core, value) & 0xff000000u;
        break;
    case SHPR3:
        core->shpr[3] = priorities(core, value) & 0xffff0000u;
        break;
    case ACTLR:
    case CCR:
    case SHCSR:
    case SYST_CALIB:
        break;
    default:
        return false;
    }
    return true;
}
