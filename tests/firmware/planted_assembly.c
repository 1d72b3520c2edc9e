/*
 * Leaks in assembly, for following secrets: by ways that a compiler seldom takes. The first byte of
 * the message says which function runs, and is public; the others are secret. Each function gets
 * the secret, a table of 256 bytes and memory of eight bytes for its own use.
 */
#include "frame.h"

#define FAR __attribute__((naked, noinline)) static
#define ARGUMENTS const uint8_t *secret, const uint8_t *table, uint8_t *own

static const uint8_t TABLE[256] = {1, 2, 3, 4};
static uint32_t memory[2];

/*
 * clean: branches on bits that are not of the secret: those that a mask has cleared, and a stack's
 * place that was written again.
 * flags: the flags of a comparison go through the stack (or its result does), others come between.
 * carry: the carry of a sum into a register that held nothing secret.
 * stack: a byte goes through the stack into an index of the table.
 * copies: a byte goes through two copies in memory, with addresses that move along.
 * skips: a conditional block, or an instruction of two words that is skipped; else a branch.
 * jumps: a jump to one of two places.
 * returns: a return to one of two places, from the stack.
 */
#if defined __AVR__
FAR void clean(ARGUMENTS)
{
    __asm__ volatile("movw r30, r24\n\tld r18, Z\n\tandi r18, 0xF0\n\tsbrc r18, 0\n\trjmp 1f\n\t"
                     "sbrc r18, 3\n\tlds r19, 0x0100\n\tpush r18\n\tpop r18\n\tldi r18, 5\n\t"
                     "cpi r18, 5\n\tbrne 1f\n\tnop\n1:\tret");
}

FAR void flags(ARGUMENTS)
{
    __asm__ volatile(
        "movw r30, r24\n\tld r18, Z\n\tcpi r18, 4\n\tin r19, __SREG__\n\tpush r19\n\t"
        "ldi r20, 1\n\tcpi r20, 1\n\tpop r19\n\tout __SREG__, r19\n\tbrcs 1f\n\tnop\n\t"
        "nop\n1:\tret");
}

FAR void carry(ARGUMENTS)
{
    __asm__ volatile("movw r30, r24\n\tld r18, Z\n\tldi r19, 0\n\tadd r18, r18\n\tadc r19, r19\n\t"
                     "tst r19\n\tbreq 1f\n\tnop\n\tnop\n1:\tret");
}

FAR void stack(ARGUMENTS)
{
    __asm__ volatile("movw r30, r24\n\tld r18, Z\n\tpush r18\n\tldi r18, 7\n\tpop r19\n\t"
                     "movw r30, r22\n\tadd r30, r19\n\tadc r31, __zero_reg__\n\tld r18, Z\n\tret");
}

FAR void copies(ARGUMENTS)
{
    __asm__ volatile(
        "movw r30, r24\n\tldd r18, Z+3\n\tmovw r26, r20\n\tst X+, r18\n\tld r19, -X\n\t"
        "movw r30, r20\n\tstd Z+5, r19\n\tldd r18, Z+5\n\tmovw r30, r22\n\t"
        "add r30, r18\n\tadc r31, __zero_reg__\n\tld r18, Z\n\tret");
}

FAR void skips(ARGUMENTS)
{
    __asm__ volatile("movw r30, r24\n\tld r18, Z\n\tsbrc r18, 2\n\tlds r19, 0x0100\n\tret");
}

FAR void jumps(ARGUMENTS)
{
    __asm__ volatile("movw r30, r24\n\tld r18, Z\n\tandi r18, 1\n\tldi r30, pm_lo8(1f)\n\t"
                     "ldi r31, pm_hi8(1f)\n\tadd r30, r18\n\tadc r31, __zero_reg__\n\tijmp\n"
                     "1:\tnop\n\tret");
}

