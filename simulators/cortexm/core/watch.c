#include "watch.h"

#include <stdlib.h>
#include <string.h>

#include "internal.h"

bool cm_watch_start(cm_core *core, const sim_program *program)
{
    cm_watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL)
        return false;
    const sim_code flash = {core->flash_base, core->flash_size},
                   ram = {core->ram_base, core->ram_size};
    watch->shadow = sh_new(&(sh_memories){.flash = flash, .ram = ram, .data = ram}, program);
    core->watch = watch;
    if (watch->shadow != NULL)
        return true;
    cm_watch_end(core);
    return false;
}

void cm_watch_end(cm_core *core)
{
    if (core->watch != NULL)
        sh_free(core->watch->shadow);
    free(core->watch);
    core->watch = NULL;
}

/* The functions that mark take an address, a length and, the one for secrets, an origin (ARM IHI
 * 0042, section 6.1). */
static void obey(cm_core *core, sh_call call)
{
    cm_watch *const watch = core->watch;
    if (sh_obey(watch->shadow, call, core->r, watch->call)) {
        memset(watch->secret, 0, sizeof watch->secret);
        memset(watch->s, 0, sizeof watch->s);
        watch->n = watch->z = watch->c = watch->v = watch->q = watch->ge = 0;
        watch->late = 0;
    }
}

bool cm_watch_step(cm_core *core, uint32_t pc)
{
    sh_shadow *const shadow = core->watch->shadow;
    const sh_call call = sh_step(shadow, pc);
    if (CM_UNLIKELY(call != SH_NONE))
        obey(core, call);
    return shadow->active;
}

/* --- exceptions ------------------------------------------------------------------------------- */

enum { FRAME_STATUS = 28, FRAME_FLOATS = 32, FRAME_FPSCR = FRAME_FLOATS + 64 };
/* Registers of a frame, in their order. */
static const uint8_t framed[] = {0, 1, 2, 3, 12, CM_LR};

void cm_watch_entered(cm_core *core, uint32_t frame)
{
    cm_watch *const watch = core->watch;
    for (unsigned i = 0; i < sizeof framed; i++)
        sh_store(watch->shadow, frame + 4 * i, 4, watch->secret[framed[i]], watch->why[framed[i]]);
    sh_store(watch->shadow, frame + 24, 4, 0, 0);
    sh_store(watch->shadow, frame + FRAME_STATUS, 4, cm_flags_secret(watch), watch->flags);
    watch->secret[CM_LR] = 0;
}

void cm_watch_left(cm_core *core, uint32_t frame)
{
    cm_watch *const watch = core->watch;
    sh_why why;
    for (unsigned i = 0; i < sizeof framed; i++) {
        watch->secret[framed[i]] = sh_load(watch->shadow, frame + 4 * i, 4, &why);
        watch->why[framed[i]] = why;
    }
    const uint32_t status = sh_load(watch->shadow, frame + FRAME_STATUS, 4, &why);
    cm_set_flags_secret(watch, status, why);
}

static unsigned float_at(uint32_t frame, unsigned number, uint32_t *address)
{
    const unsigned reg = number < 16 ? number : CM_FPSCR;
    *address = number < 16 ? frame + FRAME_FLOATS + 4 * number : frame + FRAME_FPSCR;
    return reg;
}

void cm_watch_saved(cm_core *core, uint32_t frame)
{
    const cm_watch *const watch = core->watch;
    for (unsigned i = 0; i <= 16; i++) {
        uint32_t address;
        const unsigned reg = float_at(frame, i, &address);
        sh_store(watch->shadow, address, 4, watch->s[reg], watch->s_why[reg]);
    }
}

void cm_watch_restored(cm_core *core, uint32_t frame)
{
    cm_watch *const watch = core->watch;
    for (unsigned i = 0; i <= 16; i++) {
        uint32_t address;
        const unsigned reg = float_at(frame, i, &address);
        watch->s[reg] = sh_load(watch->shadow, address, 4, &watch->s_why[reg]);
    }
}

/* --- flags ------------------------------------------------------------------------------------ */

enum { N = 31, Z = 30, C = 29, V = 28, Q = 27, GE = 16 };

