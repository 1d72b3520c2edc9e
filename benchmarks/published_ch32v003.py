"""Cycles that an author publishes of AES on a CH32V003, without and with a wait state, beside ours.

    .venv/bin/python benchmarks/published_ch32v003.py --from FOLDER

FOLDER is a checkout of jnk0le/cortexm-AES at b18b7a4. Its code runs in a bare program
(`benchmarks/bare/published_ch32v003.c`), with tables in RAM. Published: doc/aes/QKv2_details.md;
the rows of AES-192 are from its commit 8d23a31. How the author calls what is timed is not
published. Rows of `_USED`, and totals of older versions of their code (30386de, c0d9ff6, dd80770,
e7fc3f3), chose the length of the queue ahead of the decoder; the others were measured once, after
that was written down.
"""

from __future__ import annotations

import statistics
import subprocess
import tempfile
from pathlib import Path

from common import HERE, checkout, files_of, need, table

BARE = HERE / "bare" / "published_ch32v003.c"
SIMULATOR = HERE.parent / "build" / "simulators" / "motebench-sim-hazard3"
_SOURCES = ("aes/lookup_tables.c", "aes/target/QKv2_sBOX/*.S")
_CLOCK = 24_000_000
_PUBLISHED = {
    "setEncKey<128>": (461, 478),
    "setEncKey<192>": (432, 444),
    "setEncKey<256>": (582, 622),
    "encrypt<128>": (1835, 2109),
    "encrypt<192>": (2203, 2537),
    "encrypt<256>": (2571, 2965),
    "decrypt<128>": (2641, 3235),
    "decrypt<192>": (3187, 3911),
    "decrypt<256>": (3733, 4587),
}
_USED = ("setEncKey<128>", "encrypt<128>", "encrypt<192>", "encrypt<256>")
_FLAGS = (
    *("-march=rv32ec_zicsr", "-mabi=ilp32e", "-Os", "-ffreestanding", "-nostdlib"),
    *("-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-Wl,--no-relax"),
    *("-Wl,--section-start=.vectors=0", "-Wl,-Ttext=0x10", "-Wl,-Tdata=0x20000000"),
    "-Wl,-e,mb_bare_start",
)


def measured(tree: Path, waits: int) -> dict[str, int]:
    """Cycles of each function with so many wait states."""
    theirs = files_of(tree, _SOURCES)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.elf"
        build = ["riscv64-unknown-elf-gcc", *_FLAGS, f"-DWAITS={waits}", f"-I{tree}", str(BARE)]
        subprocess.run([*build, *map(str, theirs), "-o", str(program)], check=True)
        command = [str(SIMULATOR), "--mcu", "ch32v003", "--clock", str(_CLOCK), str(program)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
    if "a breakpoint" not in done.stderr or "wrong 00000000" not in done.stdout:
        raise SystemExit(f"{' '.join(command)}: {done.stdout}{done.stderr.strip()}")
    return {name: int(number, 16) for name, number in map(str.split, done.stdout.splitlines())}


def main() -> None:
    """Measure and print a summary and the table."""
    tree = checkout(__doc__)
    need("riscv64-unknown-elf-gcc", "gcc-riscv64-unknown-elf")
    need(str(SIMULATOR), "it with `make setup`")
    found = [measured(tree, waits) for waits in (0, 1)]
    summary = []
    for waits in (0, 1):
        for kind in (True, False):
            errors = [
                found[waits][name] / pair[waits] - 1
                for name, pair in _PUBLISHED.items()
                if (name in _USED) == kind
            ]
            sizes = [abs(error) for error in errors]
            summary.append(
                [
                    f"{waits} wait states, {'used' if kind else 'held out'}",
                    str(len(errors)),
                    f"{statistics.median(sizes):.2%}",
                    f"{max(sizes):.2%}",
                ]
            )
    print(table(("rows", "number", "median error", "largest"), summary))
    rows = [
        [
            f"`{name}`",
            "used" if name in _USED else "held out",
            *(
                text
                for waits, value in enumerate(pair)
                for text in (
                    str(value),
                    f"{found[waits][name]} ({found[waits][name] / value - 1:+.2%})",
                )
            ),
        ]
        for name, pair in _PUBLISHED.items()
    ]
    head = ("function", "rows", "published, 0", "simulated", "published, 1", "simulated, 1")
    print("\n" + table(head, rows, 2))


if __name__ == "__main__":
    main()
