/*
 * Arithmetic of ML-DSA on an AVR, where products are of bytes: x w 2^-24 modulo q (Montgomery), a byte of x at a time.
 *
 * q is 0x7fe001. So what is left of a sum after its low byte b was brought to 0 by - b q is (sum >> 8) - 0x7fe0 b. With x < 2^24
 * and w < q, both not negative, sums stay below 2^31, and what is left is between -2^23 and q.
 */
#include "mote/assembly.h"

#if MOTE_ASSEMBLY_AVR

#define W0 r2 /* one factor: 0 to q - 1 */
#define W1 r3
#define W2 r4
#define E0 r5 /* 0xe0 */
#define X7F r6
#define ZERO r7
#define A2 r8 /* with r26 and r27 the lower half of a butterfly */
#define A3 r9
#define END r10 /* of the array */
#define END_HIGH r11
#define LENGTH r12 /* bytes between both halves */
#define LENGTH_HIGH r13
#define STOP r14
#define STOP_HIGH r15
#define TURN r16 /* 32 */
#define X0 r17 /* the other factor: 0 to 2^24 - 1 */
#define X1 r18
#define X2 r19
#define X3 r20
#define R0 r23 /* the product */
#define R1 r24
#define R2 r25
#define R3 r20

.macro begin
    .irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    push r\n
    .endr
    clr ZERO
    ldi TURN, 0xe0
    mov E0, TURN
    ldi TURN, 0x7f
    mov X7F, TURN
    ldi TURN, 32
.endm

.macro finish
    .irp n, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop r\n
    .endr
    clr r1
    ret
.endm

/* X3..X0, signed and below 2^30: to 0 .. 2^24 - 1, congruent. t = x >> 23; x - t 2^23 + t 2^13 - t, and + q for t < 0. R2 is lost. */
.macro reduce
    mov R2, X2
    lsl R2
    rol X3
    and X2, X7F
    muls X3, TURN
    add X1, r0
    adc X2, r1
    tst X3
    brmi 8f
    sub X0, X3
    sbc X1, ZERO
    sbc X2, ZERO
    rjmp 9f
8:  neg X3
    add X0, X3
    adc X1, ZERO
    adc X2, ZERO
    subi X0, lo8(-8380417)
    sbci X1, hi8(-8380417)
    sbci X2, hlo8(-8380417)
9:
.endm

/* d c b a + digit times W */
.macro add_digit digit, a, b, c, d
    clr \d
    sbrc \c, 7
    com \d
    mul \digit, W0
    add \a, r0
    adc \b, r1
    adc \c, ZERO
    adc \d, ZERO
    mul \digit, W2
    add \c, r0
    adc \d, r1
    mul \digit, W1
    add \b, r0
    adc \c, r1
    adc \d, ZERO
.endm

/* d c b without a */
.macro drop a, b, c, d
    mul \a, E0
    sub \b, r0
    sbc \c, r1
    sbc \d, ZERO
    mul \a, X7F
    sub \c, r0
    sbc \d, r1
.endm

/* R3..R0 = X2..X0 times W2..W0. r20 to r25 are lost. */
.macro multiply
    mul X0, W0
    movw r20, r0
    mul X0, W2
    movw r22, r0
    mul X0, W1
    add r21, r0
    adc r22, r1
    adc r23, ZERO
    drop r20, r21, r22, r23
    add_digit X1, r21, r22, r23, r24
    drop r21, r22, r23, r24
    add_digit X2, r22, r23, r24, r25
    drop r22, r23, r24, r25
    clr R3
    sbrc R2, 7
    com R3
.endm

.macro load pointer
    ld X0, \pointer
    ldd X1, \pointer+1
    ldd X2, \pointer+2
    ldd X3, \pointer+3
.endm

.macro store pointer, a, b, c, d
    st \pointer+, \a
    st \pointer+, \b
    st \pointer+, \c
    st \pointer+, \d
.endm

.macro zetas first:req, more:vararg
    .byte (\first) & 255, (\first) >> 8 & 255, (\first) >> 16
    .ifnb \more
    zetas \more
    .endif
.endm

/* ring.c's, times 2^24, 0 to q - 1. */
    .section .progmem.data.mote_ml_dsa_zetas_avr, "a", @progbits
