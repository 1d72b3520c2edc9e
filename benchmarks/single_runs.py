"""Single runs on a busy machine: how often the interval of one run holds the median of all of them.

    .venv/bin/python benchmarks/single_runs.py

The same few cases are measured again and again, each time by a run of its own, beside busy loops.
The median of the runs' medians is what a single run is about; its interval should hold it in 95 %
of the runs. Beside all intervals stand those that say a precision of 3 % or better. ``--store``
keeps the runs, and ``--no-run`` judges runs that a store has. Exit status 1 if fewer than 90 % of
the intervals hold it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from common import machine, motebench, say, table

from motebench.results.results import rows
from motebench.results.row import MeasurementRow
from motebench.store import Store

IMPLEMENTATIONS = "openssl,libgcrypt,nettle,libtomcrypt"
SCHEME = "aes-128-cbc"
SIZES = "64,4KiB"
PRECISE = 0.03
LOOP = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: sum(range(100_000))"
"""A busy loop that ends with the benchmark, however that ends."""
LEAST = 0.90
"""Share of intervals that must hold the median of all runs: 95 %, less the chance deviation of 40
runs.
"""


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """``loops`` processes that compute and do nothing else."""
    processes = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def measure(folder: Path, runs: int, options: list[str]) -> None:
    """Make the runs, one after the other."""
    question = [
        "--scheme",
        SCHEME,
        "--implementation",
        IMPLEMENTATIONS,
        "--operation",
        "encrypt",
        "--size",
        SIZES,
    ]
    for number in range(runs):
        motebench(
            "run",
            *question,
            *options,
            "--quiet",
            "--store",
            "runs.db",
            "--seed",
            str(number),
            folder=folder,
        )
        if number % 10 == 9:
            say(f"{number + 1} runs, load {os.getloadavg()[0]:.1f}")


def cells(store: Path) -> tuple[dict[str, list[MeasurementRow]], list[float]]:
    """The times of each case by run, and how long the runs sampled."""
    found: dict[str, list[MeasurementRow]] = defaultdict(list)
    seconds = []
    with Store.open(str(store), create=False) as opened:
        for info in sorted(opened.runs(), key=lambda info: info.id):
            if info.status != "finished":
                continue
            run = opened.load_run(info.id)
            ends = [
                sample.at
                for result in run.results
                for series in result.series
                for sample in series.samples
            ]
            seconds.append(max(ends, default=0.0))
            for row in rows(run):
                if row.metric == "time" and row.quotable:
                    case = row.case
                    size = f"{case.input_bytes} B"
                    found[
                        f"{case.implementation} {case.scheme} {case.operation.value} {size}"
                    ].append(row)
    return found, seconds


def judge(found: dict[str, list[MeasurementRow]]) -> tuple[list[list[str]], float]:
    """The table, and the share of all intervals that hold."""
    lines, sums = [], [0, 0, 0, 0]
    for name, by_run in found.items():
        stats = [row.describe() for row in by_run]
        truth = median(one.median for one in stats)
        known = [one for one in stats if one.ci_low is not None and one.ci_high is not None]
        holds = [one for one in known if one.ci_low <= truth <= one.ci_high]  # type: ignore[operator]
        precise = [one for one in known if one.precision is not None and one.precision <= PRECISE]
        precise_holds = [one for one in precise if one in holds]
        counts = [len(holds), len(known), len(precise_holds), len(precise)]
        sums = [total + count for total, count in zip(sums, counts, strict=True)]
        apart = sorted(abs(one.median / truth - 1) for one in stats)[len(stats) * 9 // 10]
        width = median(one.precision or 0.0 for one in known) if known else 0.0
        lines.append([name, *_shares(counts), f"{100 * apart:.1f} %", f"{100 * width:.1f} %"])
    lines.append(["all", *_shares(sums), "", ""])
    return lines, sums[0] / max(sums[1], 1)


def _shares(counts: list[int]) -> list[str]:
    holds, known, precise_holds, precise = counts
    return [
        f"{holds} of {known}, {100 * holds / max(known, 1):.0f} %",
        f"{precise_holds} of {precise}",
    ]


def main() -> int:
    """Measure, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--load", type=int, default=6, help="busy loops beside the runs")
    parser.add_argument("--store", type=Path, help="folder that keeps the runs")
    parser.add_argument("--no-run", action="store_true", help="judge the runs in the store")
    chosen, options = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.store or Path(scratch)
        if not chosen.no_run:
            with busy(chosen.load):
                measure(folder, chosen.runs, options or ["--fast"])
        head = machine()
        found, seconds = cells(folder / "runs.db")
    lines, share = judge(found)
    print(
        f"{head}; {len(seconds)} runs, {chosen.load} busy loops, {median(seconds):.1f} s of "
        "sampling in the median\n"
    )
    columns = [
        "case",
        "intervals that hold the median of all runs",
        f"of those within {PRECISE:.0%}",
        "9 of 10 medians within",
        "half width",
    ]
    print(table(columns, lines))
    return 0 if share >= LEAST else 1


if __name__ == "__main__":
    raise SystemExit(main())
