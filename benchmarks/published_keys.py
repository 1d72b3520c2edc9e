"""Cycles that pqm4 and pqm3 publish of KEMs and signatures, beside ours of the same folders.

Takes a checkout of https://github.com/mupq/pqm4 or pqm3 with its submodules, and its
``benchmarks.csv``: after ``Speed Evaluation`` a row for each folder,
``SCHEME (N executions),IMPLEMENTATION`` and three triples of mean, minimum and maximum: of key
generation, of encapsulation or signing, of decapsulation or verification.

Ours is one execution with a fixed seed, so an operation whose cycles vary by more than
``--most-spread`` between published executions (signatures with rejections) is left out. The error
is ours over their mean, less one. Their mean includes a hardware generator of random numbers, ours
a generator that takes nearly nothing; decapsulation and verification draw none. Options that are
not listed are passed on to ``motebench run``.
"""

from __future__ import annotations

import argparse
import csv
import re
import statistics
import tempfile
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

from common import motebench, say, table

from motebench.catalog import schemes

OPERATIONS = {
    "crypto_kem": ("keygen", "encapsulate", "decapsulate"),
    "crypto_sign": ("keygen", "sign", "verify"),
}
MESSAGE_BYTES = "59"
"""Bytes of the messages that pqm4 signs."""
_NAME = re.compile(r"(\S+) \(\d+ executions\)")


class Cycles(NamedTuple):
    """Cycles of one operation, over all executions."""

    mean: float
    least: float
    most: float


def published(path: Path) -> Iterator[tuple[str, str, tuple[Cycles, ...]]]:
    """Published rows of the table of speed: scheme, implementation, and cycles of the three
    operations.
    """
    with path.open(newline="", encoding="utf-8") as lines:
        for row in csv.reader(lines):
            if row and (name := _NAME.fullmatch(row[0])) and all(row[2:11]):
                numbers = [float(cell) for cell in row[2:11]]
                yield name[1], row[1], tuple(Cycles(*numbers[at : at + 3]) for at in (0, 3, 6))


def folder_of(root: Path, scheme: str, implementation: str) -> Path | None:
    """Folder of the implementation in the tree; None if it is not there."""
    for tree in (root, root / "mupq", root / "mupq" / "pqclean"):
        for kind in OPERATIONS:
            path = tree / kind / scheme / implementation
            if (path / "api.h").is_file():
                return path
    return None


def measured(
    folder: Path, scheme: str, operations: list[str], target: str, level: str, rest: list[str]
) -> Any:
    """The document of a run of the folder."""
    known = ("--scheme", scheme) if scheme in schemes() else ("--without-kat",)
    with tempfile.TemporaryDirectory() as place:
        return motebench(
            "run",
            "--code",
            str(folder),
            *known,
            "--code-name",
            "theirs",
            "--implementation",
            f"code/theirs@{level}",
            "--target",
            target,
            "--operation",
            ",".join(operations),
            *(("--size", MESSAGE_BYTES) if "verify" in operations else ()),
            "--quiet",
            *rest,
            folder=place,
        )


def main() -> None:
    """Measure the folders and print both cycles beside each other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("tree", type=Path, help="a checkout of pqm4 or pqm3, with submodules")
    parser.add_argument(
        "results", type=Path, nargs="?", help="its table; default: benchmarks*.csv of the checkout"
    )
    parser.add_argument("--target", default="sim:cortex-m4-nows")
    parser.add_argument(
        "--only", default="*", metavar="PATTERNS", help="of SCHEME/IMPLEMENTATION, comma-separated"
    )
    parser.add_argument(
        "--operations", default="keygen,encapsulate,decapsulate,verify", help="those to compare"
    )
    parser.add_argument("--level", default="O3", help="level of optimisation; theirs is O3")
    parser.add_argument(
        "--most-spread", type=float, default=0.06, help="(maximum - minimum) / mean of an operation"
    )
    arguments, rest = parser.parse_known_args()
    root = arguments.tree.resolve()
    results = arguments.results or next(iter(sorted(root.glob("benchmarks*.csv"))), None)
    if results is None:
        raise SystemExit(f"{root} has no benchmarks.csv")
    asked = arguments.operations.split(",")
    rows: list[list[str]] = []
    every: list[float] = []
    for scheme, implementation, cycles in published(results):
        name = f"{scheme}/{implementation}"
        folder = folder_of(root, scheme, implementation)
        if folder is None or not any(
            fnmatch(name, pattern) for pattern in arguments.only.split(",")
        ):
            continue
        theirs = {
            operation: each
            for operation, each in zip(OPERATIONS[folder.parent.parent.name], cycles, strict=True)
            if operation in asked and each.most - each.least <= arguments.most_spread * each.mean
        }
        say(name)
        try:
            document = measured(
                folder, scheme, list(theirs), arguments.target, arguments.level, rest
            )
        except (
            SystemExit
        ) as refused:  # keys that are too long, for one; the others are measured all the same
            say(f"  {refused}")
            continue
        for text in sorted({f"{each['kind']}: {each['message']}" for each in document["failures"]}):
            say(f"  {text}")
        ours = {
            row["operation"]: row["median"]
            for row in document["measurements"]
            if row["metric"] == "cycles"
        }
        for operation, each in theirs.items():
            if operation in ours:
                error = ours[operation] / each.mean - 1
                every.append(error)
                rows.append(
                    [
                        name,
                        operation,
                        f"{each.mean:,.0f}",
                        f"{ours[operation]:,.0f}",
                        f"{error:+.2%}",
                    ]
                )
    if not rows:
        raise SystemExit(f"{results}: nothing in it was measured")
    print(table(("folder", "operation", "published", "simulated", "error"), rows, left=2))
    say(f"median of the absolute errors: {statistics.median(map(abs, every)):.2%} of {len(every)}")


if __name__ == "__main__":
    main()
