"""NIST's cycles of an Arduino Nano 33 BLE beside those of ``sim:nrf52840``, by NIST's own program.

    .venv/bin/python benchmarks/published_nano33ble.py CLONE --compiler arm-none-eabi-gcc

CLONE is one of https://github.com/usnistgov/Lightweight-Cryptography-Benchmarking, at 1171e1f
(candidates of the second round) or later (finalists): its newest table is taken. NIST's program
runs with each folder as it is, three times with every size, on a bare nRF52840
(``cortexm/nano33ble.cpp``) in place of Arduino's core, whose compiler is not published. The error
is ours over theirs, less one. The folders of `FITTED` chose the rules of the Cortex-M4; those of
`HELD_OUT` were set aside before, by their names; finalists were compared only afterwards.
"""

from __future__ import annotations

import argparse
import csv
import re
import statistics
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from common import HERE, need, say, table
from published_due import LINKER, NEWLIB, SIMULATOR, folder_of

BOARD = HERE / "cortexm" / "nano33ble.cpp"
SCRIPT = HERE / "cortexm" / "nist.ld"
CORE = ("-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=softfp", "-mfpu=fpv4-sp-d16")
MEMORY = tuple(
    f"-Wl,--defsym={place}" for place in ("FLASH=0", "RAM=0x20000000", "STACK=0x20040000")
)
FINALISTS, SECOND_ROUND = "nano33ble-{}-summary.csv", "results_nano33ble_{}_all.csv"
FITTED = (
    "ascon128v12/bi32_arm",
    "drygascon128k32/arm-v6m-cortex-m0",
    "drygascon128k32/arm-v7m-fpu-cortex-m4",
    "esch256v2/add_armv7m_fast",
    "esch384v2/add_armv7m_small",
    "giftcofb128v1/armcortexm_compact",
    "giftcofb128v1/armcortexm_fast",
    "isapa128v20/opt_32_armv67m",
    "isapk128v20/opt_32_armv6m",
    "isapk128v20/opt_32_armv7m",
    "romulusn1v12/armcortexm",
    "schwaemm128128v2/add_armv7m_fast",
    "schwaemm192192v2/add_armv7m_small",
    "schwaemm256256v2/add_armv7m_fast",
    "skinnyaeadtk3128128v1/armcortexm_1",
    "xoodyakv1aead/XKCP-ARMv7M",
    "xoodyakv1hash/XKCP-ARMv7M",
)
HELD_OUT = (
    "ascon128av12/bi32_arm",
    "asconhashv12/bi32_arm",
    "esch256v2/add_armv7m_small",
    "esch384v2/add_armv7m_fast",
    "giftcofb128v1/armcortexm_balanced",
    "isapa128av20/opt_32_armv67m",
    "isapk128av20/opt_32_armv7m",
    "romulusm1v12/armcortexm",
    "romulusm1v12/armsrc_NEC",
    "romulusn1v12/armsrc_NEC",
    "schwaemm128128v2/add_armv7m_small",
    "schwaemm192192v2/add_armv7m_fast",
    "schwaemm256128v2/add_armv7m_fast",
    "schwaemm256128v2/add_armv7m_small",
    "schwaemm256256v2/add_armv7m_small",
    "skinnyaeadtk3128128v1/armcortexm_2",
)
IN_C = (
    "esch256v2/opt",
    "esch384v2/opt",
    "giftcofb128v1/opt32",
    "romulusn1v12/opt32",
    "schwaemm128128v2/opt",
    "schwaemm256128v2/opt",
    "skinnyaeadtk3128128v1/opt32_1",
    "tinyjambu128/opt",
    "xoodyakv1aead/XKCP-plain-ua",
)
ASSEMBLY = re.compile(r"arm", re.IGNORECASE)
"""Folders of finalists with assembly, by their names; the others are in C."""
_LINE = re.compile(r"ad=(\d+) msg=(\d+) enc=(\d+) dec=(\d+)|msg=(\d+) time=(\d+)")


class Row(NamedTuple):
    """A published row: part of the comparison, name and place of its folder, its level, cycles by
    their names."""

    part: str
    name: str
    kind: str
    folder: Path
    level: str
    cycles: dict[str, int]


def rows_of(clone: Path, levels: Sequence[str], only: str) -> Iterator[Row]:
    """Published rows that are compared and whose folder is there."""
    for kind in ("aead", "hash"):
        path = clone / "benchmarks" / FINALISTS.format(kind)
        newest = path.is_file()
        if not newest:
            path = clone / "benchmarks" / SECOND_ROUND.format(kind)
        for row in csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()):
            level = row.get("flag", row.get("config", "")).upper().replace("S", "s")
            name = f"{row['variant']}/{row['implementation']}"
            part = finalists_part(name) if newest else second_part(name)
            folder = folder_of(clone / "implementations", kind, row)
            if part and folder and level in levels and re.search(only, name):
                cycles = {
                    re.sub(r"^(\d+)$", r"h(\1)", column): int(value)
                    for column, value in row.items()
                    if re.search(r"\(\d|^\d", column) and value and value.isdigit()
                }
                yield Row(part, name, kind, folder, level, cycles)


def finalists_part(name: str) -> str:
    """Part of the comparison that a finalist belongs to."""
    return f"Finalists, in {'assembly' if ASSEMBLY.search(name) else 'C'}, never used for fitting."


