"""A/A: one implementation under two names must not be called different from itself.

    .venv/bin/python benchmarks/aa.py

Every run measures the same cases as implementation ``a`` and as implementation ``b``, which are the
same probe. Compared are a with b within each run, and a with a and b with b between a run and the
next (no run is used twice). Exit status 1 if more than 5 % of the comparisons of either kind are
called different.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from common import machine, median_rows, motebench, say, table

from motebench.stats import ALPHA

ALLOWED = 0.05
SAME = "not distinguishable"
NAMES = ("a=openssl", "b=openssl")
SCHEMES = "aes-128-cbc,aes-256-gcm,chacha20-poly1305,blowfish-128-cbc,sha256"
SIZES = "64,8KiB"


@dataclass
class Tally:
    """Comparisons of one kind: all, those called different, those that only the margin kept from
    it.
    """

    compared: int = 0
    different: int = 0
    beyond_chance: int = 0
    ratios: list[float] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)

    def add(self, document: Any) -> None:
        """Count the verdicts of one call of ``motebench compare``."""
        for item in document["comparisons"]:
            self.compared += 1
            self.ratios.append(item["ratio"])
            if item["p"] is not None and item["p"] < ALPHA:
                self.beyond_chance += 1
            if item["verdict"] != SAME:
                self.different += 1
                where = f"{item['scheme']} {item['operation']} {item['input_bytes']} B"
                numbers = (
                    f"ratio {item['ratio']:.4f}, p {item['p']:.2g}, n {item['n_a']} and "
                    f"{item['n_b']}"
                )
                self.examples.append(
                    f"{document['a']['name']}, {document['b']['name']}: {where}: {numbers}"
                )

    def line(self, name: str, margin: float) -> list[str]:
        """The row of the table."""
        furthest = max(max(ratio, 1 / ratio) for ratio in self.ratios) - 1
        rate = f"{100 * self.different / self.compared:.1f} %"
        return [
            name,
            f"{100 * margin:g} %",
            str(self.compared),
            str(self.beyond_chance),
            str(self.different),
            rate,
            f"{100 * furthest:.1f} %",
        ]


def run(number: int, folder: str, precision: str) -> None:
    """One run of all cases under both names, called by its number."""
    options = (
        "--scheme",
        SCHEMES,
        "--operation",
        "encrypt,digest",
        "--implementation",
        ",".join(NAMES),
    )
    document = motebench(
        "run",
        *options,
        "--size",
        SIZES,
        "--precision",
        precision,
        "--name",
        f"run-{number}",
        "--quiet",
        folder=folder,
    )
    median_rows(document, "time")


def main() -> int:
    """Measure, compare, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--runs",
        type=int,
        default=10,
        help="an even number; each gives 10 comparisons of each kind",
    )
    parser.add_argument("--precision", default="1%")
    chosen = parser.parse_args()
    head = machine()
    return show(
        head, *compared(chosen.runs, lambda number, folder: run(number, folder, chosen.precision))
    )


def compared(runs: int, measure: Callable[[int, str], None]) -> tuple[list[Tally], list[float]]:
    """Comparisons within each run and between a run and the next, and the margin of either kind.

    ``measure(number, folder)`` makes a run called ``run-<number>`` of names a and b.
    """
    within, between, margins = Tally(), Tally(), [0.0, 0.0]
    with tempfile.TemporaryDirectory() as folder:
        for number in range(runs):
            say(f"run {number + 1} of {runs}")
            measure(number, folder)
            found = motebench("compare", f"run-{number}:a", f"run-{number}:b", folder=folder)
            margins[0] = found["margin"]
            within.add(found)
            if number % 2:
                for name in ("a", "b"):
                    found = motebench(
                        "compare", f"run-{number - 1}:{name}", f"run-{number}:{name}", folder=folder
                    )
                    margins[1] = found["margin"]
                    between.add(found)
    return [within, between], margins


def show(head: str, tallies: list[Tally], margins: list[float], more: str = "") -> int:
    """Print the table, ``more`` below it, and the cases called different; return the exit
    status.
    """
    names = ("within a run", "between runs")
    print(f"{head}\n")
    columns = [
        "",
        "margin",
        "comparisons",
        "beyond chance",
        "called different",
        "rate",
        "furthest ratio",
    ]
    print(
        table(
            columns, [of.line(*words) for of, *words in zip(tallies, names, margins, strict=True)]
        )
    )
    if more:
        print(more)
    for example in (example for tally in tallies for example in tally.examples):
        print(f"- {example}")
    return 0 if all(tally.different <= ALLOWED * tally.compared for tally in tallies) else 1


if __name__ == "__main__":
    raise SystemExit(main())
