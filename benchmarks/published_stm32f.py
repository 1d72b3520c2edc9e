"""Cycles that an author publishes of AES on an STM32F407 and an STM32F103, beside ours.

    .venv/bin/python benchmarks/published_stm32f.py --from FOLDER

FOLDER is a checkout of jnk0le/cortexm-AES at b18b7a4. Its code runs in a bare program
(`benchmarks/bare/`), linked at each multiple of 4 B in a line of the flash: where the author's was
is not published. Published: doc/aes/CM3_CM4_details.md and modes_old.md, STM32F103 rev X and
STM32F407 rev Y. The rows of `_USED` chose when the simulator's flash reads ahead; those of CTR were
never looked at before that rule was written down.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bare_program import BARE, FREESTANDING, link, need_tools, run
from common import checkout, files_of, say, table

_WORD = 4
_SOURCES = ("aes/lookup_tables.c", "aes/target/CM3_1T/*.S", "aes/target_modes/CM3/*.S")
_CALLS, _BYTES = 64, 4096
"""Calls of a function, and bytes of CTR, as in bare/published_stm32f.c."""
_WITHIN = 0.02


class Board(NamedTuple):
    """A board, with its flash's control register and what its caches and reading ahead take, and
    published cycles by function: without wait states, and with them.
    """

    name: str
    mcu: str
    core: str
    clock: int
    macros: tuple[str, ...]
    settings: int
    waits: int
    line: int
    used: tuple[str, ...]
    published: dict[str, tuple[float, float]]


_USED = ("setEncKey<128>", "encrypt<128>", "encrypt_unrolled<128>")
_F103 = Board(
    "STM32F103",
    "stm32f103",
    "cortex-m3",
    72_000_000,
    ("FLASH_ACR=0x40022000", "RAM_END=0x20005000"),
    1 << 4,
    2,
    8,
    (*_USED, *(name.replace("enc", "dec").replace("Enc", "Dec") for name in _USED)),
    {
        "setEncKey<128>": (302, 354),
        "setEncKey<256>": (378, 485),
        "encrypt<128>": (627, 841),
        "encrypt<256>": (859, 1157),
        "encrypt_unrolled<128>": (599, 769),
        "encrypt_unrolled<256>": (819, 1058),
        "setDecKey<128>": (813, 1101),
        "setDecKey<256>": (1163, 1580),
        "decrypt<128>": (629, 843),
        "decrypt<256>": (861, 1159),
        "decrypt_unrolled<128>": (600, 772),
        "decrypt_unrolled<256>": (820, 1061),
        "CTR32<128>": (32.09, 43.79),
        "CTR32<256>": (46.59, 63.79),
        "CTR32_unrolled<128>": (30.59, 41.6),
        "CTR32_unrolled<256>": (44.34, 59.98),
    },
)
_F407 = Board(
    "STM32F407",
    "stm32f407",
    "cortex-m4",
    168_000_000,
    ("FLASH_ACR=0x40023C00", "RAM_END=0x20020000"),
    7 << 8,
    5,
    16,
    ("encrypt_unrolled<128>", "decrypt_unrolled<128>"),
    {
        "setEncKey<128>": (302, 302),
        "setEncKey<256>": (378, 378),
        "encrypt<128>": (626, 626),
        "encrypt<256>": (858, 858),
        "encrypt_unrolled<128>": (601, 715),
        "encrypt_unrolled<256>": (821, 975),
        "setDecKey<128>": (811, 811),
        "setDecKey<256>": (1164, 1164),
        "decrypt<128>": (629, 629),
        "decrypt<256>": (863, 863),
        "decrypt_unrolled<128>": (602, 716),
        "decrypt_unrolled<256>": (822, 978),
        "encrypt<128> DSPsBOX": (844, 844),
        "encrypt<256> DSPsBOX": (1172, 1172),
        "decrypt<128> DSPsBOX": (1240, 1240),
        "decrypt<256> DSPsBOX": (1744, 1744),
        "CTR32<128>": (32.09, 32.09),
        "CTR32<256>": (46.59, 46.59),
        "CTR32_unrolled<128>": (30.59, 38.48),
        "CTR32_unrolled<256>": (44.34, 55.73),
    },
)


def build(board: Board, tree: Path, settings: int, shift: int, program: Path) -> None:
    """The bare program with the author's code."""
    sources = (*_SOURCES, *(["aes/target/CM4_DSPsBOX/*.S"] if board.core == "cortex-m4" else []))
    theirs = files_of(tree, sources)
    macros = (*board.macros, f"SETTINGS={settings}", "SENT=0x40004404")
    core = (f"-mcpu={board.core}", *FREESTANDING)
    link(core, macros, shift, (BARE / "published_stm32f.c", *theirs), program, f"-I{tree}")