uint32_t cm_flags_secret(const cm_watch *watch)
{
    return (uint32_t)watch->n << N | (uint32_t)watch->z << Z | (uint32_t)watch->c << C |
           (uint32_t)watch->v << V | (uint32_t)watch->q << Q | (uint32_t)watch->ge << GE;
}

void cm_set_flags_secret(cm_watch *watch, uint32_t status, sh_why why)
{
    watch->n = status >> N & 1;
    watch->z = status >> Z & 1;
    watch->c = status >> C & 1;
    watch->v = status >> V & 1;
    watch->q = status >> Q & 1;
    watch->ge = status >> GE & 15;
    if (cm_flags_secret(watch) != 0)
        watch->flags = why;
}

bool cm_condition_secret(const cm_core *core, const cm_watch *watch, unsigned condition)
{
    const bool z = core->z == 0, c = core->c != 0, differ = (core->n ^ core->v) >> 31 != 0;
    const bool order = (watch->n | watch->v) != 0; /* it is a secret whether N and V differ */
    switch (condition >> 1) {
    case 0: /* EQ, NE */
        return watch->z != 0;
    case 1: /* CS, CC */
        return watch->c != 0;
    case 2: /* MI, PL */
        return watch->n != 0;
    case 3: /* VS, VC */
        return watch->v != 0;
    case 4: /* HI, LS: C and not Z */
        return (watch->c != 0 && (watch->z != 0 || !z)) || (watch->z != 0 && (watch->c != 0 || c));
    case 5: /* GE, LT */
        return order;
    case 6: /* GT, LE: N equals V, and not Z */
        return (order && (watch->z != 0 || !z)) || (watch->z != 0 && (order || !differ));
    default:
        return false;
    }
}

/* --- instructions that the instruction sets have alike ---------------------------------------- */

uint32_t cm_extended(unsigned which, uint32_t bits)
{
    const uint32_t turned = __builtin_bswap32(bits);
    switch (which) {
    case 0:
        return (uint32_t)(int32_t)(int16_t)(uint16_t)bits;
    case 1:
        return (uint32_t)(int32_t)(int8_t)(uint8_t)bits;
    case 2:
        return bits & 0xffff;
    case 3:
        return bits & 0xff;
    case 4:
        return turned;
    case 5:
        return turned >> 16 | turned << 16;
    default:
        return (uint32_t)(int32_t)(int16_t)(uint16_t)(turned >> 16);
    }
}

enum { MSP = 8, PSP = 9 };

static bool is_status(unsigned special)
{
    return special <= 7 && (special & 4) == 0;
}

void cm_watch_msr(cm_watch *watch, unsigned special, unsigned reg, uint32_t status)
{
    const uint32_t secret = watch->secret[reg];
    if (is_status(special))
        cm_set_flags_secret(watch, (secret & status) | (cm_flags_secret(watch) & ~status),
                            sh_merge(watch->shadow, cm_why(watch, reg, reg), cm_why_flags(watch)));
    else if (special == MSP || special == PSP)
        cm_set_secret(watch, CM_SP, (watch->secret[CM_SP] | secret) & ~3u,
                      cm_why(watch, reg, CM_SP));
    else if (secret != 0)
        sh_find(watch->shadow, SH_OPERANDS, true, SH_UNKNOWN, watch->why[reg]);
}

void cm_watch_mrs(cm_watch *watch, unsigned special, unsigned reg)
{
    if (is_status(special))
        cm_set_secret(watch, reg, cm_flags_secret(watch), watch->flags);
    else if (special == MSP || special == PSP)
        cm_set_secret(watch, reg, watch->secret[CM_SP], watch->why[CM_SP]);
    else
        cm_set_secret(watch, reg, 0, 0);
}

void cm_watch_jump(cm_watch *watch, unsigned reg)
{
    if (watch->secret[reg] != 0)
        sh_find(watch->shadow, SH_JUMP, true, SH_UNKNOWN, watch->why[reg]);
}

/* --- memory ----------------------------------------------------------------------------------- */

cm_place cm_place_of(sh_word base, sh_word offset, sh_why why)
{
    const uint64_t least = (uint64_t)sh_least(base) + sh_least(offset),
                   most = (uint64_t)sh_most(base) + sh_most(offset);
    return (cm_place){.address = base.value + offset.value,
                      .secret = sh_add(base, offset, sh_plain(0)).secret,
                      .least = (uint32_t)least,
                      .most = (uint32_t)most,
                      .whole = least >> 32 == most >> 32,
                      .why = why};
}

