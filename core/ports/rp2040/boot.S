/*
 * The second stage: the first 256 bytes of flash, which the boot ROM of an RP2040 copies to the end of SRAM and starts, if
 * their CRC is right (data sheet 2.8.1). It sets up the serial line to the flash chip, copies the program to RAM if it
 * belongs there, and starts it.
 *
 * The flash chip is read with Fast Read Quad I/O (0xEB) in continuous read mode, at half the clock of the core: 8 clocks of
 * the line for address and mode, 4 to wait, 8 for each word. Winbond W25Q chips, which the Raspberry Pi Pico has, and many
 * others do this. Registers of the serial line: data sheet 4.10.13. Registers of the chip: W25Q16JV data sheet, 7 and 8.
 *
 * Behind these 256 bytes the linker script puts three addresses: where in RAM the image begins and ends (equal: it stays in
 * flash), and its table of vectors. The image follows.
 *
 * The last word is the CRC of the 252 bytes before it: test_rp2040_board.py works it out.
 */
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .equ PADS, 0x40020000 /* QSPI pads: clock, data 0 to 3 */
    .equ PAD_CLOCK, 0x04
    .equ PAD_DATA, 0x08
    .equ SSI, 0x18
    .equ CTRLR0, 0x00
    .equ CTRLR1, 0x04
    .equ SSIENR, 0x08
    .equ BAUDR, 0x14
    .equ SR, 0x28
    .equ DR0, 0x60
    .equ RX_SAMPLE_DLY, 0xf0
    .equ SPI_CTRLR0, 0xf4
    .equ HEADER, 0x10000100
    .equ SCB_VTOR, 0xe000ed08

    .section .boot, "ax"
    .global mb_boot
    .type mb_boot, %function
    .thumb_func
mb_boot:
    movs r7, #SSI
    lsls r7, r7, #24
    movs r6, #0
    movs r5, #1

    /* Pads: the clock with 8 mA and without slew limit, data without Schmitt trigger, which would delay them. */
    ldr r0, =PADS
    movs r1, #0x21
    str r1, [r0, #PAD_CLOCK]
    ldr r1, [r0, #PAD_DATA]
    movs r2, #2
    bics r1, r2
    str r1, [r0, #PAD_DATA]
    str r1, [r0, #PAD_DATA + 4]
    str r1, [r0, #PAD_DATA + 8]
    str r1, [r0, #PAD_DATA + 12]

    /* Half the clock of the core, sampled a cycle later: data come on the other edge of so fast a clock. */
    str r6, [r7, #SSIENR]
    str r2, [r7, #BAUDR]
    movs r0, #RX_SAMPLE_DLY
    str r5, [r7, r0]

    /* Bytes in both directions, to look whether the chip's four data lines are on (status register 2, bit 1). */
    movs r0, #7
    lsls r0, r0, #16
    str r0, [r7, #CTRLR0]
    str r5, [r7, #SSIENR]
    movs r0, #0x35
    bl status
    tst r0, r2
    bne continuous

    /* They are not: write enable, then both status registers. */
    movs r0, #0x06
    str r0, [r7, #DR0]
    bl sent
    ldr r0, [r7, #DR0]
    str r5, [r7, #DR0]
    str r6, [r7, #DR0]
    str r2, [r7, #DR0]
    bl sent
    ldr r0, [r7, #DR0]
    ldr r0, [r7, #DR0]
    ldr r0, [r7, #DR0]
busy:
    movs r0, #0x05
    bl status
    tst r0, r5
    bne busy

    /* One read with its command and the mode bits 0xA0: the next ones need no command. */
continuous:
    str r6, [r7, #SSIENR]
    ldr r0, =2 << 21 | 31 << 16 | 3 << 8 /* four lines, 32 bits, read */
    str r0, [r7, #CTRLR0]
    str r6, [r7, #CTRLR1]
    ldr r0, =4 << 11 | 2 << 8 | 8 << 2 | 1 /* wait 4; 8 bits of command on one line, 32 of address and mode on four */
    movs r4, #SPI_CTRLR0
    str r0, [r7, r4]
    str r5, [r7, #SSIENR]
    movs r0, #0xeb
    str r0, [r7, #DR0]
    movs r0, #0xa0
    str r0, [r7, #DR0]
    bl sent

    /* From now on each read that misses the cache sends address and mode bits only. */
    str r6, [r7, #SSIENR]
    ldr r0, =0xa0 << 24 | 4 << 11 | 8 << 2 | 2
    str r0, [r7, r4]
    str r5, [r7, #SSIENR]

    ldr r0, =HEADER
    ldmia r0!, {r1, r2, r3}
    b last
copy:
    ldmia r0!, {r4}
    stmia r1!, {r4}
last:
    cmp r1, r2
    bne copy

    ldr r0, =SCB_VTOR
    str r3, [r0]
    ldmia r3!, {r0, r1}
    msr msp, r0
    bx r1

/* Sends the command in r0 and a byte for its answer, which is then in r0. */
    .thumb_func
status:
    mov r3, lr
    str r0, [r7, #DR0]
    str r0, [r7, #DR0]
    bl sent
    ldr r0, [r7, #DR0]
    ldr r0, [r7, #DR0]
    bx r3

/* Waits until all is sent. Changes r0 and r1. */
    .thumb_func
sent:
    ldr r0, [r7, #SR]
    movs r1, #4 /* nothing waits to be sent */
    tst r0, r1
    beq sent
    tst r0, r5 /* and nothing is being sent */
    bne sent
    bx lr

    .pool
    .org 252
    .word 0xbc1343f0
    .size mb_boot, . - mb_boot