def second_part(name: str) -> str:
    """The same of the second round; empty if it is not compared."""
    parts = {
        "Used for fitting.": FITTED,
        "Never used for fitting.": HELD_OUT,
        "C, never used for fitting either.": IN_C,
    }
    return next((part for part, names in parts.items() if name in names), "")


def built(row: Row, framework: Path, compiler: str, place: Path) -> Path | None:
    """NIST's program with the folder; None if it does not build."""
    (place / "lwc_mode.h").write_text(f"#define LWC_MODE_TIMING_{row.kind.upper()}\n")
    for name in ("Arduino.h", "nrf.h", "lwc_constraints.h"):
        own = row.folder / name
        (place / name).write_bytes(own.read_bytes() if own.is_file() else b"")
    options = [*CORE, f"-{row.level}", "-ffunction-sections", "-fdata-sections", "-w", f"-I{place}"]
    options += [f"-I{framework / 'src'}", f"-I{framework / 'include'}"]
    code = [compiler, *options, *(["-isystem", str(NEWLIB)] if compiler != LINKER else [])]
    main = [LINKER, *options, "-x", "c++", "-fno-rtti", "-fno-exceptions", "-std=gnu++17"]
    main += [
        "-DLWC_PLATFORM_NANO33BLE",
        '-DLWC_CONFIG=""',
        "-include",
        str(BOARD.with_suffix(".hpp")),
    ]
    board = [*main, "-Os", "-fno-builtin", "-fno-tree-loop-distribute-patterns"]
    theirs = sorted(path for path in row.folder.iterdir() if path.suffix in (".c", ".s", ".S"))
    names = ("experiment_timing.cpp", "experiments.cpp", "utils.cpp")
    sources = [(board, BOARD), *((code, path) for path in theirs)]
    sources += [(main, framework / "src" / name) for name in names]
    objects = [str(place / f"{number}.o") for number in range(len(sources))]
    program = place / "program.elf"
    link = [LINKER, *CORE, *MEMORY, "-nostartfiles", "--specs=nano.specs", "--specs=nosys.specs"]
    commands = [
        [*command, "-c", str(path), "-o", name]
        for (command, path), name in zip(sources, objects, strict=True)
    ]
    commands.append([*link, "-Wl,--gc-sections", "-T", str(SCRIPT), *objects, "-o", str(program)])
    done = all(
        subprocess.run(command, capture_output=True, check=False).returncode == 0
        for command in commands
    )
    return program if done else None


def cycles(program: Path) -> dict[str, int]:
    """Cycles that NIST's program prints, by the names of the table's columns."""
    command = [str(SIMULATOR), "--mcu", "nrf52840", "--clock", "64000000", str(program)]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    found = {}
    for match in _LINE.finditer(done.stdout):
        aad, size, sealed, opened, hashed, taken = match.groups()
        if hashed:
            found[f"h({hashed})"] = int(taken)
        else:
            found[f"enc({aad}:{size})"] = int(sealed)
            found[f"dec({aad}:{size})"] = int(opened)
    return found


def line(name: str, found: Sequence[float]) -> list[str]:
    """A row of the table."""
    sizes = sorted(map(abs, found))
    ninth = sizes[min(len(sizes) - 1, len(sizes) * 9 // 10)]
    bias = f"{statistics.mean(found):+.2%}"
    return [name, str(len(found)), f"{statistics.median(sizes):.2%}", f"{ninth:.2%}", bias]


def all_errors(
    rows: Sequence[Row], framework: Path, compiler: str
) -> dict[str, dict[str, list[float]]]:
    """Errors of all sizes and levels by part and folder."""
    errors: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        say(f"{row.name} {row.level}")
        with tempfile.TemporaryDirectory() as name:
            program = built(row, framework, compiler, Path(name))
            found = cycles(program) if program else {}
        errors.setdefault(row.part, {}).setdefault(row.name, []).extend(
            found[column] / value - 1 for column, value in row.cycles.items() if column in found
        )
    return errors


def main() -> None:
    """Build, simulate and print the errors of fitted and held-out folders."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("clone", type=Path, help="clone of NIST's repository")
    parser.add_argument("--compiler", default=LINKER, help="GCC for the code of the folders")
    parser.add_argument("--level", default="Os,O1,O2,O3", help="levels, comma-separated")
    parser.add_argument("--only", default="", help="expression that names of folders match")
    arguments = parser.parse_args()
    need(LINKER, "gcc-arm-none-eabi")
    need(str(SIMULATOR), "it with `make setup`")
    framework = arguments.clone / "src" / "lwc-benchmarking"
    rows = list(rows_of(arguments.clone, arguments.level.split(","), arguments.only))
    head = ("implementation", "cases", "median error", "90 % within", "bias")
    for title, errors in sorted(all_errors(rows, framework, arguments.compiler).items()):
        lines = [line(name, found) for name, found in sorted(errors.items()) if found]
        every = [error for found in errors.values() for error in found]
        print(f"{title}\n\n{table(head, [*lines, line('all', every)])}\n")
        failed = sorted(name for name, found in errors.items() if not found)
        if failed:
            print(f"Not built, or ended without a number: {', '.join(failed)}.\n")


if __name__ == "__main__":
    main()