FAR void returns(ARGUMENTS)
{
    __asm__ volatile("movw r30, r24\n\tld r18, Z\n\tandi r18, 1\n\tldi r30, pm_lo8(1f)\n\t"
                     "ldi r31, pm_hi8(1f)\n\tadd r30, r18\n\tadc r31, __zero_reg__\n\tpush r30\n\t"
                     "push r31\n\t"
#ifdef __AVR_3_BYTE_PC__
                     "push __zero_reg__\n\t"
#endif
                     "ret\n1:\tnop\n\tret");
}
#elif defined __riscv
FAR void clean(ARGUMENTS)
{
    __asm__ volatile("lbu t0, 0(a0)\n\tandi t0, t0, 0xF0\n\tandi t1, t0, 9\n\tbnez t1, 1f\n\t"
                     "addi sp, sp, -16\n\tsw t0, 0(sp)\n\tli t1, 5\n\tsw t1, 0(sp)\n\t"
                     "lw t0, 0(sp)\n\taddi sp, sp, 16\n\tbne t0, t1, 1f\n\tnop\n1:\tret");
}

FAR void flags(ARGUMENTS)
{
    __asm__ volatile("lbu t0, 0(a0)\n\tsltiu t1, t0, 4\n\taddi sp, sp, -16\n\tsb t1, 3(sp)\n\t"
                     "li t1, 1\n\tlbu t1, 3(sp)\n\taddi sp, sp, 16\n\tbeqz t1, 1f\n\tnop\n1:\tret");
}

FAR void carry(ARGUMENTS)
{
    __asm__ volatile("lbu t0, 0(a0)\n\tslli t0, t0, 24\n\tadd t1, t0, t0\n\tsltu t1, t1, t0\n\t"
                     "beqz t1, 1f\n\tnop\n1:\tret");
}

FAR void stack(ARGUMENTS)
{
    __asm__ volatile("lbu t0, 0(a0)\n\taddi sp, sp, -16\n\tsw t0, 4(sp)\n\tli t0, 7\n\t"
                     "lw t1, 4(sp)\n\taddi sp, sp, 16\n\tadd t1, t1, a1\n\tlbu t0, 0(t1)\n\tret");
}

FAR void copies(ARGUMENTS)
{
    __asm__ volatile("lbu t0, 3(a0)\n\tsh t0, 0(a2)\n\tlbu t1, 0(a2)\n\tsb t1, 5(a2)\n\t"
                     "lw t0, 4(a2)\n\tsrli t0, t0, 8\n\tandi t0, t0, 255\n\tadd t0, t0, a1\n\t"
                     "lbu t0, 0(t0)\n\tret");
}

FAR void skips(ARGUMENTS)
{
    __asm__ volatile("lbu t0, 0(a0)\n\tandi t0, t0, 4\n\tbeqz t0, 1f\n\tlbu t1, 0(a2)\n1:\tret");
}

FAR void jumps(ARGUMENTS)
{
    __asm__ volatile(".option push\n\t.option norvc\n\tlbu t0, 0(a0)\n\tandi t0, t0, 1\n\t"
                     "slli t0, t0, 2\n\tla t1, 1f\n\tadd t1, t1, t0\n\tjr t1\n1:\tnop\n\tret\n\t"
                     ".option pop");
}

FAR void returns(ARGUMENTS)
{
    __asm__ volatile(".option push\n\t.option norvc\n\taddi sp, sp, -16\n\tsw ra, 0(sp)\n\t"
                     "lbu t0, 0(a0)\n\tandi t0, t0, 1\n\tslli t0, t0, 2\n\tla t1, 1f\n\t"
                     "add t1, t1, t0\n\tsw t1, 4(sp)\n\tlw ra, 4(sp)\n\tret\n1:\tnop\n\t"
                     "lw ra, 0(sp)\n\taddi sp, sp, 16\n\tret\n\t.option pop");
}
#else
FAR void clean(ARGUMENTS)
{
    __asm__ volatile(".syntax unified\n\tldrb r1, [r0]\n\tmovs r2, #0xF0\n\tands r1, r2\n\t"
                     "movs r2, #9\n\ttst r1, r2\n\tbne 1f\n\tpush {r1}\n\tmovs r1, #5\n\t"
                     "str r1, [sp]\n\tpop {r1}\n\tcmp r1, #5\n\tbne 1f\n\tnop\n1:\tbx lr");
}

