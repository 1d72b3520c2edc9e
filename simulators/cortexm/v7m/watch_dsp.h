/* The shadow of what cm7_dsp and cm7_dsp_long compute (ops.h). */
#ifndef MOTEBENCH_CORTEXM_V7M_WATCH_DSP_H
#define MOTEBENCH_CORTEXM_V7M_WATCH_DSP_H

#include "../../shadow/rules.h"
#include "ops.h"

/* Flags that an instruction of the DSP extension makes secret. */
typedef struct cm7_dsp_flags {
    bool q;
    bool sets_ge;
    uint8_t ge; /* a bit for each */
} cm7_dsp_flags;

/* `ge`: the GE flags and which of them are secret. */
uint32_t cm7_dsp_secret(unsigned operation, sh_word n, sh_word m, sh_word add, unsigned shift,
                        sh_word ge, cm7_dsp_flags *flags);
uint64_t cm7_dsp_long_secret(unsigned operation, sh_word n, sh_word m, sh_pair add);

#endif
