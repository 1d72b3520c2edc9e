"""Cycles that an author publishes of AES on the Cortex-M33 of an RP2350, beside ours.

    .venv/bin/python benchmarks/published_m33.py --from FOLDER

FOLDER is a checkout of jnk0le/cortexm-AES at b18b7a4. Its code runs in a bare program
(`benchmarks/bare/`) on a core whose memory never waits. Published: doc/aes/CM33_details.md, RP2350,
tables in SRAM; where its code was is not published. The simulator's rules are from the same
author's text of single instructions; of totals only those of `_USED` had a part in choosing what
the text leaves open: that shifts by constants and extensions with a rotation take one stage.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from bare_program import AT_0, BARE, FREESTANDING, NO_WAITS, link, need_tools, run
from common import checkout, files_of, table

_SOURCES = ("aes/lookup_tables.c", "aes/target/CM33_1T/*.S", "aes/target/CM33_d4T/*.S")
_CALLS = 64
"""Calls of a function, as in bare/published_m33.c."""
_MCU, _CLOCK = "cortex-m33-nows", 64_000_000
_USED = ("encrypt<128>", "encrypt<256>")
_PUBLISHED = {
    "setEncKey<128>": 271,
    "setEncKey<256>": 307,
    "encrypt<128>": 574,
    "encrypt<256>": 790,
    "decrypt<128>": 576,
    "decrypt<256>": 792,
    "encrypt<128> d4T": 595,
    "encrypt<256> d4T": 815,
}


def measured(tree: Path) -> dict[str, float]:
    """Cycles of each function."""
    sources = (BARE / "published_m33.c", *files_of(tree, _SOURCES))
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.elf"
        core = ("-mcpu=cortex-m33", "-mfloat-abi=soft", *FREESTANDING)
        link(core, NO_WAITS, 0, sources, program, f"-I{tree}", AT_0)
        return {name: total / _CALLS for name, total in run(_MCU, _CLOCK, program).items()}


def main() -> None:
    """Measure and print a summary and the table."""
    tree = checkout(__doc__)
    need_tools()
    ours = measured(tree)
    errors = {name: ours[name] / cycles - 1 for name, cycles in _PUBLISHED.items()}
    held = [abs(error) for name, error in errors.items() if name not in _USED]
    summary = ["held out", str(len(held)), f"{statistics.median(held):.2%}", f"{max(held):.2%}"]
    print(table(("rows", "number", "median error", "largest error"), [summary]))
    print()
    lines = [
        [
            f"`{name}`",
            "used" if name in _USED else "held out",
            str(cycles),
            f"{ours[name]:.0f}",
            f"{errors[name]:+.1%}",
        ]
        for name, cycles in _PUBLISHED.items()
    ]
    print(table(("function", "rows", "published", "simulated", "error"), lines, 2))


if __name__ == "__main__":
    main()
