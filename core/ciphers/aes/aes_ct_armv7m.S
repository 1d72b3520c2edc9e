/*
 * aes-ct on ARMv7-M: two blocks as in aes_ct.c, fixsliced (Adomnicai and Peyrin, "Fixslicing AES-like ciphers", TCHES
 * 2021/1). No branch and no address depends on a secret, and no instruction takes a time that depends on its operands.
 *
 * ShiftRows is left out. After n rounds row r lies n * r columns up, modulo 4: bits of its byte, turned left by 2 n r.
 * MixColumns finds row r + 1 of the column in the next byte, n columns up: it turns a word by 8 bits, and each byte by
 * 2 n. So there are four MixColumns, one after the other, and round keys are turned like the state they are added to.
 * The last round ends with the rows in place, or with rows 1 and 3 two columns up.
 *
 * SubBytes is the circuit of aes_ct.c in an order and in registers that a search found (simulated annealing), with 22
 * accesses to the stack. It leaves out the complements of bits 0, 1, 5 and 6; round keys have them.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_ARMV7M
#include "mote/armv7m.h"

/* On the stack, below them what waits in SubBytes. */
#define WAITING 44
#define RETURN 44
#define KEY 48
#define LAST_KEY 52
#define OUT 56
#define RETURN_BACK 60
#define FRAME 68
#define ARGUMENT5 (FRAME + 36)

/* Bit k of all bytes is in register k. SubBytes; r8 to r12 and lr are lost. */
    .section .text.mote_aes_ct_sub_bytes, "ax", %progbits
    .balign 8
    .type mote_aes_ct_sub_bytes, %function
    .thumb_func