table:
    zetas 16382, 294725, 8304754, 8280182, 6155295, 7591714, 7067554, 7203743
    zetas 6979903, 6981962, 2715685, 4214773, 4562491, 8074524, 6002843, 7114182
    zetas 5510295, 4717985, 3007494, 3942328, 3664286, 3138283, 4986106, 4345652
    zetas 1366638, 803323, 289157, 3391741, 6652273, 7267317, 8363347, 1932518
    zetas 5019179, 7333239, 1681557, 1945215, 8275718, 6926001, 1430472, 2666911
    zetas 4011446, 4309263, 3483979, 6241375, 13828, 5858571, 3282775, 5333862
    zetas 6376883, 1368491, 7412031, 5451984, 6331749, 7619127, 5362453, 3811828
    zetas 2883940, 3341148, 4521296, 5678489, 6693382, 6799101, 5638686, 6896368
    zetas 868519, 4151501, 1589698, 7550137, 5330295, 602826, 1874454, 2252592
    zetas 4545392, 4656088, 4632561, 323453, 4177747, 2672019, 1033361, 1768240
    zetas 471633, 4022687, 6555591, 3185999, 3032856, 5910789, 4810587, 8076117
    zetas 4122115, 7753634, 6448903, 289514, 1144268, 1445654, 5146790, 5166701
    zetas 739868, 524811, 7629477, 3940422, 173, 2156279, 6157902, 5449640
    zetas 1753196, 4255647, 6029882, 2082410, 4854262, 1079464, 3112889, 8113385
    zetas 4845669, 8104649, 2041975, 320128, 3558813, 1046859, 8221876, 3606200
    zetas 7174207, 1041361, 6151194, 8309321, 3065391, 3258440, 5518209, 1291704
    zetas 3576395, 5447488, 1449433, 276802, 4635456, 172446, 3165836, 7253477
    zetas 361139, 3970566, 518949, 5349692, 3128905, 116259, 5560444, 1100550
    zetas 5306751, 7536543, 854689, 5437376, 4093936, 3856547, 8249304, 128903
    zetas 7297569, 315163, 4067201, 4006320, 4274522, 1372861, 3597958, 2015586
    zetas 7563354, 7988706, 6243054, 7512593, 831827, 6435937, 1872733, 7202714
    zetas 894975, 3382322, 6471611, 4686190, 7479650, 4064138, 5738513, 6095131
    zetas 7580038, 2165461, 3643993, 3652572, 3883889, 6325350, 5932652, 2942135
    zetas 2155369, 7501378, 6337823, 6836238, 914846, 1871079, 4104915, 4771790
    zetas 5658330, 3379297, 4442150, 2711718, 8222597, 821436, 794398, 1617369
    zetas 6676026, 7976523, 255360, 5525170, 7486450, 7776621, 1311761, 7350847
    zetas 5491783, 3839614, 2399316, 3698525, 3412190, 3417705, 2259509, 2908788
    zetas 2148141, 7464445, 8124843, 4693022, 2982141, 3345528, 4994178, 6376493
    zetas 6404386, 6528230, 7708066, 2096158, 303269, 389020, 825110, 7923957
    zetas 6119966, 1578061, 2677309, 4983335, 3398031, 6706567, 1242950, 1196256
    zetas 5095336, 2642882, 1144116, 8076862, 3568941, 8212921, 7011805, 2834182
    zetas 5759371, 6955344, 5826820, 1074967, 1783126, 4981343, 2419159, 1644522

    .section .text.mote_ml_dsa_ntt, "ax", @progbits
    .global mote_ml_dsa_ntt
    .type mote_ml_dsa_ntt, @function
mote_ml_dsa_ntt:
    begin
    movw r30, r24
    movw END, r24
    ldi r25, 4
    add END_HIGH, r25
    clr LENGTH
    ldi r25, 2
    mov LENGTH_HIGH, r25
    ldi r26, lo8(table + 3)
    ldi r27, hi8(table + 3)
1:  movw r28, r30 /* a block */
    movw r30, r26
    lpm W0, Z+
    lpm W1, Z+
    lpm W2, Z+
    push r30
    push r31
    movw r30, r28
    add r30, LENGTH
    adc r31, LENGTH_HIGH
    movw STOP, r30
2:  load Z
    reduce
    multiply
    ld r26, Y
    ldd r27, Y+1
    ldd A2, Y+2
    ldd A3, Y+3
    movw X1, r26
    movw r0, A2
    sub X1, R0
    sbc X2, R1
    sbc r0, R2
    sbc r1, R3
    store Z, X1, X2, r0, r1
    add r26, R0
    adc r27, R1
    adc A2, R2
    adc A3, R3
    store Y, r26, r27, A2, A3
    cp r28, STOP
    cpc r29, STOP_HIGH
    breq 3f
    rjmp 2b
3:  pop r27
    pop r26
    cp r30, END
    cpc r31, END_HIGH
    breq 4f
    rjmp 1b