def measured(board: Board, tree: Path, waits: int) -> dict[str, list[float]]:
    """Cycles of each function at each place, of CTR by the byte."""
    found: dict[str, list[float]] = {name: [] for name in board.published}
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.elf"
        for shift in range(0, board.line, _WORD):
            build(board, tree, board.settings | waits, shift, program)
            for name, number in run(board.mcu, board.clock, program).items():
                found[name].append(number / (_BYTES if name.startswith("CTR") else _CALLS))
    return found


def kind(board: Board, name: str) -> str:
    """Part of a row in the choice of the model."""
    if name.startswith("CTR"):
        return "never looked at"
    return "used" if name in board.used else "held out"


def error(places: Sequence[float], published: float) -> float:
    """Relative error of the middle of all places."""
    return statistics.median(places) / published - 1


def cell(places: Sequence[float], published: float) -> str:
    """Cycles, least to most, with their errors."""
    digits = 2 if published < 100 else 0
    ends = sorted({round(value, digits) for value in (min(places), max(places))})
    numbers = " to ".join(f"{value:.{digits}f}" for value in ends)
    errors = " to ".join(dict.fromkeys(f"{value / published - 1:+.1%}" for value in ends))
    return f"{numbers} ({errors})"


def rows(board: Board, found: Sequence[dict[str, list[float]]]) -> Iterator[list[str]]:
    """A row of the table for each function."""
    for name, pair in board.published.items():
        cells = [
            text
            for published, places in zip(pair, found, strict=True)
            for text in (f"{published:g}", cell(places[name], published))
        ]
        yield [
            f"`{name}`" + ", cycles a byte" * name.startswith("CTR"),
            kind(board, name),
            *cells,
        ]


def summary(name: str, errors: Sequence[float]) -> list[str]:
    """A row of the first table."""
    sizes = list(map(abs, errors))
    within = sum(size <= _WITHIN for size in sizes)
    return [name, str(len(sizes)), f"{statistics.median(sizes):.2%}", str(within)]


def main() -> None:
    """Measure both boards and print a summary and their tables."""
    tree = checkout(__doc__)
    need_tools()
    all_of, without, tables = [], [], []
    for board in (_F407, _F103):
        say(board.name)
        found = [measured(board, tree, waits) for waits in (0, board.waits)]
        errors = {
            name: [error(at[name], value) for at, value in zip(found, pair, strict=True)]
            for name, pair in board.published.items()
        }
        without += [pair[0] for pair in errors.values()]
        held = {name: pair[1] for name, pair in errors.items() if kind(board, name) != "used"}
        unseen = [held[name] for name in held if kind(board, name) == "never looked at"]
        label = f"{board.name}, {board.waits} wait states"
        all_of.append(summary(f"{label}, not used", list(held.values())))
        all_of.append(summary(f"{label}, of these never looked at", unseen))
        head = ("function", "rows", "published, 0", "simulated", f"published, {board.waits}")
        tables.append(
            f"## {board.name}, 0 and {board.waits} wait states\n\n"
            + table((*head, "simulated, least to most over places"), list(rows(board, found)), 2)
        )
    all_of.append(summary("both, 0 wait states", without))
    print(table(("rows", "number", "median error", "within 2 %"), all_of))
    for text in tables:
        print(f"\n{text}")


if __name__ == "__main__":
    main()
