"""Times that others published of a board, beside what ``motebench run --code`` gives for the code
that they measured.

Takes a clone of https://github.com/usnistgov/Lightweight-Cryptography-Benchmarking, or a folder
laid out like it (hyphens of SUBMISSION may be left out in the results):
``implementations/SUBMISSION/crypto_{aead,hash,aead_hash}/VARIANT/IMPLEMENTATION``, and files of
results in the format of its ``benchmarks/BOARD-{aead,hash}-summary.csv``: a row for each
implementation and level of optimisation, with columns ``enc(AAD:MESSAGE)``, ``dec(AAD:MESSAGE)``
and ``h(MESSAGE)``; ``-`` is a failure. The format does not say its unit: microseconds where
Arduino's ``micros()`` was read (Uno, Nano Every, Due, PIC32), cycles on the other boards.

Rows without a folder are passed over. The error is ours over theirs, less one: below zero, ours is
faster. Options that are not listed are passed on to ``motebench run``.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

from common import motebench, say, table

from motebench.targets.code.folder import slug

OPERATIONS = {"enc": "encrypt-message", "dec": "decrypt-message", "h": "digest"}
PLAIN = "Os"
"""Level of the name without a variant, on boards."""
_COLUMN = re.compile(r"(enc|dec|h)\((?:(\d+):)?(\d+)\)")
_NANOSECONDS = {"us": 1000}


class Case(NamedTuple):
    """Case of a published number."""

    level: str
    operation: str
    aad: int
    size: int


def published(path: Path, wanted: str) -> Iterator[tuple[str, dict[Case, float]]]:
    """Published numbers in one file of each implementation, as
    SUBMISSION/VARIANT/IMPLEMENTATION.
    """
    found: dict[str, dict[Case, float]] = defaultdict(dict)
    with path.open(newline="", encoding="utf-8-sig") as lines:
        for row in csv.DictReader(lines):
            name = "/".join(row[part] for part in ("submission", "variant", "implementation"))
            level = (row.get("flag") or row["config"]).capitalize()
            for column, cell in row.items():
                if (
                    fnmatch(name, wanted)
                    and (part := _COLUMN.fullmatch(column))
                    and re.fullmatch(r"[\d.]+", cell)
                ):
                    found[name][
                        Case(level, OPERATIONS[part[1]], int(part[2] or 0), int(part[3]))
                    ] = float(cell)
    yield from found.items()


def folder_of(root: Path, name: str, operations: set[str]) -> Path | None:
    """Folder of the implementation; None if it is not there."""
    submission, variant, implementation = name.split("/")
    for kind in ("crypto_hash" if "digest" in operations else "crypto_aead", "crypto_aead_hash"):
        for path in root.glob(f"*/{kind}/{variant}/{implementation}"):
            written = path.relative_to(root).parts[0].replace("-", "")
            if written == submission.replace("-", "") and (path / "api.h").is_file():
                return path
    return None


def shortened(folder: Path, place: Path, most: int) -> Path | None:
    """A file in ``place`` with the known answers of a hash function of at most ``most`` bytes: an
    implementation may count fewer bytes than the submission's longest answers have (PHOTON-Beetle's
    ``avr8_lowrom`` up to 255).
    """
    found = [
        path
        for above in (folder, *list(folder.parents)[:6])
        for path in sorted(above.glob("LWC_HASH_KAT_*.txt"))
    ]
    if not found:
        return None
    records = found[0].read_text(encoding="latin-1").replace("\r", "").split("\n\n")
    kept = [
        text
        for text in records
        if (msg := re.search(r"^Msg = (\w*)", text, re.M)) and len(msg[1]) <= 2 * most
    ]
    path = place / found[0].name
    path.write_text("\n\n".join([*kept, ""]))
    return path


def measured(
    folder: Path, cases: Sequence[Case], target: str, flags: str, rest: Sequence[str]
) -> Any:
    """Document of a run of all cases. Ends the benchmark if the run fails."""
    by_aad: dict[tuple[str, int], set[int]] = defaultdict(set)
    for case in cases:
        by_aad[case.operation, case.aad].add(case.size)
    lines = ["[sampling]", "min_samples = 2", "max_samples = 2", "budget = '12h'"]
    names = sorted(
        {f"code/{slug(folder.name)}" + f"@{case.level}" * (case.level != PLAIN) for case in cases}
    )
    with tempfile.TemporaryDirectory() as place:
        for (operation, aad), sizes in sorted(by_aad.items()):
            known = shortened(folder, Path(place), max(sizes)) if operation == "digest" else None
            lines += [
                "[[measure]]",
                'schemes = ["code-*"]',
                f"code = [{json.dumps(str(folder))}]",
                f'targets = ["{target}"]',
                f"implementations = {json.dumps(names)}",
                f'operations = ["{operation}"]',
                f"sizes = {sorted(sizes)}",
                f"code_flags = {json.dumps(flags)}",
                *([] if operation == "digest" else [f"aad = [{aad}]"]),
                *([f"kat = [{json.dumps(str(known))}]"] if known else []),
            ]
        study = Path(place) / "study.toml"
        study.write_text("\n".join(lines) + "\n")
        return motebench("run", str(study), "--quiet", *rest, folder=place)


def errors(
    document: Any, numbers: dict[Case, float], unit: str, overhead: float
) -> dict[Case, float]:
    """Relative error of each published case that was measured: our number with the board's
    ``overhead`` over theirs, less one.
    """
    found = {}
    for row in document["measurements"]:
        if row["metric"] != ("cycles" if unit == "cycles" else "time"):
            continue
        level = row["implementation"].partition("@")[2] or PLAIN
        case = Case(level, row["operation"], row["aad_bytes"], row["input_bytes"])
        if case in numbers:
            ours = row["median"] / _NANOSECONDS.get(unit, 1) + overhead
            found[case] = ours / numbers[case] - 1
    return found


def line(name: str, found: Sequence[float], count: int) -> list[str]:
    """A row of the table."""
    if not found:
        return [name, "0", str(count), *[""] * 4]
    sizes = sorted(map(abs, found))
    ninth = (
        statistics.quantiles(sizes, n=10, method="inclusive")[-1] if len(sizes) > 1 else sizes[0]
    )
    middle = f"{statistics.median(found):+.2%}"
    return [
        name,
        str(len(found)),
        str(count),
        f"{statistics.median(sizes):.2%}",
        f"{ninth:.2%}",
        middle,
        f"{min(found):+.2%} to {max(found):+.2%}",
    ]


def main() -> None:
    """Measure the folders and print both times beside each other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument(
        "implementations", type=Path, help="the folder `implementations` of such a repository"
    )
    parser.add_argument(
        "results",
        type=Path,
        nargs="+",
        help="results_BOARD_aead_all.csv, results_BOARD_hash_all.csv",
    )
    parser.add_argument("--target", default="sim:atmega328p")
    parser.add_argument(
        "--unit", choices=("us", "cycles"), default="us", help="of the published numbers"
    )
    parser.add_argument(
        "--overhead", type=float, default=0, help="of reading the board's clock, in that unit"
    )
    parser.add_argument(
        "--least", type=float, default=0, help="published numbers below this are left out"
    )
    parser.add_argument(
        "--only", default="*", metavar="PATTERN", help="of SUBMISSION/VARIANT/IMPLEMENTATION"
    )
    parser.add_argument(
        "--level", default="Os,O1,O2,O3", help="levels of optimisation, comma-separated"
    )
    parser.add_argument("--code-flags", default="", help="for the compiler, beside the level")
    parser.add_argument("--cases", action="store_true", help="print every case as well, as CSV")
    arguments, rest = parser.parse_known_args()
    levels = arguments.level.split(",")
    rows: list[list[str]] = []
    every: list[float] = []
    for path in arguments.results:
        for name, whole in published(path, arguments.only):
            numbers = {
                case: value
                for case, value in whole.items()
                if case.level in levels and value >= arguments.least
            }
            folder = folder_of(
                arguments.implementations.resolve(), name, {case.operation for case in numbers}
            )
            if folder is None or not numbers:
                continue
            say(f"{name}: {len(numbers)} cases")
            try:
                document = measured(
                    folder, list(numbers), arguments.target, arguments.code_flags, rest
                )
            except (
                SystemExit
            ) as refused:  # a folder in C++, for one; the others are measured all the same
                say(f"  {refused}")
                document = {"measurements": [], "failures": []}
            for text in sorted(
                {f"{each['kind']}: {each['message']}" for each in document["failures"]}
            ):
                say(f"  {text}")
            found = errors(document, numbers, arguments.unit, arguments.overhead)
            rows.append(line(name, list(found.values()), len(numbers)))
            every += found.values()
            for case, error in sorted(found.items()) if arguments.cases else ():
                print(
                    f"{name},{case.level},{case.operation},{case.aad},{case.size},"
                    f"{numbers[case]:g},{error:+.5f}"
                )
    if not rows:
        raise SystemExit(
            f"{arguments.implementations}: none of the implementations that the results are of "
            "is there"
        )
    rows.append(line("all", every, sum(int(row[2]) for row in rows)))
    head = (
        "implementation",
        "compared",
        "published",
        "median error",
        "90 % within",
        "median, signed",
        "range",
    )
    print(table(head, rows))


if __name__ == "__main__":
    main()
