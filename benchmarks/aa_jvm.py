"""A/A of virtual machines: one implementation under two names, each with virtual machines of its
own.

    .venv/bin/python benchmarks/aa_jvm.py

Every run measures the same cases as implementation ``a`` and as implementation ``b``, which are the
same Java probe; invocations of the two take turns in random order. Compared are a with b within
each run, and a with a and b with b between a run and the next (no run is used twice). Exit status 1
if more than 5 % of the comparisons of either kind are called different.
"""

from __future__ import annotations

import argparse

from aa import compared, show
from common import machine, median_rows, motebench

SCHEMES = "aes-128-cbc,chacha20,sha256"


def run(number: int, folder: str, chosen: argparse.Namespace) -> list[float]:
    """One run of all cases under both names, called by its number. How far apart its invocations
    are: for each case the longest time by the shortest, less 1."""
    names = f"a={chosen.implementation},b={chosen.implementation}"
    options = (
        "--scheme",
        SCHEMES,
        "--operation",
        "encrypt,digest",
        "--implementation",
        names,
        "--size",
        chosen.size,
    )
    sampling = (
        "--fast",
        "--invocations",
        str(chosen.invocations),
        "--name",
        f"run-{number}",
        "--quiet",
    )
    rows = median_rows(motebench("run", *options, *sampling, folder=folder), "time")
    return [row["max"] / row["min"] - 1 for row in rows]


def main() -> int:
    """Measure, compare, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--runs", type=int, default=6, help="an even number, of about a minute each"
    )
    parser.add_argument("--invocations", type=int, default=6)
    parser.add_argument("--implementation", default="sunjce")
    parser.add_argument("--size", default="64,8KiB")
    chosen = parser.parse_args()
    spreads: list[float] = []
    head = f"{machine()}; {chosen.invocations} invocations of each"
    tallies, margins = compared(
        chosen.runs, lambda number, folder: spreads.extend(run(number, folder, chosen))
    )
    spreads.sort()
    more = (
        f"slowest by fastest invocation of a case: median +{100 * spreads[len(spreads) // 2]:.1f} %"
    )
    return show(head, tallies, margins, more)


if __name__ == "__main__":
    raise SystemExit(main())
