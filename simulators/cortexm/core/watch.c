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
    const uint32_t *const r = core->r, caller = watch->call;
    switch (call) {
    case SH_BEGIN:
        sh_begin(watch->shadow);
        break;
    case SH_END:
        sh_end(watch->shadow);
        break;
    case SH_SECRET:
        sh_make_secret(watch->shadow, r[0], r[1], r[2], caller);
        break;
    case SH_PUBLIC:
        sh_make_public(watch->shadow, r[0], r[1], caller);
        break;
    default:
        break;
    }
    if (watch->shadow->cleared) {
        watch->shadow->cleared = false;
        memset(watch->secret, 0, sizeof watch->secret);
        watch->n = watch->z = watch->c = watch->v = 0;
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

enum { FRAME_STATUS = 28 };
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

/* --- flags ------------------------------------------------------------------------------------ */

enum { N = 31, Z = 30, C = 29, V = 28 };

uint32_t cm_flags_secret(const cm_watch *watch)
{
    return (uint32_t)watch->n << N | (uint32_t)watch->z << Z | (uint32_t)watch->c << C |
           (uint32_t)watch->v << V;
}

void cm_set_flags_secret(cm_watch *watch, uint32_t status, sh_why why)
{
    watch->n = status >> N & 1;
    watch->z = status >> Z & 1;
    watch->c = status >> C & 1;
    watch->v = status >> V & 1;
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
