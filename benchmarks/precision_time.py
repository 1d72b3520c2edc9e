"""Wall time of motebench to 1 % intervals for the cells of `openssl speed`, against 3 seconds for
each of them.

    .venv/bin/python benchmarks/precision_time.py

The time is that of the whole command: start of Python, known answers, memory readings, rounds, and
the result document. `openssl speed` runs each size for 3 seconds unless told otherwise, and says
nothing about precision. Exit status 1 if the median run takes more than a tenth of that, or leaves
a case without a 1 % interval.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from statistics import median

from common import HERE, machine, median_rows, motebench, say, table

OPENSSL_SECONDS = 3
SHARE = 0.1
PRECISION = 0.01


def main() -> int:
    """Measure, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    head, lines, seconds, cells, wide = machine(), [], [], 0, 0
    for run in range(runs):
        say(f"run {run + 1} of {runs}")
        with tempfile.TemporaryDirectory() as folder:
            begun = time.monotonic()
            document = motebench("run", str(HERE / "openssl_speed.toml"), "--quiet", folder=folder)
            seconds.append(time.monotonic() - begun)
        rows = median_rows(document, "time")
        widths = [
            (row["ci_high"] - row["ci_low"]) / 2 / row["median"] if row["n"] >= 6 else 1.0
            for row in rows
        ]
        counts = [row["n"] for row in rows]
        cells, missed = len(rows), sum(width > PRECISION for width in widths)
        wide += missed
        spread = f"{min(counts)} / {median(counts):g} / {max(counts)}"
        lines.append([str(run + 1), f"{seconds[-1]:.1f}", str(cells), str(cells - missed), spread])
    theirs = OPENSSL_SECONDS * cells
    print(f"{head}\n")
    print(
        table(
            ["run", "seconds", "cells", "known to 1 %", "samples a cell (least / median / most)"],
            lines,
            left=0,
        )
    )
    took = median(seconds)
    print(
        f"\nmedian {took:.1f} s; openssl speed: {cells} x {OPENSSL_SECONDS} s = {theirs} s; "
        f"{100 * took / theirs:.1f} %"
    )
    return 0 if took <= SHARE * theirs and not wide else 1


if __name__ == "__main__":
    raise SystemExit(main())
