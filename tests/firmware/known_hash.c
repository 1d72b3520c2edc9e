/*
 * A hash function that uses as many bytes of stack as its message is long, below the return address
 * on an AVR; no digest.
 */
#include "mote/cipher.h"

typedef struct known_state { uint32_t len; } known_state;

static void start(void *state)
{
    ((known_state *)state)->len = 0;
}

static void update(void *state, const uint8_t *in, size_t len)
{
    (void)in;
    ((known_state *)state)->len += (uint32_t)len;
}

void known_finish(void *state, uint8_t *digest);

#ifdef __AVR__
__asm__(".text\n"
        "known_finish:\n"
        "    movw r30, r24\n"
        "    ld r26, Z\n"
        "    ldd r27, Z+1\n"
        "    movw r24, r26\n"
        "    sbiw r26, 0\n"
        "    breq 2f\n"
        "1:  push r22\n"
        "    sbiw r26, 1\n"
        "    brne 1b\n"
        "3:  pop r22\n"
        "    sbiw r24, 1\n"
        "    brne 3b\n"
        "2:  ret\n");
#else
__asm__(".text\n"
        ".syntax unified\n"
        ".thumb_func\n"
        "known_finish:\n"
        "    ldr r2, [r0]\n"
        "    movs r3, r2\n"
        "    beq 2f\n"
        "1:  push {r0}\n"
        "    subs r3, #4\n"
        "    bne 1b\n"
        "    add sp, r2\n"
        "2:  bx lr\n");
#endif

static const mote_hash hashes[] = {
    {.name = "known",
     .digest_len = 16,
     .block_len = 16,
     .state_len = sizeof(known_state),
     .start = start,
     .update = update,
     .finish = known_finish}};
MOTE_IMPLEMENTATION(known) = {.name = "known", MOTE_HASHES(hashes)};
