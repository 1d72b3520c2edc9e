"""NIST's times of an Arduino Due beside cycles of ``sim:sam3x8e``, by a bare program.

Takes a clone of https://github.com/usnistgov/Lightweight-Cryptography-Benchmarking. The program
(``cortexm/nist.c``) calls the code of one folder with every size; ``motebench collection lwc
--target sim:sam3x8e`` compares single folders with known answers, but takes hours for all.

The published times are whole microseconds, with the interrupts of the Arduino core and the reading
of its clock, which ``--overhead`` adds to ours. The error is ours over theirs, less one. Most
folders are C around some assembly, and their compiler is not published: ``--compiler`` takes
another one.
"""

from __future__ import annotations

import argparse
import csv
import re
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from common import HERE, say, table

PROGRAM = HERE / "cortexm" / "nist.c"
SCRIPT = HERE / "cortexm" / "nist.ld"
SIMULATOR = HERE.parent / "build" / "simulators" / "motebench-sim-cortexm"
LINKER = "arm-none-eabi-gcc"
"""The compiler, unless another one is named, and what links the code of every compiler."""
NEWLIB = Path("/usr/include/newlib")


MHZ = 84
CORE = ("-mcpu=cortex-m3", "-mthumb")
MEMORY = tuple(
    f"-Wl,--defsym={place}" for place in ("FLASH=0x80000", "RAM=0x20070000", "STACK=0x20088000")
)
FITTED = re.compile(r"giftcofb|isapk128a?v20/|romulusn/|xoodyakround3/", re.ASCII)
"""Folders that were looked at while the rules of flash, RAM and bus were chosen."""
ASSEMBLY = re.compile(r"arm", re.IGNORECASE)


def folder_of(root: Path, kind: str, row: dict[str, str]) -> Path | None:
    """Folder of a row of the published table; None if it is not there."""
    for path in root.glob(f"*/crypto_{kind}/{row['variant']}/{row['implementation']}"):
        submission = path.relative_to(root).parts[0]
        if submission.replace("-", "") == row["submission"].replace("-", ""):
            return path
    return None


def compiled(sources: Sequence[Path], place: Path, flags: Sequence[str], compiler: str) -> bool:
    """True if the compiler made an object of each source in ``place``."""
    return all(
        subprocess.run(
            [compiler, *flags, "-c", str(path), "-o", str(place / f"{path.name}.o")],
            capture_output=True,
            check=False,
        ).returncode
        == 0
        for path in sources
    )


def cycles(
    folder: Path, kind: str, level: str, include: Path, compiler: str = LINKER
) -> dict[str, int]:
    """Cycles by the names of columns; none if the code is not built."""
    sources = [path for path in sorted(folder.iterdir()) if path.suffix in (".c", ".s", ".S")]
    sources = [path for path in sources if not path.name.startswith("lwc_")]
    flags = [
        *CORE,
        f"-{level}",
        "-ffunction-sections",
        "-fdata-sections",
        "-w",
        "-I",
        str(include),
    ]
    if compiler != LINKER:
        flags += ["-isystem", str(NEWLIB)]
    hashes = ["-DHASH"] if kind == "hash" else []
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        built = compiled(sources, place, flags, compiler) and compiled(
            [PROGRAM],
            place,
            [*CORE, "-mfloat-abi=soft", "-O1", "-fno-builtin", *hashes],
            LINKER,
        )
        linked = subprocess.run(
            [
                *(
                    LINKER,
                    *CORE,
                    *MEMORY,
                    "-nostartfiles",
                    "--specs=nano.specs",
                    "--specs=nosys.specs",
                ),
                *("-Wl,--gc-sections", "-T", str(SCRIPT)),
                *(f"{place}/{path.name}.o" for path in (*sources, PROGRAM)),
                *("-o", f"{place}/program.elf"),
            ],
            capture_output=True,
            check=False,
        )
        if not built or linked.returncode != 0:
            return {}
        printed = subprocess.run(
            [SIMULATOR, "--mcu", "sam3x8e", "--clock", f"{MHZ}000000", f"{place}/program.elf"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        ).stdout
    return {name: int(value) for name, value in re.findall(r"^(\S+\)) (\d+)$", printed, re.M)}


def line(name: str, found: list[float]) -> list[str]:
    """A row of the table."""
    sizes = sorted(map(abs, found))
    ninth = sizes[min(len(sizes) - 1, len(sizes) * 9 // 10)]
    middle = f"{statistics.median(found):+.2%}"
    return [name, str(len(found)), f"{statistics.median(sizes):.2%}", f"{ninth:.2%}", middle]


def main() -> None:
    """Build, simulate and print the errors of fitted and held-out folders."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("clone", type=Path, help="clone of NIST's repository")
    parser.add_argument("--overhead", type=float, default=1.5, help="microseconds added to ours")
    parser.add_argument("--least", type=float, default=60, help="shortest published time, in us")
    parser.add_argument("--level", default="o2", help="levels of optimisation, comma-separated")
    parser.add_argument("--compiler", default=LINKER, help="GCC for the code of the folders")
    arguments = parser.parse_args()
    include = arguments.clone / "src" / "lwc-benchmarking" / "include"
    errors: dict[str, list[float]] = {}

    def measure(job: tuple[str, dict[str, str]]) -> None:
        kind, row = job
        folder = folder_of(arguments.clone / "implementations", kind, row)
        found = (
            cycles(
                folder,
                kind,
                row["config"].upper().replace("S", "s"),
                include,
                arguments.compiler,
            )
            if folder
            else {}
        )
        errors.setdefault(f"{kind}: {row['variant']}/{row['implementation']}", []).extend(
            (value / MHZ + arguments.overhead) / float(row[name]) - 1
            for name, value in found.items()
            if re.fullmatch(r"\d+", row.get(name, "")) and float(row[name]) >= arguments.least
        )

    jobs: list[tuple[str, dict[str, str]]] = []
    for kind in ("aead", "hash"):
        path = arguments.clone / "benchmarks" / f"dueUSB-{kind}-summary.csv"
        with path.open(newline="", encoding="utf-8-sig") as rows:
            jobs += [
                (kind, row)
                for row in csv.DictReader(rows)
                if row["config"] in arguments.level.split(",")
                if ASSEMBLY.search(row["implementation"])
            ]
    say(f"{len(jobs)} programs")
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(measure, jobs))
    head = ("implementation", "compared", "median error", "90 % within", "median, signed")
    for title, fitted in (("Used for fitting.", True), ("Never used for fitting.", False)):
        chosen = {
            name: found
            for name, found in errors.items()
            if found and bool(FITTED.search(name)) == fitted
        }
        every = [error for found in chosen.values() for error in found]
        rows = [line(name, found) for name, found in sorted(chosen.items())]
        print(f"{title}\n\n{table(head, [*rows, line('all', every)])}\n")


if __name__ == "__main__":
    main()
