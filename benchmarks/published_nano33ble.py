"""NIST's cycles of an Arduino Nano 33 BLE beside those of ``sim:nrf52840``, by a bare program.

    .venv/bin/python benchmarks/published_nano33ble.py CLONE --compiler arm-none-eabi-gcc

CLONE is one of https://github.com/usnistgov/Lightweight-Cryptography-Benchmarking at 1171e1f. The
program (``cortexm/nist.c``) calls the code of one folder once with every size and an empty cache.
What NIST's program takes around a call (50 to 190 cycles) and its C library are not at hand, so
short calls are up to 6 % too fast here. The error is ours over theirs, less one. The folders of
`FITTED` chose the rules of the Cortex-M4; the others were set aside before, by their names.
"""

from __future__ import annotations

import argparse
import csv
import re
import statistics
from collections.abc import Sequence
from pathlib import Path

from common import need, say, table
from published_due import LINKER, SIMULATOR, Chip, cycles, folder_of

NANO = Chip(
    "nrf52840",
    64,
    ("-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=softfp", "-mfpu=fpv4-sp-d16", "-DNANO33BLE"),
    tuple(f"-Wl,--defsym={place}" for place in ("FLASH=0", "RAM=0x20000000", "STACK=0x20040000")),
)
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
_LIBRARY = re.compile("romulus|skinny")
"""Code in C whose time is that of the board's own memset."""


def line(name: str, found: Sequence[float]) -> list[str]:
    """A row of the table."""
    sizes = sorted(map(abs, found))
    ninth = sizes[min(len(sizes) - 1, len(sizes) * 9 // 10)]
    bias = f"{statistics.mean(found):+.2%}"
    return [name, str(len(found)), f"{statistics.median(sizes):.2%}", f"{ninth:.2%}", bias]


def all_errors(clone: Path, compiler: str, levels: Sequence[str]) -> dict[str, list[float]]:
    """Errors of all sizes and levels by folder."""
    include = clone / "src" / "lwc-benchmarking" / "include"
    errors: dict[str, list[float]] = {name: [] for name in (*FITTED, *HELD_OUT, *IN_C)}
    for kind in ("aead", "hash"):
        path = clone / "benchmarks" / f"results_nano33ble_{kind}_all.csv"
        for row in csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()):
            name = f"{row['variant']}/{row['implementation']}"
            if name not in errors or row["flag"] not in levels:
                continue
            folder = folder_of(clone / "implementations", kind, row)
            if folder is None:
                continue
            say(f"{name} {row['flag']}")
            found = cycles(folder, kind, row["flag"], include, compiler, NANO)
            errors[name] += [
                value / float(row[column]) - 1
                for column, value in found.items()
                if re.fullmatch(r"\d+", row.get(column, ""))
            ]
    return errors


def main() -> None:
    """Build, simulate and print the errors of fitted and held-out folders."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("clone", type=Path, help="clone of NIST's repository")
    parser.add_argument("--compiler", default=LINKER, help="GCC for the code of the folders")
    parser.add_argument("--level", default="Os,O1,O2,O3", help="levels, comma-separated")
    arguments = parser.parse_args()
    need(LINKER, "gcc-arm-none-eabi")
    need(str(SIMULATOR), "it with `make setup`")
    errors = all_errors(arguments.clone, arguments.compiler, arguments.level.split(","))
    head = ("implementation", "cases", "median error", "90 % within", "bias")
    for title, names in (
        ("Used for fitting.", FITTED),
        ("Never used for fitting.", HELD_OUT),
        ("C, never used for fitting either.", IN_C),
    ):
        rows = [line(name, errors[name]) for name in names if errors[name]]
        last = "all" if names is not IN_C else "all but Romulus and Skinny"
        every = [
            error
            for name in names
            if names is not IN_C or not _LIBRARY.match(name)
            for error in errors[name]
        ]
        print(f"{title}\n\n{table(head, [*rows, line(last, every)])}\n")


if __name__ == "__main__":
    main()
