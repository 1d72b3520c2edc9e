"""Speed of simulators of the Cortex-M0+ and M4 on the same C code.

    .venv/bin/python benchmarks/cortexm_speed.py

Builds one firmware, linked for each simulator's flash, and runs it to its end: ours with the flash
model of the SAM D21, with wait states and cache of the nRF52840, and without wait states; rp2040js
of npm (installed into a temporary folder); and qemu-system-arm, which counts no cycles. All must
come to the same result. Other simulators that are missing are left out with a message. Exit status
1 if ours simulates fewer than 300 million cycles a second with either flash model, 4 if the
compiler or our simulator is missing. Times are processor times.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from common import HERE, has, machine, need, say, table

SOURCES = HERE / "cortexm"
DIGEST = 0x6C180952
"""Result of the firmware, by the same C on another machine; it comes to its last breakpoint only
then.
"""
SIMULATOR = HERE.parent / "build" / "simulators" / "motebench-sim-cortexm"
FLAGS = ("-mthumb", "-O2", "-ffreestanding", "-nostdlib", "-T", str(SOURCES / "link.ld"))
REPEATS = 3
WANTED = 300e6


@dataclass(frozen=True)
class Speed:
    """One simulator: cycles it simulated (None if it counts none), and the processor time that
    took, in seconds.
    """

    name: str
    cycles: int | None
    seconds: float

    def cells(self, instructions: int) -> list[str]:
        """The row of the table."""
        cycles = "-" if self.cycles is None else f"{self.cycles / 1e6:.1f}"
        rate = "-" if self.cycles is None else f"{self.cycles / self.seconds / 1e6:.0f}"
        return [
            self.name,
            cycles,
            f"{self.seconds:.2f}",
            rate,
            f"{instructions / self.seconds / 1e6:.0f}",
        ]


def build(folder: Path, name: str, base: int, *options: str, core: str = "cortex-m0plus") -> Path:
    """The firmware for a core with a flash that begins at ``base``."""
    path = folder / f"{name}.elf"
    command = [
        "arm-none-eabi-gcc",
        f"-mcpu={core}",
        *FLAGS,
        *options,
        f"-DDIGEST={DIGEST:#x}u",
        f"-Wl,--defsym=BASE={base:#x}",
    ]
    command += [str(SOURCES / "firmware.c"), "-lgcc"]
    subprocess.run([*command, "-o", str(path)], check=True)
    return path


def processor_time(
    command: Sequence[str], status: int, cwd: Path | None = None
) -> tuple[float, str]:
    """Processor time and output of a command, which must end with this status."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, cwd=cwd
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != status:
        raise SystemExit(f"{command[0]} ended with {done.returncode}: {done.stderr.strip()}")
    return (
        after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime,
        done.stdout + done.stderr,
    )


def repeated(run: Callable[[], tuple[float, int | None]], name: str) -> Speed:
    """The median of several runs."""
    say(name)
    runs = [run() for _ in range(REPEATS)]
    return Speed(name, runs[0][1], median(seconds for seconds, _ in runs))


def ours(firmware: Path, mcu: str) -> tuple[float, int]:
    """Our simulator: the breakpoint at the end is an undefined instruction to it."""
    seconds, text = processor_time(
        [str(SIMULATOR), "--mcu", mcu, "--clock", "48000000", str(firmware)], 6
    )
    found = re.search(r"a breakpoint .* after (\d+) cycles", text)
    if found is None:
        raise SystemExit(f"no breakpoint at the end: {text}")
    return seconds, int(found[1])


def instructions_of(firmware: Path, folder: Path, mcu: str) -> int:
    """Number of instructions that the firmware executes."""
    profile = folder / "profile"
    command = [
        str(SIMULATOR),
        "--mcu",
        mcu,
        "--clock",
        "1",
        "--profile",
        str(profile),
        str(firmware),
    ]
    processor_time(command, 6)
    return sum(int(line.split("\t")[2]) for line in profile.read_text().splitlines()[1:])


