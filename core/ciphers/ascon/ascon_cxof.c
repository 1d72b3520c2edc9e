/*
 * Ascon-CXOF128 (NIST SP 800-232, section 5.3): Ascon-XOF128 under a customization string, which
 * keeps uses of one function apart. In a file of its own, so that firmware for the other functions
 * has nothing of it.
 *
 * The string of the scheme is fixed: the 16 bytes 10 11 ... 1f, as in the known answers of
 * ascon-c. A message begins with five permutations (the initial value, the string's length, its
 * two blocks, its padding), where Ascon-XOF128 takes one or none; nothing of them is kept from
 * message to message. The permutation is that of ascon.c, in assembly on AVR, ARMv6-M and ARMv7-M.
 * Time and memory addresses do not depend on the message.
 */
#include "ascon_cxof.h"

#include "ascon_words.h"

#include "ascon_modes.h"

void mote_ascon_cxof128_start(void *state, const uint8_t *z, size_t len)
{
    sponge_state *s = state;
    uint8_t bits[WORD] = {0};
    initialise(&s->x, UINT32_C(0x00000800), UINT32_C(0x00cc0004));
    permute(&s->x, LONG);
    mote_store32le(bits, (uint32_t)len << 3);
    absorb(&s->x, 0, bits);
    permute(&s->x, LONG);
    s->filled = 0;
    sponge_update(s, z, len);
    pad(&s->x, s->filled);
    permute(&s->x, LONG);
    s->filled = 0;
}

static void cxof_start(void *state)
{
    static const uint8_t z[] = {
        0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17,
        0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f,
    };
    mote_ascon_cxof128_start(state, z, sizeof z);
}

static const mote_hash cxof[] = {
    {.name = "ascon-cxof128",
     .digest_len = DIGEST,
     .state_len = sizeof(sponge_state),
     .start = cxof_start,
     .update = sponge_update,
     .finish = sponge_finish},
};

MOTE_IMPLEMENTATION(ascon_cxof) = {.name = "ascon-cxof", MOTE_HASHES(cxof), .constant_time = 1};
