"""A/A of virtual machines: one implementation under two names, each with virtual machines of its own.

    .venv/bin/python benchmarks/aa_jvm.py

Every run measures the same cases as implementation ``a`` and as implementation ``b``, which are the same Java probe;
invocations of the two take turns in random order. Compared are a with b within each run, and a with a and b with b
between a run and the next (no run is used twice). Exit status 1 if more than 5 % of the comparisons of either kind are
called different.
"""

from __future__ import annotations

import argparse
import tempfile

from aa import ALLOWED, Tally
from common import machine, median_rows, motebench, say, table

SCHEMES = "aes-128-cbc,chacha20,sha256"


def run(number: int, folder: str, chosen: argparse.Namespace) -> list[float]:
    """One run of all cases under both names, called by its number. How far apart its invocations are: for each case the
    longest time by the shortest, less 1."""
    names = f"a={chosen.implementation},b={chosen.implementation}"
    options = ("--scheme", SCHEMES, "--operation", "encrypt,digest", "--implementation", names, "--size", chosen.size)
    sampling = ("--fast", "--invocations", str(chosen.invocations), "--name", f"run-{number}", "--quiet")
    rows = median_rows(motebench("run", *options, *sampling, folder=folder), "time")
    return [row["max"] / row["min"] - 1 for row in rows]


def main() -> int:
    """Measure, compare, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=6, help="an even number, of about a minute each")
    parser.add_argument("--invocations", type=int, default=6)
    parser.add_argument("--implementation", default="sunjce")
    parser.add_argument("--size", default="64,8KiB")
    chosen = parser.parse_args()
    head, within, between = machine(), Tally(), Tally()
    spreads: list[float] = []
    margins = [0.0, 0.0]
    with tempfile.TemporaryDirectory() as folder:
        for number in range(chosen.runs):
            say(f"run {number + 1} of {chosen.runs}")
            spreads += run(number, folder, chosen)
            found = motebench("compare", f"run-{number}:a", f"run-{number}:b", folder=folder)
            margins[0] = found["margin"]
            within.add(found)
            if number % 2:
                for name in ("a", "b"):
                    found = motebench("compare", f"run-{number - 1}:{name}", f"run-{number}:{name}", folder=folder)
                    margins[1] = found["margin"]
                    between.add(found)
    print(f"{head}; {chosen.invocations} invocations of each\n")
    columns = ["", "margin", "comparisons", "beyond chance", "called different", "rate", "furthest ratio"]
    print(table(columns, [within.line("within a run", margins[0]), between.line("between runs", margins[1])]))
    spreads.sort()
    print(f"slowest by fastest invocation of a case: median +{100 * spreads[len(spreads) // 2]:.1f} %")
    for example in (*within.examples, *between.examples):
        print(f"- {example}")
    return 0 if all(tally.different <= ALLOWED * tally.compared for tally in (within, between)) else 1


if __name__ == "__main__":
    raise SystemExit(main())
