"""Small C programs of a cipher's files on every core: the host, an AVR, and Cortex-M and RISC-V in
QEMU.

They print lines for a comparison with Python's integers.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from motebench.base.paths import data_root
from motebench.catalog.devices import devices
from motebench.targets.firmware.sources import core_dir

START = """
#include <stdio.h>
#include <string.h>

static uint32_t state = 1;

static uint32_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/* Half of the words are all zeros, all ones, or near them. */
static void number(uint32_t words[8])
{
    static const uint32_t special[] = {0, 0xffffffff, 1, 0x7fffffff, 0x80000000, 0xffffffed,
        0xffffffda, 0xffff0000};
    for (int i = 0; i < 8; i++) {
        const uint32_t word = draw();
        words[i] = (word & 1) != 0 ? special[word >> 1 & 7] : draw();
    }
}

static void print(const uint32_t words[8])
{
    for (int i = 8; i-- > 0;)
        printf("%08lx", (unsigned long)words[i]);
    printf(" ");
}

static uint8_t sums[24][32];

/* A sum of the function `at` becomes three times itself, and 32 bytes more, modulo 2^256. */
static void take(uint8_t at, const void *number)
{
    const uint8_t *bytes = number;
    uint16_t carry = 0;
    for (uint8_t i = 0; i < 32; i++) {
        carry += 3 * sums[at][i] + bytes[i];
        sums[at][i] = (uint8_t)carry;
        carry >>= 8;
    }
}

static void take_word(uint8_t at, uint32_t word)
{
    const uint32_t words[8] = {word};
    take(at, words);
}

static void print_sums(uint8_t count)
{
    for (uint8_t at = 0; at < count; at++) {
        for (uint8_t i = 32; i-- > 0;)
            printf("%02x", sums[at][i]);
        printf(" ");
    }
    printf("\\n");
}
"""
"""The begin of a program: biased numbers of eight words, their print, and sums of results."""


class BiasedNumbers:
    """The numbers that `number` of a program draws, in the same order."""

    _SPECIAL = (0, 0xFFFFFFFF, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFED, 0xFFFFFFDA, 0xFFFF0000)

    def __init__(self) -> None:
        self._state = 1

    def word(self) -> int:
        state = self._state
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        self._state = state
        return state

    def number(self) -> int:
        total = 0
        for at in range(0, 256, 32):
            choice = self.word()
            word = self._SPECIAL[choice >> 1 & 7] if choice & 1 else self.word()
            total |= word << at
        return total


HOSTED = "#define begin() (void)0\n#define end() (void)0\n"
UART = """
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

static int put(char c, FILE *to)
{
    (void)to;
    while ((UCSR0A & _BV(UDRE0)) == 0)
        ;
    UDR0 = (uint8_t)c;
    return 0;
}

static void begin(void)
{
    UBRR0 = 1;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
    (void)fdevopen(put, NULL);
}

/* The simulator ends a program that waits for input when there is none. */
static void end(void)
{
    sei();
    for (;;)
        sleep_mode();
}
"""
RISCV = """
int main(void);
extern char __bss_start[], __bss_size[];

/* QEMU loads the rest of a page of the file behind the data. The end is Linux's `exit`. */
__attribute__((used)) static void start(void)
{
    memset(__bss_start, 0, (size_t)__bss_size);
    register long a0 __asm__("a0") = main(), a7 __asm__("a7") = 93;
    __asm__ volatile("ecall" : : "r"(a0), "r"(a7));
}

__attribute__((naked, section(".text.start"))) void _start(void)
{
    __asm__(".option push\\n .option norelax\\n la gp, __global_pointer$\\n .option pop\\n"
            "j start");
}

/* Linux's `write`. */
static int put(char c, FILE *to)
{
    (void)to;
    register long a0 __asm__("a0") = 1;
    register const char *a1 __asm__("a1") = &c;
    register long a2 __asm__("a2") = 1, a7 __asm__("a7") = 64;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return 0;
}

