/*
 * The same random programs here and in qemu-system-arm (BBC micro:bit, a Cortex-M0; MPS2 boards
 * with a Cortex-M3 and a Cortex-M4): registers and flags after each trial, and memory, must agree.
 * A Cortex-M33 executes programs of the Cortex-M4.
 *
 *   test-cortexm-qemu [programs] [seed]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "generate.h"
#include "machine.h"

enum { PROGRAMS = 12, SKIPPED = 77, OPENED = 7 };

static uint8_t image[IMAGE_LENGTH], here[RAM_LENGTH], there[RAM_LENGTH + 1];

/* A machine of QEMU, the part that is like it, and what it has beyond ARMv6-M. */
static const struct pair {
    const char *machine, *part;
    void (*more)(program *);
} pairs[] = {
    {"microbit", "samd21g18a", NULL},
    {"mps2-an385", "cortex-m3-nows", of_armv7m},
    {"mps2-an386", "cortex-m4-nows", of_armv7em},
    {"mps2-an386", "cortex-m33-nows", of_armv8m},
};
enum { PAIRS = sizeof pairs / sizeof pairs[0] };

static bool in_qemu(const char *machine, const char *path)
{
    char command[512];
    snprintf(command, sizeof command,
             "timeout 60 qemu-system-arm -M %s -nographic -monitor none -serial none "
             "-semihosting-config enable=on,target=native -kernel %s",
             machine, path);
    FILE *output = popen(command, "r");
    if (output == NULL)
        return false;
    const size_t got = fread(there, 1, sizeof there, output);
    return pclose(output) == 0 && got == RAM_LENGTH;
}

static bool write_image(const char *path)
{
    FILE *file = fopen(path, "wb");
    const bool written = file != NULL && fwrite(image, 1, sizeof image, file) == sizeof image;
    return (file == NULL || fclose(file) == 0) && written;
}

/* BKPT stops the core here; what QEMU answers is put in its place. Far RAM must change nothing but
 * cycles. */
static bool run_here(const char *part, bool far)
{
    cm_board *board = machine_new(part);
    cm_core *core = &board->core;
    memset(core->flash, 0, core->flash_size);
    memcpy(core->flash, image, sizeof image);
    core->bit_band = core->bit_band || core->armv8m; /* its programs use it */
    if (far)
        board->v7m.ram_near = RAM_LENGTH / 2;
    bool written = false;
    if (cm_board_reset(board)) {
        while (!written && cm_core_run(core, core->cycles + 100000000) == CM_UNDEFINED &&
               core->flash[core->r[CM_PC]] == 0xab) {
            written = core->r[0] == 5;
            core->r[0] = OPENED;
            core->r[CM_PC] += 2;
        }
    }
    if (!written)
        fprintf(stderr, "at 0x%x: %s (0x%x)\n", (unsigned)core->r[CM_PC], core->fault,
                (unsigned)core->fault_address);
    memcpy(here, core->ram, sizeof here);
    cm_board_free(board);
    return written;
}

int main(int argc, char **argv)
{
    const unsigned long programs = argc > 1 ? strtoul(argv[1], NULL, 10) : PROGRAMS;
    const unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    if (system("qemu-system-arm -M microbit -version > /dev/null 2>&1") != 0) {
        puts("qemu-system-arm is not installed");
        return SKIPPED;
    }
    char path[] = "/tmp/motebench-cortexm-XXXXXX";
    const int file = mkstemp(path);
    if (file < 0 || close(file) != 0)
        return EXIT_FAILURE;
    check_begin();
    for (unsigned long i = 0; i < PAIRS * programs; i++) {
        const struct pair *pair = &pairs[i % PAIRS];
        generate(image, (uint32_t)(seed + i / PAIRS), pair->more);
        CHECK(write_image(path));
        CHECK(run_here(pair->part, i / PAIRS % 2 != 0));
        CHECK(in_qemu(pair->machine, path));
        /* the handle of standard output */
        memcpy(here + RAM_LENGTH - 16, there + RAM_LENGTH - 16, 4);
        size_t differs = 0;
        while (differs < RAM_LENGTH && here[differs] == there[differs])
            differs++;
        if (!CHECK(differs == RAM_LENGTH)) {
            fprintf(stderr, "%s, program %lu: RAM at 0x%zx: 0x%02x, QEMU 0x%02x\n", pair->part,
                    seed + i / PAIRS, differs, here[differs], there[differs]);
            break;
        }
    }
    unlink(path);
    return check_end();
}