4:  subi r31, 4
    lsr LENGTH_HIGH
    ror LENGTH
    mov r25, LENGTH
    cpi r25, 2
    breq 5f
    rjmp 1b
5:  finish
    .size mote_ml_dsa_ntt, . - mote_ml_dsa_ntt

    .section .text.mote_ml_dsa_ntt_inverse, "ax", @progbits
    .global mote_ml_dsa_ntt_inverse
    .type mote_ml_dsa_ntt_inverse, @function
mote_ml_dsa_ntt_inverse:
    begin
    movw r30, r24
    movw END, r24
    ldi r25, 4
    add END_HIGH, r25
    clr LENGTH_HIGH
    mov LENGTH, r25
    ldi r26, lo8(table + 3 * 256)
    ldi r27, hi8(table + 3 * 256)
1:  movw r28, r30 /* a block */
    sbiw r26, 3
    movw r30, r26
    lpm W0, Z+
    lpm W1, Z+
    lpm W2, Z
    push r26
    push r27
    movw r30, r28
    add r30, LENGTH
    adc r31, LENGTH_HIGH
    movw STOP, r30
2:  load Z
    ld r26, Y
    ldd r27, Y+1
    ldd A2, Y+2
    ldd A3, Y+3
    movw r22, r26
    movw r24, A2
    add r22, X0
    adc r23, X1
    adc r24, X2
    adc r25, X3
    store Y, r22, r23, r24, r25
    sub X0, r26
    sbc X1, r27
    sbc X2, A2
    sbc X3, A3
    reduce
    multiply
    store Z, R0, R1, R2, R3
    cp r28, STOP
    cpc r29, STOP_HIGH
    breq 3f
    rjmp 2b
3:  pop r27
    pop r26
    cp r30, END
    cpc r31, END_HIGH
    breq 4f
    rjmp 1b
4:  subi r31, 4
    lsl LENGTH
    rol LENGTH_HIGH
    mov r25, LENGTH
    cpi r25, 64 /* sums have doubled four times */
    breq 5f
    sbrs LENGTH_HIGH, 2
    rjmp 1b
    ldi r25, lo8(917376) /* 2^40 modulo q: 1/256, what the sums lack, and what this product loses */
    mov W0, r25
    ldi r25, hi8(917376)
    mov W1, r25
    ldi r25, hlo8(917376)
    mov W2, r25
    rjmp 6f
5:  /* all by 1: 2^24 modulo q */
    ldi r25, lo8(16382)
    mov W0, r25
    ldi r25, hi8(16382)
    mov W1, r25
    ldi r25, hlo8(16382)
    mov W2, r25
6:  load Z
    reduce
    multiply
    store Z, R0, R1, R2, R3
    cp r30, END
    cpc r31, END_HIGH
    breq 7f
    rjmp 6b
7:  subi r31, 4
    sbrc LENGTH_HIGH, 2
    rjmp 4f
    rjmp 1b
4:  finish
    .size mote_ml_dsa_ntt_inverse, . - mote_ml_dsa_ntt_inverse

    .section .text.mote_ml_dsa_accumulate, "ax", @progbits
    .global mote_ml_dsa_accumulate
    .type mote_ml_dsa_accumulate, @function
mote_ml_dsa_accumulate:
    begin
    movw r26, r20 /* in */
    lsl r18
    rol r19
    lsl r18
    rol r19
    movw r28, r24 /* sum */
    movw r30, r22 /* y */
    movw STOP, r22
    ldi r25, 4
    add STOP_HIGH, r25
    add r28, r18
    adc r29, r19
    add r30, r18
    adc r31, r19
    ldi r25, 8
    mov END, r25
    ldi r25, 1
    mov A2, r25
1:  ld W0, X+
    ld W1, X+
    ld W2, X+
    and W2, X7F
    cp W0, A2
    cpc W1, E0
    cpc W2, X7F
    brlo 2f
    rjmp 3f
2:  load Z
    adiw r30, 4
    reduce
    multiply
    ld X0, Y
    ldd X1, Y+1
    ldd X2, Y+2
    ldd r21, Y+3
    add X0, R0
    adc X1, R1
    adc X2, R2
    adc r21, R3
    store Y, X0, X1, X2, r21
    cp r30, STOP
    cpc r31, STOP_HIGH
    breq 4f
3:  dec END
    breq 4f
    rjmp 1b
4:  movw r24, r30
    sub r24, STOP
    sbc r25, STOP_HIGH
    asr r25
    ror r24
    asr r25
    ror r24
    subi r25, -1
    finish
    .size mote_ml_dsa_accumulate, . - mote_ml_dsa_accumulate

#endif
