/*
 * SPECK-64/128 on ARMv6-M: the blocks of speck.c, with everything in registers. No branch and no address depends on a
 * secret. All 27 rounds are written out; round keys come three at a time.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV6M
#include "mote/armv6m.h"

#define Y r4
#define X r5
#define TURN_X r6
#define TURN_Y r7
#define SCHEDULE r12
#define BLOCKS lr

.macro encrypt_round key
    rors X, TURN_X
    adds X, Y
    eors X, \key
    rors Y, TURN_Y
    eors Y, X
.endm

.macro decrypt_round key
    eors Y, X
    rors Y, TURN_Y
    eors X, \key
    subs X, Y
    rors X, TURN_X
.endm

.macro encrypt_rounds
    .rept 9
    ldm r0!, {r1, r2, r3}
    encrypt_round r1
    encrypt_round r2
    encrypt_round r3
    .endr
.endm

.macro decrypt_rounds
    adds r0, #4 * 24
    .rept 8
    ldm r0!, {r1, r2, r3}
    decrypt_round r3
    decrypt_round r2
    decrypt_round r1
    subs r0, #4 * 6
    .endr
    ldm r0!, {r1, r2, r3}
    decrypt_round r3
    decrypt_round r2
    decrypt_round r1
.endm

/* void name(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks), and with one block. */
.macro blocks name, name_of_one, rounds, turn_x, turn_y
    function \name_of_one
    movs r3, #1
    entry \name
    push {r4-r7, lr}
    mov r4, r8
    mov r5, r9
    push {r4, r5}
    mov SCHEDULE, r0
    mov r8, r1 /* in */
    mov r9, r2 /* out */
    movs TURN_X, #\turn_x
    movs TURN_Y, #\turn_y
    adds r3, #1
    b 5f

6:  load_bytes Y, r2, r3, 0
    load_bytes X, r2, r3, 4
    adds r3, #8
    b 2f

1:  mov BLOCKS, r3
    mov r3, r8
    lsls r2, r3, #30
    bne 6b
    ldm r3!, {Y, X}
2:  mov r8, r3
    mov r0, SCHEDULE
    \rounds
    mov r3, r9
    lsls r2, r3, #30
    bne 7f
    stm r3!, {Y, X}
4:  mov r9, r3
    mov r3, BLOCKS
5:  subs r3, #1
    beq 8f
    b 1b

7:  store_bytes Y, r3, 0
    store_bytes X, r3, 4
    adds r3, #8
    b 4b

8:  pop {r4, r5}
    mov r8, r4
    mov r9, r5
    pop {r4-r7, pc}
.endm

    blocks mote_speck_encrypt_blocks_64, mote_speck_encrypt_64, encrypt_rounds, 8, 29
    blocks mote_speck_decrypt_blocks_64, mote_speck_decrypt_64, decrypt_rounds, 24, 3

#endif
