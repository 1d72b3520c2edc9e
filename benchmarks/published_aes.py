"""Cycles that Schwabe and Stoffelen publish of AES on an STM32F407 and an STM32L100C, beside ours.

    .venv/bin/python benchmarks/published_aes.py --from FOLDER

FOLDER is a checkout of Ko-/aes-armcortexm at bed6379. Its assembly runs in a bare program
(`benchmarks/bare/`) on cores whose memory never waits, linked at each multiple of 4 B in 16. Cycles
are read as its own programs read them: around the call, with nothing subtracted; CTR is 4096 bytes,
by the block. Published: its README.md, measured in July 2020 without wait states, the tables in
flash; the paper (SAC 2016) has slower code. The masked implementation, which needs the F407's
random numbers, is left out.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import NamedTuple

from bare_program import AT_0, BARE, FREESTANDING, NO_WAITS, link, need_tools, run
from common import checkout, files_of, table

_RUNS, _BLOCKS = 64, 256
"""Keys, and blocks of CTR, as in bare/published_aes.c."""
_CLOCK = 64_000_000
_PLACES = range(0, 16, 4)
_CORES = ("cortex-m4", "cortex-m3")


class Code(NamedTuple):
    """An implementation: its folder, name and key, and published cycles on the M4 and the M3 of the
    expansion of a key, if its own, and of the encryption of a block.
    """

    folder: str
    name: str
    key_bytes: int
    keys_at: int
    expansion: tuple[float, float] | None
    encryption: tuple[float, float]
    mode: str = "CTR, one block of 256"

    def macros(self) -> tuple[str, ...]:
        """Those of bare/published_aes.c."""
        bits = 8 * self.key_bytes
        ctr = self.mode.startswith("CTR")
        return (
            f"EXPAND=AES_{bits}_keyschedule",
            f"ENCRYPT=AES_{bits}_encrypt" + "_ctr" * ctr,
            f"KEY_BYTES={self.key_bytes}",
            f"AT={self.keys_at}",
            f"CTR={ctr + (ctr and self.keys_at == 0)}",
        )

    def published(self) -> dict[str, tuple[float, float]]:
        """Published cycles by what the bare program calls its numbers."""
        key = {} if self.expansion is None else {"expansion": self.expansion}
        return {**key, "encryption": self.encryption}


_CODES = (
    Code("aes128", "AES-128", 16, 16, (244.9, 249.8), (634.7, 637.5), "one block"),
    Code("aes128ctr", "AES-128", 16, 16, None, (527.9, 531.8)),
    Code("aes192ctr", "AES-192", 24, 24, (232.2, 232.9), (644.0, 651.0)),
    Code("aes256ctr", "AES-256", 32, 32, (309.9, 310.8), (760.7, 767.0)),
    Code("aes128ctrbs", "AES-128, bitsliced", 16, 0, (1021.9, 1024.8), (1616.6, 1618.6)),
)


def measured(tree: Path, code: Code, core: str, shift: int) -> dict[str, float]:
    """Cycles of an expansion of a key and of the encryption of a block."""
    sources = (BARE / "published_aes.c", *files_of(tree, [f"{code.folder}/*.s"]))
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.elf"
        options = (f"-mcpu={core}", *FREESTANDING)
        link(options, (*NO_WAITS, *code.macros()), shift, sources, program, AT_0, "-lc")
        totals = run(f"{core}-nows", _CLOCK, program)
    if totals.pop("wrong") != 0:
        raise SystemExit(f"{tree}/{code.folder} on {core}: wrong results")
    blocks = _BLOCKS if code.mode.startswith("CTR") else 1
    return {
        "expansion": totals["expansion"] / _RUNS,
        "encryption": totals["encryption"] / _RUNS / blocks,
    }


def cells(places: list[float], published: float) -> tuple[str, str]:
    """Published cycles, and ours, least to most over the places, with their errors."""
    ends = sorted({round(value, 1) for value in places})[:: max(1, len(set(places)) - 1)]
    errors = dict.fromkeys(f"{value / published - 1:+.1%}" for value in ends)
    return f"{published}", f"{' to '.join(map(str, ends))} ({' to '.join(errors)})"


def main() -> None:
    """Measure and print the table, and a summary."""
    tree = checkout(__doc__)
    need_tools()
    rows: list[list[str]] = []
    errors: dict[str, list[float]] = {core: [] for core in _CORES}
    for code in _CODES:
        found = {core: [measured(tree, code, core, shift) for shift in _PLACES] for core in _CORES}
        for part, pair in code.published().items():
            what = "key expansion" if part == "expansion" else code.mode
            row = [f"`{code.folder}`", f"{code.name}, {what}"]
            for core, published in zip(_CORES, pair, strict=True):
                places = [numbers[part] for numbers in found[core]]
                errors[core].append(abs(statistics.median(places) / published - 1))
                row += cells(places, published)
            rows.append(row)
    head = ("folder", "function", "published, M4", "simulated", "published, M3", "simulated")
    print(table(head, rows, 2))
    summary = [
        [core, str(len(sizes)), f"{statistics.median(sizes):.2%}", f"{max(sizes):.2%}"]
        for core, sizes in errors.items()
    ]
    print("\n" + table(("core", "rows", "median error", "largest error"), summary))


if __name__ == "__main__":
    main()
