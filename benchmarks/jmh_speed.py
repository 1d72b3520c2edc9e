"""motebench's Java probe beside a JMH benchmark of the same calls, cell by cell.

    .venv/bin/python benchmarks/jmh_speed.py

Needs a JDK of at least 17 and Maven, which builds `benchmarks/jmh` into `build/jmh`. A repetition
visits every cell in a new random order and asks JMH twice and motebench once there, in random
order, each in virtual machines of its own (JMH in one, motebench in two, the fewest of a run). Exit
status 1 if a cell differs from JMH by more than JMH from itself, 3 if none does but the machine was
too noisy to see 5 %: JMH goes by the wall clock, so it was too noisy too where something waited for
a processor during a quarter of the time (`/proc/pressure/cpu`).
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import median

from common import HERE, machine, median_rows, motebench, need, say
from turns import FEWEST, Beside, Triple, in_turn, report, waited

LIMIT = 0.05
JAR = HERE.parent / "build" / "jmh" / "motebench-jmh.jar"
# Averages over a tenth of a second, and the median of them: what a batch of ours is, an average
# over some calls with all that happens between them (garbage collection, and whoever else had the
# processor). A median of single calls would leave that out and be shorter.
ITERATIONS = (
    "-f",
    "1",
    "-bm",
    "avgt",
    "-tu",
    "ns",
    "-wi",
    "60",
    "-w",
    "100ms",
    "-i",
    "40",
    "-r",
    "100ms",
)
# Options that the launcher of the probe gives its virtual machine.
OPTIONS = "-XX:+UnlockDiagnosticVMOptions"


@dataclass(frozen=True)
class Cell:
    """One call of a cipher on so many bytes."""

    implementation: str
    algorithm: str
    bits: int
    size: int

    @property
    def scheme(self) -> str:
        """Name of the cell's scheme in motebench."""
        return f"{self.algorithm.lower()}-{self.bits}-cbc"


CELLS = [
    Cell(implementation, algorithm, bits, size)
    for implementation, algorithm in (("sunjce", "AES"), ("bouncycastle", "Twofish"))
    for bits in (128, 256)
    for size in (4096, 16384)
]


def build() -> None:
    """The benchmark's jar, by Maven."""
    say("building benchmarks/jmh")
    done = subprocess.run(
        ["mvn", "-q", "-B", "-f", str(HERE / "jmh" / "pom.xml"), "package"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode or not JAR.exists():
        raise SystemExit(f"benchmarks/jmh could not be built:\n{done.stdout}{done.stderr}")


def jmh(cell: Cell, folder: str) -> float:
    """Nanoseconds a call: the median of JMH's iterations, each the average of many calls, like a
    batch of ours.
    """
    result = Path(folder) / "jmh.json"
    parameters = [f"implementation={cell.implementation}", f"algorithm={cell.algorithm}"]
    parameters += [f"bits={cell.bits}", f"size={cell.size}"]
    options = list(chain.from_iterable(("-p", each) for each in parameters))
    command = [
        "java",
        "-jar",
        str(JAR),
        *ITERATIONS,
        "-jvmArgs",
        OPTIONS,
        *options,
        "-rf",
        "json",
        "-rff",
        str(result),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"JMH ended with {done.returncode}: {done.stdout}{done.stderr}")
    (found,) = json.loads(result.read_text())
    result.unlink()
    metric = found["primaryMetric"]
    if metric["scoreUnit"] != "ns/op":
        raise SystemExit(f"JMH measured in {metric['scoreUnit']}")
    return float(median(chain.from_iterable(metric["rawData"])))


def ours(cell: Cell, folder: str) -> float:
    """Nanoseconds an operation, from a run of that one case."""
    options = (
        "--scheme",
        cell.scheme,
        "--operation",
        "encrypt",
        "--implementation",
        cell.implementation,
    )
    limits = ("--size", str(cell.size), "--warmup", "10s", "--invocations", "2", "--quiet")
    (found,) = median_rows(motebench("run", *options, *limits, folder=folder), "time")
    return float(found["median"])


def measure(repetitions: int) -> dict[Cell, list[Triple]]:
    """Nanoseconds, by cell."""
    triples: dict[Cell, list[Triple]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for repetition in range(repetitions):
            for cell in random.sample(CELLS, len(CELLS)):
                say(
                    f"repetition {repetition + 1} of {repetitions}: {cell.implementation} "
                    f"{cell.scheme} {cell.size} B"
                )
                begun, before = time.monotonic(), waited()
                readings = in_turn(partial(jmh, cell, folder), partial(ours, cell, folder))
                triple = Triple(*readings, waited=(waited() - before) / (time.monotonic() - begun))
                triples[cell].append(triple)
                say(
                    f"  JMH {triple.theirs:.1f} and {triple.again:.1f} ns, motebench "
                    f"{triple.ours:.1f} ns"
                )
    return triples


def main() -> int:
    """Measure, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--repetitions", type=int, default=9, help=f"at least {FEWEST}, for intervals of 95 %%"
    )
    chosen = parser.parse_args()
    need("java", "a JDK of at least 17")
    need("mvn", "maven")
    build()
    head = machine()
    triples = measure(chosen.repetitions)
    lines = []
    for cell in CELLS:
        beside = Beside(tuple(triples[cell]), LIMIT)
        times = (f"{time:.1f}" for time in beside.medians())
        lines.append(([cell.implementation, cell.scheme, str(cell.size), *times], beside))
    print(f"{head}; {chosen.repetitions} repetitions\n")
    return report(["library", "scheme", "B", "JMH ns", "motebench ns"], lines, left=2, limit=LIMIT)


if __name__ == "__main__":
    raise SystemExit(main())