FAR void flags(ARGUMENTS)
{
    __asm__ volatile(".syntax unified\n\tldrb r1, [r0]\n\tcmp r1, #4\n\tmrs r2, apsr\n\t"
                     "push {r2}\n\tmovs r3, #0\n\tcmp r3, #1\n\tpop {r2}\n\tmsr apsr_nzcvq, r2\n\t"
                     "bcs 1f\n\tnop\n1:\tbx lr");
}

FAR void carry(ARGUMENTS)
{
    __asm__ volatile(".syntax unified\n\tldrb r1, [r0]\n\tlsls r1, r1, #24\n\tmovs r2, #0\n\t"
                     "adds r1, r1, r1\n\tadcs r2, r2\n\tcmp r2, #0\n\tbeq 1f\n\tnop\n1:\tbx lr");
}

FAR void stack(ARGUMENTS)
{
    __asm__ volatile(".syntax unified\n\tldrb r3, [r0]\n\tmovs r2, #7\n\tpush {r2, r3}\n\t"
                     "movs r3, #0\n\tpop {r0, r2}\n\tldrb r1, [r1, r2]\n\tbx lr");
}

FAR void copies(ARGUMENTS)
{
    __asm__ volatile(".syntax unified\n\tldrb r3, [r0, #3]\n\tstr r3, [r2]\n\tldmia r2!, {r3}\n\t"
                     "stmia r2!, {r3}\n\tsubs r2, #4\n\tldrb r3, [r2]\n\tldrb r1, [r1, r3]\n\t"
                     "bx lr");
}

FAR void skips(ARGUMENTS)
{
    __asm__ volatile(".syntax unified\n\tldrb r3, [r0]\n\tmovs r1, #4\n\ttst r3, r1\n\t"
#if __ARM_ARCH >= 7
                     "itt ne\n\tldrne r1, [r2]\n\tldrne r3, [r2, #4]\n\tbx lr");
#else
                     "beq 1f\n\tldr r1, [r2]\n1:\tbx lr");
#endif
}

FAR void jumps(ARGUMENTS)
{
    __asm__ volatile(".syntax unified\n\tldrb r3, [r0]\n\tmovs r2, #1\n\tands r3, r2\n\t"
                     "lsls r3, r3, #1\n\tadr r2, 1f\n\tadds r2, r2, r3\n\tadds r2, #1\n\tbx r2\n\t"
                     ".balign 4\n1:\tnop\n\tbx lr");
}

FAR void returns(ARGUMENTS)
{
    __asm__ volatile(".syntax unified\n\tpush {lr}\n\tldrb r3, [r0]\n\tmovs r2, #1\n\t"
                     "ands r3, r2\n\tlsls r3, r3, #1\n\tadr r2, 1f\n\tadds r2, r2, r3\n\t"
                     "adds r2, #1\n\tpush {r2}\n\tpop {pc}\n\t.balign 4\n1:\tnop\n\tpop {pc}");
}
#endif

static void (*const PLANTED[])(ARGUMENTS) = {
    clean, flags, carry, stack, copies, skips, jumps, returns};

static const mb_scheme SCHEMES[] = {
    {.name = "planted", .operations = MB_CAN(MB_DIGEST), .tag_min = 1, .tag_max = 1, .block = 1}};

static mb_status run(mb_job *job, uint32_t n)
{
    if (job->in_len != 9 || job->in[0] >= sizeof PLANTED / sizeof PLANTED[0])
        return MB_REJECTED;
    for (; n > 0; n--)
        PLANTED[job->in[0]](job->in + 1, TABLE, (uint8_t *)memory);
    job->out[0] = 0;
    job->out_len = 1;
    return MB_OK;
}

FRAME("planted", SCHEMES, .ctx_size = 16);