def rp2040js(folder: Path) -> Callable[[], tuple[float, int]]:
    """Measurement of rp2040js with the firmware behind its boot ROM's mapping of flash; the time is
    that inside its loop.
    """
    for name in ("rp2040.mjs", "package.json"):
        shutil.copy(SOURCES / name, folder)
    subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "--silent"], cwd=folder, check=True
    )
    firmware = build(folder, "rp2040", 0x10000000)
    image = folder / "rp2040.bin"
    copy = ["arm-none-eabi-objcopy", "-O", "binary", "-j", ".text", str(firmware), str(image)]
    subprocess.run(copy, check=True)

    def run() -> tuple[float, int]:
        _, text = processor_time(["node", "rp2040.mjs", image.name], 0, cwd=folder)
        result = json.loads(text)
        if result["digest"] != DIGEST:
            raise SystemExit(f"rp2040js computed {result['digest']:#x}, not {DIGEST:#x}")
        return float(result["seconds"]), int(result["cycles"])

    return run


def others(folder: Path, plain: Path) -> Iterator[Speed]:
    """Simulators of others that this machine has."""
    missing = [program for program in ("node", "npm", "arm-none-eabi-objcopy") if not has(program)]
    if missing:
        say(f"left out: rp2040js, which needs {', '.join(missing)}")
    else:
        try:
            yield repeated(rp2040js(folder), "rp2040js 1.4.1, no wait states")
        except subprocess.CalledProcessError as error:
            say(
                f"left out: rp2040js; {' '.join(map(str, error.cmd))} ended with {error.returncode}"
            )
    if not has("qemu-system-arm"):
        say("left out: qemu-system-arm, which is not on the PATH: install qemu-system-arm")
        return
    qemu = [
        "qemu-system-arm",
        "-M",
        "microbit",
        "-nographic",
        "-monitor",
        "none",
        "-serial",
        "none",
    ]
    qemu += ["-semihosting-config", "enable=on,target=native", "-kernel", str(plain)]
    yield repeated(lambda: (processor_time(qemu, 0)[0], None), "qemu-system-arm, microbit")


def main() -> int:
    """Print the table."""
    argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0]).parse_args()
    need("arm-none-eabi-gcc", "gcc-arm-none-eabi")
    need(str(SIMULATOR), "it with `make setup`")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        samd21 = build(folder, "samd21", 0, "-DSAMD21")
        plain = build(folder, "plain", 0)
        say("instructions")
        instructions = instructions_of(plain, folder, "cortex-m0-nows")
        m4 = build(folder, "m4", 0, core="cortex-m4")
        of_m4 = instructions_of(m4, folder, "cortex-m4-nows")
        speeds = [
            repeated(
                lambda: ours(samd21, "samd21g18a"), "motebench, SAM D21, one wait state and cache"
            ),
            repeated(
                lambda: ours(plain, "cortex-m0-nows"), "motebench, Cortex-M0+, no wait states"
            ),
            repeated(
                lambda: ours(m4, "nrf52840"), "motebench, nRF52840, three wait states and cache"
            ),
            repeated(lambda: ours(m4, "cortex-m4-nows"), "motebench, Cortex-M4, no wait states"),
        ]
        lines = [
            speed.cells(count)
            for speed, count in zip(speeds, (instructions, instructions, of_m4, of_m4), strict=True)
        ]
        lines += [speed.cells(instructions) for speed in others(folder, plain)]
    print(machine(), end="\n\n")
    print(
        table(
            ("simulator", "million cycles", "s", "million cycles/s", "million instructions/s"),
            lines,
        )
    )
    flash = (speeds[0], speeds[2])
    return (
        0
        if all(
            speed.cycles is not None and speed.cycles / speed.seconds >= WANTED for speed in flash
        )
        else 1
    )


if __name__ == "__main__":
    raise SystemExit(main())
