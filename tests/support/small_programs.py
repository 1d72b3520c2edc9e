"""Small C programs of a cipher's files on every core: the host, an AVR, and Cortex-M in QEMU.

They print lines for a comparison with Python's integers.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from motebench.base.paths import data_root
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
"""
"""The begin of a program: biased numbers of eight words, and their print."""
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
VECTORS = """
extern void _start(void);
__attribute__((section(".vectors"))) void *const vectors[] = {(void *)0x20300000, (void *)_start};
"""
MACHINES = {"cortex-m0": "mps2-an385", "cortex-m3": "mps2-an385", "cortex-m4": "mps2-an386"}
"""Machines of QEMU by the core that a program is built for: a Cortex-M3 runs ARMv6-M as well."""
SIMULATOR = data_root() / "build" / "simulators" / "motebench-sim-avr"


def run(*command: str | Path) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=900, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr  # QEMU prints what the program prints to the latter


def assembly(core: str, code: Path) -> list[Path]:
    """The files in assembly of a folder that belong to the core."""
    name = {"avr": "avr", "cortex-m0": "armv6m"}.get(core, "armv7m")
    return sorted(code.glob(f"*_{name}.S")) if core != "host" else []


def built(
    folder: Path, core: str, program: str, code: Path, files: Sequence[str], cases: int
) -> list[str | Path]:
    """The command that runs a program on a core, with these C files of the cipher's folder `code`
    and its assembly. The program begins with `START` and has `CASES`.
    """
    (folder / "program.c").write_text('#include "main.h"\n' + program)
    (folder / "main.h").write_text(
        "#include <stdint.h>\n" + START + (UART if core == "avr" else HOSTED)
    )
    (folder / "vectors.c").write_text(VECTORS)
    flags: list[str | Path] = ["-O2", "-std=gnu11", f"-DCASES={cases}"]
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
    if shutil.which("arm-none-eabi-gcc") is None or shutil.which("qemu-system-arm") is None:
        pytest.skip("arm-none-eabi-gcc or qemu-system-arm not installed: tools/setup.sh tests")
    place = "-Wl,--section-start=.vectors=0,--undefined=vectors"
    flags += [folder / "vectors.c", "--specs=rdimon.specs", place]
    run("arm-none-eabi-gcc", f"-mcpu={core}", "-mthumb", *flags, "-o", target)
    quiet = ("-nographic", "-monitor", "none", "-serial", "none", "-semihosting")
    return ["qemu-system-arm", "-M", MACHINES[core], *quiet, "-kernel", target]
