/*
 * SPECK on ARMv6-M: blocks and keys of speck.c, with everything in registers. No branch and no address depends on a
 * secret. All 27 rounds of SPECK-64/128 are written out; round keys come three at a time. SPECK-128/128 has four rounds
 * in a loop.
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

/* void mote_speck_set_key_64(void *schedule, const uint8_t *key) */
    function mote_speck_set_key_64
    push {r4-r7, lr}
    load_bytes r4, r2, r1, 0
    load_bytes r5, r2, r1, 4
    load_bytes r6, r2, r1, 8
    load_bytes r7, r2, r1, 12
    stm r0!, {r4}
    movs r1, #0
    movs r2, #8
    movs r3, #29
    b 2f
.macro next_key l
    rors \l, r2
    adds \l, r4
    eors \l, r1
    rors r4, r3
    eors r4, \l
    stm r0!, {r4}
    adds r1, #1
.endm
1:  next_key r7
2:  next_key r5
    next_key r6
    cmp r1, #26
    bne 1b
    pop {r4-r7, pc}

/* SPECK-128: y in r2 and r3, x in r4 and r5, their lower halves first. */
.macro turn_right low, high, n
    lsls r6, \high, #32 - \n
    lsls r7, \low, #32 - \n
    lsrs \low, #\n
    lsrs \high, #\n
    orrs \low, r6
    orrs \high, r7
.endm

.macro turn_left low, high, n
    lsrs r6, \low, #32 - \n
    lsrs r7, \high, #32 - \n
    lsls \low, #\n
    lsls \high, #\n
    orrs \low, r7
    orrs \high, r6
.endm

.macro add_y
    turn_right r4, r5, 8
    adds r4, r2
    adcs r5, r3
.endm

.macro add_x
    turn_left r2, r3, 3
    eors r2, r4
    eors r3, r5
.endm

.macro encrypt_rounds_128
    .rept 4
    add_y
    ldm r0!, {r6, r7}
    eors r4, r6
    eors r5, r7
    add_x
    .endr
.endm

.macro decrypt_rounds_128
    subs r0, #32
    .irp key, 24, 16, 8, 0
    eors r2, r4
    eors r3, r5
    turn_right r2, r3, 3
    ldr r6, [r0, #\key]
    ldr r7, [r0, #\key + 4]
    eors r4, r6
    eors r5, r7
    subs r4, r2
    sbcs r5, r3
    turn_left r4, r5, 8
    .endr
.endm

/* As `blocks`; SCHEDULE is where keys begin, END where they end. */
#define END r10
.macro blocks_128 name, name_of_one, rounds, backwards
    function \name_of_one
    movs r3, #1
    entry \name
    save_registers
    movs r5, r0
    adds r5, #128
    adds r5, #128
    .if \backwards
    mov SCHEDULE, r5
    mov END, r0
    .else
    mov SCHEDULE, r0
    mov END, r5
    .endif
    mov r8, r1 /* in */
    mov r9, r2 /* out */
    adds r3, #1
    b 5f

6:  load_bytes r2, r6, r1, 0
    load_bytes r3, r6, r1, 4
    load_bytes r4, r6, r1, 8
    load_bytes r5, r6, r1, 12
    adds r1, #16
    b 2f

1:  mov BLOCKS, r3
    mov r1, r8
    lsls r0, r1, #30
    bne 6b
    ldm r1!, {r2, r3, r4, r5}
2:  mov r8, r1
    mov r0, SCHEDULE
3:  \rounds
    cmp r0, END
    bne 3b
    mov r1, r9
    lsls r0, r1, #30
    bne 7f
    stm r1!, {r2, r3, r4, r5}
4:  mov r9, r1
    mov r3, BLOCKS
5:  subs r3, #1
    bne 1b
    return

7:  store_bytes r2, r1, 0
    store_bytes r3, r1, 4
    store_bytes r4, r1, 8
    store_bytes r5, r1, 12
    adds r1, #16
    b 4b
.endm

    blocks_128 mote_speck_encrypt_blocks_128, mote_speck_encrypt_128, encrypt_rounds_128, 0
    blocks_128 mote_speck_decrypt_blocks_128, mote_speck_decrypt_128, decrypt_rounds_128, 1

/* void mote_speck_set_key_128(void *schedule, const uint8_t *key) */
    function mote_speck_set_key_128
    push {r4-r7, lr}
    load_bytes r2, r6, r1, 0
    load_bytes r3, r6, r1, 4
    load_bytes r4, r6, r1, 8
    load_bytes r5, r6, r1, 12
    stm r0!, {r2, r3}
    movs r1, #0
1:  add_y
    eors r4, r1
    add_x
    stm r0!, {r2, r3}
    adds r1, #1
    cmp r1, #31
    bne 1b
    pop {r4-r7, pc}

#endif