static FILE output = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdout = &output;
#define begin() (void)0
#define end() (void)0
"""
"""A start without a C library's, and `printf` of picolibc."""
VECTORS = """
extern void _start(void);
__attribute__((section(".vectors"))) void *const vectors[] = {(void *)0x20300000, (void *)_start};
"""
MACHINES = {"cortex-m0": "mps2-an385", "cortex-m3": "mps2-an385", "cortex-m4": "mps2-an386"}
"""Machines of QEMU by the core that a program is built for: a Cortex-M3 runs ARMv6-M as well."""
SIMULATOR = data_root() / "build" / "simulators" / "motebench-sim-avr"


def run(*command: str | Path) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=3600, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr  # QEMU prints what the program prints to the latter


def assembly(core: str, code: Path) -> list[Path]:
    """The files in assembly of a folder that belong to the core."""
    if core == "host":
        return []
    name = {"avr": "avr", "cortex-m0": "armv6m", "riscv": "riscv32"}.get(core, "armv7m")
    return sorted(code.glob(f"*_{name}.S"))


def built(
    folder: Path,
    core: str,
    program: str,
    code: Path,
    files: Sequence[str],
    cases: int,
    *,
    definitions: Sequence[str] = (),
) -> list[str | Path]:
    """The command that runs a program on a core, with these C files of the cipher's folder `code`
    and its assembly. The program begins with `START` and has `CASES` and `definitions`.
    """
    (folder / "program.c").write_text('#include "main.h"\n' + program)
    platform = {"avr": UART, "riscv": RISCV}.get(core, HOSTED)
    (folder / "main.h").write_text("#include <stdint.h>\n" + START + platform)
    (folder / "vectors.c").write_text(VECTORS)
    flags: list[str | Path] = ["-O2", "-std=gnu11", f"-DCASES={cases}", *definitions]
    flags += [f"-I{path}" for path in (core_dir() / "include", code, folder)]
    flags += [folder / "program.c", *(code / name for name in files), *assembly(core, code)]
    target = folder / "program.elf"
    if core == "host":
        run("cc", *flags, "-fsanitize=undefined", "-o", target)
        return [target]
    if core == "avr":
        if shutil.which("avr-gcc") is None or not SIMULATOR.exists():
            pytest.skip("avr-gcc or the simulator of AVR not installed: tools/setup.sh")
        run("avr-gcc", "-mmcu=atmega2560", *flags, "-o", target)
        return [SIMULATOR, "--mcu", "atmega2560", "--clock", "16000000", target]
    if core == "riscv":
        if shutil.which("riscv64-unknown-elf-gcc") is None or shutil.which("qemu-riscv32") is None:
            pytest.skip("riscv64-unknown-elf-gcc or qemu-riscv32 not installed: tools/setup.sh")
        # The libraries of this GCC are chosen by base instructions; assembly needs the others.
        compiler = ("riscv64-unknown-elf-gcc", "-mabi=ilp32", "--specs=picolibc.specs")
        core_flag = f"-march={devices()['rp2350-hazard3'].core}"
        program_object = folder / "program.o"
        whole = ("-nostdlib", "-r", "-T/dev/null", "-Wl,--no-gc-sections", "-o", program_object)
        run(*compiler, core_flag, *flags, *whole)
        linked = ("-nostartfiles", program_object, "-lgcc", "-o", target)
        run(*compiler, "-march=rv32imac", *linked)
        return ["qemu-riscv32", "-cpu", "rv32,zba=true,zbb=true,zbkb=true", target]
    if shutil.which("arm-none-eabi-gcc") is None or shutil.which("qemu-system-arm") is None:
        pytest.skip("arm-none-eabi-gcc or qemu-system-arm not installed: tools/setup.sh tests")
    place = "-Wl,--section-start=.vectors=0,--undefined=vectors"
    flags += [folder / "vectors.c", "--specs=rdimon.specs", place]
    run("arm-none-eabi-gcc", f"-mcpu={core}", "-mthumb", *flags, "-o", target)
    quiet = ("-nographic", "-monitor", "none", "-serial", "none", "-semihosting")
    return ["qemu-system-arm", "-M", MACHINES[core], *quiet, "-kernel", target]
