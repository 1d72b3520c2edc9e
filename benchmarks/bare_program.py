"""Bare programs for Cortex-M cores (`bare/`): how they are linked and run on the simulator."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from common import HERE, need

GCC = "arm-none-eabi-gcc"
FREESTANDING = ("-ffreestanding", "-nostdlib")
AT_0 = "-Wl,--defsym=BASE=0"
NO_WAITS = (
    "FLASH_ACR=0x40002500",
    "SETTINGS=4",
    "STARTS_SENDING=0x40002008",
    "SENT=0x4000251C",
    "RAM_END=0x20040000",
)
"""Macros of a bare program for a core whose flash, at address 0, never waits."""
BARE = HERE / "bare"
_SIMULATOR = HERE.parent / "build" / "simulators" / "motebench-sim-cortexm"


def need_tools() -> None:
    """End the benchmark if the compiler or the simulator is missing."""
    need(GCC, "gcc-arm-none-eabi")
    need(str(_SIMULATOR), "it with `make setup`")


def link(
    core: Sequence[str],
    macros: Sequence[str],
    shift: int,
    sources: Sequence[Path],
    program: Path,
    *flags: str,
) -> None:
    """A bare program of these sources, with the first function `shift` bytes into a line.
    ``core``: options of the compiler that name it.
    """
    command = [
        *(GCC, *core, "-mthumb", "-O2", "-Wl,--gc-sections"),
        *(f"-Wl,--defsym=SHIFT={shift}", "-T", str(BARE / "bare.ld")),
        *(f"-D{macro}" for macro in macros),
        *("-o", str(program), str(BARE / "bare.c")),
        *map(str, sources),
        *flags,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")


def printed(mcu: str, clock: int, program: Path) -> str:
    """Text that a bare program prints before its breakpoint."""
    command = [str(_SIMULATOR), "--mcu", mcu, "--clock", str(clock), str(program)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    if "a breakpoint" not in done.stderr:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def run(mcu: str, clock: int, program: Path) -> dict[str, int]:
    """Numbers by name that a bare program prints before its breakpoint."""
    lines = (line.rpartition(" ") for line in printed(mcu, clock, program).splitlines())
    return {name: int(number) for name, _, number in lines}