void cm_find_address(const cm_core *core, sh_kind kind, const cm_place *place, unsigned more)
{
    sh_shadow *const shadow = core->watch->shadow;
    if (place->whole && cm_in_ram(core, place->least) && cm_in_ram(core, place->most))
        sh_find(shadow, kind, false, 0, place->why);
    else if (place->whole && cm_in_flash(core, place->least) && cm_in_flash(core, place->most))
        sh_find(shadow, kind, more != 0, more, place->why);
    else
        sh_find(shadow, kind, true, SH_UNKNOWN, place->why);
}

/* A transfer of bytes, of which each may stand for a bit (cm_is_bit). */
static uint32_t load_bits(const cm_core *core, uint32_t address, unsigned size, sh_why *why)
{
    uint32_t secret = 0, word;
    const unsigned step = (address & (size - 1)) == 0 ? size : 1;
    *why = 0;
    for (unsigned i = 0; i < size; i += step) {
        sh_why one;
        if (!cm_is_bit(core, address + i, &word))
            secret |= sh_load(core->watch->shadow, address + i, step, &one) << 8 * i;
        else
            secret |=
                (sh_load(core->watch->shadow, word, 4, &one) >> cm_bit_number(address + i) & 1)
                << 8 * i;
        *why = sh_merge(core->watch->shadow, *why, one);
    }
    return secret;
}

static void store_bits(const cm_core *core, uint32_t address, unsigned size, uint32_t secret,
                       sh_why why)
{
    uint32_t word;
    const unsigned step = (address & (size - 1)) == 0 ? size : 1;
    for (unsigned i = 0; i < size; i += step) {
        if (cm_is_bit(core, address + i, &word)) {
            sh_why old_why;
            const uint32_t bit = 1u << cm_bit_number(address + i);
            const uint32_t old = sh_load(core->watch->shadow, word, 4, &old_why);
            sh_store(core->watch->shadow, word, 4,
                     (old & ~bit) | ((secret >> 8 * i & 1) != 0 ? bit : 0),
                     sh_merge(core->watch->shadow, why, old_why));
        } else {
            sh_store(core->watch->shadow, address + i, step, secret >> 8 * i, why);
        }
    }
}

uint32_t cm_load_secret(const cm_core *core, const cm_place *place, unsigned size, sh_why *why)
{
    sh_shadow *const shadow = core->watch->shadow;
    const uint32_t secret =
        CM_UNLIKELY(core->bit_band) ? load_bits(core, place->address, size, why)
                                    : sh_load(shadow, place->address, size, why);
    if (CM_LIKELY(place->secret == 0))
        return secret;
    *why = sh_merge(shadow, place->why, *why);
    return SH_ALL >> (32 - 8 * size); /* another place has other bits */
}

void cm_store_secret(const cm_core *core, const cm_place *place, unsigned size, uint32_t secret,
                     sh_why why)
{
    cm_watch *const watch = core->watch;
    if (secret == 0)
        why = 0;
    if (CM_UNLIKELY(place->secret != 0)) {
        secret = SH_ALL;
        why = sh_merge(watch->shadow, place->why, why);
    }
    cm_by_condition(watch, &secret, &why);
    why = sh_pass(watch->shadow, why);
    if (CM_UNLIKELY(core->bit_band))
        store_bits(core, place->address, size, secret, why);
    else
        sh_store(watch->shadow, place->address, size, secret, why);
}

void cm_load_list_secret(const cm_core *core, cm_place place, uint32_t list)
{
    for (; list != 0; list &= list - 1, place.address += 4) {
        sh_why why;
        const uint32_t secret = cm_load_secret(core, &place, 4, &why);
        cm_set_secret(core->watch, (unsigned)__builtin_ctz(list), secret, why);
    }
}

void cm_store_list_secret(const cm_core *core, cm_place place, uint32_t list)
{
    for (; list != 0; list &= list - 1, place.address += 4) {
        const unsigned reg = (unsigned)__builtin_ctz(list);
        cm_store_secret(core, &place, 4, core->watch->secret[reg], core->watch->why[reg]);
    }
}
