/*
 * The same random programs here and in qemu-system-arm (BBC micro:bit, a Cortex-M0): registers and flags after each
 * trial, and memory, must agree.
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

static bool in_qemu(const char *path)
{
    char command[512];
    snprintf(command, sizeof command,
             "timeout 60 qemu-system-arm -M microbit -nographic -monitor none -serial none "
             "-semihosting-config enable=on,target=native -kernel %s", path);
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

/* BKPT stops the core here; what QEMU answers is put in its place. */
static bool run_here(void)
{
    cm_board *board = machine_new("samd21g18a");
    cm_core *core = &board->core;
    memset(core->flash, 0, core->flash_size);
    memcpy(core->flash, image, sizeof image);
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
        fprintf(stderr, "at 0x%x: %s (0x%x)\n", (unsigned)core->r[CM_PC], core->fault, (unsigned)core->fault_address);
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
    for (unsigned long i = 0; i < programs; i++) {
        generate(image, (uint32_t)(seed + i));
        CHECK(write_image(path));
        CHECK(run_here());
        CHECK(in_qemu(path));
        memcpy(here + RAM_LENGTH - 16, there + RAM_LENGTH - 16, 4); /* the handle of standard output */
        size_t differs = 0;
        while (differs < RAM_LENGTH && here[differs] == there[differs])
            differs++;
        if (!CHECK(differs == RAM_LENGTH)) {
            fprintf(stderr, "program %lu: RAM at 0x%zx\n", seed + i, differs);
            break;
        }
    }
    unlink(path);
    return check_end();
}