mote_aes_ct_sub_bytes:
    str.w lr, [sp, #RETURN]
    eor.w r9, r6, r5 /* t0 */
    eor.w r8, r4, r2 /* y14 */
    eor.w r5, r7, r1 /* y13 */
    eor.w r10, r9, r0 /* y1 */
    eor.w lr, r5, r8 /* y12 */
    eor.w r3, r3, lr /* t1 */
    eor.w r11, r3, r2 /* y15 */
    eor.w r12, r7, r2 /* y8 */
    eor.w r2, r10, r1 /* y5 */
    eor.w r3, r3, r6 /* y20 */
    and.w r1, lr, r11 /* t2 */
    eor.w r6, r2, r12 /* y3 */
    str.w lr, [sp, #0] /* y12 */
    eor.w lr, r11, r0 /* y6 */
    str.w r11, [sp, #4] /* y15 */
    eor.w r11, r11, r9 /* y10 */
    str.w lr, [sp, #8] /* y6 */
    and.w lr, r6, lr /* t4_1 */
    str.w r6, [sp, #12] /* y3 */
    eor.w r6, r10, r4 /* y4 */
    str.w r6, [sp, #16] /* y4 */
    and.w r6, r6, r0 /* t6_1 */
    str.w r2, [sp, #20] /* y5 */
    and.w r2, r2, r10 /* t9_1 */
    eor.w lr, lr, r1 /* t4 */
    eor.w r1, r6, r1 /* t6 */
    eor.w r4, r7, r4 /* y9 */
    eor.w r6, r3, r4 /* y11 */
    str.w r10, [sp, #24] /* y1 */
    eor.w r10, r10, r7 /* y2 */
    str.w r0, [sp, #28] /* x7 */
    eor.w r0, r0, r6 /* y7 */
    str.w r10, [sp, #32] /* y2 */
    and.w r10, r10, r0 /* t11_1 */
    eor.w r9, r9, r6 /* y16 */
    str.w r0, [sp, #36] /* y7 */
    and.w r0, r4, r6 /* t12 */
    str.w r4, [sp, #40] /* y9 */
    and.w r4, r5, r9 /* t7 */
    eor.w r2, r2, r4 /* t9 */
    eor.w r10, r10, r4 /* t11 */
    eor.w r4, r7, r9 /* y18 */
    and.w r7, r12, r11 /* t16_1 */
    eor.w r7, r7, r0 /* t16 */
    eor.w r10, r10, r7 /* t24_1 */
    eor.w r7, r1, r7 /* t22_1 */
    eor.w r1, r11, r12 /* y19 */
    eor.w r1, r7, r1 /* t22 */
    eor.w r4, r10, r4 /* t24 */
    eor.w r10, r11, r6 /* y17 */
    and.w r7, r8, r10 /* t14_1 */
    eor.w r7, r7, r0 /* t14 */
    eor.w r0, r5, r9 /* y21 */
    eor.w lr, lr, r7 /* t21_1 */
    eor.w r2, r2, r7 /* t23_1 */
    eor.w r0, r2, r0 /* t23 */
    eor.w r2, r0, r4 /* t30 */
    eor.w lr, lr, r3 /* t21 */
    eor.w r7, lr, r1 /* t25 */
    and.w lr, lr, r0 /* t26 */
    eor.w r3, r1, lr /* t31 */
    eor.w lr, r4, lr /* t27 */
    and.w r3, r3, r2 /* t33_1 */
    eor.w r3, r3, r4 /* t33 */
    eor.w r2, lr, r3 /* t35 */
    eor.w r0, r0, r3 /* t34 */
    and.w r2, r4, r2 /* t36 */
    and.w r4, r7, lr /* t29_1 */
    eor.w r0, r2, r0 /* t37 */
    eor.w r4, r4, r1 /* t29 */
    eor.w r1, lr, r2 /* t38 */
    and.w r2, r4, r1 /* t40_1 */
    eor.w lr, r7, r2 /* t40 */
    eor.w r7, r4, lr /* t43 */
    and.w r2, r7, r5 /* z12 */
    eor.w r1, lr, r0 /* t41 */
    eor.w r5, r4, r3 /* t42 */
    and.w r9, r7, r9 /* z3 */
    and.w r7, r5, r6 /* z6 */
    eor.w r6, r5, r1 /* t45 */
    and.w r12, r1, r12 /* z17 */
    and.w r11, r1, r11 /* z8 */
    and.w r10, r6, r10 /* z7 */
    and.w r8, r6, r8 /* z16 */
    ldr.w r1, [sp, #40]
    and.w r1, r5, r1 /* z15 */
    eor.w r11, r10, r11 /* t52 */
    eor.w r5, r3, r0 /* t44 */
    eor.w r1, r1, r8 /* t46 */
    eor.w r6, r7, r10 /* t54 */
    ldr.w r7, [sp, #0]
    and.w r7, r5, r7 /* z9 */
    ldr.w r10, [sp, #4]
    and.w r5, r5, r10 /* z0 */
    eor.w r10, r9, r6 /* t59 */
    ldr.w r6, [sp, #24]
    and.w r6, lr, r6 /* z4 */
    eor.w r5, r5, r9 /* t53 */
    ldr.w r9, [sp, #12]
    and.w r9, r0, r9 /* z10 */
    eor.w r12, r8, r12 /* t55 */
    ldr.w r8, [sp, #20]
    and.w lr, lr, r8 /* z13 */
    eor.w r8, r6, r1 /* t58 */
    eor.w r7, r7, r9 /* t49 */
    eor.w r7, r7, r8 /* t63 */
    eor.w r11, r11, r8 /* t62 */
    ldr.w r8, [sp, #8]
    and.w r0, r0, r8 /* z1 */
    ldr.w r8, [sp, #16]
    and.w r8, r3, r8 /* z11 */
    eor.w r0, r0, r7 /* t66 */
    eor.w r7, r10, r7 /* o7 */
    eor.w r10, r6, r10 /* t64 */
    ldr.w r6, [sp, #28]
    and.w r3, r3, r6 /* z2 */
    ldr.w r6, [sp, #36]
    and.w r6, r4, r6 /* z5 */
    eor.w r9, r9, r8 /* t47 */
    eor.w r8, r3, r6 /* t51 */
    eor.w r3, r3, r2 /* t50 */
    eor.w lr, r6, lr /* t48 */
    ldr.w r6, [sp, #32]
    and.w r6, r4, r6 /* z14 */
    eor.w r4, r5, r0 /* s3 */
    eor.w r5, r3, r5 /* t57 */
    eor.w r6, r6, r5 /* t61 */
    eor.w r3, r8, r0 /* o3 */
    eor.w r1, r1, r5 /* t60 */
    eor.w r8, r2, lr /* t56 */
    eor.w r2, r6, r11 /* t65 */
    eor.w r6, r10, r4 /* o6 */
    eor.w r10, r10, r2 /* t67 */
    eor.w r2, r9, r2 /* o2 */
    eor.w r5, r12, r10 /* o5 */
    eor.w r0, lr, r1 /* o0 */
    eor.w r1, r8, r11 /* o1 */
    ldr.w pc, [sp, #RETURN]

/* Bits of \a by `shift` up change places with bits of \b. */
.macro swap_bits a, b, mask, shift
    eor.w r8, \b, \a, lsr #\shift
    and r8, r8, #\mask
    eor.w \b, \b, r8
    eor.w \a, \a, r8, lsl #\shift
.endm

/* Words to bits and back. */
.macro transpose
    swap_bits r0, r1, 0x55555555, 1
    swap_bits r2, r3, 0x55555555, 1
    swap_bits r4, r5, 0x55555555, 1
    swap_bits r6, r7, 0x55555555, 1
    swap_bits r0, r2, 0x33333333, 2
    swap_bits r1, r3, 0x33333333, 2
    swap_bits r4, r6, 0x33333333, 2
    swap_bits r5, r7, 0x33333333, 2
    swap_bits r0, r4, 0x0f0f0f0f, 4
    swap_bits r1, r5, 0x0f0f0f0f, 4
    swap_bits r2, r6, 0x0f0f0f0f, 4
    swap_bits r3, r7, 0x0f0f0f0f, 4
.endm

/* Adds the round key at r12, which moves on. */
.macro add_key
    ldm r12!, {r8-r11}
    eor.w r0, r0, r8
    eor.w r1, r1, r9
    eor.w r2, r2, r10
    eor.w r3, r3, r11
    ldm r12!, {r8-r11}
    eor.w r4, r4, r8
    eor.w r5, r5, r9
    eor.w r6, r6, r10
    eor.w r7, r7, r11
.endm

/*
 * MixColumns of one word after n rounds, from the highest word down. With y = the word with row r + 1 in the place of
 * row r: sum = word + y, and the new word is y + sum of rows r + 2 + the sum of the word below. That comes with the
 * word below; until then the new word is kept turned left by 8 + 2 n.
 */
.macro mix_word n, sum, above, word
    .if \n == 0
    eor.w \sum, \word, \word, ror #8
    .ifnb \above
    eor.w \above, \sum, \above, ror #8
    .endif
    eor.w \word, \word, \sum, ror #8
    .else
    .if \n == 1
    and r10, \word, #0xfcfcfcfc
    and r11, \word, #0x03030303
    .elseif \n == 2
    and r10, \word, #0xf0f0f0f0
    and r11, \word, #0x0f0f0f0f
    .else
    and r10, \word, #0xc0c0c0c0
    and r11, \word, #0x3f3f3f3f
    .endif
    orr.w r10, r10, r11, ror #24
    eor.w \sum, \word, r10, ror #8 + 2 * \n
    .ifnb \above
    eor.w \above, \sum, \above, ror #8 + 2 * \n
    .endif
    .if \n == 2
    eor.w \word, r10, \sum, ror #4
    .else
    and r11, \sum, #0xf0f0f0f0
    and \word, \sum, #0x0f0f0f0f
    orr.w r11, r11, \word, ror #24
    eor.w \word, r10, r11, ror #12 - 2 * \n
    .endif
    .endif
.endm

/* MixColumns of all words. */
.macro mix n
    mix_word \n, r8, , r7
    mix_word \n, r9, r7, r6
    mix_word \n, r9, r6, r5
    mix_word \n, r9, r5, r4
    mix_word \n, r9, r4, r3
    eor.w r4, r4, r8 /* twice bit 7 is 0x1b */
    mix_word \n, r9, r3, r2
    eor.w r3, r3, r8
    mix_word \n, r9, r2, r1
    mix_word \n, r9, r1, r0
    eor.w r1, r1, r8
    eor.w r0, r8, r0, ror #8 + 2 * \n
.endm

/* SubBytes, MixColumns after n rounds, and the next round key. */
.macro round n
    bl mote_aes_ct_sub_bytes
    mix \n
    ldr.w r12, [sp, #KEY]
    add_key
    str.w r12, [sp, #KEY]
.endm

/* Rows 1 and 3 by two columns. */
.macro turn_back words:vararg
    .irp word, \words
    eor.w r8, \word, \word, lsr #4
    and r8, r8, #0x0f000f00
    eor.w \word, \word, r8
    eor.w \word, \word, r8, lsl #4
    .endr
.endm

/* Nothing of the state stays on the stack. */
.macro wipe_waiting
    movs r0, #0
    .irp offset, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40
    str r0, [sp, #\offset]
    .endr
.endm

/* Takes the arguments: two blocks come as bits, the schedule in r12. */
.macro begin
    save_registers
    sub sp, #FRAME
    mov r12, r0
    mov.w r9, r1
    str.w r3, [sp, #OUT]
    ldr.w r1, [r2]
    ldr.w r3, [r2, #4]
    ldr.w r5, [r2, #8]
    ldr.w r7, [r2, #12]
    ldr.w r0, [r9]
    ldr.w r2, [r9, #4]
    ldr.w r4, [r9, #8]
    ldr.w r6, [r9, #12]
    transpose
.endm

.macro end
    transpose
    ldr.w r8, [sp, #OUT]
    ldr.w r9, [sp, #ARGUMENT5]
    str.w r0, [r8]
    str.w r2, [r8, #4]
    str.w r4, [r8, #8]
    str.w r6, [r8, #12]
    str.w r1, [r9]
    str.w r3, [r9, #4]
    str.w r5, [r9, #8]
    str.w r7, [r9, #12]
    wipe_waiting
    add sp, #FRAME
    return
.endm

/*
 * void mote_aes_ct_encrypt_two(const ct_schedule *s, const uint8_t *in, const uint8_t *in2, uint8_t *out, uint8_t *out2)
 */
    function mote_aes_ct_encrypt_two
    begin
    ldr r8, [r12], #4 /* rounds */
    add.w r8, r12, r8, lsl #5
    str.w r8, [sp, #LAST_KEY]
    add_key
    str.w r12, [sp, #KEY]

1:  round 1
    ldr.w r8, [sp, #LAST_KEY]
    cmp.w r12, r8
    beq.w 2f
    round 2
    round 3
    ldr.w r8, [sp, #LAST_KEY]
    cmp.w r12, r8
    beq.w 3f
    round 0
    b.w 1b

2:  bl mote_aes_ct_sub_bytes
    turn_back r0, r1, r2, r3, r4, r5, r6, r7
    b.w 4f
3:  bl mote_aes_ct_sub_bytes
4:  ldr.w r12, [sp, #KEY]
    add_key
    end
    .size mote_aes_ct_encrypt_two, . - mote_aes_ct_encrypt_two

/* uint32_t mote_aes_ct_sub_word(uint32_t word) */
    function mote_aes_ct_sub_word
    save_registers
    sub sp, #FRAME
    mov.w r8, #0x01010101
    and.w r1, r8, r0, lsr #1
    and.w r2, r8, r0, lsr #2
    and.w r3, r8, r0, lsr #3
    and.w r4, r8, r0, lsr #4
    and.w r5, r8, r0, lsr #5
    and.w r6, r8, r0, lsr #6
    and.w r7, r8, r0, lsr #7
    and.w r0, r8, r0
    bl mote_aes_ct_sub_bytes
    mov.w r8, #0x01010101
    .irp word, r0, r1, r2, r3, r4, r5, r6, r7
    and.w \word, \word, r8
    .endr
    orr.w r7, r6, r7, lsl #1
    orr.w r7, r5, r7, lsl #1
    orr.w r7, r4, r7, lsl #1
    orr.w r7, r3, r7, lsl #1
    orr.w r7, r2, r7, lsl #1
    orr.w r7, r1, r7, lsl #1
    orr.w r7, r0, r7, lsl #1
    wipe_waiting
    eor r0, r7, #0x63636363
    add sp, #FRAME
    return

/* The inverse of the affine map in the S-box, but for its constant. */
.macro affine_back
    eor.w r8, r2, r5
    eor.w r10, r4, r7
    eor.w lr, r7, r2
    eor.w r9, r3, r6
    eor.w r12, r6, r1
    eor.w r11, r8, r0
    eor.w r8, r8, r7
    eor.w r9, r9, r0
    eor.w r10, r10, r1
    eor.w r12, r12, r3
    eor.w lr, lr, r4
    eor.w r0, r0, r3
    eor.w r2, r0, r5
    eor.w r1, r1, r4
    eor.w r7, r1, r6
    mov.w r6, r2
    mov.w r0, r8
    mov.w r1, r9
    mov.w r2, r10
    mov.w r3, r11
    mov.w r4, r12
    mov.w r5, lr
.endm

/*
 * SubBytes backwards; as mote_aes_ct_sub_bytes. S = affine(1 / x), so the inverse of S is 1 / affine_back(x), and 1 / x is
 * affine_back(S(x)).
 */
    .section .text.mote_aes_ct_sub_bytes_back, "ax", %progbits
    .balign 8
    .type mote_aes_ct_sub_bytes_back, %function
    .thumb_func
mote_aes_ct_sub_bytes_back:
    str.w lr, [sp, #RETURN_BACK]
    affine_back
    mvn.w r0, r0
    mvn.w r2, r2
    bl mote_aes_ct_sub_bytes
    affine_back
    ldr.w pc, [sp, #RETURN_BACK]

/* Adds the round key before r12, which moves back. */
.macro add_key_back
    ldmdb r12!, {r8-r11}
    eor.w r4, r4, r8
    eor.w r5, r5, r9
    eor.w r6, r6, r10
    eor.w r7, r7, r11
    ldmdb r12!, {r8-r11}
    eor.w r0, r0, r8
    eor.w r1, r1, r9
    eor.w r2, r2, r10
    eor.w r3, r3, r11
.endm

/* sum = word + rows r + 2 of it. */
.macro add_opposite n, sum, word
    .if \n % 2 == 0
    eor.w \sum, \word, \word, ror #16
    .else
    and \sum, \word, #0xf0f0f0f0
    and r11, \word, #0x0f0f0f0f
    orr.w \sum, \sum, r11, ror #24
    eor.w \sum, \word, \sum, ror #20
    .endif
.endm

/* InvMixColumns is MixColumns after a product with 4 x^2 + 5: row r plus 4 (a_r + a_r+2). */
.macro mix_back n
    add_opposite \n, r8, r7
    add_opposite \n, r9, r6
    add_opposite \n, r10, r5
    eor.w r7, r7, r10
    add_opposite \n, r10, r4
    eor.w r6, r6, r10
    add_opposite \n, r10, r3
    eor.w r5, r5, r10
    eor.w r5, r5, r8
    add_opposite \n, r10, r2
    eor.w r4, r4, r10
    add_opposite \n, r10, r1
    eor.w r3, r3, r10
    eor.w r3, r3, r9
    add_opposite \n, r10, r0
    eor.w r2, r2, r10
    eor.w r2, r2, r8
    eor.w r8, r8, r9
    eor.w r4, r4, r8
    eor.w r1, r1, r8
    eor.w r0, r0, r9
    mix \n
.endm

.macro round_back n
    bl mote_aes_ct_sub_bytes_back
    ldr.w r12, [sp, #KEY]
    add_key_back
    str.w r12, [sp, #KEY]
    mix_back \n
.endm

/*
 * void mote_aes_ct_decrypt_two(const ct_schedule *s, const uint8_t *in, const uint8_t *in2, uint8_t *out, uint8_t *out2).
 * Rows move the other way: n goes down from 4.
 */
    function mote_aes_ct_decrypt_two
    begin
    ldr r8, [r12], #4 /* rounds */
    add.w r9, r12, #32
    add.w r12, r12, #32
    add.w r12, r12, r8, lsl #5
    str.w r9, [sp, #LAST_KEY]
    add_key_back
    str.w r12, [sp, #KEY]

1:  round_back 3
    ldr.w r8, [sp, #LAST_KEY]
    cmp.w r12, r8
    beq.w 2f
    round_back 2
    round_back 1
    ldr.w r8, [sp, #LAST_KEY]
    cmp.w r12, r8
    beq.w 3f
    round_back 0
    b.w 1b

2:  bl mote_aes_ct_sub_bytes_back
    turn_back r0, r1, r2, r3, r4, r5, r6, r7
    b.w 4f
3:  bl mote_aes_ct_sub_bytes_back
4:  ldr.w r12, [sp, #KEY]
    add_key_back
    end
    .size mote_aes_ct_decrypt_two, . - mote_aes_ct_decrypt_two

/*
 * void mote_aes_ct_pack_key(uint32_t key[8], const uint32_t words[4], uint32_t n, uint32_t complement): a round key as
 * bits, twice; rows as after n rounds (0 to 3). complement: for bits 0, 1, 5 and 6.
 */
    function mote_aes_ct_pack_key
    save_registers
    mov.w r12, r0
    mov.w r10, r2
    mov.w lr, r3
    ldr.w r0, [r1]
    ldr.w r2, [r1, #4]
    ldr.w r4, [r1, #8]
    ldr.w r6, [r1, #12]
    mov.w r1, r0
    mov.w r3, r2
    mov.w r5, r4
    mov.w r7, r6
    transpose
    cmp.w r10, #0
    beq.w 3f
    cmp.w r10, #2
    ite lo
    ldrlo.w r9, =0x0f0f0000
    ldrhs.w r9, =0x000f0f00
    it eq
    moveq.w r9, #0x0f000f00
    .irp word, r0, r1, r2, r3, r4, r5, r6, r7
    eor.w r8, \word, \word, lsr #4
    and.w r8, r8, r9
    eor.w \word, \word, r8
    eor.w \word, \word, r8, lsl #4
    .endr
    beq.w 3f
    .irp word, r0, r1, r2, r3, r4, r5, r6, r7
    and r8, \word, #0x3f003f00
    and r9, \word, #0xc000c000
    and \word, \word, #0x00ff00ff
    orr.w \word, \word, r8, lsl #2
    orr.w \word, \word, r9, lsr #6
    .endr
3:  .irp word, r0, r1, r5, r6
    eor.w \word, \word, lr
    .endr
    stm.w r12, {r0-r7}
    return
    .ltorg
    .size mote_aes_ct_pack_key, . - mote_aes_ct_pack_key

#endif
